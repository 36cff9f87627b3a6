import type { Context } from '../../contract/context.ts';
import { boolean, integer, nullable, required } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import type { Volume } from '../../records/volumes.ts';
import { volumes } from '../../records/volumes.ts';
import { volumeRef } from '../shared/entity-refs.ts';
import { namedInstance } from '../shared/named-instance.ts';
import { chooseConfig, plugIn, unplug } from './config-slots.ts';

/** Seconds that a running instance takes to see a volume come or go (assumed; only the order is recorded). */
const hotplugSeconds = 6;

/** 8, or one per GB of memory up to 64 for volumes that are not kept across boots (document 1, Limits). */
function attachLimit(vm: Instance, persist: boolean): number {
  const gigabytes = Math.floor(vm.specs.memory / 1024);
  return persist || gigabytes < 16 ? 8 : Math.min(64, gigabytes);
}

interface Attachment {
  readonly vm: Instance;
  readonly configId: number | undefined;
  readonly persist: boolean;
}

/** Everything that can speak against an attachment but the volume's own state; nothing is changed. */
export function planAttachment(
  ctx: Context<unknown>,
  body: { readonly vm_id: number; readonly config_id?: number | null; readonly persist_across_boots?: boolean },
): Attachment {
  const vm = namedInstance(ctx, body.vm_id);
  const persist = body.persist_across_boots ?? true;
  if (!persist && typeof body.config_id === 'number') throw refusal(400, 'config_id is not valid', 'config_id');
  if (!persist && vm.status !== 'running') throw refusal(400, 'persist_across_boots is not valid', 'persist_across_boots');
  const attached = ctx.store(volumes).by('vm_id', vm.id).length;
  if (attached >= attachLimit(vm, persist)) throw refusal(400, `Must be 0-${attachLimit(vm, persist)} volumes`, 'vm_id');
  return { vm, persist, configId: persist ? chooseConfig(ctx, vm, body.config_id ?? undefined) : undefined };
}

/** Attaches at once, or by a job when the instance runs. */
export function attach(world: World, volume: Volume, { vm, configId }: Attachment): Volume {
  const store = world.store(volumes);
  const plug = (into: World, row: Volume): Volume => {
    if (configId !== undefined) plugIn(into, configId, row.id);
    const label = into.store(instances).get(vm.id)?.label ?? vm.label;
    return into.store(volumes).update(row, { vm_id: vm.id, vm_label: label, moving: null, updated: into.timestamp() });
  };
  if (vm.status !== 'running') {
    const after = plug(world, volume);
    world.emit({ action: 'volume_attach', entity: volumeRef(after) });
    return after;
  }
  const after = store.update(volume, { moving: 'attaching' });
  const settle = (later: World, done: boolean): void => {
    const row = later.store(volumes).get(volume.id);
    if (row?.moving !== 'attaching') return;
    if (done && later.store(instances).get(vm.id) !== undefined) plug(later, row);
    else later.store(volumes).update(row, { moving: null });
  };
  world.job({
    action: 'volume_attach',
    entity: volumeRef(after),
    seconds: hotplugSeconds,
    serialKey: `volume:${volume.id}`,
    onFinish: (later) => settle(later, true),
    onFail: (later) => settle(later, false),
  });
  return after;
}

/** Lets go at once; also used when the instance is gone. */
export function release(world: World, volume: Volume): void {
  if (volume.vm_id !== null) unplug(world, volume.vm_id, volume.id);
  world.store(volumes).update(volume, { vm_id: null, vm_label: null, moving: null, updated: world.timestamp() });
}

function detach(world: World, volume: Volume): void {
  const running = volume.vm_id !== null && world.store(instances).get(volume.vm_id)?.status === 'running';
  if (!running) {
    release(world, volume);
    world.emit({ action: 'volume_detach', entity: volumeRef(volume) });
    return;
  }
  world.store(volumes).update(volume, { moving: 'detaching' });
  world.job({
    action: 'volume_detach',
    entity: volumeRef(volume),
    seconds: hotplugSeconds,
    serialKey: `volume:${volume.id}`,
    onFinish: (later) => {
      const row = later.store(volumes).get(volume.id);
      if (row !== undefined) release(later, row);
    },
    onFail: (later) => {
      const row = later.store(volumes).get(volume.id);
      if (row !== undefined) later.store(volumes).update(row, { moving: null });
    },
  });
}

const scopes = ['volumes:read_write', 'vms:read_write'];

export const attachmentOperations = [
  operation({
    method: 'POST',
    path: '/volumes/{volumeId}/attach',
    scopes,
    grant: [{ on: 'volume', param: 'volumeId', need: 'read_only' }],
    body: { vm_id: required(integer()), config_id: nullable(integer()), persist_across_boots: boolean() },
    handler: (ctx) => {
      const volume = ctx.load(volumes, 'volumeId');
      const plan = planAttachment(ctx, ctx.body);
      if (plan.vm.region !== volume.region) {
        throw refusal(400, `Volume ${volume.id} is not in the same region as Linode ${plan.vm.id}`, 'vm_id');
      }
      if (volume.vm_id !== null || volume.moving !== null) throw refusal(400, `Volume ${volume.id} is already attached`);
      return ctx.show(volumes, attach(ctx, volume, plan));
    },
  }),
  operation({
    method: 'POST',
    path: '/volumes/{volumeId}/detach',
    scopes,
    grant: [{ on: 'volume', param: 'volumeId', need: 'read_write' }],
    handler: (ctx) => {
      const volume = ctx.load(volumes, 'volumeId');
      if (volume.vm_id !== null) namedInstance(ctx, volume.vm_id);
      // Detaching what is not attached is not established: it answers like the first time.
      if (volume.vm_id !== null && volume.moving === null) detach(ctx, volume);
    },
  }),
];
