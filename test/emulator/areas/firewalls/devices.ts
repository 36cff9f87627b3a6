import type { Context } from '../../contract/context.ts';
import { integer, oneOf, required } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Firewall, FirewallDevice } from '../../records/firewalls.ts';
import { firewallDevices, firewalls } from '../../records/firewalls.ts';
import type { Instance } from '../../records/instances.ts';
import { firewallRef } from '../shared/entity-refs.ts';
import { namedInstance } from '../shared/named-instance.ts';
import { taken } from '../shared/taken.ts';
import { requireNoOtherActive } from './active.ts';

export function insertDevice(world: World, firewall: Firewall, vm: Instance): FirewallDevice {
  const now = world.timestamp();
  return world.store(firewallDevices).insert((id) => ({
    id,
    created: now,
    updated: now,
    entity: { id: vm.id, type: 'vm', label: vm.label, url: `/v4/vm/instances/${vm.id}` },
    firewall_id: firewall.id,
    vm_id: vm.id,
  }));
}

function ownDevice(ctx: Context<unknown>): FirewallDevice {
  const device = ctx.load(firewallDevices, 'deviceId');
  if (device.firewall_id !== ctx.load(firewalls, 'firewallId').id) throw notFound();
  return device;
}

const base = '/networking/firewalls/{firewallId}/devices';
const read = {
  method: 'GET',
  scopes: ['firewall:read_only'],
  grant: [{ on: 'firewall', param: 'firewallId', need: 'read_only' }],
} as const;
const write = { scopes: ['firewall:read_write'], grant: [{ on: 'firewall', param: 'firewallId', need: 'read_write' }] } as const;

export const deviceOperations = [
  operation({
    ...read,
    path: base,
    filterable: ['id', 'created', 'updated'],
    handler: (ctx) => ctx.page(firewallDevices, { from: { firewall_id: ctx.load(firewalls, 'firewallId').id } }),
  }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: { id: required(integer()), type: required(oneOf(['vm'])) },
    handler: (ctx) => {
      const firewall = ctx.load(firewalls, 'firewallId');
      const vm = namedInstance(ctx, ctx.body.id, 'id');
      // One device per instance and firewall is inferred.
      const there = ctx
        .store(firewallDevices)
        .by('firewall_id', firewall.id)
        .some((device) => device.vm_id === vm.id);
      if (there) throw taken(ctx, 'id');
      if (firewall.status === 'enabled') requireNoOtherActive(ctx, vm, firewall.id, 'id');
      const device = insertDevice(ctx, firewall, vm);
      ctx.emit({ action: 'firewall_device_add', entity: firewallRef(firewall) });
      return ctx.show(firewallDevices, device);
    },
  }),
  operation({ ...read, path: `${base}/{deviceId}`, handler: (ctx) => ctx.show(firewallDevices, ownDevice(ctx)) }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{deviceId}`,
    handler: (ctx) => {
      ctx.store(firewallDevices).remove(ownDevice(ctx));
      ctx.emit({ action: 'firewall_device_remove', entity: firewallRef(ctx.load(firewalls, 'firewallId')) });
    },
  }),
];
