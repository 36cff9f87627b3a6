import type { Effect } from '../../emulator/core/faults.ts';
import { transferOf } from '../../../src/resource/index.ts';
import { caseAt, type Family } from '../run/case.ts';
import type { Excuse } from '../oracles/oracle.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Step } from '../stage/step.ts';
import { hits, lasting, withEffect } from '../stage/strike.ts';
import type { Passage } from '../stage/wire.ts';
import { excuseOf } from './killed.ts';

const answer = (status: number, headers: Record<string, string> = {}, body?: string): Effect => ({
  kind: 'answer',
  status,
  headers,
  ...(body !== undefined && { body }),
});

export const answers: Readonly<Record<string, Effect>> = {
  '429-after-30-s': answer(429, { 'retry-after': '30' }),
  // A balancer's, which knows of no window.
  429: answer(429, { 'retry-after': '', 'x-ratelimit-limit': '', 'x-ratelimit-remaining': '', 'x-ratelimit-reset': '' }),
  500: answer(500),
  '502-html': { kind: 'html', status: 502 },
  503: answer(503),
  '503-maintenance': answer(503, { 'x-maintenance-mode': 'all,All endpoints are temporarily unavailable.' }),
  408: answer(408),
  '408-committed': { kind: 'answer', status: 408, commit: true },
  timeout: { kind: 'hang' },
  slow: { kind: 'delay', seconds: 30 },
  truncated: { kind: 'truncate' },
  malformed: { kind: 'malformed' },
  'wrong-type': { kind: 'wrong-type', field: 'id' },
  'missing-field': { kind: 'missing-field', field: 'id' },
  401: answer(401),
  403: answer(403),
  404: answer(404),
  '400-busy': answer(400),
};
/** Data is answered with no word, so there is no field that could be wrong. */
const answersTo = ({ shape }: Step): readonly (readonly [string, Effect])[] =>
  Object.entries(answers).filter(
    ([, { kind }]) => !shape.includes('/image-uploads/') || (kind !== 'wrong-type' && kind !== 'missing-field'),
  );

/** What a definite refusal makes of an object until somebody acts, or it is looked at again within the hour; of what is done once it is the end. */
const stalls: Readonly<Record<string, readonly string[]>> = {
  401: ['OperationFailed'],
  403: ['Forbidden', 'OperationFailed'],
  404: ['Rejected', 'RemoteMissing', 'OperationFailed'],
};

const hour = 60 * 60_000;
const clears = 10 * 60_000;

/** The service may lack the call; what it lacks it for stays, and an Event says so. */
function hasNoDelete({ kind }: Scenario, { shape }: Step, name: string): boolean {
  const instead = kind.deletion?.otherwise?.('/item');
  return name === '404' && shape.startsWith('DELETE ') && instead !== undefined && 'keeps' in instead;
}

/** What is made for data that follows is begun three times at most, and then a person looks why answers are lost. */
const isTriedRarely = ({ kind, subject }: Scenario, { shape }: Step): boolean =>
  shape.startsWith('POST ') && transferOf(kind, subject.spec)?.attempts !== undefined;

const sameShape =
  (step: Step) =>
  (passage: Passage): boolean =>
    passage.server === step.server && passage.shape === step.shape && passage.nth >= step.nth;

/** F4: every API call answered in every wrong way, once and for ten minutes. */
export const badAnswers: Family = ({ scenario, steps }) =>
  steps
    .filter(({ server }) => server === 'cloud')
    .flatMap((step) =>
      answersTo(step).flatMap(([name, effect]) => {
        const excuse: Excuse = {
          ...excuseOf(scenario),
          stalls: [...(excuseOf(scenario).stalls ?? []), ...(stalls[name] ?? [])],
          corrected: true,
          ...(hasNoDelete(scenario, step, name) && { leftovers: true, otherEnd: true }),
        };
        const forLong: Excuse = isTriedRarely(scenario, step)
          ? { ...excuse, stalls: [...(excuse.stalls ?? []), 'UnknownOutcome'] }
          : excuse;
        const patience = 1.5 * hour;
        return [
          caseAt(
            'F4',
            { scenario, step, point: name },
            {
              interference: { patience, before: (stage) => stage.wire.arm(hits(step), withEffect(stage, effect)) },
              excuse,
            },
          ),
          caseAt(
            'F4',
            { scenario, step, point: `${name}-for-10-min` },
            {
              interference: {
                patience,
                before: (stage) => stage.wire.arm(sameShape(step), lasting(stage, clears, withEffect(stage, effect)), true),
              },
              excuse: forLong,
            },
          ),
        ];
      }),
    );
