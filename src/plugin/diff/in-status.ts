import { isDeleting } from '../../engine/model/annotations.ts';
import { noValue } from '../../engine/model/values.ts';
import { shownPlan } from '../../engine/model/policy.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { quotedText } from '../../lib/quoted.ts';
import { asCollection } from '../../resource/index.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { conditionOf, isBehind, stateOf } from '../objects/facts.ts';
import { registry } from '../command-line/kinds.ts';
import type { DiffData } from '../output/shapes.ts';

export type Difference = DiffData['differences'][number];
export type Unknown = NonNullable<DiffData['unknown']>[number];

export const policyOf = ({ spec }: Resource): string => (spec['lifecycle'] as { readonly drift?: string } | undefined)?.drift ?? 'Correct';

/** What differs then is nobody's wish. */
export const isUnedited = ({ metadata, status }: Resource): boolean => status?.['observedGeneration'] === metadata.generation;

/** Of all of it: the account does not have it. */
export const absence = (object: string, policy: string): Difference => ({
  object,
  field: 'spec',
  want: 'there',
  have: 'not there',
  policy,
});
export const isLost = (object: Resource): boolean => stateOf(object).reason === 'RemoteMissing' && !isDeleting(object) && !isBehind(object);

/** As the operator saw it last. */
export function driftIn(object: Resource): readonly Difference[] {
  if (isLost(object)) return [absence(shownName(object), policyOf(object))];
  const drift = (object.status?.['drift'] ?? []) as readonly { field: string; was?: unknown; now?: unknown; since?: string; by?: string }[];
  return drift.map(({ field, was, now, since, by }) => ({
    object: shownName(object),
    field: `spec.${field}`,
    want: was,
    have: now,
    ...(since !== undefined && { since }),
    ...(by !== undefined && { by }),
    policy: policyOf(object),
  }));
}

const isUnmade = ({ kind, status }: Resource): boolean => asCollection(registry.kind(kind)) !== undefined && status?.['path'] === undefined;

const aboutTheName: ReadonlySet<string> = new Set(['AlreadyExists', 'AlreadyClaimed', 'Ambiguous']);
/** The account has something in its place, which is not known to be its own. */
const isTaken = (object: Resource): boolean => isUnmade(object) && aboutTheName.has(stateOf(object).reason ?? '');

/** What its conditions say, where that is of this spec. */
function whyUnmade(object: Resource): Pick<Difference, 'reason' | 'message'> {
  const { reason, message } = stateOf(object);
  return reason === undefined || isBehind(object) ? {} : { reason, message };
}

/** What an edit asks for and was not made yet: a change that waits for a yes or is under way, or all of it. */
export function editsIn(object: Resource): readonly Difference[] {
  const [name, policy] = [shownName(object), policyOf(object)];
  if (isLost(object) || isTaken(object)) return [];
  if (isUnmade(object)) return [{ ...absence(name, policy), ...whyUnmade(object) }];
  const known = new Set(driftIn(object).map(({ field }) => field));
  return (shownPlan(object)?.changes ?? []).flatMap((change) => {
    const told = changeIn(change);
    return told === undefined || known.has(told.field) ? [] : [{ object: name, ...told, policy }];
  });
}

/** What a plan in a status says of one field; undefined: it is not about a field. */
export function changeIn(text: string): Pick<Difference, 'field' | 'want' | 'have'> | undefined {
  const { field, have, want } = edit.exec(text)?.groups ?? {};
  return field === undefined ? undefined : { field, want: unquoted(want), have: unquoted(have) };
}
const edit = new RegExp(`^(?<field>spec\\.[^"]+?): the account has (?<have>(?:[^"]|${quotedText})*?), wanted (?<want>.*)$`, 's');
const isQuoted = new RegExp(`^${quotedText}$`, 's');
/** Text of more than a word is quoted in a message, and once more where it is shown. */
const unquoted = (value = ''): unknown => (isQuoted.test(value) ? asText(value) : value === noValue ? null : value);
function asText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Of these the status does not tell what differs; `line`: in words. */
export interface Untold extends Unknown {
  readonly line: string;
}

export function untoldIn(object: Resource): Untold | undefined {
  const name = shownName(object);
  const { reason, message } = stateOf(object);
  if (reason === undefined || isBehind(object))
    return {
      object: name,
      reason: reason ?? 'NotLookedAt',
      line: `${name}  not known: no operator has looked at it as it is now. Read the account: --against account; or see why: kubectl cloud why ${typed(object)}`,
    };
  if (isTaken(object))
    return {
      object: name,
      reason,
      message,
      line: `${name}  not made: ${message}. See who has it, and what to do: kubectl cloud why ${typed(object)}`,
    };
  if (isUnmade(object)) return undefined;
  if (isPausedUncompared(object)) return { object: name, reason, message: uncompared, line: `${name}  not known: ${uncompared}` };
  if (isUnsent(object)) return { object: name, reason, message, line: `${name}  not sent: ${message}` };
  return isUnsaid(object)
    ? { object: name, reason, message, line: `${name}  not as wanted, ${elsewhere}: ${reason}: ${message}` }
    : undefined;
}

const elsewhere = 'and what differs only the account tells (--against account)';
/** Something keeps it from being as wanted, and no value of it is in the status. */
const isUnsaid = (object: Resource): boolean =>
  conditionOf(object, 'Synced')?.status === 'False' && driftIn(object).length + editsIn(object).length === 0;

const uncompared = 'nobody has compared it as it is now, and nobody does while it is paused';
/** While it is paused its status goes with its spec, and only what it was before is Ready. That it is over changes nothing before somebody looks. */
const isPausedUncompared = (object: Resource): boolean =>
  conditionOf(object, 'Synced')?.status === 'Unknown' &&
  stateOf(object).reason === 'Paused' &&
  conditionOf(object, 'Ready')?.observedGeneration !== object.metadata.generation;

/** An edit that its account keeps from being made is no drift, and only the message names it, as it does why nothing is sent to what has failed. */
function isUnsent(object: Resource): boolean {
  const { well, reason, words } = stateOf(object);
  if (reason === 'RemoteFailed') return conditionOf(object, 'Synced')?.status === 'False';
  const named = words.split(': the account has ').length - 1;
  return !well && reason === 'ReadOnly' && named > driftIn(object).length;
}
