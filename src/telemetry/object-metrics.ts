import { Gauge, type LabelValues, type Registry } from 'prom-client';

/** What a scrape looks at of one custom resource. */
export interface CountedObject {
  readonly kind: string;
  readonly metadata?: { readonly namespace: string };
  readonly status?: Readonly<Record<string, unknown>>;
}
type Condition = Readonly<Record<string, unknown>>;

/** Label sets of what waits. Beyond, namespaces and accounts are counted together, under a name that no namespace can have. */
const mostWaiting = 2000;
const others = '(others)';

/** Reasons are API; whatever else stands in a status must not become a label of its own. */
const word = (value: unknown): string => (typeof value === 'string' && /^[A-Za-z]{1,40}$/.test(value) ? value : 'Other');
/** The account's own id, as it was read from the account. */
const idOf = (value: unknown): string => (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : '');

function conditionsOf({ status }: CountedObject): readonly Condition[] {
  const conditions = status?.['conditions'];
  return Array.isArray(conditions) && conditions.length > 0
    ? (conditions as Condition[])
    : [{ type: 'Ready', status: 'Unknown', reason: 'Unseen' }];
}

/** Objects by kind and condition, and those that are not as wanted by whom it concerns; their names never become labels. */
export class ObjectMetrics {
  readonly #objects: Gauge<'kind' | 'condition' | 'status' | 'reason'>;
  readonly #waiting: Gauge<'kind' | 'reason' | 'stalled' | 'namespace' | 'account'>;

  constructor(registry: Registry) {
    this.#objects = new Gauge({
      name: 'cloud_operator_objects',
      help: 'Custom resources by kind and condition; Ready=Unknown/Unseen before the first reconcile.',
      labelNames: ['kind', 'condition', 'status', 'reason'],
      registers: [registry],
    });
    this.#waiting = new Gauge({
      name: 'cloud_operator_objects_waiting',
      help: `Custom resources that are not as wanted, by why; stalled: only a person can change that. Beyond ${mostWaiting} sets of labels namespace and account are ${others}.`,
      labelNames: ['kind', 'reason', 'stalled', 'namespace', 'account'],
      registers: [registry],
    });
  }

  /** Counts anew; called right before a scrape is answered. */
  show(objects: Iterable<CountedObject>): void {
    const all = new Counts<'kind' | 'condition' | 'status' | 'reason'>();
    const waiting = new Counts<'kind' | 'reason' | 'stalled' | 'namespace' | 'account'>();
    for (const object of objects) {
      const conditions = conditionsOf(object);
      for (const { type, status, reason } of conditions)
        all.add({ kind: object.kind, condition: word(type), status: word(status), reason: word(reason) });
      const why = waitsFor(conditions);
      if (why === undefined) continue;
      const whose = { namespace: object.metadata?.namespace ?? '', account: idOf(object.status?.['account']) };
      const labels = { kind: object.kind, ...why };
      if (!waiting.add({ ...labels, ...whose }, mostWaiting)) waiting.add({ ...labels, namespace: others, account: others });
    }
    all.into(this.#objects);
    waiting.into(this.#waiting);
  }
}

/** Why it is not as wanted; undefined where it is, or where nobody has looked. */
function waitsFor(conditions: readonly Condition[]): { readonly reason: string; readonly stalled: string } | undefined {
  const of = (type: string): Condition | undefined => conditions.find((one) => one['type'] === type);
  const [stalled, synced] = [of('Stalled'), of('Synced')];
  if (stalled?.['status'] === 'True') return { reason: word(stalled['reason']), stalled: 'true' };
  return synced === undefined || synced['status'] === 'True' ? undefined : { reason: word(synced['reason']), stalled: 'false' };
}

/** A count per set of labels. */
class Counts<L extends string> {
  readonly #all = new Map<string, { readonly labels: LabelValues<L>; count: number }>();

  /** False where it would be one set too many. */
  add(labels: LabelValues<L>, most = Infinity): boolean {
    const id = Object.values(labels).join(' ');
    const known = this.#all.get(id);
    if (known) known.count += 1;
    else if (this.#all.size >= most) return false;
    else this.#all.set(id, { labels, count: 1 });
    return true;
  }

  into(gauge: Gauge<L>): void {
    gauge.reset();
    for (const { labels, count } of this.#all.values()) gauge.set(labels, count);
  }
}
