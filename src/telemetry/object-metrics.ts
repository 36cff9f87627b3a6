import { Gauge, type Registry } from 'prom-client';

/** What a scrape looks at of one custom resource. */
export interface CountedObject {
  readonly kind: string;
  readonly status?: Readonly<Record<string, unknown>>;
}
interface Counted {
  readonly labels: { readonly kind: string; readonly condition: string; readonly status: string; readonly reason: string };
  count: number;
}

/** Reasons are API; whatever else stands in a status must not become a label of its own. */
const word = (value: unknown): string => (typeof value === 'string' && /^[A-Za-z]{1,40}$/.test(value) ? value : 'Other');

function conditionsOf({ status }: CountedObject): readonly Readonly<Record<string, unknown>>[] {
  const conditions = status?.['conditions'];
  return Array.isArray(conditions) && conditions.length > 0
    ? (conditions as Readonly<Record<string, unknown>>[])
    : [{ type: 'Ready', status: 'Unknown', reason: 'Unseen' }];
}

/** Objects by kind and condition; their names never become labels. */
export class ObjectMetrics {
  readonly #objects: Gauge<'kind' | 'condition' | 'status' | 'reason'>;

  constructor(registry: Registry) {
    this.#objects = new Gauge({
      name: 'cloud_operator_objects',
      help: 'Custom resources by kind and condition; Ready=Unknown/Unseen before the first turn.',
      labelNames: ['kind', 'condition', 'status', 'reason'],
      registers: [registry],
    });
  }

  /** Counts anew; called right before a scrape is answered. */
  show(objects: Iterable<CountedObject>): void {
    this.#objects.reset();
    for (const { labels, count } of counted(objects)) this.#objects.set(labels, count);
  }
}

function counted(objects: Iterable<CountedObject>): Iterable<Counted> {
  const all = new Map<string, Counted>();
  for (const object of objects) {
    for (const { type, status, reason } of conditionsOf(object)) {
      const labels = { kind: object.kind, condition: word(type), status: word(status), reason: word(reason) };
      const id = Object.values(labels).join(' ');
      const known = all.get(id);
      if (known) known.count += 1;
      else all.set(id, { labels, count: 1 });
    }
  }
  return all.values();
}
