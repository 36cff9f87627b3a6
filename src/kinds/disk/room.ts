import * as z from 'zod';
import type { Parts, PartsRead } from '../../resource/index.ts';
import { Disks } from '../instance/remote.ts';
import { named, sum } from '../instance/room.ts';
import type { Disk } from './remote.ts';

/** What an event says of one disk, or of the instance, is told of all that are below that. */
const changesDisks = [
  'disk_create',
  'disk_delete',
  'disk_duplicate',
  'disk_resize',
  'vm_rebuild',
  'vm_resize',
  'vm_mutate',
  'backups_restore',
];
const Machine = z.object({ type: z.string().nullish(), specs: z.object({ disk: z.number() }) });
const schemas = { machine: Machine, others: Disks };
type Item = z.output<typeof Disk>;

const instanceOf = (disk: string): string => disk.slice(0, disk.lastIndexOf('/disks/'));
export const parts: Parts<Item, typeof schemas> = {
  machine: { path: instanceOf, paged: false, schema: Machine, for: 'before', toldBy: ['vm_rebuild', 'vm_resize', 'vm_mutate'] },
  others: { path: (disk) => `${instanceOf(disk)}/disks`, paged: true, schema: Disks, for: 'before', toldBy: changesDisks },
};

/** Whether the plan of the instance holds it beside its other disks. */
export const room = {
  parts: ['machine', 'others'],
  mayLack: (want: number, { size }: Item): boolean => want > size,
  against: (want: number, { id, machine, others = [] }: Item & PartsRead<typeof schemas>): string | undefined => {
    const beside = others.filter((one) => one.id !== id && one.status !== 'deleting');
    const all = machine?.specs.disk ?? Infinity;
    const left = all - sum(beside);
    if (want <= left) return undefined;
    const taken = beside.length === 0 ? '' : `, of which its other disks take ${sum(beside)} MB (${named(beside)})`;
    return `plan ${machine?.type ?? ''} of its instance has ${all} MB${taken}, so that there is room for ${left} MB here. Write no more, make others smaller, or give the instance a plan with more disk: the change goes on by itself then`;
  },
};
