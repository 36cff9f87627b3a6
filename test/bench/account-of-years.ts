import { sleep, systemClock } from '../../src/lib/clock.ts';
import type { EmulatorProgram } from '../support/process/emulator-program.ts';
import type { Call, Row } from '../support/random-account/estate.ts';
import { type Hands, play } from '../support/random-account/random-account.ts';
import { cloudUser } from './evidence.ts';

export type Id = number | string;
/** What was made, as far as others refer to it. */
export interface Made {
  /** That share no address with each other. */
  readonly instances: readonly Id[];
  readonly buckets: readonly string[];
}
export interface Filling {
  /** Of manifests that an export of it writes, at least. */
  readonly count: number;
  /** Another one gives another account. */
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** What a manifest is written for, by the emulator's names of collections. */
const exported = new Set([
  'instances',
  'disks',
  'configs',
  'volumes',
  'firewalls',
  'domains',
  'domain records',
  'ssh keys',
  'stackscripts',
  'oauth clients',
  'object keys',
  'buckets',
  'managed contacts',
  'managed credentials',
  'managed services',
  'tickets',
  'databases',
  'clusters',
]);
/** Of one program; fewer than most have, so that one time is mostly enough. */
const things = 10;
/** Most jobs of an emulator that is ten times as quick as the service. */
const jobs = 8000;
/** Of databases, and the first checks of what is monitored, no event tells that they go on. */
const untold = 20_000;

/** Until the longest jobs are over, such as moves of machines to another region. */
async function atRest(emulator: EmulatorProgram): Promise<void> {
  const underWay = async (): Promise<boolean> =>
    (await emulator.control<readonly Row[]>('GET', '/rows/events')).some(({ status }) => status === 'scheduled' || status === 'started');
  await sleep(systemClock, untold);
  while (await underWay()) await sleep(systemClock, 2000);
}

/** Fills the account by random programs of its own operations, as its own users would have over the years. */
export async function fill(emulator: EmulatorProgram, { count, seed, say }: Filling): Promise<Made> {
  const answer = ({ method, path, body }: Call): Promise<{ status: number; body: Row }> =>
    emulator.control('POST', '/as', { username: cloudUser, method, path: `/v4${path}`, ...(body && { body }) });
  const hands: Hands = { ask: answer, rest: () => sleep(systemClock, jobs) };
  const there = async (): Promise<number> => (await emulator.alive()).filter(({ collection }) => exported.has(collection)).length;
  await answer({ method: 'POST', path: '/tags', body: { label: 'bench' } });
  const [instances, buckets, refused]: [Id[], string[], string[]] = [[], [], []];
  let [programs, asked] = [0, 0];
  for (let missing = count; missing > 0; missing = count - (await there())) {
    const numbers = Array.from({ length: Math.ceil(missing / things) }, (_, index) => programs + index);
    programs += numbers.length;
    const played = await play(seed, numbers, hands);
    asked += played.asked;
    refused.push(...played.refused);
    buckets.push(
      ...played.things.filter(({ sort }) => sort === 'bucket').map(({ row }) => `${String(row['cluster'])}/${String(row['label'])}`),
    );
    const alone = played.estates.filter((estate) => estate.all('address').length === 0);
    instances.push(...alone.flatMap((estate) => estate.all('machine').map(({ row }) => Number(row['id']))));
  }
  await atRest(emulator);
  say(`${programs} random programs of seed ${seed} made it, with ${asked} calls, of which ${refused.length} were refused`);
  return { instances, buckets };
}
