import type { Millis } from '../../../src/lib/clock.ts';
import { caseAt, type Family, type Trace } from '../run/case.ts';
import type { Interference } from '../run/perform.ts';
import type { Stage } from '../stage/stage.ts';
import type { Step } from '../stage/step.ts';
import { freezeBefore, hits, lasting, withEffect } from '../stage/strike.ts';
import type { Carry } from '../stage/wire.ts';
import { excuseOf } from './killed.ts';

const minute: Millis = 60_000;
const day: Millis = 24 * 60 * minute;

/** What the machine's clocks do: `from` the beginning of the operation, or `within` the wait that the fault made. */
interface Trouble {
  readonly from?: (stage: Stage) => void;
  readonly within?: (stage: Stage) => void;
  readonly hurries?: number;
}
const jump =
  (by: Millis) =>
  (stage: Stage): void => {
    stage.wire.mark(`the operator's wall clock jumps by ${by / 1000} s`);
    for (const { process } of stage.operators) process.jump(by);
  };
const drift =
  (rate: number) =>
  (stage: Stage): void => {
    stage.wire.mark(`the operator's clocks run ${rate} times as fast`);
    stage.operators[0]?.process.drift(rate);
  };
const fast = 1.05;
const troubles: Readonly<Record<string, Trouble>> = {
  'ahead-5-min': { from: jump(5 * minute) },
  'behind-5-min': { from: jump(-5 * minute) },
  'ahead-1-day': { from: jump(day) },
  'behind-1-day': { from: jump(-day) },
  'jumps-back': { within: jump(-10 * minute) },
  'jumps-ahead': { within: jump(10 * minute) },
  'runs-fast': { from: drift(fast), hurries: fast },
  'runs-slowly': { from: drift(0.95) },
};

/** The waits that a fault at one step leads to. */
interface Wait {
  readonly step: Step;
  readonly carry: (stage: Stage) => Carry;
  readonly always?: true;
  readonly standby?: true;
}
const answer = (status: number, headers: Record<string, string> = {}) => ({ kind: 'answer', status, headers }) as const;

function waitsOf({ scenario, steps }: Trace): Readonly<Record<string, Wait>> {
  const step = steps.find(({ server, changes }) => server === 'cloud' && changes);
  const poll = steps.find(({ server, shape }) => server === 'cloud' && shape === 'GET /account/events');
  const watermark: Readonly<Record<string, Wait>> =
    poll === undefined ? {} : { 'event-watermark': { step: poll, carry: (stage) => withEffect(stage, { kind: 'delay', seconds: 20 }) } };
  if (step === undefined) return watermark;
  const short: Readonly<Record<string, Wait>> = {
    'back-off': { step, carry: (stage) => lasting(stage, 2 * minute, withEffect(stage, answer(500))), always: true },
    'retry-after': { step, carry: (stage) => withEffect(stage, answer(429, { 'retry-after': '30' })) },
  };
  if (scenario.operation.is === 'update') return short;
  return {
    ...short,
    ...watermark,
    // Of a POST this is the wait for a late commit, of a DELETE the proof that the remote is gone.
    'answer-lost': { step, carry: (stage) => withEffect(stage, { kind: 'lose-answer' }) },
    'commit-late': { step, carry: (stage) => withEffect(stage, { kind: 'commit-late', seconds: 20 }) },
    'request-lost': { step, carry: (stage) => withEffect(stage, { kind: 'lose-request' }) },
    lease: { step, carry: (stage) => freezeBefore(stage, minute), standby: true },
  };
}

const intoTheWait: Millis = 3000;

/** F11: the operator's clocks are wrong, jump or drift, at every point where it waits by the clock. */
export const clocks: Family = (trace) =>
  Object.entries(waitsOf(trace)).flatMap(([wait, about]) =>
    Object.entries(troubles)
      .filter(([, trouble]) => trace.scenario.operation.is !== 'update' || trouble.within !== undefined)
      .map(([name, trouble]) =>
        caseAt(
          'F11',
          { scenario: trace.scenario, step: about.step, point: `${wait}/${name}` },
          {
            interference: interferenceOf(about, trouble),
            excuse: { ...excuseOf(trace.scenario), corrected: true, ...(trouble.hurries !== undefined && { hurries: trouble.hurries }) },
          },
        ),
      ),
  );

const interferenceOf = ({ step, carry, always, standby }: Wait, { from, within }: Trouble): Interference => ({
  ...(standby && { standby }),
  before: (stage) => {
    from?.(stage);
    const strike = carry(stage);
    let told = false;
    stage.wire.arm(
      always === true ? ({ server, shape, nth }) => server === step.server && shape === step.shape && nth >= step.nth : hits(step),
      (passage, backend, operator) => {
        if (!told) stage.world.clock.after(intoTheWait, () => within?.(stage));
        told = true;
        return strike(passage, backend, operator);
      },
      always,
    );
  },
});
