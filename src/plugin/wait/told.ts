import type { Resource } from '../../engine/ports/kubernetes.ts';
import { counted } from '../../lib/counted.ts';
import type { Millis } from '../../lib/clock.ts';
import { namesOf, shownName, typed } from '../cluster/naming.ts';
import { age } from '../output/times.ts';
import type { goals, Verdict } from './goal.ts';

/** As `3 objects are` goes on. */
const words: Readonly<Record<keyof typeof goals, string>> = {
  Ready: 'Ready',
  Synced: 'as wanted',
  Made: 'as wanted',
  LookedAt: 'looked at',
  Quiet: 'at rest',
  Observed: 'observed',
  Deleted: 'gone',
  'phase=Succeeded': 'done',
};
/** Of what was waited for nothing more is to be said. */
const plain: ReadonlySet<string> = new Set(['Available', 'Observed', 'Deleted', 'Succeeded']);

export interface Outcome {
  readonly what: keyof typeof goals;
  readonly objects: readonly Resource[];
  /** By {@link shownName}. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly begun: Millis;
  readonly now: Millis;
}

/** A line of its own for each would push out of sight what went wrong: how many, and those of which there is more to say. */
export function reachedLines({ what, objects, verdicts, begun, now }: Outcome): readonly string[] {
  const lines = linesOf(verdicts, (verdict) => objects.length === 1 || !plain.has(verdict.reason));
  return objects.length === 1
    ? lines
    : [`${counted(objects.length, 'object')} are ${words[what]}${after(begun, now)}${lines.length === 0 ? '.' : ':'}`, ...lines];
}

export function lateLines({ what, objects, verdicts, begun, now }: Outcome): readonly string[] {
  const late = linesOf(verdicts, ({ state }) => state === 'waiting');
  if (objects.length === 1) return late;
  const more = late.length > mostTold ? [`and ${late.length - mostTold} more: -o json lists them all`] : [];
  return [`${late.length} of ${objects.length} objects are not ${words[what]}${after(begun, now)}:`, ...late.slice(0, mostTold), ...more];
}
const mostTold = 20;

export function troubleLines({ what, objects, verdicts, begun, now }: Outcome): readonly string[] {
  const failed = objects.filter((object) => verdicts.get(shownName(object))?.state === 'failed');
  const reached = [...verdicts.values()].filter(({ state }) => state === 'reached').length;
  const resting = what === 'Quiet' ? linesOf(verdicts, ({ state, reason }) => state === 'reached' && !plain.has(reason)) : [];
  return [
    ...[...Map.groupBy(failed, (object) => saidOf(verdicts, object)).entries()].flatMap(([said, same]) => groupLines(said, same)),
    ...(objects.length === 1
      ? []
      : [`${reached} of ${objects.length} objects are ${words[what]}${after(begun, now)}; nothing more was waited for.`]),
    ...resting,
  ];
}

function saidOf(verdicts: Outcome['verdicts'], object: Resource): string {
  const { reason = '', message = '', waitsFor } = verdicts.get(shownName(object)) ?? {};
  return waitsFor === undefined
    ? `need a person: ${reason}: ${message}`
    : `wait for ${waitsFor.object}, which needs a person: ${waitsFor.said}`;
}
/** What holds up many, as the brake does, is said once. `said`: as `3 objects` goes on. */
function groupLines(said: string, same: readonly Resource[]): readonly string[] {
  const [first] = same;
  if (first === undefined) return [];
  const why = `  kubectl cloud why ${typed(first)}`;
  return same.length === 1
    ? [`${shownName(first)} ${said.replace(/^(need|wait)/, '$1s')}`, why]
    : [`${same.length} objects ${said}`, `  ${namesOf(same)}`, why];
}

const after = (begun: Millis, now: Millis): string => (now - begun < 1000 ? '' : ` after ${age(new Date(begun).toISOString(), now)}`);

const linesOf = (verdicts: ReadonlyMap<string, Verdict>, which: (verdict: Verdict) => boolean): readonly string[] =>
  [...verdicts].filter(([, verdict]) => which(verdict)).map(([object, verdict]) => `${object}  ${stateText(verdict)}`);
/** What is asked for may be there although somebody has to look after something else. */
function stateText({ state, reason, isStalled }: Verdict): string {
  if (state !== 'reached') return reason;
  if (isStalled === true) return `Available, and not as wanted (${reason}): it needs a person, kubectl cloud why says what to do`;
  return reason === 'ApprovalRequired' ? 'Available, and not as wanted: a change awaits approval, kubectl cloud why says which' : reason;
}
