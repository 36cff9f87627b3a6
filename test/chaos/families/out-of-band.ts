import type { Millis } from '../../../src/lib/clock.ts';
import { type Case, caseAt, caseId, type Family, type Trace } from '../run/case.ts';
import { type Mischief, mischiefsOf } from '../stage/mischief.ts';
import { remoteOf, staleness } from '../stage/remote.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Stage } from '../stage/stage.ts';
import type { Step } from '../stage/step.ts';
import { hits } from '../stage/strike.ts';
import { pass } from '../stage/wire.ts';

const patience: Millis = 90 * 60_000;

/** F8: the remote is deleted, changed, renamed, broken, locked or made anew behind the operator's back. */
export const outOfBand: Family = (trace) => [
  ...inMotion(trace),
  ...(trace.scenario.operation.id === 'create' ? atRest(trace.scenario) : []),
];

/** While it is being made: just made, and known by its id. While it is changed or deleted: just before the call. */
function pointsOf({ scenario, steps }: Trace): readonly Step[] {
  const first = steps.findIndex(({ server, changes }) => server === 'cloud' && changes);
  if (first < 0) return [];
  const after = steps.slice(first + 1);
  const points = scenario.operation.is === 'create' ? [after[0], after.findLast(({ server }) => server === 'kube')] : [steps[first]];
  return [...new Set(points.filter((step) => step !== undefined))];
}

const inMotion = (trace: Trace): readonly Case[] =>
  pointsOf(trace).flatMap((step) =>
    mischiefsOf(trace.scenario)
      .filter(({ inMotion }) => inMotion)
      .map((mischief) =>
        caseAt(
          'F8',
          { scenario: trace.scenario, step, point: mischief.id },
          {
            interference: {
              patience,
              removesAnyway: true,
              before: (stage) =>
                stage.wire.arm(hits(step), async (passage, backend) => {
                  await happen(stage, mischief);
                  return pass(passage, backend);
                }),
            },
            excuse: { ...mischief.excuse, ...(retires(trace.scenario) && { otherEnd: true }) },
          },
        ),
      ),
  );

/** What befalls the one that a rotation puts aside is not put right any more. */
const retires = ({ operation }: Scenario): boolean => operation.is === 'update' && operation.rotates === true;

/** When all is as wanted. A remote that is gone or broken must show in the object soon. */
const atRest = (scenario: Scenario): readonly Case[] =>
  mischiefsOf(scenario)
    .filter(({ needsWork }) => !needsWork)
    .map((mischief) => ({
      id: caseId('F8', scenario, 'ready', mischief.id),
      family: 'F8',
      scenario,
      interference: {
        removesAnyway: true,
        whenDone: async (stage) => {
          await happen(stage, mischief);
          if (mischief.breaks) stage.sampler.expectFall(staleness);
          await stage.pass(25 * 60_000);
        },
      },
      excuse: mischief.excuse,
      mustStrike: false,
    }));

async function happen(stage: Stage, mischief: Mischief): Promise<void> {
  const remote = await remoteOf(stage);
  stage.wire.mark(`out of band: ${mischief.id}${remote === undefined ? ', but there is no remote yet' : ` of ${remote.path}`}`);
  if (remote !== undefined) await mischief.happens(stage, remote);
}
