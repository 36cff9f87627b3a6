import type { Rule, Rules, TypeRule } from '../../kinds/terraform/rule.ts';
import { types } from '../../kinds/terraform/resources.ts';

export interface Mapped {
  readonly type: string;
  readonly attribute: string;
  readonly becomes: string;
}

/** The whole table, an attribute a line. */
export const mapping = (): readonly Mapped[] => Object.entries(types).flatMap(([type, rule]) => ofType(type, rule));

function ofType(type: string, rule: TypeRule): readonly Mapped[] {
  if (rule.is === 'nothing') return staying(type, rule);
  const kind = 'kind' in rule ? rule.kind : '';
  const head = kind === '' ? [] : [{ type, attribute: '', becomes: rule.is === 'part' ? `part of ${kind}` : kind }];
  return [...head, ...lines(rule.rules, '', '').map((line) => ({ type, ...line }))];
}

function staying(type: string, { why, instead }: Extract<TypeRule, { readonly is: 'nothing' }>): readonly Mapped[] {
  const stays = { type, attribute: '', becomes: `stays in Terraform: ${why}` };
  if (instead === undefined) return [stays];
  const asked = lines(instead.rule.rules, '', '').map(({ attribute, becomes }) => ({
    type,
    attribute,
    becomes: `with ${instead.asked}: ${becomes}`,
  }));
  return [stays, { type, attribute: '', becomes: `with ${instead.asked}: ${instead.rule.kind}, and ${instead.stays}` }, ...asked];
}

const lines = (rules: Rules, at: string, into: string): readonly Omit<Mapped, 'type'>[] =>
  Object.entries(rules).flatMap(([name, rule]) => {
    if (rule.does === 'block') return lines(rule.rules, `${at}${name}.`, `${into}${rule.field}.`);
    if (rule.does === 'blocks') return lines(rule.rules, `${at}${name}[].`, `${into}${rule.field}[].`);
    return [{ attribute: `${at}${name}`, becomes: said(rule, into) }];
  });

const reasons = {
  computed: 'told by the account',
  creation: 'read when it is made, and never again',
  provider: 'of Terraform alone',
} as const;
function said(rule: Exclude<Rule, { readonly does: 'block' | 'blocks' }>, into: string): string {
  switch (rule.does) {
    case 'field':
      return `spec.${into}${rule.field}`;
    case 'asked':
      return `left out: ${reasons.creation}; with --${rule.flag} spec.${into}${rule.field}`;
    case 'further':
      return 'objects of their own';
    case 'nothing':
      return `left out: ${reasons[rule.because]}`;
    case 'tell':
      return `named: ${rule.why}`;
    case 'secret':
      return 'never written or shown';
  }
}
