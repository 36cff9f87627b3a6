import {
  type Attributes,
  type Further,
  type Here,
  isRecord,
  isSaid,
  listOf,
  type Rule,
  type Rules,
} from '../../../kinds/terraform/rule.ts';

/** What the attributes of one resource say. */
export interface Reading {
  readonly want: Record<string, unknown>;
  readonly further: Further[];
  /** What a person must know, by attribute. */
  readonly told: Map<string, string>;
  /** Attributes that were held back. */
  readonly secrets: string[];
  /** Attributes that no rule knows, those of later versions of the provider for example. */
  readonly unknown: string[];
}

/** Where the rules of blocks write to. */
interface Into {
  readonly reading: Reading;
  readonly want: Record<string, unknown>;
  readonly all: Attributes;
  readonly here: Here;
  readonly at: string;
}

export function readingOf(rules: Rules, all: Attributes, here: Here): Reading {
  const want = {};
  const reading: Reading = { want, further: [], told: new Map(), secrets: [], unknown: [] };
  readInto(rules, { reading, want, all, here, at: '' });
  return reading;
}

function readInto(rules: Rules, into: Into): void {
  for (const [name, value] of Object.entries(into.all)) {
    const rule = rules[name];
    if (value === null || value === undefined) continue;
    if (rule !== undefined) apply(rule, value, { ...into, at: `${into.at}${name}` });
    else if (isSaid(value)) into.reading.unknown.push(`${into.at}${name}`);
  }
}

function apply(rule: Rule, value: unknown, into: Into): void {
  const { reading, all, at } = into;
  if ('field' in rule) return put(into.want, rule.field, fieldOf(rule, value, into));
  switch (rule.does) {
    case 'nothing':
      return;
    case 'further':
      return void reading.further.push(...rule.of(value, all));
    case 'tell':
      return rule.when(value) ? void reading.told.set(at, rule.why) : undefined;
    case 'secret':
      return isSaid(value) ? void reading.secrets.push(at) : undefined;
  }
}

function fieldOf(rule: Extract<Rule, { readonly field: string }>, value: unknown, into: Into): unknown {
  const { all, here } = into;
  switch (rule.does) {
    case 'field':
      tellOf(rule.says?.(value), into);
      return rule.as(value, all, here);
    case 'asked':
      return here.asks(rule.flag) ? rule.as(value, all, here) : undefined;
    case 'block':
      return unlessBare(inner(rule.rules, listOf(value)[0], into));
    case 'blocks':
      return listOf(value).map((one) => inner(rule.rules, one, into));
  }
}

function tellOf(why: string | undefined, { reading, at }: Into): void {
  if (why !== undefined) reading.told.set(at, why);
}

function inner(rules: Rules, value: unknown, into: Into): Record<string, unknown> {
  const want = {};
  if (isRecord(value)) readInto(rules, { ...into, want, all: value, at: `${into.at}.` });
  return want;
}

/** Two attributes may say parts of one field. */
function put(want: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) return;
  const known = want[name];
  want[name] = isRecord(known) && isRecord(value) ? { ...known, ...value } : value;
}

const unlessBare = (value: Record<string, unknown>): unknown => (Object.keys(value).length === 0 ? undefined : value);
