import type { EntityRef } from '../../contract/event.ts';
import type { Job, World } from '../../contract/world.ts';
import type { Instance, InstanceStatus } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';
import { vmRef } from '../shared/entity-refs.ts';

/** Jobs of one instance run one after the other under this key. */
export const vmKey = (id: number): string => `vm:${id}`;

export function setStatus(world: World, id: number, status: InstanceStatus): Instance | undefined {
  const row = world.store(instances).get(id);
  return row === undefined ? undefined : world.store(instances).update(row, { status, updated: world.timestamp() });
}

export interface VmJob {
  readonly action: string;
  readonly seconds: number;
  readonly secondary?: EntityRef | null;
  /** Shown while the job runs. */
  readonly during?: InstanceStatus;
  /** Run only while the instance is there; `vm` is its row of that moment. */
  readonly onStart?: (world: World, vm: Instance) => void;
  readonly onFinish?: (world: World, vm: Instance) => void;
  readonly onFail?: (world: World, vm: Instance) => void;
  /** What becomes of others: the deletion of the instance waits for the job, though its row has gone at once. */
  readonly elsewhere?: { readonly onFinish: (world: World) => void; readonly onFail?: (world: World) => void };
}

/** A job of an instance; its event has the instance as entity. */
export function vmJob(world: World, vm: Pick<Instance, 'id' | 'label'>, job: VmJob): Job {
  const present = (effect: ((world: World, vm: Instance) => void) | undefined) => (later: World) => {
    const row = later.store(instances).get(vm.id);
    if (row !== undefined) effect?.(later, row);
  };
  return world.job({
    action: job.action,
    entity: vmRef(vm),
    secondary: job.secondary ?? null,
    seconds: job.seconds,
    serialKey: vmKey(vm.id),
    onStart: present((later, row) => {
      if (job.during !== undefined) setStatus(later, row.id, job.during);
      job.onStart?.(later, row);
    }),
    onFinish: (later) => {
      present(job.onFinish)(later);
      job.elsewhere?.onFinish(later);
    },
    onFail: (later) => {
      present(job.onFail)(later);
      job.elsewhere?.onFail?.(later);
    },
  });
}
