import type { Context } from '../../contract/context.ts';
import { boolean, nullable, oneOf, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { Address } from '../../records/addresses.ts';
import { addresses, ipv6Ranges } from '../../records/addresses.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { linkLocalOf, syncInstanceAddresses } from '../shared/address-allocation.ts';
import { vmRef } from '../shared/entity-refs.ts';
import { allocateExtra } from '../shared/extra-address.ts';
import { setReverseDns } from '../shared/reverse-dns.ts';

const base = '/vm/instances/{vmId}/ips';
const read = { method: 'GET', scopes: ['vms:read_only'], grant: [{ on: 'vm', param: 'vmId', need: 'read_only' }] } as const;
const write = { scopes: ['vms:read_write'], grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }] } as const;

function ownAddress(ctx: Context<unknown>, vm: Instance): Address {
  const row = ctx.load(addresses, 'address');
  if (row.vm_id !== vm.id) throw notFound();
  return row;
}

/** The four IPv4 lists and the IPv6 part; a shared IPv4 shows its owner's id. */
function networking(ctx: Context<unknown>, vm: Instance): unknown {
  const show = (row: Address): unknown => ctx.show(addresses, row);
  const own = ctx.store(addresses).by('vm_id', vm.id);
  const shared = [...ctx.store(addresses).values()].filter((row) => row.sharedWith.includes(vm.id));
  const ipv4 = own.filter((row) => row.type === 'ipv4');
  const slaac = own.find((row) => row.type === 'ipv6');
  const routed = ctx
    .store(ipv6Ranges)
    .by('vm_id', vm.id)
    .map((row) => ctx.show(ipv6Ranges, row));
  const lent = [...ctx.store(ipv6Ranges).values()].filter((row) => row.sharedWith.includes(vm.id));
  return {
    ipv4: {
      public: ipv4.filter((row) => row.public).map(show),
      private: ipv4.filter((row) => !row.public).map(show),
      shared: shared.map(show),
      reserved: [],
    },
    ipv6: {
      link_local: slaac === undefined ? null : linkLocalOf(slaac),
      slaac: slaac === undefined ? null : show(slaac),
      global: [...routed, ...lent.map((row) => ({ ...(ctx.show(ipv6Ranges, row) as object), route_target: null }))],
    },
  };
}

export const addressOperations = [
  operation({ ...read, path: base, handler: (ctx) => networking(ctx, ctx.load(instances, 'vmId')) }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: { type: required(oneOf(['ipv4'])), public: required(boolean()) },
    handler: (ctx) => ctx.show(addresses, allocateExtra(ctx, ctx.load(instances, 'vmId'), ctx.body.public)),
  }),
  operation({ ...read, path: `${base}/{address}`, handler: (ctx) => ctx.show(addresses, ownAddress(ctx, ctx.load(instances, 'vmId'))) }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/{address}`,
    body: { rdns: required(nullable(string())) },
    handler: (ctx) => ctx.show(addresses, setReverseDns(ctx, ownAddress(ctx, ctx.load(instances, 'vmId')), ctx.body.rdns)),
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{address}`,
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      const row = ownAddress(ctx, vm);
      if (row.type !== 'ipv4') throw refusal(400, 'address is not valid', 'address');
      const publics = ctx
        .store(addresses)
        .by('vm_id', vm.id)
        .filter((other) => other.type === 'ipv4' && other.public);
      // The text is assumed.
      if (row.public && publics.length === 1) throw refusal(400, 'Linodes must have at least one public IPv4.');
      ctx.store(addresses).remove(row);
      syncInstanceAddresses(ctx, vm.id);
      ctx.emit({ action: 'vm_deleteip', entity: vmRef(vm) });
    },
  }),
];
