import type { World } from '../../contract/world.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';

type Schedule = Instance['backups']['schedule'];

const chooseSeconds = 300;

/** What is not chosen yet, after backups were enabled. */
export const scheduling = ({ day, window }: Schedule): Schedule => ({ day: day ?? 'Scheduling', window: window ?? 'Scheduling' });

const open = (value: string | null): boolean => value === null || value === 'Scheduling';

/** Day and window are chosen by the service when nobody sets them (document 2, Backups object); when, and which, is assumed. */
export function chooseSchedule(world: World, vmId: number): void {
  world.after(chooseSeconds, (later) => {
    const vm = later.store(instances).get(vmId);
    if (vm === undefined || !vm.backups.enabled) return;
    const { day, window } = vm.backups.schedule;
    if (!open(day) && !open(window)) return;
    const schedule = { day: open(day) ? 'Saturday' : day, window: open(window) ? 'W2' : window };
    later.store(instances).update(vm, { backups: { ...vm.backups, schedule } });
  });
}
