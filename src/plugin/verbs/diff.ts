import { pauseAnnotation } from '../../engine/model/annotations.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { endpointsOf } from '../account/endpoints.ts';
import { shownName } from '../cluster/naming.ts';
import { isChosen, selected } from '../cluster/select.ts';
import type { Answer, Call, Verb } from '../command.ts';
import { CliError } from '../exit.ts';
import { durationOf, text } from '../flag.ts';
import type { DiffData } from '../output/shapes.ts';
import { look } from '../plan/look.ts';

/** Where what the account has differs from what objects ask for, now. */
export const diff: Verb = async (call) => {
  const { flags } = call;
  if (!isChosen(call))
    throw new CliError(2, 'diff of what? Name objects as KIND/NAME, or manifests with -f; -A compares all that are there');
  const chosen = await selected(call);
  const objects = text(flags, 'show') === 'drift' ? chosen.filter(isUnedited) : chosen;
  const differences = text(flags, 'against') === 'account' ? await inAccount(call, objects) : objects.flatMap(inStatus);
  return answerOf(objects.length, differences);
};

/** What differs then is nobody's wish. */
const isUnedited = ({ metadata, status }: Resource): boolean => status?.['observedGeneration'] === metadata.generation;

export type Difference = DiffData['differences'][number];

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

/** As the account shows it now, by the engine's own reconcile; also of what is paused, as if it were not. */
export async function inAccount(call: Call, objects: readonly Resource[], verb = 'diff'): Promise<readonly Difference[]> {
  const { session, flags } = call;
  const connector = await session.host.openCloud(await endpointsOf(call), verb);
  try {
    const targets = objects.map(awake).map((object) => ({ kind: object.kind, ...keyOf(object), object }));
    const way = { connector, timeout: durationOf(flags, 'timeout'), brought: new Set<string>(), until: session.now };
    const { entries } = await look(call, targets, way);
    const policies = new Map(objects.map((object) => [shownName(object), policyOf(object)]));
    return entries.flatMap(({ kind, namespace, name, changes, action, message }) => {
      const object = `${kind} ${namespace}/${name}`;
      const policy = policies.get(object) ?? 'Correct';
      if (changes.length === 0 && action === 'create') return [{ object, field: 'spec', want: 'there', have: 'not there', policy }];
      if (changes.length === 0 && action === 'wait') session.warn(`${object}: ${message ?? 'it waits'}`);
      return changes.map(({ field, from, to }) => ({ object, field: `spec.${field}`, want: to, have: from, policy }));
    });
  } finally {
    connector.close();
  }
}

const keyOf = ({ metadata: { namespace, name } }: Resource) => ({ namespace, name });

function awake(object: Resource): Resource {
  const { [pauseAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
  const { paused: _noted, ...status } = object.status ?? {};
  return { ...object, metadata: { ...object.metadata, annotations }, status };
}

const policyOf = ({ spec }: Resource): string => (spec['lifecycle'] as { readonly drift?: string } | undefined)?.drift ?? 'Correct';

function answerOf(count: number, differences: readonly Difference[]): Answer {
  const data: DiffData = { differences: [...differences] };
  const none = `Nothing differs (${count} ${count === 1 ? 'object' : 'objects'} compared).`;
  return {
    exit: differences.length > 0 ? 1 : 0,
    kind: 'Diff',
    data,
    lines: differences.length === 0 ? [none] : differences.map(line),
  };
}

export function line({ object, field, want, have, since, by, policy }: Difference): string {
  const who = by === undefined ? '' : `, likely by ${by}`;
  const when = since === undefined ? '' : ` since ${since}`;
  return `${object}  ${field}: wanted ${shown(want)}, the account has ${shown(have)}${when}${who}; lifecycle.drift: ${policy}`;
}
const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
