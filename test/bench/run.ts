import { loadavg } from 'node:os';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import type { Bench } from './bench.ts';
import type { Figure } from './figure.ts';
import { fill } from './account-of-years.ts';
import { besides, exported, type Fleet } from './fleet.ts';
import { apply, furnish, giveSecrets, plant, type Planted } from './inhabitants.ts';
import { plantedArgs } from '../support/samples/planted.ts';
import { membersOf, mixed, namespaces, type Member } from './population.ts';
import { type Described, planned } from './scenarios.ts';
import { Stage } from './stage.ts';

export interface RunOptions {
  readonly count: number;
  readonly population: string;
  readonly only: readonly string[];
  readonly quick: boolean;
  readonly profile: string | undefined;
  /** Of the account of all kinds. */
  readonly seed: number;
  readonly rates: string;
  readonly say: (line: string) => void;
}

/** Names of a population other than the mixed one are told, so that figures of several in one run differ. */
const named = ({ population }: RunOptions, name: string): string => (population === 'mixed' ? name : `${population}: ${name}`);

const isAll = ({ population }: RunOptions): boolean => population === 'all';
const membersFor = ({ population, count }: RunOptions): readonly Member[] =>
  population === 'mixed' ? mixed(count) : membersOf(population, { count });

interface Settled {
  readonly members: readonly Member[];
  readonly planted: Planted;
  readonly fleet?: Fleet;
}

/** What is in the account, and the objects that are to stand for it. */
async function settled({ cluster, emulator }: Stage, members: readonly Member[]): Promise<Settled> {
  const planted = await plant(emulator, members);
  await apply(cluster, members, planted);
  return { members, planted };
}

/** The same as it is where an account comes first, and its manifests are those that `kubectl cloud export` writes. */
async function broughtIn(stage: Stage, { count, seed, say }: RunOptions): Promise<Settled> {
  const [namespace = ''] = namespaces;
  const made = await fill(stage.emulator, { count, seed, say });
  await stage.evidence.forget();
  say('exporting');
  const fleet = await exported(stage, namespace);
  const members = [...fleet.members, ...besides(made, namespace, count)];
  await giveSecrets(stage.cluster, fleet.secrets);
  say(`applying ${members.length} objects of ${new Set(members.map(({ kind }) => kind)).size} kinds`);
  await apply(stage.cluster, members);
  return { members, planted: new Map(), fleet };
}

const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');

/** Rejects when the leader is no more, although no scenario ended it: what follows would wait for ever. */
async function untilDead(bench: Bench): Promise<never> {
  for (;;) {
    const { program } = bench.operator;
    await program.ended;
    await sleep(systemClock, 5000);
    if (bench.operator.program === program)
      throw new Error(`the operator ended by itself:\n${(await program.lines()).slice(-5).join('\n')}`);
  }
}

/** One control plane, one account, and on them the scenarios of one world, one after the other. */
async function runWorld(options: RunOptions, world: Described['world'], chosen: readonly Described[]): Promise<readonly Figure[]> {
  const { say, quick, profile, rates } = options;
  const figures: Figure[] = [];
  const emulator = ['--rate-profile', rates, ...(isAll(options) ? plantedArgs : [])];
  const stage = await Stage.open({ say, emulator, ...(profile !== undefined && { profile }) });
  try {
    await furnish(stage.cluster, namespaces, stage.emulator.ready.token);
    say(`planting ${options.count} objects`);
    const inhabitants =
      world === 'populated' && isAll(options)
        ? await broughtIn(stage, options)
        : await settled(stage, world === 'populated' ? membersFor(options) : []);
    // Jobs of planting end before anything is measured.
    await sleep(systemClock, 5000);
    await stage.evidence.forget();
    const bench: Bench = {
      stage,
      count: options.count,
      ...inhabitants,
      objects: inhabitants.members.length,
      operator: await stage.startOperator(),
      quick,
      say,
      report: (figure) => {
        figures.push({ ...figure, name: named(options, figure.name), objects: options.count });
        say(
          `  ${figure.name}: ${figure.value.toPrecision(4)} ${figure.unit}${figure.limit === undefined ? '' : ` (at most ${figure.limit})`}`,
        );
      },
    };
    for (const { name, run } of chosen) {
      say(`${name}, ${options.count} objects, ${options.population}, load average ${load()}`);
      await Promise.race([run(bench), untilDead(bench)]);
    }
  } finally {
    await stage.close();
  }
  return figures;
}

/** Everything that is asked for at one number of objects of one population. */
export async function runAll(options: RunOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { world, scenarios } of planned(options)) figures.push(...(await runWorld(options, world, scenarios)));
  return figures;
}
