import type { Context } from '../../contract/context.ts';
import { boolean, integer, nullable, object, oneOf, pick, required, string } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound } from '../../contract/refusal.ts';
import type { Config } from '../../records/configs.ts';
import { configs, defaultBootHelpers } from '../../records/configs.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { configRef, vmRef } from '../shared/entity-refs.ts';
import type { SentDevices } from './config-devices.ts';
import { attachConfigVolumes, deviceProblems, devicesField, storedDevices } from './config-devices.ts';
import { kernelProblems } from './config-kernel.ts';
import { insertConfig } from './disk-rows.ts';
import type { SentInterface } from './interfaces.ts';
import { interfaceProblems, interfacesField, storedInterfaces } from './interfaces.ts';

const fields = {
  kernel: string(),
  comments: nullable(string()),
  memory_limit: nullable(integer({ min: 0 })),
  root_device: string({ pattern: /^[a-zA-Z0-9/_-]+$/ }),
  run_level: oneOf(['default', 'single', 'binbash']),
  virt_mode: oneOf(['paravirt', 'fullvirt']),
  helpers: object({
    updatedb_disabled: boolean(),
    distro: boolean(),
    modules_dep: boolean(),
    network: boolean(),
    devtmpfs_automount: boolean(),
  }),
  interfaces: interfacesField(),
};

interface Sent {
  readonly kernel?: string;
  readonly memory_limit?: number | null;
  readonly devices?: SentDevices | null;
  readonly interfaces?: readonly SentInterface[] | null;
  readonly helpers?: Partial<Config['helpers']>;
}

function check(ctx: Context<unknown>, vm: Instance, body: Sent): void {
  ctx.refuseIfAny([
    ...kernelProblems(ctx, body.kernel),
    ...deviceProblems(ctx, vm, body.devices ?? {}),
    ...interfaceProblems(ctx, vm.region, body.interfaces ?? []),
  ]);
}

/** Null in a PUT leaves them as they are (recorded). */
const leavesInterfaces = ({ interfaces }: Sent, before: Config | undefined): boolean =>
  interfaces === undefined || (before !== undefined && interfaces === null);

/** What needs a default or another form than it was sent in; parts left out stay out. */
function converted(body: Sent, before?: Config): Partial<Config> {
  return {
    ...(body.memory_limit === undefined ? {} : { memory_limit: body.memory_limit ?? 0 }),
    ...(body.devices === undefined ? {} : { devices: storedDevices(body.devices ?? {}) }),
    ...(leavesInterfaces(body, before) ? {} : { interfaces: storedInterfaces(body.interfaces ?? null) }),
    ...(body.helpers === undefined ? {} : { helpers: { ...(before?.helpers ?? defaultBootHelpers), ...body.helpers } }),
  };
}

function ownConfig(ctx: Context<unknown>): Config {
  const config = ctx.load(configs, 'configId');
  if (config.vm_id !== ctx.load(instances, 'vmId').id) throw notFound();
  return config;
}

const scalars = ['kernel', 'comments', 'root_device', 'run_level', 'virt_mode'] as const;
const base = '/vm/instances/{vmId}/configs';
const read = { method: 'GET', scopes: ['vms:read_only'], grant: [{ on: 'vm', param: 'vmId', need: 'read_only' }] } as const;
const write = { scopes: ['vms:read_write'], grant: [{ on: 'vm', param: 'vmId', need: 'read_write' }] } as const;

export const configOperations = [
  operation({
    ...read,
    path: base,
    filterable: ['label', 'interfaces'],
    handler: (ctx) =>
      ctx.page(configs, {
        from: { vm_id: ctx.load(instances, 'vmId').id },
        // A filter on interfaces names a VLAN.
        columns: (row) => ({ interfaces: row.interfaces.map((one) => one.label) }),
      }),
  }),
  operation({
    ...write,
    method: 'POST',
    path: base,
    body: { ...fields, label: required(string({ min: 1, max: 48 })), devices: required(nullable(devicesField())) },
    handler: (ctx) => {
      const vm = ctx.load(instances, 'vmId');
      check(ctx, vm, ctx.body);
      const scalar = pick(ctx.body, 'label', ...scalars);
      const wanted = { ...scalar, ...converted(ctx.body), label: ctx.body.label, devices: storedDevices(ctx.body.devices ?? {}) };
      const config = insertConfig(ctx, { ...wanted, vm_id: vm.id });
      attachConfigVolumes(ctx, vm, config);
      ctx.emit({ action: 'vm_config_create', entity: vmRef(vm), secondary: configRef(config) });
      return ctx.show(configs, config);
    },
  }),
  operation({ ...read, path: `${base}/{configId}`, handler: (ctx) => ctx.show(configs, ownConfig(ctx)) }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/{configId}`,
    body: { ...fields, label: string({ min: 1, max: 48 }), devices: nullable(devicesField()) },
    handler: (ctx) => {
      const config = ownConfig(ctx);
      const vm = ctx.load(instances, 'vmId');
      check(ctx, vm, ctx.body);
      const change = { ...pick(ctx.body, 'label', ...scalars), ...converted(ctx.body, config), updated: ctx.timestamp() };
      const after = ctx.store(configs).update(config, change);
      attachConfigVolumes(ctx, vm, after);
      ctx.emit({ action: 'vm_config_update', entity: vmRef(vm), secondary: configRef(after) });
      return ctx.show(configs, after);
    },
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/{configId}`,
    handler: (ctx) => {
      const config = ownConfig(ctx);
      ctx.store(configs).remove(config);
      ctx.emit({ action: 'vm_config_delete', entity: vmRef(ctx.load(instances, 'vmId')), secondary: configRef(config) });
    },
  }),
];
