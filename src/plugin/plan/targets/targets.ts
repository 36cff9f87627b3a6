import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { objectId } from '../../../engine/model/object-id.ts';
import { crdStates } from '../../cluster/installed.ts';
import { shownName } from '../../cluster/naming.ts';
import { nothing, selected } from '../../cluster/select.ts';
import type { Call } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { on } from '../../command-line/flag.ts';
import { shownTime } from '../../../lib/utc-time.ts';
import { registry } from '../../command-line/kinds.ts';
import { type Manifests, manifestsIn } from './manifests.ts';
import { propose } from './propose.ts';
import { formerly, misread, namesManifests, written } from './sources.ts';
import { counted } from '../../../lib/counted.ts';
import { waitingFor } from './waiting-for.ts';

/** What a plan is about. `refused`: by the API server, which says why; what is in the cluster stays as it is. */
export interface Target {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** As it would be in the cluster. */
  readonly object?: Resource;
  readonly refused?: string;
  /** Of what is refused: as it stays in the cluster, and what its manifest says. */
  readonly before?: Resource;
  readonly spec?: Resource['spec'];
  /** Nobody has deleted it yet: the plan is what that would do. */
  readonly goes?: true;
}

/** `brought`: Secrets that are applied with them, as `shop/web-root`. */
interface Targets {
  readonly targets: readonly Target[];
  readonly brought: ReadonlySet<string>;
}

/** Manifests as the API server would store them, or objects as they are. */
export async function targetsOf(call: Call): Promise<Targets> {
  const wrong = misread(call);
  if (wrong !== undefined) throw new CliError(2, wrong);
  if (!namesManifests(call.flags)) return { targets: await asTheyAre(call), brought: new Set() };
  const { targets, brought } = await manifestsOf(call);
  const leaving = [...(await takenOut(call, targets)), ...(on(call.flags, 'prune') ? await pruned(call, targets) : [])];
  const heirs = leaving.flatMap(({ object }) => object ?? []);
  const named = new Set(targets.map(idOf));
  const waiting = (await waitingFor(call, heirs)).map(asItIs).filter((target) => !named.has(idOf(target)));
  return { targets: [...targets, ...new Map([...leaving, ...waiting].map((target) => [idOf(target), target] as const)).values()], brought };
}

async function asTheyAre(call: Call): Promise<readonly Target[]> {
  const objects = await selected(call);
  if (objects.length === 0) await nothing(call, '');
  return objects.map(asItIs);
}
const asItIs = (object: Resource): Target => ({ kind: object.kind, ...keyOf(object), object });

async function manifestsOf(call: Call): Promise<Targets> {
  const { session } = call;
  const read = manifestsIn(await written(call), await session.namespace());
  const { ours, secrets } = read;
  tellRest(call, read);
  const reader = await session.reader();
  const now = shownTime(session.now);
  const proposed = await Promise.all(ours.map(async (manifest) => ({ manifest, as: await propose(reader, manifest, now) })));
  const young = new Set(proposed.flatMap(({ manifest, as }) => ('unasked' in as ? [manifest.namespace] : [])));
  for (const namespace of young)
    session.warn(`namespace ${namespace} is not there yet: what its policies and quotas say to what comes into it is not known`);
  const targets = proposed.map(({ manifest: { kind, namespace, name, spec }, as }) => ({
    kind: kind.kind,
    namespace,
    name,
    ...('refused' in as ? { refused: as.refused, spec, ...(as.before && { before: as.before }) } : { object: as.object }),
  }));
  return { targets, brought: new Set(secrets) };
}

/** What in the files is not part of the plan. */
export function tellRest({ session, flags }: Call, { others, leftOut, generated }: Manifests): void {
  const strangers = `${counted(others, 'document is', 'documents are')} not of cloudhosting.dev`;
  if (others > 0 && on(flags, 'strict')) throw new CliError(2, `${strangers}; leave --strict out to pass over them`);
  if (others > 0) session.warn(`${strangers} and not part of the plan`);
  for (const one of generated)
    session.warn(`not part of the plan, because its name is generated: ${one}. Each time that it is applied another one is made, and done`);
  for (const one of leftOut) session.warn(`left out, because only the operator writes it: ${one}`);
}

/** What is there with these labels, and would be deleted because no manifest names it. */
async function pruned(call: Call, now: readonly Target[]): Promise<readonly Target[]> {
  const chosen = await selected({ ...call, args: [], flags: { ...call.flags, filename: undefined } });
  return deletedOf(call, chosen, now);
}

/** What --base names, no manifest any more, and is there. */
async function takenOut(call: Call, now: readonly Target[]): Promise<readonly Target[]> {
  const files = await formerly(call);
  if (files === undefined) return [];
  const { session } = call;
  const reader = await session.reader();
  const { ours } = manifestsIn(files, await session.namespace());
  const found = await Promise.all(ours.map((manifest) => reader.get(manifest.kind, manifest)));
  return deletedOf(
    call,
    found.filter((object) => object !== undefined),
    now,
  );
}

/** Accounts stay: all else hangs on them. */
function deletedOf({ session }: Call, objects: readonly Resource[], now: readonly Target[]): readonly Target[] {
  const named = new Set(now.map(idOf));
  const deletionTimestamp = shownTime(session.now);
  const gone = objects.filter((object) => !named.has(idOf(asItIs(object))));
  for (const account of gone.filter(isAccount))
    session.warn(
      `${shownName(account)} is not among the manifests any more. What its deletion does to all that it serves is not part of the plan`,
    );
  return gone
    .filter((object) => !isAccount(object))
    .map((object) => ({
      ...asItIs({ ...object, metadata: { deletionTimestamp, ...object.metadata } }),
      ...(object.metadata.deletionTimestamp === undefined && { goes: true }),
    }));
}
const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;
const keyOf = ({ metadata: { namespace, name } }: Resource) => ({ namespace, name });

export const idOf = ({ kind, namespace, name }: Target): string => objectId(kind, { namespace, name });

/** What one side does not know cannot be planned. */
export async function refuseSkew({ session, flags }: Call, targets: readonly Pick<Target, 'kind'>[]): Promise<void> {
  if (on(flags, 'skew') || session.isAlone) return;
  const states = await crdStates(await session.reader(), [...new Set(targets.map(({ kind }) => kind))]);
  const other = states.filter(({ state }) => state === 'differs').map(({ name }) => name);
  if (other.length > 0)
    throw new CliError(
      4,
      `the CRDs ${other.join(', ')} are of another release than this plugin, so that it cannot tell what their operator would do. Take the plugin of that release (kubectl cloud version names both), or go on with --skew`,
    );
}
