import type { Context } from '../../contract/context.ts';
import { array, integer, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { addresses, ipv6Ranges } from '../../records/addresses.ts';
import type { Instance } from '../../records/instances.ts';
import { namedInstance } from '../shared/named-instance.ts';

/** Each must be in the primary's region and accessible; the texts are assumed but for `IP Address not found.`. */
function check(ctx: Context<unknown>, vm: Instance, ips: readonly string[]): void {
  for (const ip of ips) {
    const found = ctx.store(addresses).get(ip) ?? ctx.store(ipv6Ranges).get(ip);
    const owner = found?.vm_id ?? 0;
    if (found === undefined || !ctx.may('vm', owner, 'read_write')) throw refusal(400, 'IP Address not found.', 'ips');
    // A range may be shared with the instance that owns it (recorded).
    const ownAddress = owner === vm.id && 'address' in found;
    if (found.region !== vm.region || ownAddress) throw refusal(400, 'ips is not valid', 'ips');
  }
}

/** The list of sharers after it, or undefined where nothing changes. */
function sharers(row: { readonly sharedWith: readonly number[] }, vmId: number, wanted: boolean): readonly number[] | undefined {
  if (row.sharedWith.includes(vmId) === wanted) return undefined;
  return wanted ? [...row.sharedWith, vmId] : row.sharedWith.filter((other) => other !== vmId);
}

/** What it shared is shared with it no more. */
export function endSharing(world: World, vm: Instance): void {
  for (const row of world.store(addresses).values()) {
    const sharedWith = sharers(row, vm.id, false);
    if (sharedWith !== undefined) world.store(addresses).update(row, { sharedWith });
  }
  for (const row of world.store(ipv6Ranges).values()) {
    const sharedWith = sharers(row, vm.id, false);
    if (sharedWith !== undefined) world.store(ipv6Ranges).update(row, { sharedWith });
  }
}

/** The list is what the instance shares from now on; an empty one ends all sharing. */
function share(ctx: Context<unknown>, vm: Instance, ips: readonly string[]): void {
  check(ctx, vm, ips);
  for (const row of ctx.store(addresses).values()) {
    const sharedWith = sharers(row, vm.id, ips.includes(row.address));
    if (sharedWith !== undefined) ctx.store(addresses).update(row, { sharedWith });
  }
  for (const row of ctx.store(ipv6Ranges).values()) {
    const sharedWith = sharers(row, vm.id, ips.includes(row.range));
    if (sharedWith !== undefined) ctx.store(ipv6Ranges).update(row, { sharedWith });
  }
}

export const shareOperations = [
  operation({
    method: 'POST',
    path: '/networking/ips/share',
    segments: 'v4beta',
    scopes: ['ips:read_write', 'vms:read_write'],
    acceptedScopes: 'ips:read_write',
    body: { vm_id: required(integer()), ips: required(array(string())) },
    handler: (ctx) => share(ctx, namedInstance(ctx, ctx.body.vm_id), ctx.body.ips),
  }),
];
