import type { Context } from '../../contract/context.ts';
import { refusal } from '../../contract/refusal.ts';
import type { Address } from '../../records/addresses.ts';
import { addresses } from '../../records/addresses.ts';
import type { Instance } from '../../records/instances.ts';
import { allocateIpv4 } from './address-allocation.ts';
import { vmRef } from './entity-refs.ts';

const justification = 'Additional IPv4 addresses require technical justification.  Please contact support describing your requirement';

/** One more address for an instance; public ones only where support enabled them (knob `extraPublicAddresses`). */
export function allocateExtra(ctx: Context<unknown>, vm: Instance, isPublic: boolean): Address {
  const own = ctx.store(addresses).by('vm_id', vm.id);
  if (isPublic && !ctx.knobs.extraPublicAddresses) throw refusal(400, justification);
  // The text is assumed.
  if (!isPublic && own.some((row) => row.type === 'ipv4' && !row.public)) throw refusal(400, 'Linodes may have only one private IPv4.');
  const row = allocateIpv4(ctx, vm.id, vm.region, isPublic ? 'public' : 'private');
  ctx.emit({ action: 'vm_addip', entity: vmRef(vm) });
  return row;
}
