import type { Area } from '../../contract/area.ts';
import { operation } from '../../contract/operation.ts';
import { boolean, integer, nullable, oneOf, required, string } from '../../contract/fields.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { Context } from '../../contract/context.ts';
import type { Address } from '../../records/addresses.ts';
import { addresses } from '../../records/addresses.ts';
import { allocateExtra } from '../shared/extra-address.ts';
import { namedInstance } from '../shared/named-instance.ts';
import { setReverseDns } from '../shared/reverse-dns.ts';
import { assignOperations } from './assign.ts';
import { rangeOperations } from './ranges.ts';
import { shareOperations } from './share.ts';
import { vlanOperations } from './vlans.ts';

/** Addresses are seen, and changed, by who may do so with their instance. */
function ownAddress(ctx: Context<unknown>, need: 'read_only' | 'read_write'): Address {
  const row = ctx.load(addresses, 'address');
  if (!ctx.may('vm', row.vm_id, 'read_only')) throw notFound();
  if (!ctx.may('vm', row.vm_id, need)) throw refusal(403, 'Unauthorized');
  return row;
}

const basics = [
  operation({
    method: 'GET',
    path: '/networking/ips',
    scopes: ['ips:read_only'],
    filterable: ['region', 'vm_id'],
    // Private addresses are left out, SLAAC addresses are in.
    handler: (ctx) => ctx.page(addresses, { where: (row) => row.public && ctx.may('vm', row.vm_id, 'read_only') }),
  }),
  operation({
    method: 'POST',
    path: '/networking/ips',
    scopes: ['ips:read_write', 'vms:read_write'],
    acceptedScopes: 'ips:read_write',
    body: { vm_id: required(integer()), public: required(boolean()), type: required(oneOf(['ipv4'])) },
    handler: (ctx) => ctx.show(addresses, allocateExtra(ctx, namedInstance(ctx, ctx.body.vm_id), ctx.body.public)),
  }),
  operation({
    method: 'GET',
    path: '/networking/ips/{address}',
    scopes: ['ips:read_only'],
    handler: (ctx) => ctx.show(addresses, ownAddress(ctx, 'read_only')),
  }),
  operation({
    method: 'PUT',
    path: '/networking/ips/{address}',
    scopes: ['ips:read_write'],
    body: { rdns: required(nullable(string())) },
    handler: (ctx) => ctx.show(addresses, setReverseDns(ctx, ownAddress(ctx, 'read_write'), ctx.body.rdns)),
  }),
];

export const networkingArea: Area = {
  name: 'networking',
  operations: [...basics, ...assignOperations, ...shareOperations, ...rangeOperations, ...vlanOperations],
};
