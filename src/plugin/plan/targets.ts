import type { Resource } from '../../engine/ports/kubernetes.ts';
import { objectId } from '../../engine/model/object-id.ts';
import { crdStates } from '../cluster/installed.ts';
import { selected } from '../cluster/select.ts';
import type { Call } from '../command.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../flag.ts';
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

/** Manifests as the API server would store them, or objects as they are. */
export async function targetsOf(call: Call): Promise<readonly Target[]> {
  const { session, flags, args } = call;
  const from = text(flags, 'filename');
  if (from === undefined && args.length === 0 && !on(flags, 'allNamespaces') && text(flags, 'selector') === undefined)
    throw new CliError(2, 'plan what? Name manifests with -f FILE, a folder or -, or objects as KIND/NAME; -A plans all that are there');
  if (from === undefined) return (await selected(call)).map((object) => ({ kind: object.kind, ...keyOf(object), object }));
  if (args.length > 0) throw new CliError(2, 'name either manifests with -f, or objects as KIND/NAME');
  const { ours, others, leftOut } = manifestsIn(await session.host.readFiles(from, on(flags, 'recursive')), await session.namespace());
  if (others > 0 && on(flags, 'strict'))
    throw new CliError(2, `${others} documents in ${from} are not of cloudhosting.dev; leave --strict out to pass over them`);
  if (others > 0) session.warn(`${others} documents in ${from} are not of cloudhosting.dev; they are not part of the plan`);
  for (const one of leftOut) session.warn(`left out, because only the operator writes it: ${one}`);
  const reader = await session.reader();
  return Promise.all(
    ours.map(async (manifest) => {
      const { kind, namespace, name } = manifest;
      const proposed = await propose(reader, manifest);
      return { kind: kind.kind, namespace, name, ...('refused' in proposed ? { refused: proposed.refused } : { object: proposed.object }) };
    }),
  );
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
