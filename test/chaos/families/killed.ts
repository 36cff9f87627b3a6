import { caseAt, type Family } from '../run/case.ts';
import { delayAt } from '../scenario/corner.ts';
import type { Excuse } from '../oracles/oracle.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Stage } from '../stage/stage.ts';
import { dieAtAnswer, dieAtCommit, dieBefore, dieInTransit, hits } from '../stage/strike.ts';
import type { Carry } from '../stage/wire.ts';
import type { Step } from '../stage/step.ts';

type Deaths = Readonly<Record<string, (stage: Stage) => Carry>>;

const atReads: Deaths = { before: dieBefore, answer: dieAtAnswer };
const atCalls: Deaths = {
  before: dieBefore,
  transit: (stage) => dieInTransit(stage, delayAt(stage.scenario.corner, 20) * 1000),
  commit: dieAtCommit,
  answer: dieAtAnswer,
};
const atWrites: Deaths = { before: dieBefore, after: dieAtCommit };

function deathsAt({ server, changes }: Step): Deaths {
  if (server === 'kube') return atWrites;
  return changes ? atCalls : atReads;
}

/** What a restricted user cannot see may be hidden rather than gone, so an unanswered DELETE needs a person then. */
export const excuseOf = ({ corner, operation }: Scenario): Excuse =>
  corner.restricted === true && operation.is === 'delete' ? { stalls: ['RemoteNotVisible'] } : {};

/** A change that is no PUT, such as a rebuild, and that is under way while nobody knows of it: the API has no key to know it again by. */
export const mayComeTwice = ({ operation }: Scenario, { server, shape }: Step): Excuse =>
  operation.is === 'update' && operation.rotates !== true && server === 'cloud' && shape.startsWith('POST')
    ? { rebirths: 1, corrected: true }
    : {};

/** F1: kill -9 at every point of every step, then a restart. */
export const killed: Family = ({ scenario, steps }) =>
  steps.flatMap((step) =>
    Object.entries(deathsAt(step)).map(([point, die]) =>
      caseAt(
        'F1',
        { scenario, step, point },
        {
          interference: { before: (stage) => stage.wire.arm(hits(step), die(stage)) },
          excuse: {
            ...excuseOf(scenario),
            ...(point === 'transit' && scenario.operation.is === 'update' && { corrected: true }),
            ...(point === 'transit' && mayComeTwice(scenario, step)),
          },
        },
      ),
    ),
  );
