import type { AccountReader } from '../account/account-reader.ts';
import { type AnyKind, parentOfItem, readRemote, type Row } from '../../resource/index.ts';
import { apiLine } from '../account/typed-again.ts';
import { type Flags, text } from '../command-line/flag.ts';
import { shownName } from '../cluster/naming.ts';
import { servedKinds } from '../cluster/installed.ts';
import type { Call } from '../command-line/command.ts';
import type { Session } from '../session.ts';
import type { Remote, Standing } from '../dry/standing.ts';
import { secretOf } from '../dry/given-out.ts';
import { marking, markingText } from '../dry/marking.ts';
import { registry } from '../command-line/kinds.ts';
import { kindsOfUser, standingOf } from '../orphans/cluster.ts';
import { remotesOf } from '../orphans/remotes.ts';
import { UnreadLists } from '../orphans/unread.ts';
import type { ExportData, UnreadList } from '../output/account-shapes.ts';
import { accountIn } from '../account/shown.ts';
import { type Choice, type Chosen, chosenOf } from './chosen.ts';
import type { Place } from './placing/layout.ts';
import { unplacedText } from './placing/placing.ts';
import { commonOf, filtered, manifestText, type Proof, proved } from './files/manifest.ts';
import { type Above, apartFrom, type Follower, followerOf, standingAt } from './followers.ts';
import { aboveOf, referenceBy } from './references.ts';
import { wholeRow } from './rows.ts';
import { type NeededSecret, secretsIn, withImage } from './secrets.ts';
import { PartsNamed } from './parts-named.ts';
import { type Draft, draftOf, type RefTo, saying } from './spec-of.ts';
import type { Wishes } from './wishes.ts';

/** A manifest that changes nothing, and what it stands for. */
export interface Manifest extends Place {
  readonly text: string;
  readonly secrets: readonly NeededSecret[];
  readonly remote: Remote;
  /** What is sent once it is managed. */
  readonly marking: string | undefined;
  /** What it leaves alone. */
  readonly followers: readonly Follower[];
  /** Secret that its object is written into, from the first look on. */
  readonly givenOut: string | undefined;
}
export interface Exported {
  readonly manifests: readonly Manifest[];
  /** What a manifest names, as that of a cluster its pools. */
  readonly members: readonly Remote[];
  readonly kinds: ExportData['kinds'];
  readonly unproven: ExportData['unproven'];
  readonly skipped: ExportData['skipped'];
  readonly unread: readonly UnreadList[];
  readonly standing: Standing;
}

/** Everything that is asked for, as manifests that are proven against what the account has. */
export async function exported({ session, flags }: Call, account: AccountReader, wishes: Wishes): Promise<Exported> {
  const standing = await standingOf(session, account, registry.kinds);
  const remotes: Remote[] = [];
  const unread = new UnreadLists(session);
  const read = await kindsOfUser(session, account, await installed(session, wishes.kinds));
  for (const kind of read) remotes.push(...(await remotesOf(account, kind, { withParts: false, unread: unread.of(kind) })));
  const { chosen, skipped, members, isUnplaced } = await chosenOf(account, { remotes, standing }, wishes);
  if (isUnplaced) session.warn(unplacedText(text(flags, 'namespaceBy') ?? '', wishes.namespace));
  const refsFrom = referenceBy(chosen, standing.bound, wishes.byId);
  const kindsBelow = belowOf(chosen);
  const around = { remotes, above: aboveIn(chosen, kindsBelow, standing) };
  const partsNamed = new PartsNamed(account, session, read, remotes);
  const manifests: Manifest[] = [];
  const unproven: ExportData['unproven'][number][] = [];
  for (const one of chosen) {
    const written = await proofOf({ account, flags, now: session.now }, one, {
      refTo: refsFrom(one.namespace),
      below: kindsBelow(one),
      follower: followerOf(one.remote, around),
      partsNamed,
      wishes,
    });
    if ('text' in written) manifests.push(written);
    else unproven.push({ kind: one.remote.kind.kind, id: one.id, path: one.remote.path, why: written.why });
  }
  const named = namedIn(members, new Set(unproven.map(({ path }) => path)));
  return {
    manifests,
    members: named.written,
    kinds: countsOf(wishes.kinds, remotes, manifests),
    unproven,
    skipped: [...skipped, ...named.skipped],
    unread: unread.all,
    standing,
  };
}

/** What manifests name, but for those that could not be written, and why none is written for it alone. */
const namedIn = (members: Choice['members'], missing: ReadonlySet<string>) => ({
  written: members.flatMap(({ by, remote }) => (missing.has(by) ? [] : [remote])),
  skipped: members.map(({ by, why, kind, id, path }) => ({
    kind,
    id,
    path,
    why: missing.has(by) ? `${why} once that can be written` : why,
  })),
});

const countsOf = (kinds: readonly AnyKind[], remotes: readonly Remote[], manifests: readonly Manifest[]): ExportData['kinds'] =>
  kinds
    .map(({ kind }) => ({
      kind,
      found: remotes.filter((remote) => remote.kind.kind === kind).length,
      written: manifests.filter((manifest) => manifest.kind === kind).length,
    }))
    .filter(({ found }) => found > 0);

/** Of which kinds something below it is written too. */
function belowOf(chosen: readonly Chosen[]): (one: Chosen) => ReadonlySet<string> {
  const below = Map.groupBy(
    chosen.filter(({ remote }) => remote.kind.parent !== undefined),
    ({ remote }) => parentOfItem(remote.kind, remote.path),
  );
  return ({ remote }) => new Set(below.get(remote.path)?.map((part) => part.remote.kind.kind));
}

/** What is written, else what is there. */
function aboveIn(
  chosen: readonly Chosen[],
  below: (one: Chosen) => ReadonlySet<string>,
  { bound }: Standing,
): (path: string) => Above | undefined {
  const written = chosen.map((one): readonly [string, Above] => {
    const { kind, path } = one.remote;
    return [path, { spec: apartFrom(kind, below(one)), name: shownName({ kind: kind.kind, metadata: one }) }];
  });
  const all = new Map([...bound.map(standingAt), ...written]);
  return (path) => all.get(path);
}

/** A manifest of another kind could not be applied. */
async function installed(session: Session, wanted: readonly AnyKind[]): Promise<readonly AnyKind[]> {
  const served = session.isAlone ? undefined : await servedKinds(await session.reader());
  const missing = wanted.filter(({ kind }) => served?.has(kind) === false).map(({ kind }) => kind);
  if (missing.length > 0)
    session.warn(
      `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} left out: the cluster does not have the CRD, so there could be no object`,
    );
  return wanted.filter(({ kind }) => !missing.includes(kind));
}

interface From {
  readonly account: AccountReader;
  readonly flags: Flags;
  readonly now: number;
}
interface How {
  readonly below: ReadonlySet<string>;
  readonly follower: Follower | undefined;
  readonly partsNamed: PartsNamed;
  readonly refTo: RefTo;
  readonly wishes: Wishes;
}
async function proofOf(
  { account, flags, now }: From,
  one: Chosen,
  { refTo, below, follower, partsNamed, wishes }: How,
): Promise<Manifest | Extract<Proof, { why: string }>> {
  const { remote, name, namespace, id } = one;
  const { kind } = remote;
  const row = await wholeRow(account, remote);
  const style = wishes.styleOf(namespace, accountIn(account.shown.account).written);
  const told = saying(draftOf(kind, row, aboveOf(remote), refTo), apartFrom(kind, below));
  const followers = [...(follower === undefined ? [] : [follower]), ...(await partsNamed.followers(kind, told))];
  const ignored = followers.map(({ field }) => field);
  const common = commonOf(kind, id, style, ignored);
  const adopt = one.foreign ? { ...common, adopt: { id, force: true } } : common;
  const draft = withoutLeft(wishes.withImage ? withImage(kind, told, name) : told, kind, followers);
  const proof = proved({ kind, row, now, ignored }, draft, adopt, style.strict);
  if ('why' in proof) return { why: hiddenIn(kind, row, flags) ?? proof.why };
  const place = { kind: kind.kind, namespace, name };
  const read = readRemote(kind, row);
  const marks = account.isRestricted || 'malformed' in read ? [] : marking(kind, draft.want, read.remote);
  return {
    ...place,
    text: manifestText(kind, name, proof.spec, style),
    secrets: secretsIn({ ...place, spec: proof.spec }),
    remote,
    marking: markingText(marks),
    followers,
    givenOut: secretOf(kind, { name, spec: proof.spec }),
  };
}

/** What a spec must say stays, and is left alone all the same. */
function withoutLeft(draft: Draft, { spec }: AnyKind, followers: readonly Follower[]): Draft {
  const left = followers.filter(({ field, leftOut }) => leftOut === true && spec.shape[field]?.safeParse(undefined).success);
  return filtered(draft, (_, name) => !left.some(({ field }) => field === name));
}

/** What no spec can name of it, though it must, and what to type then. */
const hiddenIn = ({ fields }: AnyKind, row: Row, flags: Flags): string | undefined =>
  Object.values(fields)
    .flatMap(({ members }) => members?.hidden?.(row) ?? [])
    .map(({ why, calls }) => `${why}: ${calls.map((call) => apiLine(call, flags)).join('; ')}`)
    .at(0);
