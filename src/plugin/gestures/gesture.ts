import type { Answer, Call } from '../command-line/command.ts';
import { shownName } from '../cluster/naming.ts';
import { on, text } from '../command-line/flag.ts';
import type { GestureData } from '../output/written-shapes.ts';
import { CliError, exitOf } from '../exit.ts';
import type { Session } from '../session.ts';
import { annotate, opsOf, type Writing } from './annotate.ts';
import { confirm, type Question } from '../terminal/confirm.ts';

/** One gesture on one object: what it means, what must be said, what is written. */
export interface Gesture extends Writing, Pick<Question, 'level' | 'expected'> {
  /** What happens, first line first; shown before anything is asked. */
  readonly facts: readonly string[];
  /** The first line in fewer words, for the question below it; absent: that line. */
  readonly inShort?: string;
  /** How it goes on. */
  readonly afterwards: string;
  /** Lines below that. */
  readonly next?: readonly string[];
}

/** Of what nobody named one by one: one question about all of them, where one would have a name typed. */
type Together = Pick<Question, 'expected' | 'about'>;

/** Shows all, asks about each, and only then writes: a no to one leaves all as they are. */
export async function perform(call: Call, gestures: readonly Gesture[], nothing: readonly string[], together?: Together): Promise<Answer> {
  const { session, flags } = call;
  if (gestures.length === 0)
    return { exit: 0, kind: 'Gesture', data: { dryRun: on(flags, 'dryRun'), gestures: [] } satisfies GestureData, lines: nothing };
  for (const { facts } of gestures) session.say(...facts);
  if (on(flags, 'dryRun')) return answerOf(call, gestures, gestures.map(requestText));
  for (const question of questionsOf(call, gestures, together)) await confirm(call, question);
  await written(session, gestures);
  return answerOf(
    call,
    gestures,
    gestures.flatMap(({ object, afterwards, next = [] }) => [`${shownName(object)}: ${afterwards}`, ...next]),
  );
}

/** Where it ends half way, whoever typed it is told how far it came. */
async function written(session: Session, gestures: readonly Gesture[]): Promise<void> {
  for (const [index, gesture] of gestures.entries())
    await annotate(session, gesture).catch((error: unknown) => {
      if (index === 0 || !(error instanceof Error)) throw error;
      const names = gestures.map(({ object }) => shownName(object));
      const left = names.slice(index + 1);
      throw new CliError(exitOf(error), [
        ...error.message.split('\n'),
        `Written before that: ${names.slice(0, index).join(', ')}`,
        ...(left.length === 0 ? [] : [`Not written: ${left.join(', ')}`]),
      ]);
    });
}

/** A person types each name; a flag has all of them, because it can be given once. */
function questionsOf({ session, flags }: Call, gestures: readonly Gesture[], together: Together | undefined): readonly Question[] {
  const questions = gestures.map(({ level, expected, object, facts, inShort = facts[0] ?? shownName(object) }): Question => ({
    level,
    expected,
    about: inShort,
  }));
  const typed = questions.filter(({ level }) => level === 'C2');
  if (together !== undefined && typed.length > 1) return [{ level: 'C2', ...together }];
  const byFlag = text(flags, 'confirm') !== undefined || session.host.person === undefined;
  if (typed.length < 2 || !byFlag) return questions;
  const all = {
    level: 'C2',
    expected: typed.map(({ expected }) => expected).join(','),
    about: typed.map(({ about }) => about).join('; '),
  } as const;
  return [all, ...questions.filter(({ level }) => level !== 'C2')];
}

const requestText = (gesture: Gesture): string =>
  `${shownName(gesture.object)}: would be patched with ${JSON.stringify(opsOf(gesture.object, gesture))}`;

const answerOf = ({ flags }: Call, gestures: readonly Gesture[], lines: readonly string[]): Answer => {
  const data: GestureData = {
    dryRun: on(flags, 'dryRun'),
    gestures: gestures.map(({ object, annotations }) => ({ object: shownName(object), annotations: { ...annotations } })),
  };
  return { exit: 0, kind: 'Gesture', data, lines };
};
