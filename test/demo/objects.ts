import { sleep, systemClock, type Millis } from '../../src/lib/clock.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import type { Narrator } from './facts.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
}
export interface CloudObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly status?: Readonly<Record<string, unknown>> & { readonly conditions?: readonly Condition[] };
}

export const namespace = 'shop';

/** Everything of ours in the demo's namespace, as kubectl shows it. */
export async function cloudObjects(cluster: Cluster): Promise<readonly CloudObject[]> {
  const { stdout } = await cluster.kubectl(['-n', namespace, 'get', 'cloud', '-o', 'json']);
  return (JSON.parse(stdout) as { items: readonly CloudObject[] }).items;
}

/** One of them; throws when it is not there. */
export async function cloudObject(cluster: Cluster, kind: string, name: string): Promise<CloudObject> {
  const { stdout } = await cluster.kubectl(['-n', namespace, 'get', kind.toLowerCase(), name, '-o', 'json']);
  return JSON.parse(stdout) as CloudObject;
}

export const statusText = (object: CloudObject, field: string): string => String(object.status?.[field] ?? '');

const condition = ({ status, metadata }: CloudObject, type: string): Condition | undefined => {
  const found = status?.conditions?.find((one) => one.type === type);
  return found?.observedGeneration === metadata.generation ? found : undefined;
};

const isReady = (object: CloudObject): boolean => ['Ready', 'Synced'].every((type) => condition(object, type)?.status === 'True');

function inWords(object: CloudObject): string {
  if (isReady(object)) return 'Ready';
  const synced = condition(object, 'Synced');
  if (synced === undefined) return 'not seen yet';
  const { reason, message } = synced.status === 'True' ? (condition(object, 'Ready') ?? synced) : synced;
  return message === '' ? reason : `${reason}: ${message}`;
}

/** Tells each change of each object until all are Ready; throws when that takes longer than `limit`. */
export async function untilReady(cluster: Cluster, narrator: Narrator, limit: Millis): Promise<readonly CloudObject[]> {
  const told = new Map<string, string>();
  const begun = systemClock.monotonic();
  for (;;) {
    const objects = await cloudObjects(cluster);
    for (const object of objects) {
      const name = `${object.kind} ${object.metadata.name}`;
      const words = inWords(object);
      if (told.get(name) !== words) narrator.say(`  ${name.padEnd(28)} ${words}`);
      told.set(name, words);
    }
    if (objects.length > 0 && objects.every(isReady)) return objects;
    if (systemClock.monotonic() - begun > limit) {
      const late = objects
        .filter((object) => !isReady(object))
        .map((object) => `${object.kind} ${object.metadata.name}: ${inWords(object)}`);
      throw new Error(`not Ready after ${limit / 1000} s:\n${late.join('\n')}`);
    }
    await sleep(systemClock, 300);
  }
}
