import type { Millis } from '../../lib/clock.ts';
import { quoted } from '../../lib/quoted.ts';
import { readTime, shownTime } from '../../lib/utc-time.ts';
import type { Resource } from '../ports/index.ts';
import { annotation, pauseAnnotation, resumeAnnotation } from './annotations.ts';

/** What annotation `pause` asks for. `problem`: it names an end that cannot be read. */
export type PauseWish =
  | { readonly is: 'none' }
  | { readonly is: 'open'; readonly reason?: string; readonly problem?: string }
  | { readonly is: 'until'; readonly until: string; readonly reason?: string };

/** `status.paused`: a pause that was accepted lasts until then, whatever becomes of its annotation. Times are RFC 3339. */
export interface Paused {
  readonly until: string;
  readonly reason?: string;
  /** Field manager that wrote the annotation. */
  readonly by?: string;
  readonly at: string;
}
/** `status.resumed`: the value of annotation `resume` that was acted on, and the pause that it ended while that is still written there. */
export interface Resumed {
  readonly value: string;
  readonly pause?: string;
}

/**
 * `until=<time>[;reason=<text>]`; `true`, or any other text but `false`, is a pause without an end, because somebody in a
 * hurry must not fail on the spelling. So is an end that cannot be read.
 */
export function parsePause(text: string | undefined): PauseWish {
  if (text === undefined || text === 'false') return { is: 'none' };
  // Longer than any end and reason that people read, and short enough to be matched.
  const short = text.slice(0, 500);
  if (/(?:^|;)\s*until\s*=/i.test(short)) return readEnd(short);
  return { is: 'open', ...reasonIn(short) };
}

function readEnd(text: string): PauseWish {
  const [first = '', ...rest] = text.split(';');
  const until = readTime(first.replace(/^\s*until\s*=/i, '').trim());
  const reason = rest.length === 0 ? {} : reasonIn(rest.join(';'));
  if (until !== undefined && reason !== undefined) return { is: 'until', until: shownTime(until), ...reason };
  const problem = `${quoted(text.slice(0, 100))} names no end that can be read. Write for example until=2030-01-31T18:00:00Z;reason=migration`;
  return { is: 'open', problem };
}

/** Undefined where no reason is named. */
function reasonIn(text: string): { readonly reason?: string } | undefined {
  const value = /^\s*reason\s*=(?<value>.*)$/is.exec(text)?.groups?.['value'];
  if (value === undefined) return undefined;
  return value.trim() === '' ? {} : { reason: value.trim() };
}

type Ended = Pick<Paused, 'until' | 'reason'>;
const textOf = ({ until, reason }: Ended): string => `until=${until}${reason === undefined ? '' : `;reason=${reason}`}`;

export interface PauseFacts {
  /** Annotations `pause` and `resume`. */
  readonly pause: string | undefined;
  readonly resume: string | undefined;
  /** `status.paused` and `status.resumed`. */
  readonly paused: Paused | undefined;
  readonly resumed: Resumed | undefined;
  /** Wall clock. */
  readonly now: Millis;
}
export interface PauseVerdict {
  /** Why nothing is done now. */
  readonly message?: string;
  /** When it ends by itself. */
  readonly ends?: Millis;
  /** What status must say from now on. */
  readonly paused: Paused | undefined;
  readonly resumed: Resumed | undefined;
  /** `paused` was accepted just now, so who wrote the annotation is not known yet. */
  readonly isNew: boolean;
}

/** Whether an object is paused: by its annotation while that is there, or by what was accepted before. */
export function judgePause(facts: PauseFacts): PauseVerdict {
  const wish = parsePause(facts.pause);
  const { isNow, resumed } = resumptionOf(facts);
  const known = wish.is === 'until' ? stillWritten(resumed, textOf(wish)) : stillWritten(resumed, undefined);
  const standing = isNow ? undefined : unlessOver(facts.paused, facts.now);
  const wished = wish.is === 'until' && known?.pause === undefined ? unlessOver(wish, facts.now) : undefined;
  const isNew = wished !== undefined && (standing === undefined || textOf(wished) !== textOf(standing));
  const holds = isNew ? accepted(wished, facts.now) : standing;
  return { ...whyPaused(wish, holds), paused: holds, resumed: known, isNew };
}

const unlessOver = <P extends Ended>(pause: P | undefined, now: Millis): P | undefined =>
  pause !== undefined && Date.parse(pause.until) > now ? pause : undefined;

/** Each value of annotation `resume` counts once. */
function resumptionOf({ resume, paused, resumed }: PauseFacts): { readonly isNow: boolean; readonly resumed: Resumed | undefined } {
  if (resume === undefined || resume === resumed?.value) return { isNow: false, resumed };
  return { isNow: true, resumed: { value: resume, ...(paused !== undefined && { pause: textOf(paused) }) } };
}

/** What was ended stays ended while it is written in annotation `pause`, and may be asked for again afterwards. */
const stillWritten = (resumed: Resumed | undefined, text: string | undefined): Resumed | undefined =>
  resumed === undefined || resumed.pause === text ? resumed : { value: resumed.value };

const accepted = ({ until, reason }: Ended, now: Millis): Paused => ({
  until,
  ...(reason !== undefined && { reason }),
  at: shownTime(now),
});

function whyPaused(wish: PauseWish, holds: Paused | undefined): Pick<PauseVerdict, 'message' | 'ends'> {
  if (wish.is === 'open')
    return {
      message: `annotation cloudhosting.dev/pause is set${because(wish)}: nothing is read or changed until it is removed${wish.problem === undefined ? '' : `. Its value ${wish.problem}`}`,
    };
  if (holds === undefined) return {};
  return {
    message: `paused until ${holds.until}${because(holds)}: nothing is read or changed until then, also when annotation cloudhosting.dev/pause is gone. To go on before, set annotation cloudhosting.dev/resume to a new value, for example the time`,
    ends: Date.parse(holds.until),
  };
}
const because = ({ reason }: { readonly reason?: string }): string => (reason === undefined ? '' : ` (${quoted(reason)})`);

export const factsOf = (object: Resource, now: Millis): PauseFacts => {
  const { paused, resumed } = (object.status ?? {}) as Pick<PauseFacts, 'paused' | 'resumed'>;
  return { pause: annotation(object, pauseAnnotation), resume: annotation(object, resumeAnnotation), paused, resumed, now };
};

/** Somebody wants nothing to be done with this object now. */
export const isPaused = (object: Resource, now: Millis): boolean => judgePause(factsOf(object, now)).message !== undefined;
