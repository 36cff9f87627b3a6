import type { Context } from '../../contract/context.ts';
import { refusal } from '../../contract/refusal.ts';
import type { Address } from '../../records/addresses.ts';
import { addresses } from '../../records/addresses.ts';
import { domains } from '../../records/domains.ts';
import { records } from '../../records/domain-records.ts';
import type { World } from '../../contract/world.ts';
import { defaultRdns } from './address-allocation.ts';

/** What the platform's own name servers answer for a name; undefined when they do not know it. */
function resolve(world: World, name: string): readonly string[] | undefined {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  const answers: string[] = [];
  world.everywhere(domains).forEach((collection, index) => {
    const zone = [...collection.values()].find((row) => wanted === row.domain || wanted.endsWith(`.${row.domain}`));
    if (zone === undefined) return;
    const host = wanted === zone.domain ? '' : wanted.slice(0, -zone.domain.length - 1);
    const own = world.everywhere(records)[index]?.by('domain_id', zone.id) ?? [];
    answers.push(...own.filter((row) => row.name === host && ['A', 'AAAA'].includes(row.type)).map((row) => row.target));
  });
  return answers.length === 0 ? undefined : answers;
}

/** Sets or resets the reverse name; a name needs a matching forward entry first. */
export function setReverseDns(ctx: Context<unknown>, row: Address, name: string | null): Address {
  const change = (rdns: string | null): Address => ctx.store(addresses).update(row, { rdns });
  const usual = row.type === 'ipv4' && row.public ? defaultRdns(row.address) : null;
  // Its own default name is taken like null (recorded).
  if (name === null || name === usual) {
    const after = change(usual);
    ctx.emit({ action: 'ipaddress_update' });
    return after;
  }
  if (!/^(?=.{1,253}$)([a-zA-Z0-9_-]{1,63}\.)+[a-zA-Z]{2,}\.?$/.test(name) || !row.public)
    throw refusal(400, 'Domain is not valid.', 'rdns');
  const found = resolve(ctx, name);
  if (found === undefined) throw refusal(400, `We were unable to perform a lookup for '${name}' at this time.`, 'rdns');
  if (!found.includes(row.address)) {
    throw refusal(400, `No match was found for '${name}'. Reverse DNS must have a matching forward entry.`, 'rdns');
  }
  const after = change(name);
  ctx.emit({ action: 'ipaddress_update' });
  return after;
}
