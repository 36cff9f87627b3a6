import type { Millis } from '../../../src/lib/clock.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import { isCarried } from '../evidence/carried.ts';
import { Sampler } from '../oracles/sampler.ts';
import { birthsSince, panicsOf } from '../run/perform.ts';
import { isReady } from '../stage/readiness.ts';
import { tokenCanary, type Scenario } from '../scenario/scenario.ts';
import { Stage } from '../stage/stage.ts';
import { isOfTheService, isStanding } from '../evidence/standing.ts';
import { type Cast, castOf, guestNamespace, type Neighbour, type Where } from './cast.ts';
import type { Trouble } from './trouble.ts';

const minute: Millis = 60_000;
const limit: Millis = 30 * minute;
/** The trouble has become one that lasts: what is tried again is in its back-off. */
const settling: Millis = 30_000;

/** How long one neighbour took; absent where it did not within half an hour. */
export interface Reading {
  readonly name: string;
  readonly ready: Millis | undefined;
  readonly gone: Millis | undefined;
}
/** What became of those who live beside the subject. */
export interface Life {
  readonly readings: readonly Reading[];
  /** What was made in the account since they were applied, and how much of it is left when they are gone. */
  readonly births: ReadonlyMap<string, number>;
  readonly left: readonly string[];
  /** What their status said that was not true or not orderly, and that they did not stay Ready. */
  readonly problems: readonly string[];
  readonly panics: readonly string[];
  /** The trouble came about. */
  readonly struck: boolean;
  readonly stage: Stage;
}

/** A neighbourhood of one subject: four others are made and deleted while it is in trouble, or, without one, while it is well. */
export async function live(scenario: Scenario, where: Where, trouble?: Trouble): Promise<Life> {
  const cast = castOf(scenario, where);
  const stage = await Stage.open({ ...scenario, subject: trouble?.subject ?? scenario.subject });
  await moveIn(stage, cast, where);
  await trouble?.before?.(stage);
  await stage.act();
  const struck = await comesAbout(stage, trouble);
  await stage.pass(settling);
  const before = new Set(stage.world.emulator.control.objects());
  const samplers = cast.neighbours.map(({ manifest }) => watched(stage, manifest));
  stage.wire.onEnd = () => samplers.forEach((sampler) => sampler.look());
  stage.wire.mark('the neighbours are applied');
  const ready = await times(stage, cast, applied, isReadyNow);
  await stage.pass(3 * minute);
  const fallen = await notReady(stage, cast);
  stage.wire.mark('the neighbours are deleted');
  const gone = await times(stage, cast, removed, isGone);
  if (left(stage, before).some(isOfTheService)) await stage.pass(settling);
  return {
    readings: cast.neighbours.map(({ manifest: { name } }, index) => ({ name, ready: ready[index], gone: gone[index] })),
    births: birthsSince(before, own(stage)),
    left: left(stage, before).map(({ collection, key }) => `${collection} ${key}`),
    problems: [...samplers.flatMap(({ problems }) => [...problems]), ...fallen],
    panics: panicsOf(stage),
    struck,
    stage,
  };
}

/** Events, their marks and the tags that come with what carries them are the service's own. */
const own = ({ world }: Stage): readonly LedgerObject[] =>
  world.emulator.control
    .objects()
    .filter((life) => !['events', 'event_marks', 'notifications'].includes(life.collection) && !isCarried(life));

const left = (stage: Stage, before: ReadonlySet<LedgerObject>): readonly LedgerObject[] =>
  own(stage).filter((life) => !before.has(life) && isStanding(life));

async function moveIn(stage: Stage, { needs }: Cast, where: Where): Promise<void> {
  const { world } = stage;
  await stage.secondNamespace(guestNamespace, where === 'abroad' ? 'token-admin' : tokenCanary);
  for (const need of needs) await settle(stage, { manifest: need, namespace: guestNamespace });
  for (const { kind, name } of needs) await world.ready(kind, name, undefined, guestNamespace);
  await world.clock.advance(130_000);
}

async function settle({ world }: Stage, { manifest, namespace }: Neighbour): Promise<void> {
  const { kind, name, spec } = manifest;
  await world.provide(manifest, namespace);
  await world.apply(kind, name, spec, namespace);
}

/** Without a trouble the subject comes to its end. */
async function comesAbout(stage: Stage, trouble: Trouble | undefined): Promise<boolean> {
  if (trouble === undefined || trouble.whenReady !== undefined) {
    const done = await stage.finish(limit);
    await trouble?.whenReady?.(stage);
    return done;
  }
  if (trouble.strikes !== 'unless-done') return trouble.strikes !== true || within(stage, () => stage.wire.struck > 0);
  return within(stage, async () => stage.wire.struck > 0 || (await stage.isDone()));
}

async function within({ world }: Stage, done: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    await world.clock.runUntil(done, limit);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('not so within')) return false;
    throw error;
  }
}

function watched({ world }: Stage, manifest: Neighbour['manifest']): Sampler {
  const sampler = new Sampler(world);
  sampler.start(manifest);
  return sampler;
}

type Act = (stage: Stage, neighbour: Neighbour) => Promise<unknown>;
type Question = (stage: Stage, neighbour: Neighbour) => Promise<boolean>;

const applied: Act = settle;
const removed: Act = ({ world }, { manifest: { kind, name }, namespace }) => world.delete(kind, name, namespace);
const isReadyNow: Question = async ({ world }, { manifest: { kind, name }, namespace }) => isReady(await world.find(kind, name, namespace));
const isGone: Question = async ({ world }, { manifest: { kind, name }, namespace }) =>
  (await world.find(kind, name, namespace)) === undefined;

/** All act at once; for each, how long it took until the answer was yes. */
async function times(stage: Stage, { neighbours }: Cast, act: Act, done: Question): Promise<readonly (Millis | undefined)[]> {
  const { clock } = stage.world;
  const begun = clock.monotonic();
  for (const neighbour of neighbours) await act(stage, neighbour);
  const taken: (Millis | undefined)[] = neighbours.map(() => undefined);
  await within(stage, async () => {
    for (const [index, neighbour] of neighbours.entries())
      if (taken[index] === undefined && (await done(stage, neighbour))) taken[index] = clock.monotonic() - begun;
    return taken.every((time) => time !== undefined);
  });
  return taken;
}

async function notReady(stage: Stage, { neighbours }: Cast): Promise<readonly string[]> {
  const fallen: string[] = [];
  for (const neighbour of neighbours)
    if (!(await isReadyNow(stage, neighbour))) {
      const { kind, name } = neighbour.manifest;
      const { status } = (await stage.world.find(kind, name, neighbour.namespace)) ?? {};
      fallen.push(`${kind} ${name} is not Ready three minutes later: ${JSON.stringify(status ?? null).slice(0, 800)}`);
    }
  return fallen;
}
