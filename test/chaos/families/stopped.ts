import { caseAt, type Family } from '../run/case.ts';
import type { Stage } from '../stage/stage.ts';
import { freezeAtCommit, freezeBefore, freezeUntilReplaced, hits, stopAt } from '../stage/strike.ts';
import type { Carry } from '../stage/wire.ts';
import { excuseOf, mayComeTwice } from './killed.ts';

const beyondTheLease = 60_000;

const strikes: Readonly<Record<string, (stage: Stage) => Carry>> = {
  before: (stage) => freezeBefore(stage, beyondTheLease),
  commit: (stage) => freezeAtCommit(stage, beyondTheLease),
  takeover: freezeUntilReplaced,
};

/** F2: the leader stands still beyond its lease, a second operator takes over, the first goes on. */
export const frozen: Family = ({ scenario, steps }) =>
  steps.flatMap((step) =>
    Object.entries(strikes).map(([point, strike]) =>
      caseAt(
        'F2',
        { scenario, step, point },
        {
          interference: { standby: true, before: (stage) => stage.wire.arm(hits(step), strike(stage)) },
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
