import { actWindow, type MassHold } from '../../engine/guard/release-code.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { group } from '../../generate/names.ts';
import { kubePath } from '../../kube/http/client.ts';
import type { Millis } from '../../lib/clock.ts';
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

/** `CloudVolume shop/data: /volumes/123 is gone from the account`. */
interface Went {
  readonly object: string;
  readonly message?: string;
}

/** `unseen`: the caller may not list the Events. */
interface Before {
  readonly went: readonly Went[];
  /** Of what was let go since, and what it had stays in the account. */
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
  const told = (deleted ?? []).filter((event) => Math.abs(timeOf(event) - first) <= actWindow).flatMap((event) => toldIn(event, namespace));
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

function toldIn({ involvedObject = {}, message }: KubernetesEvent, namespace: string): readonly Went[] {
  const { apiVersion = '', kind = '', name = '' } = involvedObject;
  if (!apiVersion.startsWith(`${group}/`)) return [];
  return [{ object: `${kind} ${namespace}/${name}`, ...(message !== undefined && { message }) }];
}
const timeOf = ({ eventTime, lastTimestamp, metadata }: KubernetesEvent): Millis =>
  Date.parse(eventTime ?? lastTimestamp ?? metadata?.creationTimestamp ?? '');

const most = 30;
/** A line for each; none where nothing went. */
export function wentLines({ namespace, before }: Brake, { went, unseen = false }: Before): readonly string[] {
  const all = Math.max(before?.count ?? 0, went.length);
  if (all === 0) return [];
  const told = went.slice(0, most).map(({ object, message }) => `    ${object}${message === undefined ? '' : `: ${message}`}`);
  return [
    `  Of namespace ${namespace} went before the rest was held, and nothing brings it back:`,
    ...told,
    ...(all > told.length
      ? [`    ${told.length === 0 ? '' : 'and '}${all - told.length} more${all > went.length ? whyNameless(unseen) : ''}`]
      : []),
  ];
}
/** What kept it: what its Event goes on to say is the same of all. */
export function stayedLines({ namespace }: Brake, { stayed }: Before): readonly string[] {
  if (stayed.length === 0) return [];
  const told = stayed.slice(0, most).map(({ object, message = '' }) => `    ${object}: ${message.split('. ', 1).join('')}`);
  return [
    `  Of namespace ${namespace} went from the cluster, and what they had stays in the account; to have one back, apply its manifest again:`,
    ...told,
    ...(stayed.length > told.length ? [`    and ${stayed.length - told.length} more`] : []),
  ];
}
const whyNameless = (unseen: boolean): string =>
  unseen
    ? ', which only Events of the namespace name, and you may not list those'
    : ', which nothing names any more: Events are kept for an hour';
