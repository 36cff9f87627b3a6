import type { Context } from '../../contract/context.ts';
import { array, integer, object, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { Address, Ipv6Range } from '../../records/addresses.ts';
import { addresses, ipv6Ranges } from '../../records/addresses.ts';
import { regions } from '../../records/catalogue.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { syncInstanceAddresses } from '../shared/address-allocation.ts';

interface Assignment {
  readonly address: string;
  readonly vm_id: number;
}

interface Move {
  readonly to: Instance;
  readonly address?: Address;
  readonly range?: Ipv6Range;
}

const notFoundText = 'IP Address not found.';

function moved(ctx: Context<unknown>, address: string): Omit<Move, 'to'> & { readonly region: string; readonly owner: number } {
  const row = ctx.store(addresses).get(address);
  if (row?.type === 'ipv4') return { address: row, region: row.region, owner: row.vm_id };
  const range = ctx.store(ipv6Ranges).get(address.replace(/\/(56|64)$/, ''));
  if (range === undefined) throw refusal(400, notFoundText);
  return { range, region: range.region, owner: range.vm_id ?? 0 };
}

/** The new owner, and the address or range, both in the region and in the caller's hands. */
function planMove(ctx: Context<unknown>, region: string, { address, vm_id: vmId }: Assignment): Move {
  const to = ctx.store(instances).get(vmId);
  if (to === undefined || to.region !== region || !ctx.may('vm', vmId, 'read_write')) throw refusal(400, `Invalid Linode ID ${vmId}`);
  const { region: place, owner, ...what } = moved(ctx, address);
  if (place !== region || !ctx.may('vm', owner, 'read_write')) throw refusal(400, notFoundText);
  return { to, ...what };
}

/** Who has what after all moves. */
function after(ctx: Context<unknown>, moves: readonly Move[]): readonly { vm: number; isPublic: boolean; isRange: boolean }[] {
  const target = new Map(moves.map((move) => [move.address?.address ?? move.range?.range, move.to.id]));
  const ipv4 = [...ctx.store(addresses).values()].filter((row) => row.type === 'ipv4');
  return [
    ...ipv4.map((row) => ({ vm: target.get(row.address) ?? row.vm_id, isPublic: row.public, isRange: false })),
    ...[...ctx.store(ipv6Ranges).values()].map((row) => ({ vm: target.get(row.range) ?? row.vm_id ?? 0, isPublic: false, isRange: true })),
  ];
}

/** At least one public IPv4, at most one private and one range for every instance involved; the texts are assumed. */
function checkOutcome(ctx: Context<unknown>, moves: readonly Move[]): void {
  const held = after(ctx, moves);
  const involved = new Set(moves.flatMap((move) => [move.to.id, move.address?.vm_id ?? move.range?.vm_id ?? move.to.id]));
  for (const vm of involved) {
    const own = held.filter((row) => row.vm === vm);
    if (!own.some((row) => row.isPublic)) throw refusal(400, `Linode ${vm} must have at least one public IPv4.`, 'assignments');
    const privates = own.filter((row) => !row.isPublic && !row.isRange).length;
    if (privates > 1) throw refusal(400, `Linode ${vm} may have only one private IPv4.`, 'assignments');
    if (own.filter((row) => row.isRange).length > 1) throw refusal(400, `Linode ${vm} may have only one IPv6 range.`, 'assignments');
  }
}

/** A range moves its route target to the new instance's SLAAC address. */
function move(ctx: Context<unknown>, { to, address, range }: Move): void {
  if (address !== undefined) {
    ctx.store(addresses).update(address, { vm_id: to.id });
    syncInstanceAddresses(ctx, address.vm_id);
    syncInstanceAddresses(ctx, to.id);
  }
  if (range !== undefined) ctx.store(ipv6Ranges).update(range, { vm_id: to.id, route_target: to.ipv6?.replace('/128', '') ?? null });
}

const assign = (path: string) =>
  operation({
    method: 'POST',
    path,
    scopes: ['ips:read_write', 'vms:read_write'],
    acceptedScopes: 'ips:read_write',
    body: {
      region: required(string()),
      assignments: required(array(object({ address: required(string()), vm_id: required(integer()) }))),
    },
    handler: (ctx) => {
      const { region, assignments } = ctx.body;
      if (ctx.store(regions).get(region) === undefined) throw refusal(400, 'region is not valid', 'region');
      const moves = assignments.map((assignment) => planMove(ctx, region, assignment));
      checkOutcome(ctx, moves);
      for (const one of moves) move(ctx, one);
    },
  });

/** Two names of one operation. */
export const assignOperations = [assign('/networking/ips/assign'), assign('/networking/ipv4/assign')];
