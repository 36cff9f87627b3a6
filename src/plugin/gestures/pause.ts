import { isDeleting, pauseAnnotation, resumeAnnotation } from '../../engine/model/annotations.ts';
import { isLosing } from '../../engine/model/policy.ts';
import { parsePause } from '../../engine/model/pause.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { duration } from '../../flag-values.ts';
import { counted } from '../../lib/counted.ts';
import { shownTime } from '../../lib/utc-time.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { nothing } from '../cluster/select.ts';
import { CliError } from '../exit.ts';
import { because, pauseOf } from '../objects/facts.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import { losingIn } from '../objects/losing.ts';
import type { PausesData } from '../output/written-shapes.ts';
import { table } from '../output/table.ts';
import { chosenOrAccount } from './chosen.ts';
import { type Gesture, perform } from './gesture.ts';
import { fateAlone, fateLines, fatesOf } from './held-fates.ts';

const isAccount = ({ kind }: Resource): boolean => kind === registry.connection.kind;

/** Stops all work on objects, or all changes of an account. */
export const pause: Verb = async (call) => {
  if (on(call.flags, 'list')) return listed(call);
  const value = valueOf(call);
  const lasts = lastsOf(value);
  const gestures = (await chosenOrAccount(call, 'pause')).map((object): Gesture => {
    const what = isAccount(object)
      ? 'nothing of the account is changed, its objects are still read, and what would be deleted in it waits'
      : 'nothing is read or changed for it';
    return {
      object,
      annotations: { [pauseAnnotation]: value },
      shown: [],
      level: 'C0',
      expected: '',
      facts: [`${shownName(object)}: ${what}${isDeleting(object) ? '; it is being deleted, which waits too' : ''}`],
      afterwards: `is paused ${lasts}. To go on: kubectl cloud resume ${typed(object)}`,
    };
  });
  return perform(call, gestures, ['No objects here.']);
};

function lastsOf(value: string): string {
  const wish = parsePause(value);
  return `until ${wish.is === 'until' ? wish.until : 'it is resumed'}${because(wish)}`;
}

/** In the form that the operator reads, and read back to be sure. */
function valueOf({ session, flags }: Call): string {
  const end = text(flags, 'for') === undefined ? [] : [`until=${shownTime(session.now + passes(text(flags, 'for') ?? ''))}`];
  const why = text(flags, 'reason') === undefined ? [] : [`reason=${text(flags, 'reason')}`];
  const value = [...end, ...why].join(';') || 'true';
  const read = parsePause(value);
  const understood = read.is === 'until' ? end.length > 0 : read.is === 'open' && end.length === 0 && read.problem === undefined;
  if (!understood)
    throw new CliError(2, `the operator would not read ${JSON.stringify(value)} as this pause: leave until= out of the reason`);
  return value;
}

function passes(length: string): number {
  const passed = duration(length);
  if (passed === undefined) throw new CliError(2, `--for=${length} is no duration: write for example 30m or 2h`);
  if (passed === 0) throw new CliError(2, `--for=${length} is over at once: write for example 30m or 2h`);
  return passed;
}

/** Ends pauses: those with an end, and those until the annotation goes. */
export const resume: Verb = async (call) => {
  const objects = await chosenOrAccount(call, 'resume');
  const paused = objects.filter((object) => pauseOf(object, call.session.now) !== undefined);
  const gestures = await Promise.all(paused.map((object) => resumption(call, object)));
  return perform(
    call,
    gestures,
    objects.map((object) => `${shownName(object)} is not paused`),
  );
};

async function resumption(call: Call, object: Resource): Promise<Gesture> {
  const { now } = call.session;
  const noted = object.status?.['paused'] !== undefined;
  const going = isAccount(object) ? await goingIn(call, object) : [];
  return {
    object,
    annotations: { [pauseAnnotation]: null, ...(noted && { [resumeAnnotation]: new Date(now).toISOString() }) },
    shown: [],
    level: isLosing(object) || going.length > 0 ? 'C2' : 'C1',
    expected: object.metadata.name,
    facts: [
      isDeleting(object)
        ? `${shownName(object)}: it is being deleted, which would go on at once: ${fateAlone(object)}`
        : `${shownName(object)}: work would go on at once, with all that was changed meanwhile here and in the account`,
      `  paused: ${pauseOf(object, now)}`,
      ...going,
    ],
    afterwards: `will go on. What it does: kubectl cloud why ${typed(object)}`,
    ...(isAccount(object) && { next: [`What becomes of all that it serves: kubectl cloud status -n ${object.metadata.namespace}`] }),
  };
}

/** What the account loses as it goes on. */
async function goingIn(call: Call, account: Resource): Promise<readonly string[]> {
  const { objects, unseen } = await losingIn(await call.session.reader(), account, call.session.now);
  const those = counted(objects.length, 'of its objects is', 'of its objects are');
  const fates = (await fatesOf(call, objects)).flatMap(fateLines).map((line) => `  ${line}`);
  return [
    ...(objects.length === 0 ? [] : [`  ${those} being deleted, which would go on too:`, ...fates]),
    ...(unseen.length === 0 ? [] : [`  what is being deleted in ${unseen.join(', ')} goes on too, and is not named: you may not list it`]),
  ];
}

async function listed({ session, flags }: Call): Promise<Answer> {
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const { all } = await Landscape.of(await session.reader(), namespace);
  const data: PausesData = {
    pauses: all.flatMap((object) => {
      const paused = pauseOf(object, session.now);
      return paused === undefined ? [] : [{ object: shownName(object), paused }];
    }),
  };
  const rows = data.pauses.map(({ object, paused }) => [object, paused]);
  return {
    exit: 0,
    kind: 'Pauses',
    data,
    lines: rows.length === 0 ? [await nothing({ session, flags }, 'Nothing is paused')] : table(['OBJECT', 'PAUSED'], rows),
  };
}
