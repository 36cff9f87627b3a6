import { CloudError } from '../../engine/ports/index.ts';
import { type Clock, type Millis, sleep } from '../../lib/clock.ts';
import type { Slots } from '../../lib/slots.ts';
import type { Call } from '../../resource/index.ts';
import { type RawAnswer, retryAfterOf } from './answer.ts';
import { pathTemplate } from './path-template.ts';

/** How somebody asks who has no later round to come back in: few requests at once, and reads again after a moment of trouble. */
export interface Patience {
  readonly slots: Slots;
  /** Told before each wait, in words without ids. */
  readonly onWait: (line: string) => void;
}

const repeats = 3;
const longest: Millis = 120_000;
/** A 429 or 408 without a word on how long. */
const unsaid: Millis = 10_000;

interface Asking {
  readonly call: Call;
  readonly patience: Patience;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A change is sent once, whatever comes of it. */
export async function patiently(once: () => Promise<RawAnswer>, { call, patience, clock, signal }: Asking): Promise<RawAnswer> {
  const cancelled = (): never => {
    throw new CloudError('Abandoned', `${call.method} ${call.path}: the call was cancelled`);
  };
  const giveBack = await patience.slots.take(signal).catch(cancelled);
  try {
    for (let again = 0; ; again += 1) {
      const outcome = await once().catch((error: unknown) => ({ error }));
      const wait = call.method === 'GET' && again < repeats ? waitAfter(outcome, again) : undefined;
      if (wait === undefined) return settled(outcome);
      patience.onWait(waitText(call, outcome, wait));
      await sleep(clock, wait, signal).catch(cancelled);
    }
  } finally {
    giveBack();
  }
}

type Outcome = RawAnswer | { readonly error: unknown };
const isAnswer = (outcome: Outcome): outcome is RawAnswer => !('error' in outcome);

function settled(outcome: Outcome): RawAnswer {
  if (isAnswer(outcome)) return outcome;
  throw outcome.error;
}

/** Undefined where asking again helps nobody, or would take too long. */
function waitAfter(outcome: Outcome, again: number): Millis | undefined {
  const soon = 1000 * 2 ** again;
  if (!isAnswer(outcome)) return outcome.error instanceof CloudError && outcome.error.fault === 'Unavailable' ? soon : undefined;
  const { status, headers } = outcome;
  const isThrottled = status === 429 || status === 408;
  if (!isThrottled && status < 500) return undefined;
  const wait = retryAfterOf(status, headers) ?? (isThrottled ? unsaid : soon);
  return wait > longest ? undefined : wait;
}

function waitText({ method, path }: Call, outcome: Outcome, wait: Millis): string {
  const how = isAnswer(outcome) ? `answered ${outcome.status} to` : 'did not answer';
  return `the account ${how} ${method} ${pathTemplate(path)}: it is asked again in ${Math.ceil(wait / 1000)} s`;
}
