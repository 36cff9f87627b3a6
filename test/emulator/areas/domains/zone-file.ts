import type { World } from '../../contract/world.ts';
import type { DomainRecord } from '../../records/domain-records.ts';
import { records } from '../../records/domain-records.ts';
import type { Domain } from '../../records/domains.ts';

/** A fresh domain has an empty zone file (18 of 18 recorded); rendering comes after so many seconds (assumed). */
const renderSeconds = 120;

function line(record: DomainRecord): string {
  const numbers = { MX: [record.priority], SRV: [record.priority, record.weight, record.port] } as Readonly<
    Record<string, readonly number[]>
  >;
  const data = [...(numbers[record.type] ?? []), ...(record.type === 'CAA' ? [0, record.tag ?? ''] : []), record.target];
  const target = record.type === 'TXT' || record.type === 'CAA' ? [...data.slice(0, -1), JSON.stringify(record.target)] : data;
  return [record.name === '' ? '@' : record.name, ...(record.ttl_sec === 0 ? [] : [record.ttl_sec]), 'IN', record.type, ...target].join(
    '\t',
  );
}

/** The last rendered zone; nothing while disabled. */
export function zoneFile(world: World, domain: Domain): { readonly zone_file: readonly string[] } {
  const age = world.clock.now() - Date.parse(`${domain.created}Z`);
  const rendered = age >= world.timeIn(renderSeconds) - world.clock.now();
  if (!rendered || domain.status !== 'active') return { zone_file: [] };
  const own = world.store(records).by('domain_id', domain.id);
  return {
    zone_file: [`; ${domain.domain} [${domain.id}]`, '$TTL 86400', ...own.map(line)],
  };
}
