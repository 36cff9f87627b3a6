import type { Resource } from '../../engine/ports/kubernetes.ts';
import { group } from '../../generate/names.ts';
import { wordOrQuoted } from '../../lib/quoted.ts';
import { shownTime } from '../../lib/utc-time.ts';
import { kubePath } from '../../kube/http/client.ts';
import { pathOf } from '../cluster/reader.ts';
import { registry } from '../command-line/kinds.ts';
import type { Session } from '../session.ts';
import type { Entry } from './entries.ts';
import { counted } from '../../lib/counted.ts';

interface KubernetesEvent {
  readonly involvedObject?: { readonly uid?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly series?: { readonly lastObservedTime?: string };
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly reportingComponent?: string;
  readonly source?: { readonly component?: string };
  readonly metadata?: { readonly creationTimestamp?: string };
}

/** What the API server keeps of an object beside its status: Events, for an hour, and who wrote spec and annotations last. */
export async function ofCluster(session: Session, object: Resource): Promise<readonly Entry[]> {
  const { namespace, uid } = object.metadata;
  const reader = await session.reader();
  const query = encodeURIComponent(`involvedObject.uid=${uid}`);
  const listed = await reader.optional(`${kubePath('api', 'v1', 'namespaces', namespace, 'events')}?fieldSelector=${query}`);
  if (listed === undefined) session.warn(`you may not list Events of namespace ${namespace}, so they are not shown`);
  const { items = [] } = (listed ?? {}) as { readonly items?: readonly KubernetesEvent[] };
  const raw = (await reader.optional(pathOf(registry.kind(object.kind), object.metadata))) as Written | undefined;
  return [...items.filter(({ involvedObject }) => involvedObject?.uid === uid).flatMap(eventEntry), ...writersOf(raw)];
}

/** All of it is as whoever wrote it says, also who that is. */
function eventEntry(event: KubernetesEvent): readonly Entry[] {
  const at = timeOf(event);
  if (at === undefined) return [];
  const { type, reason = '', message = '', count = 1 } = event;
  const said = count > 1 ? `${message} (${counted(count, 'time')})` : message;
  const by = reporterOf(event);
  return [
    entry(at, {
      what: wordOrQuoted(reason),
      ...(by !== '' && { by }),
      ...(type !== undefined && { state: wordOrQuoted(type) }),
      ...(said !== '' && { message: said }),
    }),
  ];
}
const reporterOf = ({ reportingComponent, source }: KubernetesEvent): string => reportingComponent || (source?.component ?? '');
const timeOf = ({ series, lastTimestamp, eventTime, metadata }: KubernetesEvent): string | undefined =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata?.creationTimestamp;

interface Written {
  readonly metadata?: {
    readonly managedFields?: readonly {
      readonly manager?: string;
      readonly time?: string;
      readonly subresource?: string;
      readonly fieldsV1?: {
        readonly 'f:spec'?: unknown;
        readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> };
      };
    }[];
  };
}

/** Field managers are what clients call themselves, not users. */
function writersOf(object: Written | undefined): readonly Entry[] {
  const { managedFields = [] } = object?.metadata ?? {};
  return managedFields.flatMap(({ manager, time, subresource, fieldsV1 }) => {
    if (time === undefined || manager === undefined || subresource !== undefined) return [];
    const written = Object.keys(fieldsV1?.['f:metadata']?.['f:annotations'] ?? {})
      .map((name) => name.replace(/^f:/, ''))
      .filter((name) => name.startsWith(`${group}/`) && gestures.test(name));
    const what = [...(fieldsV1?.['f:spec'] === undefined ? [] : ['spec']), ...written];
    if (what.length === 0) return [];
    return [entry(time, { what: `written: ${what.join(', ')}`, by: manager })];
  });
}
/** What people say by annotations; the others are the operator's own. */
const gestures = /\/(approve|approve-change|release|recreate|abandon|pause|resume|reconcile-at|rotate|confirm)$/;

const entry = (at: string, more: Omit<Entry, 'at' | 'source' | 'about'>): Entry => ({
  at: shownTime(Date.parse(at)),
  source: 'kubernetes',
  about: 'itself',
  ...more,
});
