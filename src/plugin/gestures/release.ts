import { isDeleting, releaseAnnotation } from '../../engine/model/annotations.ts';
import { type MassHold, nameOf } from '../../engine/guard/release-code.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { counted } from '../../lib/counted.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { sameLine } from '../command-line/same-line.ts';
import { goingUnseen, isBehind, stateOf } from '../objects/facts.ts';
import { stayedLines, wentBefore, wentLines } from '../objects/went-before.ts';
import type { HeldData } from '../output/written-shapes.ts';
import { commandsFor, todoOf } from '../why/actions.ts';
import { perform } from './gesture.ts';
import { fateLines, fatesBeside, fatesOf } from './held-fates.ts';
import { heldByProtect, protectLines } from './held/by-protect.ts';
import { askingLines, laterLines, recreateLines } from './held/asking.ts';
import { kept, keptAll } from './held/keep.ts';
import { heldAccount } from './held/which.ts';
import { anotherSet, heldObjects, type HeldSet, holdsOf, ofHold, unlisted } from './held-set.ts';

/** Lets go on what the brake, or the stop for mass losses, holds: exactly what is held now. */
export const release: Verb = async (call) => {
  const account = await heldAccount(call);
  const holds = holdsOf(account);
  const nothing = await nothingOf(call, account);
  if (on(call.flags, 'list')) return listed(call, account, holds, nothing);
  if (on(call.flags, 'keep') && text(call.flags, 'of') === undefined) return keptAll(call, account, nothing);
  if (holds.length === 0) return perform(call, [], nothing);
  const index = chosenHold(call, account, holds);
  const hold = holds[index];
  if (hold === undefined) return perform(call, [], nothing);
  const all = await heldObjects(call, account, hold);
  if (on(call.flags, 'keep')) return kept(call, [...all.held, ...all.beside]);
  refuseVain(account, hold, all);
  refuseWrong(call, account, hold);
  return perform(
    call,
    [
      {
        object: account,
        annotations: { [releaseAnnotation]: hold.release },
        // It is another one for any other set.
        shown: [`/status/held/${index}/release`, `/status/held/${index}/count`],
        another: (live) => anotherSet(call, { live, hold, held: all.held }),
        level: 'C2',
        expected: String(hold.count),
        facts: [
          `${shownName(account)}: of ${ofHold(hold)} ${counted(countOf(hold, all), 'object is', 'objects are')} let go`,
          ...(await toldOf(call, hold, all)).lines,
        ],
        afterwards: `Of ${ofHold(hold)} ${counted(countOf(hold, all), 'object is', 'objects are')} released. What is added from now on is held anew.`,
        next: askingLines(all.asking),
      },
    ],
    nothing,
  );
};

async function listed(call: Call, account: Resource, holds: readonly MassHold[], nothing: readonly string[]): Promise<Answer> {
  const all = await Promise.all(
    holds.map(async (hold) => ({ hold, ...(await toldOf(call, hold, await heldObjects(call, account, hold))) })),
  );
  const lines = [...all.flatMap(({ hold, lines: told }) => [`${ofHold(hold)}: ${hold.message}`, ...told]), ...toKeep(account, holds)];
  const data: HeldData = {
    held: all.map(({ hold, fates, before: { went, stayed } }) => ({
      of: nameOf(hold),
      count: hold.count,
      message: hold.message,
      objects: fates.map(({ more, ...fate }) => ({ ...fate, more: [...more] })),
      went: [...went],
      stayed: [...stayed],
    })),
  };
  return { exit: 0, kind: 'Held', data, lines: lines.length === 0 ? nothing : [...lines, ...(isDeleting(account) ? nothing : [])] };
}

/** A list of several is asked for one by one. */
const toKeep = (account: Resource, holds: readonly MassHold[]): readonly string[] =>
  holds
    .filter(({ kind }) => kind === undefined)
    .map((hold) => {
      const of = holds.length === 1 ? '' : ` --of ${nameOf(hold)}`;
      return `To have what ${ofHold(hold)} has stay in the account: kubectl cloud release --keep ${typed(account)}${of} prints the lines`;
    });

async function toldOf(call: Call, hold: MassHold, all: HeldSet) {
  const fates = [...(await fatesOf(call, all.held)), ...(await fatesBeside(call, all.beside))];
  const before = hold.kind === undefined ? await wentBefore(call.session, hold, all.held) : { went: [], stayed: [] };
  const lines = [
    ...fates.flatMap(fateLines),
    ...laterLines(all.later),
    ...askingLines(all.asking),
    ...unlisted(hold, all),
    ...wentLines(hold, before),
    ...stayedLines(hold, before),
  ];
  return { fates, before, lines };
}

async function nothingOf(call: Call, account: Resource): Promise<readonly string[]> {
  if (isDeleting(account)) return accountItself(account);
  const held = holdsOf(account).length === 0 ? await heldByProtect(call, account) : [];
  return held.length === 0
    ? [`Nothing of ${shownName(account)} is held.`]
    : [`No mass deletion of ${shownName(account)} is held.`, ...protectLines(held)];
}

/** It is held by what uses it, which is no matter of how many go: what `why` says of it. */
function accountItself(account: Resource): readonly string[] {
  const { reason, message } = stateOf(account);
  if (isBehind(account) || reason !== 'DeletionHeld')
    return [`${shownName(account)}: ${isBehind(account) ? goingUnseen(account) : `it is being deleted: ${message}`}`];
  const of = holdsOf(account).length === 0 ? ', as no mass deletion is held' : '';
  return [
    `${shownName(account)} is being deleted, and held: ${message}`,
    `No release lets it go${of}. ${todoOf(reason, account)}`,
    ...commandsFor(reason, account).map((line) => `  ${line}`),
  ];
}

/** One at a time: the account's annotation has room for one value. */
function chosenHold({ flags }: Call, account: Resource, holds: readonly MassHold[]): number {
  const of = text(flags, 'of');
  const index = holds.findIndex((hold) => of === undefined || nameOf(hold) === of);
  const names = holds.map(nameOf).join(', ');
  if (index === -1) throw new CliError(3, `nothing of ${of} is held by ${shownName(account)}; held are: ${names}`);
  if (of === undefined && holds.length > 1)
    throw new CliError(
      2,
      `several are held by ${shownName(account)}: ${names}. Write one of them: kubectl cloud release ${typed(account)} --of NAME`,
    );
  return index;
}

/** What is new waits with them, and until none of them is missing. */
const hadSomething = ({ status }: Resource): boolean => status?.['path'] !== undefined;
const countOf = ({ count }: MassHold, { held, asking, later }: HeldSet): number =>
  asking.length === 0 ? count : held.filter(hadSomething).length + later.length;

/** It would be said to be done, and nothing would come of it. */
function refuseVain(account: Resource, hold: MassHold, { held, asking, later }: HeldSet): void {
  if (asking.length === 0 || later.length > 0 || held.some(hadSomething)) return;
  throw new CliError(3, [
    `${shownName(account)}: of ${ofHold(hold)} nothing goes on by a release: all ${asking.length} are RemoteMissing (lifecycle.onMissing: Stall), and are made anew only when that is asked for. Nothing was written`,
    'To have all of them made, empty, which lists them and asks:',
    ...recreateLines(asking).map((line) => `  ${line}`),
  ]);
}

/** The list was seen by whoever has a number of it: once more it would only hide what is wrong. */
function refuseWrong({ session, flags }: Call, account: Resource, hold: MassHold): void {
  const given = text(flags, 'confirm');
  const right = `--confirm ${hold.count}`;
  if (given === undefined || given === String(hold.count) || on(flags, 'dryRun')) return;
  throw new CliError(3, [
    `${shownName(account)}: --confirm ${given} is wrong: of ${ofHold(hold)} ${counted(hold.count, 'object is', 'objects are')} held now. Nothing was written`,
    `If ${given} was right before, other objects are held since. To see which, each with what becomes of it: kubectl cloud release --list ${typed(account)}`,
    `To let these ${hold.count} go: ${sameLine(session.typed, right) ?? `the same line with ${right}`}`,
  ]);
}
