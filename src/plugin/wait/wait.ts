import { accountKey } from '../../engine/model/account.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { brokenLinks } from '../objects/broken-links.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { isAbout, nowhere, selected } from '../cluster/select.ts';
import { asOperation } from '../../resource/index.ts';
import { CliError } from '../exit.ts';
import { durationOf, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import type { Session } from '../session.ts';
import type { WaitData } from '../output/shapes.ts';
import { type Gone, goneOf } from './gone.ts';
import { type Goal, goals, isKeptFrom, isStuck, type Step, type Verdict } from './goal.ts';
import { connectionOf } from '../why/connection.ts';
import { lateLines, reachedLines, troubleLines } from './told.ts';
import { type Spared, sparing } from './news.ts';
import { stillWaiting, type Vain, vainly, whereNothingElse } from './vain.ts';
import { watched } from './watched.ts';

/** Waits until objects are as asked. */
export const wait: Verb = async (call) => {
  const { flags } = call;
  if (!isAbout(call)) throw new CliError(2, 'wait for what? Write KIND/NAME, a kind, -f, -l, -n or -A');
  const limit = durationOf(flags, 'timeout');
  const what = (text(flags, 'for') ?? 'Ready') as keyof typeof goals;
  const objects = await selected(call);
  const gone = what === 'Deleted' ? await goneOf(call, objects) : [];
  if (objects.length === 0) return gone.length > 0 ? withGone(gone, nothing(what, [])) : nothingThere(call, what);
  if (what === 'phase=Succeeded') refuseOthers(objects);
  const meant = what === 'Observed' && !isNamed(call) ? objects.filter(isOnlyObserved) : objects;
  const answer = await waitFor(call, meant, { what, limit, patient: text(flags, 'onApproval') === 'wait' });
  return withGone(gone, answer);
};

function refuseOthers(objects: readonly Resource[]): void {
  const other = objects.find(({ kind }) => asOperation(registry.kind(kind)) === undefined);
  if (other === undefined) return;
  const why = 'has no phase: --for=phase=Succeeded is for operations, for example cop/NAME';
  throw new CliError(2, `${other.kind} ${other.metadata.name} ${why}`);
}

interface Waited extends Answer {
  readonly data: WaitData;
}
const nothing = (what: string, lines: readonly string[]): Waited => ({ exit: 0, kind: 'Wait', data: { for: what, objects: [] }, lines });

/** Before what came of the others. */
function withGone(gone: readonly Gone[], { data, lines, ...answer }: Waited): Waited {
  const objects = gone.map(({ object }) => ({
    object,
    state: 'reached' as const,
    reason: 'Deleted',
    message: 'it is not there (any more)',
  }));
  return { ...answer, data: { ...data, objects: [...objects, ...data.objects] }, lines: [...gone.map(({ line }) => line), ...lines] };
}

/** A mistyped label must not pass for a success; only what is to be gone, or at rest, may be nothing. */
async function nothingThere(call: Call, what: keyof typeof goals): Promise<Waited> {
  const said = isNamed(call) ? `there is no ${call.args.join(' ')}${await nowhere(call)}` : `there is no such object${await nowhere(call)}`;
  if (!['Deleted', 'Quiet', 'Observed'].includes(what)) throw new CliError(4, said);
  return nothing(what, [`T${said.slice(1)}`]);
}

/** One by one, so that each is meant. */
const isNamed = ({ args }: Call): boolean => args.some((word) => word.includes('/')) || args.length > 1;
/** An account, or what is managed beside, never comes to be observed. */
const isOnlyObserved = ({ spec }: Resource): boolean =>
  (spec['lifecycle'] as { readonly management?: string } | undefined)?.management === 'Observe';

export interface Waiting {
  readonly what: keyof typeof goals;
  readonly limit: number;
  /** An object that awaits approval does not end it. */
  readonly patient: boolean;
}

/** Also for gestures with --wait: `objects` as they were read before. */
export async function waitFor(call: Call, objects: readonly Resource[], { what, limit, patient }: Waiting): Promise<Waited> {
  const { session } = call;
  const goal: Goal = goals[what];
  const begun = session.now;
  const since = new Map<string, number>();
  const spared = sparing();
  const vain = vainOf(session, { what, patient, spared });
  const befores = new Map(objects.map((object) => [shownName(object), object]));
  const verdicts = await watched(session, objects, {
    judge: (object, before) => goal(object, before, patient, { since, now: session.host.clock.monotonic() }),
    limit,
    ...(what === 'Quiet' && { every: 1000 }),
    tell: (line) => tellStep(call, line),
    doubt: async (object, verdict) => stillWaiting(verdict, await spared(new Landscape(await session.reader(), [object]), object, object)),
    vain: (waiting) => vain(waiting.filter((object) => isKeptFrom[what](object, befores.get(shownName(object)) ?? object))),
  });
  const data: WaitData = {
    for: what,
    objects: [...verdicts].map(([object, { state, reason, message }]) => ({ object, state, reason, message })),
  };
  const outcome = { what, objects, verdicts, begun, now: session.now };
  const inState = (state: Verdict['state']) => objects.filter((object) => verdicts.get(shownName(object))?.state === state);
  if (inState('failed').length > 0) return { exit: 1, kind: 'Wait', data, lines: troubleLines(outcome) };
  const late = inState('waiting');
  const [first] = late;
  if (first === undefined)
    return { exit: 0, kind: 'Wait', data, lines: [...reachedLines(outcome), ...(await lastSeen(session, what, objects))] };
  const unfound = late.filter((object) => verdicts.get(shownName(object))?.reason === 'ReferenceNotReady');
  const ended = `Time ran out. What is waited for: kubectl cloud why ${typed(first)}`;
  return { exit: 6, kind: 'Wait', data, lines: [...lateLines(outcome), ...(await misnamed(session, unfound)), ended] };
}

/** For `Quiet` everything is looked at: it ends once none of it goes on without a person. */
function vainOf(session: Session, { what, ...how }: Pick<Waiting, 'what' | 'patient'> & { readonly spared: Spared }): Vain {
  if (what !== 'Quiet') return vainly(session, how);
  return whereNothingElse(vainly(session, { ...how, most: Infinity, isStuck: (object) => isStuck(object, how.patient) }));
}

const stepHead = { apiVersion: 'cli.cloudhosting.dev/v1', kind: 'WaitStep' };

/** Steps are talk; for a script, which asks for lines, they are data. */
function tellStep({ session, flags }: Call, { at, object, verdict, isFirst }: Step): void {
  const { state, reason, message, isResting = false } = verdict;
  if (text(flags, 'output') === 'jsonl') return session.print(JSON.stringify({ ...stepHead, at, object, state, reason, message }));
  // What ends the wait is in the answer, and so is what was as asked, or at rest, from the first, which was no step.
  if ((state === 'waiting' && !(isFirst && isResting)) || (state === 'reached' && !isFirst))
    session.say(`${at.slice(11, 19)} ${object}  ${reason}${message === '' ? '' : `: ${message}`}`);
}

/** These stay as they were seen last. */
const lasting: ReadonlySet<keyof typeof goals> = new Set(['Ready', 'Synced', 'Made', 'Observed']);
/** Nothing is seen of what lies in an account without a way into it, or without an operator: said once for each. */
async function lastSeen(session: Session, what: keyof typeof goals, objects: readonly Resource[]): Promise<readonly string[]> {
  if (!lasting.has(what)) return [];
  const landscape = new Landscape(await session.reader(), objects);
  const byAccount = new Map(objects.filter(hasAccount).map((one) => [nameOf(accountKey(one)), one]));
  const lost = await Promise.all([...byAccount.values()].map((one) => connectionOf(session, landscape, one).catch(unread)));
  return lost.flatMap((one) =>
    one?.lost === undefined
      ? []
      : [`That is as it was seen last: ${one.lost.because}, and nothing in it is seen or changed now. ${one.line}`],
  );
}
const unread = (): undefined => undefined;
const hasAccount = ({ kind }: Resource): boolean => kind !== registry.connection.kind;

/** Each takes reads, and whoever waits for hundreds looks at none of them alone. */
const mostLooked = 10;
/** A name that is nearly one: nobody need look further. */
async function misnamed(session: Session, late: readonly Resource[]): Promise<readonly string[]> {
  const landscape = new Landscape(await session.reader(), late);
  const lines: string[] = [];
  for (const object of late.slice(0, mostLooked)) lines.push(...(await brokenLinks(landscape, object)));
  return lines;
}
