import { caseAt, type Family } from '../case.ts';
import { freezeAtCommit, freezeBefore, hits, stopAt } from '../strike.ts';
import { excuseOf, mayComeTwice } from './killed.ts';

const beyondTheLease = 60_000;

/** F2: the leader stands still beyond its lease, a second operator takes over, the first goes on. */
export const frozen: Family = ({ scenario, steps }) =>
  steps.flatMap((step) =>
    (['before', 'commit'] as const).map((point) =>
      caseAt(
        'F2',
        { scenario, step, point },
        {
          interference: {
            standby: true,
            before: (stage) =>
              stage.wire.arm(hits(step), point === 'before' ? freezeBefore(stage, beyondTheLease) : freezeAtCommit(stage, beyondTheLease)),
          },
          excuse: { ...excuseOf(scenario), corrected: true, ...(point === 'before' && mayComeTwice(scenario, step)) },
        },
      ),
    ),
  );

/** F13: SIGTERM at every step. */
export const terminated: Family = ({ scenario, steps }) =>
  steps.map((step) =>
    caseAt(
      'F13',
      { scenario, step, point: 'sigterm' },
      {
        interference: { before: (stage) => stage.wire.arm(hits(step), stopAt(stage)) },
        excuse: excuseOf(scenario),
      },
    ),
  );
