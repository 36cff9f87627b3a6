import type { Resource } from '../../engine/ports/kubernetes.ts';
import { objectId } from '../../engine/model/object-id.ts';
import { crdStates } from '../cluster/installed.ts';
import { selected } from '../cluster/select.ts';
import type { Call } from '../command.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../flag.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { registry } from '../kinds.ts';
import { manifestsIn } from './manifests.ts';
import { propose } from './propose.ts';

/** What a plan is about. `refused`: by the API server, which says why; what is in the cluster stays as it is. */
export interface Target {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** As it would be in the cluster. */
  readonly object?: Resource;
  readonly refused?: string;
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
  const from = text(call.flags, 'filename');
  if (from === undefined) return { targets: (await selected(call)).map(asItIs), brought: new Set() };
  const { targets, brought } = await manifestsOf(call, from.split('\n'));
  return { targets: on(call.flags, 'prune') ? [...targets, ...(await pruned(call, targets))] : targets, brought };
}

/** Why it cannot be told what a line is about. */
function misread({ flags, args }: Call): string | undefined {
  const isChosen = args.length > 0 || on(flags, 'allNamespaces') || text(flags, 'selector') !== undefined;
  if (text(flags, 'filename') !== undefined) return misreadFiles({ flags, args });
  if (on(flags, 'prune')) return '--prune needs manifests: name them with -f';
  return isChosen
    ? undefined
    : 'plan what? Name manifests with -f FILE, a folder or -, or objects as KIND/NAME; -A plans all that are there';
}
function misreadFiles({ flags, args }: Pick<Call, 'flags' | 'args'>): string | undefined {
  if (args.length > 0) return 'name either manifests with -f, or objects as KIND/NAME';
  const isWhole = !on(flags, 'prune') || text(flags, 'selector') !== undefined;
  return isWhole ? undefined : '--prune needs the labels of what the manifests are the whole of: name them with -l';
}

const asItIs = (object: Resource): Target => ({ kind: object.kind, ...keyOf(object), object });

async function manifestsOf({ session, flags }: Call, paths: readonly string[]): Promise<Targets> {
  const files = await Promise.all(paths.map((path) => session.host.readFiles(path, on(flags, 'recursive'))));
  const { ours, secrets, others, leftOut } = manifestsIn(files.flat(), await session.namespace());
  const strangers = `${others} ${others === 1 ? 'document is' : 'documents are'} not of cloudhosting.dev`;
  if (others > 0 && on(flags, 'strict')) throw new CliError(2, `${strangers}; leave --strict out to pass over them`);
  if (others > 0) session.warn(`${strangers} and not part of the plan`);
  for (const one of leftOut) session.warn(`left out, because only the operator writes it: ${one}`);
  const reader = await session.reader();
  const targets = await Promise.all(
    ours.map(async (manifest) => {
      const { kind, namespace, name } = manifest;
      const proposed = await propose(reader, manifest);
      return { kind: kind.kind, namespace, name, ...('refused' in proposed ? { refused: proposed.refused } : { object: proposed.object }) };
    }),
  );
  return { targets, brought: new Set(secrets) };
}

/** What is there with these labels, and would be deleted because no manifest names it. Accounts stay: all else hangs on them. */
async function pruned(call: Call, written: readonly Target[]): Promise<readonly Target[]> {
  const named = new Set(written.map(idOf));
  const deletionTimestamp = shownTime(call.session.now);
  return (await selected({ ...call, flags: { ...call.flags, filename: undefined } }))
    .filter((object) => object.kind !== registry.connection.kind && !named.has(idOf(asItIs(object))))
    .map((object) => asItIs({ ...object, metadata: { deletionTimestamp, ...object.metadata } }));
}
const keyOf = ({ metadata: { namespace, name } }: Resource) => ({ namespace, name });

export const idOf = ({ kind, namespace, name }: Target): string => objectId(kind, { namespace, name });

/** What one side does not know cannot be planned. */
export async function refuseSkew({ session, flags }: Call, targets: readonly Target[]): Promise<void> {
  if (on(flags, 'skew')) return;
  const states = await crdStates(await session.reader(), [...new Set(targets.map(({ kind }) => kind))]);
  const other = states.filter(({ state }) => state === 'differs').map(({ name }) => name);
  if (other.length > 0)
    throw new CliError(
      4,
      `the CRDs ${other.join(', ')} are of another release than this plugin, so that it cannot tell what their operator would do. Take the plugin of that release (kubectl cloud version names both), or go on with --skew`,
    );
}
