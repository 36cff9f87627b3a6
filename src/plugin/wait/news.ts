import { accountKey } from '../../engine/model/account.ts';
import { annotation, confirmAnnotation, lookAskedBy, releaseAnnotation } from '../../engine/model/annotations.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import { releasedIn } from '../../engine/guard/release-code.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { dataEvery, tokenEvery } from '../../engine/ports/secret-reading.ts';
import type { Millis } from '../../lib/clock.ts';
import { shownName } from '../cluster/naming.ts';
import { registry } from '../command-line/kinds.ts';
import { holdsOf } from '../gestures/held-set.ts';
import { stateOf } from '../objects/facts.ts';
import type { Landscape } from '../objects/landscape.ts';
import { linksOf } from '../objects/links.ts';
import type { Culprit } from '../why/person.ts';

/** Somebody has done something about it, which no status tells of yet. */
interface News {
  readonly what: string;
  /** Tells one writing from the next. */
  readonly mark?: string | undefined;
  /** When, where that is known. */
  readonly at?: Millis | undefined;
  /** So long the operator may take to see it; as long as for a token when absent. */
  readonly within?: Millis;
}

/** What follows from that takes its time, too. */
const more: Millis = 30_000;

/** What an object is still waited for in spite of who needs a person; undefined: nothing, or it had its time. */
export type Spared = (landscape: Landscape, object: Resource, culprit: Culprit) => Promise<string | undefined>;

export function sparing(): Spared {
  const seen = new Map<string, Noted>();
  return async (landscape, object, culprit) => {
    const said = JSON.stringify(saidOf(culprit));
    const id = shownName(object);
    const news = await newsOf(landscape, object, culprit);
    if (news !== undefined && !isKnown(news, seen.get(id))) seen.set(id, { ...news, said, since: news.at ?? landscape.now });
    // What begins to be done about it writes to the object, too, before its conditions say so.
    const noted = seen.get(id);
    return noted === undefined || (news === undefined && noted.said !== said) ? undefined : stillIn(noted, landscape.now);
  };
}
interface Noted extends News {
  readonly since: Millis;
  /** What was told of it then. */
  readonly said: string;
}
const isKnown = ({ what, mark }: News, noted: Noted | undefined): boolean => what === noted?.what && mark === noted.mark;
const stillIn = ({ since, within = tokenEvery, what }: Noted, now: Millis): string | undefined =>
  now - since < within + more ? what : undefined;
const saidOf = (culprit: Culprit): unknown => ('reason' in culprit ? culprit : stateOf(culprit));

async function newsOf(landscape: Landscape, object: Resource, culprit: Culprit): Promise<News | undefined> {
  const about = 'reason' in culprit ? object : culprit;
  const it = about === object ? 'it' : shownName(about);
  return (
    asked(about, it) ??
    (await released(landscape, about)) ??
    (isOfToken(culprit) ? await tokenWritten(landscape, await accountAt(landscape, about)) : await valueWritten(landscape, about))
  );
}

const untaken = 'and no operator has taken that up yet';

/** Nothing is looked at while it is paused, and what was asked for then is answered after that. */
function asked(object: Resource, it: string): News | undefined {
  const { status = {} } = object;
  const look = lookAskedBy(object);
  if (look !== undefined && look !== status['lastHandledReconcileAt'] && stateOf(object).reason !== 'Paused')
    return { what: `${it} was asked for a look (annotation reconcile-at), ${untaken}`, mark: look };
  const { challenge, confirmed } = status as { readonly challenge?: string; readonly confirmed?: { readonly challenge: string } };
  const isConfirmed = challenge !== undefined && annotation(object, confirmAnnotation) === challenge;
  return isConfirmed && confirmed?.challenge !== challenge ? { what: `${it} is confirmed by annotation, ${untaken}` } : undefined;
}

/** What holds it is let go by an annotation of its account. */
async function released(landscape: Landscape, object: Resource): Promise<News | undefined> {
  if (stateOf(object).reason !== 'DeletionHeld') return undefined;
  const account = await accountAt(landscape, object);
  if (account === undefined) return undefined;
  const value = annotation(account, releaseAnnotation);
  const isNew = value !== undefined && !releasedIn(account).some((one) => one.value === value);
  return isNew && holdsOf(account).some(({ release }) => release === value)
    ? { what: `what is held is released by annotation of ${shownName(account)}, ${untaken}` }
    : undefined;
}

const ofToken: ReadonlySet<string> = new Set(['AccountNotReady', 'Unauthorized', 'Forbidden', 'AccountMismatch']);
const isAccount = ({ kind }: Pick<Resource, 'kind'>): boolean => kind === registry.connection.kind;
const isOfToken = (culprit: Culprit): boolean =>
  'reason' in culprit ? ofToken.has(culprit.reason) : isAccount(culprit) && ofToken.has(stateOf(culprit).reason ?? '');

async function accountAt(landscape: Landscape, object: Resource): Promise<Resource | undefined> {
  const found = isAccount(object) ? object : await landscape.find(registry.connection.kind, accountKey(object));
  return typeof found === 'string' ? undefined : found;
}

async function tokenWritten(landscape: Landscape, account: Resource | undefined): Promise<News | undefined> {
  const { name } = (account?.spec['tokenSecretRef'] ?? {}) as { readonly name?: string };
  if (account === undefined || name === undefined) return undefined;
  const written = await writtenSince(landscape, account, { kind: 'Secret', name });
  return written && { ...written, what: `${written.what}, and the operator reads it every minute` };
}

/** What the account refused for the value of something that the message names. */
async function valueWritten(landscape: Landscape, object: Resource): Promise<News | undefined> {
  const { reason, words } = stateOf(object);
  if (reason !== 'Rejected') return undefined;
  const named = linksOf(object).flatMap((link) => (link.is === 'data' && words.includes(`${link.kind} ${link.name},`) ? [link] : []));
  for (const link of named) {
    const written = await writtenSince(landscape, object, link);
    if (written) return { ...written, what: `${written.what}, and the operator reads it every five minutes`, within: dataEvery };
  }
  return undefined;
}

/** Later than what the object says of it began, or, where nobody notes when, than the object was written last. */
async function writtenSince(
  landscape: Landscape,
  object: Resource,
  { kind, name }: { readonly kind: 'Secret' | 'ConfigMap'; readonly name: string },
): Promise<News | undefined> {
  const { namespace, resourceVersion } = object.metadata;
  const { written = {} } = await landscape.dataNow({ kind, namespace, name });
  const { since } = stateOf(object);
  const isSince =
    written.at !== undefined && since !== undefined ? written.at >= Date.parse(since) : Number(written.version) > Number(resourceVersion);
  return isSince ? { what: `${kind} ${nameOf({ namespace, name })} was written since`, mark: written.version, at: written.at } : undefined;
}
