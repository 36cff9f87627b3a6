import type { World } from '../../contract/world.ts';
import type { DomainRecord } from '../../records/domain-records.ts';
import { records } from '../../records/domain-records.ts';

/** What is not given answers 0 or null. */
const unset = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };

type NewRecord = Pick<DomainRecord, 'type' | 'name' | 'target'> & Partial<DomainRecord>;

export function insertRecord(world: World, domainId: number, wanted: NewRecord): DomainRecord {
  const now = world.timestamp();
  return world.store(records).insert((id) => {
    const row = { ...unset, ...wanted, id, created: now, updated: now, domain_id: domainId };
    return { ...row, ...lookups(domainId, wanted) };
  });
}

/** By what conflicts are looked up. */
export function lookups(domainId: number, row: Pick<DomainRecord, 'name' | 'type'>): Pick<DomainRecord, 'ofName' | 'ofType'> {
  return { ofName: `${domainId}/${row.name}`, ofType: `${domainId}/${row.type}` };
}

/** What a record is about to be, before its id. */
export type Draft = Omit<DomainRecord, 'id' | 'created' | 'updated' | 'domain_id' | 'ofName' | 'ofType'>;

export interface RecordBody {
  readonly name?: string | null;
  readonly target?: string | null;
  readonly priority?: number | null;
  readonly weight?: number | null;
  readonly port?: number | null;
  readonly service?: string | null;
  readonly protocol?: string | null;
  readonly ttl_sec?: number | null;
  readonly tag?: DomainRecord['tag'];
}

/** The body over what was there: absent stays, null unsets. */
export function draftOf(type: DomainRecord['type'], body: RecordBody, before?: DomainRecord): Draft {
  const base: Draft = before === undefined ? { ...unset, type, name: '', target: '' } : before;
  const sent = Object.entries(body).filter(([name, value]) => name in base && name !== 'type' && value !== undefined);
  const values = sent.map(([name, value]) => [name, value ?? ({ ...unset, name: '', target: '' } as Record<string, unknown>)[name]]);
  const { type: _type, ...rest } = { ...base, ...(Object.fromEntries(values) as Partial<Draft>) };
  const { name, target, priority, weight, port, service, protocol, ttl_sec, tag } = rest;
  return { type, name, target, priority, weight, port, service, protocol, ttl_sec, tag };
}
