import { servedKinds } from '../../../src/commands/served-kinds.ts';
import { plural } from '../../../src/generate/names.ts';
import type { Millis } from '../../../src/lib/clock.ts';
import type { AnyKind } from '../../../src/resource/index.ts';
import type { LedgerObject } from '../../emulator/core/ledger.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { pictureOf } from '../evidence/picture.ts';
import { isReady } from '../stage/readiness.ts';
import { Stage } from '../stage/stage.ts';
import { partsIn } from '../evidence/standing.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { isCarried } from '../evidence/carried.ts';
import { isThrownAway, untoldIn } from '../evidence/told-once.ts';
import { isPassage } from '../stage/wire.ts';

/** Longest that an operation may take after its last fault: unknown outcomes are waited out twice, and back-off goes to ten minutes. */
const finishLimit: Millis = 30 * 60_000;
const quietTime: Millis = 30 * 60_000;
const removalLimit: Millis = 30 * 60_000;

/** What a case does to its run. */
export interface Interference {
  /** A second operator stands by, under a lease of the usual length. */
  readonly standby?: true;
  /** Longest that the operation may take, where the fault itself lasts; default 30 minutes. */
  readonly patience?: Millis;
  /** Called when everything is prepared, before the operation begins. */
  before?(stage: Stage): void | Promise<void>;
  /** Called after the operation was asked for. */
  after?(stage: Stage): void | Promise<void>;
  /** Called when the operation has come to its end, before the quiet time. */
  whenDone?(stage: Stage): void | Promise<void>;
  /** The object is deleted in the end even where its operation never ended. */
  readonly removesAnyway?: true;
}

export interface Performance {
  readonly stage: Stage;
  readonly evidence: Evidence;
}

/** As with `--kinds`: those that the scenario has objects of, as the watches of all others cost a quarter of the run. An account is read for all of them. */
function kindsOf({ kind, subject, needs, reference }: Scenario): readonly AnyKind[] {
  if (kind.mode === 'connection') return servedKinds([]);
  return servedKinds([subject, ...needs, ...(reference === undefined ? [] : [reference.target])].map(({ kind }) => kind));
}

/** Plays a scenario to its end and beyond: the operation, a quiet half hour, and the removal of what was made. */
export async function perform(scenario: Scenario, interference: Interference = {}): Promise<Performance> {
  const stage = await Stage.open(scenario, { standby: interference.standby, kinds: kindsOf(scenario) });
  const { world } = stage;
  const beganAt = world.clock.monotonic();
  await interference.before?.(stage);
  await stage.act();
  const { before } = stage;
  await interference.after?.(stage);
  const done = await stage.finish(interference.patience ?? finishLimit);
  const doneAt = world.clock.monotonic();
  stage.wire.mark(done ? 'the operation is done' : 'the operation is not done in time');
  if (done) await dwell(stage, interference);
  const rest = await restOf(stage, before);
  const removal = done || interference.removesAnyway === true ? await removalOf(stage) : { removed: false, afterwards: undefined };
  return { stage, evidence: { done, before, beganAt, doneAt, ...rest, ...removal, ...traceOf(stage) } };
}

async function dwell(stage: Stage, interference: Interference): Promise<void> {
  await interference.whenDone?.(stage);
  await stage.pass(quietTime);
}

type Rest = Pick<Evidence, 'quietEndedAt' | 'atRest' | 'births' | 'untold' | 'status' | 'generation' | 'stillReady'>;

async function restOf(stage: Stage, before: ReadonlySet<LedgerObject>): Promise<Rest> {
  const object = await stage.subject();
  return {
    quietEndedAt: stage.world.clock.monotonic(),
    atRest: pictureOf(stage),
    births: birthsSince(before, stage.world.emulator.control.objects()),
    untold: untoldIn(stage.world),
    generation: object?.metadata.generation,
    status: JSON.stringify(object?.status ?? null),
    stillReady: stage.endsGone ? object === undefined : isReady(object),
  };
}

async function removalOf(stage: Stage): Promise<Pick<Evidence, 'removed' | 'afterwards'>> {
  if (stage.scenario.operation.is === 'delete' || stage.scenario.kind.mode === 'connection')
    return { removed: true, afterwards: undefined };
  if (stage.endsGone) return { removed: true, afterwards: pictureOf(stage) };
  const removed = await stage.remove(removalLimit);
  await stage.pass(120_000);
  return { removed, afterwards: removed ? pictureOf(stage) : undefined };
}

type Traces = Pick<
  Evidence,
  | 'lives'
  | 'told'
  | 'voided'
  | 'passages'
  | 'resumed'
  | 'releasedAt'
  | 'sampled'
  | 'claims'
  | 'panics'
  | 'audited'
  | 'remembered'
  | 'published'
>;

const traceOf = (stage: Stage): Traces => ({
  lives: stage.world.emulator.control.objects(),
  told: stage.world.emulator.control.rows('events').map((event) => String(Reflect.get(event, 'action'))),
  voided: [...stage.publishedKeys.voided],
  passages: stage.wire.record.filter(isPassage),
  resumed: stage.resumed,
  releasedAt: releasedAt(stage),
  sampled: [...stage.sampler.problems],
  claims: stage.sampler.claims,
  panics: panicsOf(stage),
  remembered: stage.world.remembered(),
  audited: auditedOf(stage),
  published: publishedIn(stage),
});

/** How many of each collection were born since then. */
export function birthsSince(before: ReadonlySet<LedgerObject>, all: readonly LedgerObject[]): ReadonlyMap<string, number> {
  const births = new Map<string, number>();
  const parts = partsIn(all);
  for (const life of all)
    if (!before.has(life) && !parts.has(life) && !isCarried(life) && !isThrownAway(life))
      births.set(life.collection, (births.get(life.collection) ?? 0) + 1);
  return births;
}

/** When the API server removed the subject for good, on the wall clock. */
function releasedAt({ world, scenario }: Stage): number | undefined {
  const { kind, name } = scenario.subject;
  const resource = plural(kind);
  return world.server.ledger.writes.findLast((write) => write.resource === resource && write.name === name && write.after === undefined)
    ?.at;
}

export const auditedOf = ({ world }: Stage): readonly string[] => world.changes.map(({ method, path }) => `${method} ${path}`);
export const panicsOf = ({ world }: Stage): readonly string[] =>
  world.panics.map((error) => (error instanceof Error ? (error.stack ?? error.message) : String(error)));

/** All that people may read: logs, objects, Events. */
export function publishedIn({ world }: Stage): string {
  const tables = [
    ...world.kinds.map(({ kind }) => `cloudhosting.dev/${plural(kind)}`),
    'events.k8s.io/events',
    '/events',
    'coordination.k8s.io/leases',
  ];
  const objects = tables.flatMap((table) => world.server.objects(table));
  return JSON.stringify([world.log, objects, world.panics.map(String)]);
}
