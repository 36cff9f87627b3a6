import { pauseAnnotation } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownPlan } from '../../engine/model/policy.ts';
import { asCollection } from '../../resource/index.ts';
import { endpointsOf } from '../account/endpoints.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { isAbout, selected } from '../cluster/select.ts';
import type { Answer, Call, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { isBehind, stateOf } from '../facts.ts';
import { durationOf, text } from '../flag.ts';
import { registry } from '../kinds.ts';
import type { DiffData } from '../output/shapes.ts';
import type { Entry } from '../plan/entries.ts';
import { look } from '../plan/look.ts';
import { counted } from '../../lib/counted.ts';

/** Where what the account has differs from what objects ask for, now. */
export const diff: Verb = async (call) => {
  const { flags } = call;
  if (!isAbout(call))
    throw new CliError(
      2,
      'diff of what? Name objects as KIND/NAME, or manifests with -f; -n NAMESPACE compares all that are there, -A those of all namespaces',
    );
  const chosen = await selected(call);
  const isDrift = text(flags, 'show') === 'drift';
  const objects = isDrift ? chosen.filter(isUnedited) : chosen;
  if (text(flags, 'against') === 'account') {
    const compared = await inAccount(call, objects);
    return answerOf(objects.length, compared, compared.unknown.map(unknownLine));
  }
  const told = isDrift ? objects : objects.filter((object) => !isUntold(object));
  const untold = isDrift ? [] : objects.filter(isUntold);
  const differences = told.flatMap((object) => [...inStatus(object), ...(isDrift ? [] : edited(object))]);
  const unknown = untold.map((object) => ({ object: shownName(object), reason: stateOf(object).reason ?? 'NotLookedAt' }));
  return answerOf(objects.length, { differences, unknown }, untold.map(untoldLine));
};

/** What differs then is nobody's wish. */
const isUnedited = ({ metadata, status }: Resource): boolean => status?.['observedGeneration'] === metadata.generation;

export type Difference = DiffData['differences'][number];
type Unknown = NonNullable<DiffData['unknown']>[number];
export interface Compared {
  readonly differences: readonly Difference[];
  /** Of these it is not known whether anything differs, or what else. */
  readonly unknown: readonly Unknown[];
}

/** As the operator saw it last. */
function inStatus(object: Resource): readonly Difference[] {
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

/** Nobody has looked since it is what it is. */
const isUntold = (object: Resource): boolean => stateOf(object).reason === undefined || isBehind(object);

/** What an edit asks for and was not made yet: a change that waits for a yes or is under way, or all of it. */
function edited(object: Resource): readonly Difference[] {
  const [name, policy] = [shownName(object), policyOf(object)];
  if (asCollection(registry.kind(object.kind)) !== undefined && object.status?.['path'] === undefined)
    return [{ object: name, field: 'spec', want: 'there', have: 'not there', policy }];
  const known = new Set(inStatus(object).map(({ field }) => field));
  return (shownPlan(object)?.changes ?? []).flatMap((change) => {
    const { field = '', have, want } = /^(?<field>spec\..+?): the account has (?<have>.*), wanted (?<want>.*)$/s.exec(change)?.groups ?? {};
    return field === '' || known.has(field) ? [] : [{ object: name, field, want, have, policy }];
  });
}

/** As the account shows it now, by the engine's own reconcile; also of what is paused, as if it were not. */
export async function inAccount(call: Call, objects: readonly Resource[], verb = 'diff'): Promise<Compared> {
  const { session, flags } = call;
  const connector = await session.host.openCloud(await endpointsOf(call), verb);
  try {
    const targets = objects.map(awake).map((object) => ({ kind: object.kind, ...keyOf(object), object }));
    const way = { connector, timeout: durationOf(flags, 'timeout'), brought: new Set<string>(), until: session.now };
    const { entries } = await look(call, targets, way);
    const policies = new Map(objects.map((object) => [shownName(object), policyOf(object)]));
    return {
      differences: entries.flatMap((entry) => differencesOf(entry, policies.get(nameOf(entry)) ?? 'Correct')),
      unknown: entries.flatMap(unknownOf),
    };
  } finally {
    connector.close();
  }
}

const nameOf = ({ kind, namespace, name }: Entry): string => `${kind} ${namespace}/${name}`;
/** It was never made, or the account does not have it any more. */
const isAbsent = ({ changes, action, missing }: Entry): boolean => changes.length === 0 && (action === 'create' || missing === true);

function differencesOf(entry: Entry, policy: string): readonly Difference[] {
  const object = nameOf(entry);
  if (isAbsent(entry)) return [{ object, field: 'spec', want: 'there', have: 'not there', policy }];
  return entry.changes.map(({ field, from, to }) => ({ object, field: `spec.${field}`, want: to, have: from, policy }));
}

function unknownOf(entry: Entry): readonly Unknown[] {
  const { unknown = [], changes } = entry;
  const object = nameOf(entry);
  if (unknown.length > 0) return unknown.map((message) => ({ object, reason: 'NotRead', message }));
  return isAbsent(entry) || changes.length > 0 ? [] : withheld(entry).map((why) => ({ object, ...why }));
}

/** What it waits for, or is refused for, is why it could not be compared. */
function withheld({ action, message = 'it waits', refusal }: Entry): readonly Pick<Unknown, 'reason' | 'message'>[] {
  if (refusal !== undefined) return [{ reason: refusal.reason, message: refusal.message }];
  return action === 'wait' ? [{ reason: 'Waiting', message }] : [];
}

const keyOf = ({ metadata: { namespace, name } }: Resource) => ({ namespace, name });

function awake(object: Resource): Resource {
  const { [pauseAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
  const { paused: _noted, ...status } = object.status ?? {};
  return { ...object, metadata: { ...object.metadata, annotations }, status };
}

const policyOf = ({ spec }: Resource): string => (spec['lifecycle'] as { readonly drift?: string } | undefined)?.drift ?? 'Correct';

function answerOf(count: number, { differences, unknown }: Compared, unknownLines: readonly string[]): Answer {
  const data: DiffData = { differences: [...differences], ...(unknown.length > 0 && { unknown: [...unknown] }) };
  const none = `Nothing differs (${counted(count, 'object')} compared).`;
  return {
    exit: differences.length + unknown.length > 0 ? 1 : 0,
    kind: 'Diff',
    data,
    lines: differences.length + unknown.length === 0 ? [none] : [...differences.map(line), ...unknownLines],
  };
}

const untoldLine = (object: Resource): string =>
  `${shownName(object)}  not known: no operator has looked at it as it is now. Read the account: --against account; or see why: kubectl cloud why ${typed(object)}`;

export const unknownLine = ({ object, message = '' }: Unknown): string => `${object}  not known: ${message}`;

export function line({ object, field, want, have, since, by, policy }: Difference): string {
  const who = by === undefined ? '' : `, likely by ${by}`;
  const when = since === undefined ? '' : ` since ${since}`;
  return `${object}  ${field}: wanted ${shown(want)}, the account has ${shown(have)}${when}${who}; lifecycle.drift: ${policy}`;
}
const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
