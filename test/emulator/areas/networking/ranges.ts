import type { Context } from '../../contract/context.ts';
import { integer, nullable, oneOf, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { Ipv6Range } from '../../records/addresses.ts';
import { addresses, ipv6Ranges } from '../../records/addresses.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { regionPrefix } from '../shared/address-allocation.ts';
import { namedInstance } from '../shared/named-instance.ts';

interface RangeBody {
  readonly prefix_length: 56 | 64;
  readonly vm_id?: number | null;
  readonly route_target?: string | null;
}

function targetOf(ctx: Context<unknown>, body: RangeBody): Instance {
  if (typeof body.vm_id === 'number') return namedInstance(ctx, body.vm_id);
  const slaac = typeof body.route_target === 'string' ? ctx.store(addresses).get(body.route_target.replace(/\/128$/, '')) : undefined;
  const vm = slaac === undefined ? undefined : ctx.store(instances).get(slaac.vm_id);
  if (vm === undefined) throw refusal(400, 'route_target is not valid', 'route_target');
  return vm;
}

/** One range per instance, and one per region and account by default; the texts are generic. */
function create(ctx: Context<unknown>, body: RangeBody): Ipv6Range {
  const vm = targetOf(ctx, body);
  const known = [...ctx.store(ipv6Ranges).values()];
  if (known.some((row) => row.vm_id === vm.id)) throw refusal(400, 'vm_id is not valid', 'vm_id');
  if (known.some((row) => row.region === vm.region)) {
    throw refusal(400, 'Additional IPv6 ranges require technical justification.  Please contact support describing your requirement');
  }
  const network = regionPrefix(ctx, vm.region).replace(':3c', ':3d');
  return ctx.store(ipv6Ranges).insert((id) => ({
    range: `${network}:${(Math.floor(id / 256) % 65_536).toString(16)}:${((id % 256) * 256).toString(16)}::`,
    prefix: body.prefix_length,
    region: vm.region,
    route_target: vm.ipv6?.replace('/128', '') ?? null,
    vm_id: vm.id,
    sharedWith: [],
  }));
}

function ownRange(ctx: Context<unknown>): Ipv6Range {
  const row = ctx.load(ipv6Ranges, 'range');
  if (row.vm_id !== null && !ctx.may('vm', row.vm_id, 'read_only')) throw notFound();
  return row;
}

const base = '/networking/ipv6/ranges';

export const rangeOperations = [
  operation({
    method: 'GET',
    path: base,
    scopes: ['ips:read_only'],
    filterable: ['region'],
    handler: (ctx) => ctx.page(ipv6Ranges, { where: (row) => row.vm_id === null || ctx.may('vm', row.vm_id, 'read_only') }),
  }),
  operation({
    method: 'POST',
    path: base,
    scopes: ['ips:read_write', 'vms:read_write'],
    body: { prefix_length: required(oneOf([56, 64])), vm_id: nullable(integer()), route_target: nullable(string()) },
    handler: (ctx) => {
      const row = create(ctx, ctx.body);
      return { range: `${row.range}/${row.prefix}`, route_target: row.route_target };
    },
  }),
  operation({
    method: 'GET',
    path: `${base}/{range}`,
    scopes: ['ips:read_only'],
    handler: (ctx) => {
      const row = ownRange(ctx);
      const vms = row.vm_id === null ? [] : [row.vm_id];
      return { ...(ctx.show(ipv6Ranges, row) as object), is_bgp: row.sharedWith.length > 0, vms: [...vms, ...row.sharedWith] };
    },
  }),
  operation({
    method: 'DELETE',
    path: `${base}/{range}`,
    scopes: ['ips:read_write', 'vms:read_write'],
    handler: (ctx) => {
      const row = ownRange(ctx);
      if (row.vm_id !== null && !ctx.may('vm', row.vm_id, 'read_write')) throw refusal(403, 'Unauthorized');
      ctx.store(ipv6Ranges).remove(row);
    },
  }),
];
