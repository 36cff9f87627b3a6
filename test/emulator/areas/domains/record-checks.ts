import { isIPv4, isIPv6 } from 'node:net';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { DomainRecord, RecordType } from '../../records/domain-records.ts';
import type { Draft, RecordBody } from './record-rows.ts';

const hostname = /^(?=.{1,253}$)([a-zA-Z0-9_-]{1,63}\.)*[a-zA-Z0-9_-]{1,63}$/;
const isHost = (text: string): boolean => hostname.test(text.replace(/\.$/, ''));
const isDomain = (text: string): boolean => isHost(text) && text.includes('.');

const problem = (field: string): ErrorItem => ({ reason: `${field} is not valid`, field });
const missing = (field: string): ErrorItem => ({ reason: `${field} is required`, field });

/** Both texts are the service's, for `@` for example. */
const badName: readonly ErrorItem[] = [
  { reason: 'Name contains invalid characters', field: 'name' },
  { reason: 'Invalid hostname', field: 'name' },
];

function caaTarget({ tag, target }: Draft): boolean {
  if (target.endsWith('.')) return false;
  if (tag === 'issue') return isDomain(target);
  if (tag === 'issuewild') return isDomain(target) && !target.startsWith('*');
  const url = /^https?:\/\/(.+)$/.exec(target)?.[1];
  if (url !== undefined) return isDomain(url.replace(/\/.*$/, ''));
  return /^mailto:[^@\s]+@[^@\s]+\.[^@\s]+$/.test(target) || isDomain(target);
}

const targets: Readonly<Record<RecordType, (draft: Draft) => boolean>> = {
  A: ({ target }) => isIPv4(target),
  AAAA: ({ target }) => isIPv6(target),
  NS: ({ target }) => isDomain(target),
  MX: ({ target }) => isDomain(target),
  CNAME: ({ target }) => isDomain(target),
  TXT: () => true,
  SRV: ({ target }) => isDomain(target),
  PTR: ({ target }) => isHost(target),
  CAA: caaTarget,
};

const isNullMx = (draft: Pick<Draft, 'type' | 'name' | 'target'>): boolean =>
  draft.type === 'MX' && draft.name === '' && draft.target === '';

function nameProblems(draft: Draft): readonly ErrorItem[] {
  if (draft.name === '') return draft.type === 'CNAME' ? [missing('name')] : [];
  if (draft.type === 'NS' && draft.name.includes('*')) return badName;
  return isHost(draft.name.replace(/^\*(\.|$)/, 'any$1')) ? [] : badName;
}

function targetProblems(draft: Draft): readonly ErrorItem[] {
  if (draft.target !== '') return targets[draft.type](draft) ? [] : [problem('target')];
  return isNullMx(draft) ? [] : [missing('target')];
}

/** SRV needs priority, weight and port in the request itself; they are stored as 0 when unset. */
export function serviceProblems(sent: RecordBody): readonly ErrorItem[] {
  const needed = ['service', 'priority', 'weight', 'port'] as const;
  return needed.filter((field) => sent[field] === undefined || sent[field] === null).map(missing);
}

function typeProblems(draft: Draft): readonly ErrorItem[] {
  const found: ErrorItem[] = [];
  if (draft.type === 'CAA' && draft.tag === null) found.push(missing('tag'));
  // An empty service has got its underscore by now.
  if (draft.type === 'SRV' && (draft.service ?? '_') === '_') found.push(missing('service'));
  if (isNullMx(draft) && draft.priority !== 0) found.push({ reason: 'Must be 0-0', field: 'priority' });
  return found;
}

export function recordProblems(draft: Draft): readonly ErrorItem[] {
  return [...nameProblems(draft), ...targetProblems(draft), ...typeProblems(draft)];
}

/** A CNAME shares its name with no other record, in either order. */
function cnameConflict(draft: Draft, others: readonly DomainRecord[]): readonly ErrorItem[] {
  const sameName = others.filter((other) => other.name === draft.name);
  const conflict = draft.type === 'CNAME' ? sameName.length > 0 : sameName.some((other) => other.type === 'CNAME');
  return conflict ? [{ reason: 'Record conflict - CNAMES must be unique', field: 'name' }] : [];
}

/** A Null MX stands alone among the MX records; the texts are assumed. */
function mxConflict(draft: Draft, others: readonly DomainRecord[]): readonly ErrorItem[] {
  if (draft.type !== 'MX') return [];
  const exchangers = others.filter((other) => other.type === 'MX');
  if (isNullMx(draft) && exchangers.length > 0) {
    return [{ reason: 'Other MX records must be removed before a Null MX can be added', field: 'target' }];
  }
  return exchangers.some(isNullMx) ? [{ reason: 'The domain has a Null MX record', field: 'target' }] : [];
}

export function conflicts(draft: Draft, others: readonly DomainRecord[]): readonly ErrorItem[] {
  return [...cnameConflict(draft, others), ...mxConflict(draft, others)];
}
