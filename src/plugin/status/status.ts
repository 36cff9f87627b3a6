import { isDeleting } from '../../engine/model/annotations.ts';
import { keyOf, nameOf } from '../../engine/model/object-id.ts';
import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import type { Row } from '../../resource/index.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { typed } from '../cluster/naming.ts';
import { nothing, selected } from '../cluster/select.ts';
import { type DeadLease, deadLeaseOf, deadText } from '../cluster/serving.ts';
import { tellSkew } from '../cluster/skew.ts';
import {
  type State,
  connectionState,
  goingUnseen,
  isApprovedUnseen,
  isBehind,
  isCutOff,
  isUnconnected,
  needsPerson,
  pauseOf,
  stateOf,
} from '../objects/facts.ts';
import { CliError } from '../exit.ts';
import { on } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { Landscape } from '../objects/landscape.ts';
import { waitsForNothing } from '../why/next.ts';
import { holdsWhatIsAsked } from '../why/causes/of-account.ts';
import { waitsForGood } from '../why/causes/at-rest.ts';
import { isRefusedForGood, mayBeIncomplete, partsToCome } from '../why/causes/refused.ts';
import { culpritOf } from '../why/person.ts';
import { accountOf } from '../objects/links.ts';
import type { StatusData } from '../output/shapes.ts';
import { type Gone, heldLines, heldOf } from './held.ts';
import { type Glance, linesOf } from './lines.ts';
import { holdsOf } from '../gestures/held-set.ts';
import { keysOfToken, withKeys } from './keys.ts';
import { forgottenPauses, goingLater, staleReady } from './notes.ts';
import { apartFrom, type Behind, behindOf, groupsForPerson, needyOf } from './people.ts';

type Shown = StatusData['accounts'][number];
/** Accounts at a glance. */
export const status: Verb = async (call) => {
  const { session, flags } = call;
  const { kind } = registry.connection;
  const named = call.args.length === 0 ? undefined : await accountsNamed(call);
  const reader = await session.reader();
  const namespace = on(flags, 'allNamespaces') ? undefined : await session.namespace();
  const { landscape } = await Landscape.ofReadable(reader, namespace, (message) => session.warn(message));
  await tellSkew(
    session,
    landscape.all.map((object) => object.kind),
  );
  const keys = named?.map(keyOf) ?? accountsOf(landscape.all);
  const found = await Promise.all(keys.map(async (key) => ({ key, account: await landscape.find(kind, key) })));
  const all = landscape.all;
  const behind = (await Promise.all(all.map((object) => behindIn(landscape, object)))).flat();
  const rows = await Promise.all(
    found.map(async ({ key, account }) => {
      const dead = typeof account === 'string' ? undefined : await deadLeaseOf(reader, account, session.now);
      const row = rowOf(key, account, { all, behind, dead, lacking: await keysOfToken(landscape, account), now: session.now });
      return { ...row, groups: await withKeys(landscape, row.groups) };
    }),
  );
  const data: StatusData = { accounts: rows.map((row) => row.data) };
  const calm =
    data.accounts.every((one) => one.ready && one.needPerson.length === 0 && one.held.length === 0) && rows.every(({ isDead }) => !isDead);
  const none = rows.length === 0 ? [(await nothing(call, 'No CloudAccount')).replace('.', ', and no object that names one.')] : undefined;
  const about = namespace === undefined ? '-A' : `-n ${namespace}`;
  const shown = (isWide: boolean): readonly string[] => none ?? linesOf(rows, { now: session.now, isWide, about });
  return { exit: calm ? 0 : 1, kind: 'Status', data, lines: shown(false), wide: shown(true) };
};

/** Nothing where it is as wanted. */
async function behindIn(landscape: Landscape, object: Resource): Promise<readonly Behind[]> {
  const { well, off } = stateOf(object);
  if (well && !off) return [];
  const isNeedy = !isBehind(object) && (await isLeftToPerson(landscape, object));
  return [await behindOf(landscape, object, isNeedy)];
}

/** Where it is something else that a person must see to, that is listed. */
async function isLeftToPerson(landscape: Landscape, object: Resource): Promise<boolean> {
  if (mayBeIncomplete(object)) return (await partsToCome(landscape, object)).length === 0;
  if ((await holdsWhatIsAsked(landscape, object)).length > 0) return (await culpritOf(landscape, object, { patient: false })) !== undefined;
  if (needsPerson(object)) return true;
  if (await waitsForGood(landscape, object)) return true;
  if (isRefusedForGood(object)) return (await culpritOf(landscape, object, { patient: false })) === object;
  return waitsForNothing(landscape, object);
}

async function accountsNamed(call: Call): Promise<readonly Resource[]> {
  const { kind } = registry.connection;
  const named = await selected({ ...call, args: call.args.map(accountWord) });
  const other = named.find((object) => object.kind !== kind);
  if (other === undefined) return named;
  const word = call.args.find((one) => one.endsWith(other.metadata.name)) ?? other.kind;
  throw new CliError(2, `${word} is no ${kind}. How it is: kubectl cloud why ${typed(other)}`);
}

/** `default` and `cacc/default` mean the same here. */
const accountWord = (word: string): string => (word.includes('/') ? word : `${registry.connection.shortName}/${word}`);

/** Those that are there, and those that objects name. */
function accountsOf(objects: readonly Resource[]): readonly Key[] {
  const keys = new Map(objects.map((object) => accountOf(object) ?? keyOf(object)).map((key) => [nameOf(key), key]));
  return [...keys.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

interface Objects {
  readonly all: readonly Resource[];
  readonly behind: readonly Behind[];
  /** No operator works for the account. */
  readonly dead: DeadLease | undefined;
  /** Keys of its own Secret. */
  readonly lacking: readonly string[];
  readonly now: number;
}
function rowOf(key: Key, account: Resource | 'missing' | 'unseen', { all, behind, dead, lacking, now }: Objects): Glance {
  const isMine = (object: Resource): boolean => {
    const of = accountOf(object);
    return of !== undefined && nameOf(of) === nameOf(key);
  };
  const [mine, late] = [all.filter(isMine), behind.filter(({ object }) => isMine(object))];
  const common = {
    account: nameOf(key),
    objects: countsOf(mine),
    drift: mine.filter((object) => Array.isArray(object.status?.['drift'])).length,
    needPerson: late.filter(({ isNeedy }) => isNeedy).map(needyOf),
  };
  const data = { ...common, ...(typeof account === 'string' ? unseen(account) : connectionOf(account, now)) };
  const notes = [
    ...(dead === undefined ? [] : [`${deadText(dead)}; all of this is as it was then`]),
    ...lacking,
    ...goingLater(account, mine, now),
    ...(dead === undefined ? staleReady(account, common.objects, now) : []),
    ...forgottenPauses(mine, now),
    ...('notes' in data ? (data.notes ?? []) : []),
  ];
  const ofAccount = personOfAccount(data);
  return {
    data: { ...data, needPerson: [...ofAccount, ...data.needPerson], ...(notes.length > 0 && { notes }) },
    ofAccount,
    isDead: dead !== undefined,
    held: typeof account === 'string' ? [] : holdsOf(account).map((hold) => heldLines(account, hold, mine)),
    ...causesIn(account, { ofAccount, mine, late, isDead: dead !== undefined }),
  };
}

interface Late extends Pick<Glance, 'ofAccount' | 'isDead'> {
  readonly mine: readonly Resource[];
  readonly late: readonly Behind[];
}
/** What waits for the account is told with that. */
function causesIn(
  account: Resource | 'missing' | 'unseen',
  { ofAccount, mine, late, isDead }: Late,
): Pick<Glance, 'heldUp' | 'groups' | 'isLost'> {
  const isLost = typeof account !== 'string' && (isDead || (ofAccount.length > 0 && isCutOff(account)));
  const [held, free] = [true, false].map((is) => late.filter(({ through }) => ofAccount.some(({ object }) => through.has(object)) === is));
  return {
    heldUp: isLost ? mine : (held ?? []).map(({ object }) => object),
    groups: groupsForPerson(apartFrom(typeof account === 'string' ? [] : holdsOf(account), free ?? [])),
    isLost,
  };
}

const personOfAccount = ({ account, ready, reason, message }: Shown): Shown['needPerson'] =>
  isUnconnected({ ready, reason }) ? [{ object: `${registry.connection.kind} ${account}`, reason, message }] : [];

const unseen = (how: 'missing' | 'unseen') => ({
  ready: how === 'unseen',
  reason: how === 'unseen' ? 'NotSeen' : 'NotFound',
  message:
    how === 'unseen'
      ? 'you may not read it'
      : 'it is not there: create it under this name. Objects that mean another account are deleted and applied with another spec.accountRef',
  held: [],
  maintenance: 0,
});

/** What was told of it before its deletion was asked for is no news. */
const lastTold = (account: Resource): Pick<State, 'ready' | 'reason' | 'message'> =>
  isDeleting(account) && isBehind(account) ? { ready: false, reason: undefined, message: goingUnseen(account) } : connectionState(account);

function connectionOf(account: Resource, now: number): Omit<Shown, 'account' | 'objects' | 'drift' | 'needPerson'> {
  const { ready, reason = 'NotLookedAt', message } = lastTold(account);
  const seen: Row = account.status ?? {};
  const texts = ['user', 'servedBy', 'balance'].flatMap((name) => (typeof seen[name] === 'string' ? [[name, seen[name]]] : []));
  const { maintenance = [], deletedLately = [] } = seen as { maintenance?: readonly unknown[]; deletedLately?: readonly Gone[] };
  const paused = pauseOf(account, now);
  const { installation, mode } = account.spec;
  return {
    ready,
    reason,
    message,
    ...(Object.fromEntries(texts) as Pick<Shown, 'user' | 'servedBy' | 'balance'>),
    mode: mode === 'ReadOnly' ? 'ReadOnly' : 'Manage',
    ...(typeof installation === 'string' && { installation }),
    ...(paused !== undefined && { paused: endOf(paused) }),
    held: holdsOf(account).map((one) => heldOf(one, deletedLately)),
    maintenance: maintenance.length,
    notes: notesOf(seen, { maintenance: maintenance.length, paused }),
  };
}

/** The time alone, where there is one. */
const endOf = (paused: string): string => /^until (?<end>\d\S*Z)/.exec(paused)?.groups?.['end'] ?? paused;

/** Pause, budget, events, maintenance. */
function notesOf(seen: Row, { maintenance, paused }: { readonly maintenance: number; readonly paused: string | undefined }): string[] {
  const { eventsRefused, shareUsedUp } = seen as {
    readonly eventsRefused?: string;
    readonly shareUsedUp?: { readonly sharePercent: number; readonly since: string };
  };
  return [
    ...(paused === undefined ? [] : [`nothing is changed in it, paused ${paused}`]),
    ...(shareUsedUp === undefined
      ? []
      : [`its share of the rate limits, ${shareUsedUp.sharePercent} %, is used up since ${shareUsedUp.since}: calls wait`]),
    ...(eventsRefused === undefined
      ? []
      : [`events cannot be read, so that changes by others are found by sweeps alone: ${eventsRefused}`]),
    ...(maintenance === 0 ? [] : [`the provider has announced maintenance of ${maintenance} of its resources`]),
  ];
}

function countsOf(objects: readonly Resource[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const object of objects) {
    const { well, off, reason = 'NotLookedAt' } = stateOf(object);
    const word = well && !off ? 'Ready' : isBehind(object) || isApprovedUnseen(object) ? 'NotLookedAt' : reason;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}
