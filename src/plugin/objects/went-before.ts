import { actWindow, type MassHold } from '../../engine/guard/release-code.ts';
import { isGoneFrom } from '../../engine/model/conditions.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { group } from '../../generate/names.ts';
import { kubePath } from '../../kube/http/client.ts';
import type { Millis } from '../../lib/clock.ts';
import { quoted } from '../../lib/quoted.ts';
import { type AnyKind, isInPlace, isObjectName } from '../../resource/index.ts';
import { registry } from '../command-line/kinds.ts';
import type { Session } from '../session.ts';

/** A mass deletion that is held, or as much as is known of it by who may not read the account. */
export type Brake = Pick<MassHold, 'namespace' | 'before'>;

interface KubernetesEvent {
  readonly involvedObject?: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string; readonly uid?: string };
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly metadata?: { readonly creationTimestamp?: string };
}

/** `CloudVolume shop/data: /volumes/123 is gone from the account`. `message`: of its Event, as `wordsOf` has it. */
interface Went {
  readonly object: string;
  readonly message?: string;
}

/** `unseen`: the caller may not list the Events. */
interface Before {
  readonly went: readonly Went[];
  /** Of what was let go since, and what it had was left in the account. */
  readonly stayed: readonly Went[];
  readonly unseen?: boolean;
}

/**
 * What of a mass deletion went before the rest of it was held: as the Events of its namespace tell for an hour to whoever may list them,
 * and as the account notes of its own namespace. `held`: those that are.
 */
export async function wentBefore(session: Session, { namespace, before }: Brake, held: readonly Resource[]): Promise<Before> {
  const asked = held.flatMap(({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [Date.parse(metadata.deletionTimestamp)]));
  if (namespace === undefined || asked.length === 0) return { went: [], stayed: [] };
  const first = Math.min(...asked);
  const [deleted, retained] = await Promise.all([eventsOf(session, namespace, 'Deleted'), eventsOf(session, namespace, 'Retained')]);
  const gone = (deleted ?? []).filter((event) => !isReplaced(event));
  const told = gone.filter((event) => Math.abs(timeOf(event) - first) <= actWindow).flatMap((event) => toldIn(event, namespace));
  const stayed = (retained ?? []).filter((event) => timeOf(event) >= first - actWindow).flatMap((event) => toldIn(event, namespace));
  const noted = (before?.objects ?? []).map((one): Went => ({ object: shown(one, namespace) }));
  const went = [...new Map([...noted, ...told].map((one) => [one.object, one] as const)).values()];
  return { went, stayed: [...new Map(stayed.map((one) => [one.object, one])).values()], ...(deleted === undefined && { unseen: true }) };
}

async function eventsOf(session: Session, namespace: string, reason: string): Promise<readonly KubernetesEvent[] | undefined> {
  const path = `${kubePath('api', 'v1', 'namespaces', namespace, 'events')}?fieldSelector=${encodeURIComponent(`reason=${reason}`)}`;
  const listed = (await (await session.reader()).optional(path)) as { readonly items?: readonly KubernetesEvent[] } | undefined;
  return listed && (listed.items ?? []).filter((event) => event.reason === reason);
}

const shown = (object: string, namespace: string): string => object.replace(' ', ` ${namespace}/`);

/**
 * Whoever may write Events writes what he likes into one, who reported it included: it is believed in nothing but what its own namespace
 * may have, and none of its text stands here as our own.
 */
function toldIn({ involvedObject = {}, message }: KubernetesEvent, namespace: string): readonly Went[] {
  const { apiVersion = '', name = '' } = involvedObject;
  const kind = registry.kinds.find((one) => one.kind === involvedObject.kind);
  if (!apiVersion.startsWith(`${group}/`) || kind === undefined || !isObjectName(name)) return [];
  return [{ object: `${kind.kind} ${namespace}/${name}`, ...(message !== undefined && { message: wordsOf(message, kind) }) }];
}

const replaced = 'is deleted: another one has taken its place';
/** Its object is still there, and has the new one, as after a rotation: the account does not count it either. */
const isReplaced = ({ message = '' }: KubernetesEvent): boolean => message.includes(` ${replaced}`);

/** What the operator says of the remotes of one object that ends; what it goes on to say is the same of all. */
const ends = [
  isGoneFrom,
  'is over; the account keeps it to read',
  replaced,
  String.raw`stays in the account, because the policy(?: of [A-Z]\w+ [-.a-z0-9]+, which asked for it last,)? is Retain`,
  'is always there and stays as it is now',
].join('|');
const said = new RegExp(`^(?<paths>(?:/[-\\w.~%:@]+)+(?: and (?:/[-\\w.~%:@]+)+)*) (?:${ends})$`);

/** As it is where it can be the operator's; otherwise as somebody's words. */
function wordsOf(message: string, kind: AnyKind): string {
  const first = message.split('. ', 1).join('');
  const paths = said.exec(first)?.groups?.['paths']?.split(' and ') ?? [];
  return paths.length > 0 && paths.every((path) => isInPlace(kind, path)) ? first : quoted(first);
}
const timeOf = ({ eventTime, lastTimestamp, metadata }: KubernetesEvent): Millis =>
  Date.parse(eventTime ?? lastTimestamp ?? metadata?.creationTimestamp ?? '');

const most = 30;
/** A line for each; none where nothing went. */
export function wentLines({ namespace, before }: Brake, { went, unseen = false }: Before): readonly string[] {
  const all = Math.max(before?.count ?? 0, went.length);
  if (all === 0) return [];
  const told = went.slice(0, most);
  return [
    `  Of namespace ${namespace} went before the rest was held, and nothing brings it back:`,
    ...told.map(lineOf),
    ...(all > told.length
      ? [`    ${told.length === 0 ? '' : 'and '}${all - told.length} more${all > went.length ? whyNameless(unseen) : ''}`]
      : []),
    ...byEvents(namespace, told),
  ];
}
/** What kept it. */
export function stayedLines({ namespace }: Brake, { stayed }: Before): readonly string[] {
  if (stayed.length === 0) return [];
  const told = stayed.slice(0, most);
  return [
    `  Of namespace ${namespace} went from the cluster, and what they had was left in the account then; to have one back, apply its manifest again:`,
    ...told.map(lineOf),
    ...(stayed.length > told.length ? [`    and ${stayed.length - told.length} more`] : []),
    ...byEvents(namespace, told),
  ];
}
const lineOf = ({ object, message }: Went): string => `    ${object}${message === undefined ? '' : `: ${message}`}`;
const byEvents = (namespace: string | undefined, told: readonly Went[]): readonly string[] =>
  told.some(({ message }) => message !== undefined)
    ? [`    (as Events of namespace ${namespace} tell it, and whoever may write those can make one up)`]
    : [];
const whyNameless = (unseen: boolean): string =>
  unseen
    ? ', which only Events of the namespace name, and you may not list those'
    : ', which nothing names any more: Events are kept for an hour';
