import { type AnyKind, type Duration, type Row, seconds } from '../../resource/index.ts';
import type { Outcome } from '../outcome.ts';
import type { ApiReason, CloudError, Fault } from '../ports.ts';

type Meaning = (text: string, kind: AnyKind, retry: { readonly retryAfter?: Duration }) => Outcome;

const quiet: Meaning = (_text, _kind, { retryAfter }) => ({ is: 'Quiet', recheckAfter: retryAfter ?? seconds(1) });
const unreachable: Meaning = (text, _kind, retry) => ({
  is: 'Retrying',
  reason: 'Unreachable',
  message: `${text}. Nothing was changed; it is tried again by itself`,
  ...retry,
});
const rejected: Meaning = (text) => ({
  is: 'Stalled',
  reason: 'Rejected',
  message: `${text}. Change the spec; it is tried again then, and within the hour in any case`,
});

/** THE table: what a rejected call means for the object. Waiting for the budget is never written on objects (design 5.8). */
const meanings: Readonly<Record<Fault, Meaning>> = {
  Throttled: quiet,
  Abandoned: quiet,
  Unavailable: unreachable,
  Malformed: unreachable,
  Unknown: (text, _kind, retry) => ({
    is: 'Retrying',
    reason: 'UnknownOutcome',
    message: `${text}. Whether the change was made is looked up before anything is sent again`,
    ...retry,
  }),
  Unauthorized: (text) => ({
    is: 'Retrying',
    reason: 'Unauthorized',
    message: `${text}. Renew the token in the Secret that the CloudAccount names; it is read every minute`,
  }),
  Busy: (text) => ({
    is: 'Waiting',
    reason: 'Busy',
    message: `${text}. It is tried again when the running job has ended`,
    on: ['a job of the remote'],
    recheckAfter: seconds(10),
  }),
  Forbidden: (text, kind) => ({
    is: 'Stalled',
    reason: 'Forbidden',
    message: `${text}. The token needs the scope ${kind.scopes.write.join(', ')}, and a restricted user needs a grant for this too; status.scopes and status.restricted of the CloudAccount show what it has. It is tried again within the hour, or when the token is another`,
  }),
  Quota: (text) => ({
    is: 'Stalled',
    reason: 'QuotaExceeded',
    message: `${text}. Raise the limit with the provider or delete something; it is tried again within the hour`,
  }),
  NotUnique: (text) => ({
    is: 'Stalled',
    reason: 'AlreadyExists',
    message: `${text}. Something else in the account has this already: choose another value, or rename the other one there. Nothing was changed; it is tried again within the hour`,
  }),
  NotFound: rejected,
  Rejected: rejected,
};

export const outcomeOf = (kind: AnyKind, error: CloudError, spec?: Row): Outcome =>
  meanings[error.fault](
    explain(kind, error, spec),
    kind,
    error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter as Duration },
  );

/** The API's own words with the spec field that each concerns; where several could be meant, one that the spec sets. */
export function explain(kind: AnyKind, error: CloudError, spec: Row = {}): string {
  const parts = error.reasons.map((reason) => reasonText(kind, reason, spec));
  if (parts.length === 0) return error.message;
  const call = /^(?:GET|POST|PUT|DELETE) \S+(?=:)/.exec(error.message)?.[0];
  // Some of its texts end in a period, and a sentence of ours follows.
  return `the API refused ${call ?? 'the call'}: ${parts.join('; ').replace(/\.$/, '')}`;
}

function reasonText(kind: AnyKind, { reason, field }: ApiReason, set: Row): string {
  const spec = field === undefined ? byText(kind, reason) : specField(kind, field, set);
  if (field === undefined) return spec === undefined ? reason : `spec.${spec}: ${reason}`;
  return spec === undefined ? `${field}: ${reason}` : `spec.${spec}: ${reason}`;
}

const byText = (kind: AnyKind, reason: string): string | undefined =>
  Object.entries(kind.fields).find(([, { says }]) => says?.test(reason) === true)?.[0];

const snakeOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `rules.inbound[0].ports` -> the spec field whose rule names it, or whose snake_case twin begins it; the rest of the path is kept. */
export function specField(kind: AnyKind, field: string, set: Row = {}): string | undefined {
  const byRule = Object.entries(kind.fields).flatMap(([name, { errors = [snakeOf(name)] }]) =>
    errors.flatMap((prefix) =>
      field === prefix || field.startsWith(`${prefix}.`) || field.startsWith(`${prefix}[`) ? [{ name, prefix }] : [],
    ),
  );
  const isSet = ({ name }: { readonly name: string }): number => (set[name] === undefined ? 0 : 1);
  const [best] = byRule.toSorted((a, b) => isSet(b) - isSet(a) || b.prefix.length - a.prefix.length);
  if (best !== undefined) return `${best.name}${field.slice(best.prefix.length)}`;
  const head = /^[a-z0-9_]+/.exec(field)?.[0] ?? '';
  const camel = head.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return camel in kind.fields ? `${camel}${field.slice(head.length)}` : undefined;
}
