import { asCollection } from '../../../src/resource/index.ts';
import { type Case, caseId, type Played, type Trace } from '../run/case.ts';
import type { Where } from '../containment/cast.ts';
import { type Life, live } from '../containment/life.ts';
import { accountWide, callTroubles, sharedRead, sharedSteps, standingTroubles, type Trouble } from '../containment/trouble.ts';
import { contained } from '../oracles/containment.ts';
import type { Reference } from '../run/reference.ts';
import { type Scenario, scenarioId } from '../scenario/scenario.ts';

const known = new Map<string, Promise<Life>>();

/** The same neighbours beside a subject that is well; recorded once. */
function wellLife(scenario: Scenario, where: Where): Promise<Life> {
  const id = `${scenarioId(scenario)} ${where}`;
  const lived = known.get(id) ?? live(scenario, where);
  known.set(id, lived);
  return lived;
}

const isByList = ({ kind: { sweep } }: Scenario): boolean => sweep?.by === 'list' && sweep.itemFromList !== undefined;

async function played(scenario: Scenario, trouble: Trouble): Promise<Played> {
  const reference = await wellLife(scenario, trouble.where);
  const own = contained(reference, reference);
  if (own.length > 0) throw new Error(`the neighbours are not well even without any trouble: ${own.join('; ')}`);
  const run = await live(scenario, trouble.where, trouble);
  const missed = run.struck ? [] : [{ oracle: 'fault', message: 'never struck: the run went another way than the recording' }];
  return {
    violations: [...contained(run, reference, isByList(scenario)).map((message) => ({ oracle: 'O12 containment', message })), ...missed],
    record: run.stage.wire.record,
  };
}

const isFull = ({ kind }: Scenario): boolean => asCollection(kind)?.noRoom !== undefined;

/**
 * F17: while one object, one tenant or one kind is in trouble, three more objects are made beside it and one in a namespace
 * with its own way to the same account, and deleted again; judged is what becomes of them.
 */
export const neighbours = (trace: Trace): readonly Case[] => {
  const { scenario } = trace;
  if (scenario.kind.mode !== 'collection' || isFull(scenario)) return [];
  return [...callTroubles(trace as Reference), ...standingTroubles(trace as Reference)].map((trouble) => ({
    id: caseId('F17', scenario, ...trouble.id),
    family: 'F17',
    scenario,
    interference: {},
    excuse: {},
    mustStrike: false,
    play: () => played(scenario, trouble),
  }));
};

/** What is no trouble of one object, by reason: so many faults. */
export function beyondContainment(trace: Trace): Readonly<Record<string, number>> {
  const { kind } = trace.scenario;
  if (kind.mode !== 'collection')
    return { [`${kind.kind}: its calls are about the account itself, by which all others live`]: trace.steps.length };
  const calls = callTroubles(trace as Reference);
  if (isFull(trace.scenario))
    return { [`${kind.kind}: the service keeps fewer of them in one place than the neighbours are`]: calls.length };
  const shared = sharedSteps(trace as Reference);
  const steps = new Set(calls.flatMap(({ id: [step = ''] }) => (step.startsWith('cloud:') ? [step] : []))).size;
  return {
    ...(steps > 0 && Object.fromEntries(Object.entries(accountWide).map(([name, reason]) => [`${name}: ${reason}`, steps]))),
    ...(shared > 0 && { [sharedRead]: shared }),
  };
}
