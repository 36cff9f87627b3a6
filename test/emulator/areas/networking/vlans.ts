import type { World } from '../../contract/world.ts';
import { operation } from '../../contract/operation.ts';
import { configs } from '../../records/configs.ts';
import { instances } from '../../records/instances.ts';

interface Vlan {
  readonly label: string;
  readonly region: string;
  readonly vms: readonly number[];
  readonly created: string;
}

/** A VLAN is there as long as an interface names it: it follows from the configs. */
export function vlansOf(world: World): readonly Vlan[] {
  const found = new Map<string, Vlan>();
  for (const config of world.store(configs).values()) {
    const region = world.store(instances).get(config.vm_id)?.region;
    if (region === undefined) continue;
    for (const { purpose, label } of config.interfaces) {
      if (purpose !== 'vlan' || label === null) continue;
      const key = `${region}/${label}`;
      const known = found.get(key) ?? { label, region, vms: [], created: config.created };
      found.set(key, { ...known, vms: [...new Set([...known.vms, config.vm_id])] });
    }
  }
  return [...found.values()];
}

export const vlanOperations = [
  operation({
    method: 'GET',
    path: '/networking/vlans',
    scopes: ['vms:read_only'],
    filterable: ['label', 'region'],
    handler: (ctx) => ctx.pageOf(vlansOf(ctx).filter((vlan) => vlan.vms.some((id) => ctx.may('vm', id, 'read_only')))),
  }),
];
