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

type Says = Pick<Narrator, 'say'>;
const nameOf = ({ kind, metadata }: CloudObject): string => `${kind} ${metadata.name}`;
const tell = (narrator: Says, name: string, words: string): void => narrator.say(`  ${name.padEnd(28)} ${words}`);

/** Tells each change of each object. */
class Told {
  readonly #narrator: Says;
  readonly #words = new Map<string, string>();
  constructor(narrator: Says) {
    this.#narrator = narrator;
  }
  /** Those that are not among them any more are gone. */
  tell(objects: readonly CloudObject[]): void {
    const here = new Map(objects.map((object) => [nameOf(object), inWords(object)]));
    for (const name of this.#words.keys()) if (!here.has(name)) tell(this.#narrator, name, 'is gone');
    for (const [name, words] of here) if (this.#words.get(name) !== words) tell(this.#narrator, name, words);
    this.#words.clear();
    for (const [name, words] of here) this.#words.set(name, words);
  }
}

interface Until {
  readonly isSo: (objects: readonly CloudObject[]) => boolean;
  readonly isLate: (object: CloudObject) => boolean;
  readonly otherwise: string;
}
async function until(cluster: Cluster, narrator: Says, limit: Millis, { isSo, isLate, otherwise }: Until): Promise<readonly CloudObject[]> {
  const told = new Told(narrator);
  const begun = systemClock.monotonic();
  for (;;) {
    const objects = await cloudObjects(cluster);
    told.tell(objects);
    if (isSo(objects)) return objects;
    if (systemClock.monotonic() - begun > limit) {
      const late = objects.filter(isLate).map((object) => `${nameOf(object)}: ${inWords(object)}`);
      throw new Error(`${otherwise} after ${limit / 1000} s:\n${late.join('\n')}`);
    }
    await sleep(systemClock, 300);
  }
}

/** Throws when that takes longer than `limit`. */
export const untilReady = (cluster: Cluster, narrator: Says, limit: Millis): Promise<readonly CloudObject[]> =>
  until(cluster, narrator, limit, {
    isSo: (objects) => objects.length > 0 && objects.every(isReady),
    isLate: (object) => !isReady(object),
    otherwise: 'not Ready',
  });

/** The same of what is being deleted. */
export const untilGone = (cluster: Cluster, narrator: Says, limit: Millis): Promise<readonly CloudObject[]> =>
  until(cluster, narrator, limit, { isSo: (objects) => objects.length === 0, isLate: () => true, otherwise: 'not gone' });
