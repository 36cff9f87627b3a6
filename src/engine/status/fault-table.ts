import { type AnyKind, type Duration, minutes, seconds } from '../../resource/index.ts';
import type { Outcome, Work } from '../model/outcome.ts';
import type { CloudError, Fault } from '../ports/index.ts';
import { reconcileAtAnnotation } from '../model/annotations.ts';
import { correctAnew, type FixedIn, fixedIn } from '../model/policy.ts';
import { explain, type KnownRefusal, knownRefusal, refusedFields, refusedSecret } from './refusal-text.ts';

type Meaning = (text: string, kind: AnyKind, more: More) => Outcome;
interface More {
  readonly retryAfter?: Duration;
  readonly secret?: string;
  /** All that was refused is set once, and nothing was made: admission lets nobody correct it. */
  readonly fixed?: readonly string[];
  /** Other than those of the kind. */
  readonly scopes?: readonly string[];
}

const quiet: Meaning = (_text, _kind, { retryAfter }) => ({ is: 'Quiet', recheckAfter: retryAfter ?? seconds(1) });
const unreachable: Meaning = (text, _kind, retry) => ({
  is: 'Retrying',
  reason: 'Unreachable',
  message: `${text}. Nothing was changed; it is tried again by itself`,
  ...retry,
});
const rejected: Meaning = (text, _kind, more) => ({ is: 'Stalled', reason: 'Rejected', message: `${text}. ${toDo(more)}` });
function toDo({ secret, fixed = [] }: More): string {
  if (secret !== undefined)
    return `Put another value into ${secret}; it is read again within five minutes, or at once with annotation ${reconcileAtAnnotation}`;
  return fixed.length === 0
    ? 'Change the spec; it is tried again then, and within the hour in any case'
    : `Nothing was made, and ${correctAnew(fixed)}. It is tried again within the hour in any case`;
}

/** THE table: what a rejected call means for the object. Waiting for the budget is never written on objects (README: budget). */
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
  Forbidden: (text, kind, { scopes = kind.scopes.write }) => ({
    is: 'Stalled',
    reason: 'Forbidden',
    message: `${text}. ${needs(kind, scopes)}; status.scopes and status.restricted of the CloudAccount show what it has. It is tried again within the hour, or when the token is another`,
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

function needs({ scopes: { unrestricted, product } }: AnyKind, scopes: readonly string[]): string {
  const token = `The token needs the scope ${scopes.join(', ')}`;
  if (unrestricted === undefined) return `${token}, and a restricted user needs a grant for this too`;
  const bought = product === undefined ? '' : `, and the account needs ${product}, which is bought from the provider and never here`;
  return `${token} and an unrestricted user${bought}`;
}

/** Undefined: nothing; where nobody knows, something is. */
type WorkAt = (field: string) => Work | undefined;
const atWorkAnyway: WorkAt = () => ({});

/** `object`: whose call it was; its spec has the names of what was refused. */
export function outcomeOf(kind: AnyKind, error: CloudError, object?: FixedIn['object'], workAt = atWorkAnyway): Outcome {
  const spec = object?.spec;
  const known = knownRefusal(kind, error, spec);
  if (known?.as === 'Busy') return busyOf(known, workAt);
  if (known !== undefined)
    return {
      is: 'Stalled',
      reason: known.as,
      message: `${known.says}. It is tried again when the spec changes, and within the hour`,
    };
  const retry = error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter as Duration };
  const secret = refusedSecret(kind, error, spec);
  return meanings[error.fault](explain(kind, error, spec), kind, {
    ...retry,
    ...(secret !== undefined && { secret }),
    ...(object !== undefined && { fixed: allFixed({ kind, object }, refusedFields(kind, error, spec)) }),
    ...(error.scopes && { scopes: error.scopes }),
  });
}

/** None where some of them can be changed. */
function allFixed(of: FixedIn, named: readonly string[]): readonly string[] {
  const fixed = fixedIn(of, named);
  return fixed.length === named.length ? fixed : [];
}

/** What comes about by others is waited for as long as they are at it. */
function busyOf({ says, field, whileAt }: KnownRefusal, workAt: WorkAt): Outcome {
  const work = whileAt === undefined ? {} : workAt(whileAt);
  if (work === undefined)
    return {
      is: 'Retrying',
      reason: 'Rejected',
      message: `${says}. Nothing is under way at spec.${whileAt} that would mend it; it is tried again every 5 minutes, and when the spec changes`,
      retryWithin: minutes(5),
    };
  if (work.at !== undefined)
    return {
      is: 'Waiting',
      reason: 'Busy',
      message: `${says}. It waits for ${work.at} (spec.${whileAt}), which ${work.stuck}. It is tried again by itself, and less often the longer that lasts`,
      on: [`spec.${whileAt}: ${work.at}`],
      recheckAfter: seconds(10),
    };
  return {
    is: 'Waiting',
    reason: 'Busy',
    message: `${says}. It is tried again after ${whileAt === undefined ? 'a minute' : '10 seconds'}, and less often the longer that lasts`,
    on: [`spec.${field}`],
    // What is at work is done in seconds, and nothing tells of it.
    recheckAfter: whileAt === undefined ? minutes(1) : seconds(10),
  };
}
