import { isToldOnce } from '../../../src/resource/index.ts';
import type { FaultAction } from '../../apiserver/faults/faults.ts';
import { caseAt, type Family } from '../run/case.ts';
import type { Excuse } from '../oracles/oracle.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Step } from '../stage/step.ts';
import { hits, withAction } from '../stage/strike.ts';
import { excuseOf } from './killed.ts';

const answer = (status: number, headers: Record<string, string> = {}): FaultAction => ({ kind: 'answer', status, headers });

export const actions: Readonly<Record<string, FaultAction>> = {
  409: answer(409),
  '429-apf': answer(429, { 'retry-after': '1' }),
  500: answer(500),
  'lost-after-commit': { kind: 'lose-answer' },
  lost: { kind: 'lose' },
  'late-answer': { kind: 'delay-answer', by: 90_000 },
  late: { kind: 'delay', by: 90_000 },
  404: answer(404),
  403: answer(403),
  422: answer(422),
};

const isRefused: ReadonlySet<string> = new Set(['403', '422']);
/** What was told once could not be kept: it is thrown away, and another one is made within the hour, or when a person asks. */
const couldNotBeKept = ({ kind, subject }: Scenario, { shape }: Step): Excuse =>
  isToldOnce(kind, subject.spec) && shape.includes('secrets') ? { stalls: ['Forbidden', 'Rejected'] } : {};

/** F5: every write to Kubernetes refused, lost or late. */
export const kubeWrites: Family = ({ scenario, steps }) =>
  steps
    .filter(({ server }) => server === 'kube')
    .flatMap((step) =>
      Object.entries(actions).map(([point, action]) =>
        caseAt(
          'F5',
          { scenario, step, point },
          {
            interference: { before: (stage) => stage.wire.arm(hits(step), withAction(stage, action)) },
            excuse: { ...excuseOf(scenario), ...(isRefused.has(point) && couldNotBeKept(scenario, step)) },
          },
        ),
      ),
    );
