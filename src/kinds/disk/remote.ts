import * as z from 'zod';
import { type Health, openEnum, type ParentPower, progressing, ready, seconds, unknownStatus } from '../../resource/index.ts';

/** The fields of `GET /vm/instances/{id}/disks/{id}` that this operator reads. */
export const Disk = z.object({
  id: z.number(),
  label: z.string(),
  status: openEnum('ready', 'not ready', 'deleting'),
  size: z.number(),
  filesystem: z.string(),
  created: z.string(),
});
type Disk = z.output<typeof Disk>;

export const health = {
  ready,
  'not ready': progressing('the disk is being made', seconds(5)),
  deleting: progressing('the disk is being deleted', seconds(10)),
  unknown: unknownStatus,
} satisfies Record<Disk['status'], Health>;

const Instance = z.object({ status: z.string() });
const powers: Readonly<Record<string, 'on' | 'off'>> = { running: 'on', offline: 'off' };
const Config = z.object({ devices: z.record(z.string(), z.object({ disk_id: z.number().nullish() }).nullish()) });

/** Which configuration an instance runs with is nowhere to be read, so that a disk in any of them counts as used while it runs. */
export const parentPower: ParentPower = {
  power: (instance) => powers[Instance.safeParse(instance).data?.status ?? ''] ?? 'changing',
  off: 'power: Off in its CloudInstance, where that says On and would start it again',
  users: {
    path: '/configs',
    has: (row, id) => {
      const config = Config.safeParse(row);
      return !config.success || Object.values(config.data.devices).some((device) => String(device?.disk_id) === id);
    },
  },
};
