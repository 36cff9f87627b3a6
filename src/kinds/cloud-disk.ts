import * as z from 'zod';
import { answersBody, defineCollection, path, post, type RemoteId } from '../resource/index.ts';
import { Disk, health, parentPower } from './disk/remote.ts';
import { parts, room } from './disk/room.ts';
import { rules, spec } from './disk/spec.ts';

interface Wanted {
  readonly instanceRef: RemoteId;
}
const listOf = ({ instanceRef }: Wanted): string => path`/vm/instances/${instanceRef}/disks`;
const item = (disk: { readonly id: number }, want: Wanted): string => `${listOf(want)}/${disk.id}`;

/** As the service names a copy. */
const copyOf = (label: string | undefined): string => `Copy of ${label ?? ''}`.slice(0, 48);

export default defineCollection({
  kind: 'CloudDisk',
  summary:
    'A disk of a CloudInstance. What changes its size or password, or deletes it, needs the instance to be off, or the disk to be in none of its configurations. It goes with its instance; lifecycle.protect holds the deletion of that up.',
  shortName: 'cdisk',

  spec,
  rules,
  status: z.object({
    label: z.string().describe('Name among the disks of the instance.'),
    state: z.string().describe('What the service says of the disk: `ready`, `not ready` or `deleting`.'),
    sizeMB: z.int().describe('Size in MB.'),
    filesystem: z.string().describe('File system, for example `ext4`.'),
  }),
  remote: Disk,
  parts,

  parent: { ref: 'instanceRef', calls: 1 },
  path: listOf,
  createPath: (want) =>
    want.cloneFrom === undefined ? listOf(want) : path`/vm/instances/${want.instanceRef}/disks/${want.cloneFrom.diskRef}/clone`,
  borrows: { source: { ref: 'cloneFrom', status: 'label' } },
  // A copy is born under the name of its source, and renamed then.
  key: {
    enforced: 'counted',
    names: true,
    of: (want) => ({ label: want.cloneFrom === undefined ? (want.label ?? want.name) : copyOf(want.borrowed?.['source']) }),
  },
  label: { field: 'label', max: 48 },
  createdAt: 'created',

  create: (want) => {
    if (want.cloneFrom !== undefined) return {};
    return {
      label: want.label ?? want.name,
      size: want.sizeMB,
      filesystem: want.filesystem,
      image: want.image ?? want.imageRef,
      root_pass: (want.image ?? want.imageRef) === undefined ? undefined : want.rootPasswordSecretRef,
      authorized_keys: want.authorizedKeys,
      authorized_users: want.authorizedUsers,
      stackscript_id: want.stackscriptId ?? want.stackscriptRef,
      stackscript_data: answersBody(want.stackscriptData),
    };
  },
  lacks: (want) =>
    want.cloneFrom !== undefined && want.borrowed?.['source'] === undefined
      ? 'spec.cloneFrom.diskRef: that CloudDisk does not show its label, by which a copy is found'
      : undefined,
  fields: {
    instanceRef: { immutable: true },
    // What PUT does with a size or a file system nobody knows, so that it sends a label only.
    label: { read: (disk) => disk.label, put: (label) => ({ label }) },
    sizeMB: {
      read: (disk) => disk.size,
      call: (size, disk, want) => post(`${item(disk, want)}/resize`, { size }),
      effect: 'Rebuild',
      effectOf: (size, have) => (typeof have === 'number' && size < have ? 'Rebuild' : 'Reboot'),
      needs: 'parentOffline',
      job: 'disk_resize',
      errors: ['size'],
      room,
    },
    filesystem: { read: (disk) => disk.filesystem, immutable: true },
    image: { immutable: true, catalogue: { path: '/images', holds: (image) => image.startsWith('vm/') } },
    imageRef: { immutable: true, errors: ['image'] },
    rootPasswordSecretRef: {
      applied: true,
      call: (password, disk, want) => post(`${item(disk, want)}/password`, { password }),
      effect: 'Reboot',
      needs: 'parentOffline',
      errors: ['root_pass', 'password'],
    },
    authorizedKeys: { immutable: true, errors: ['authorized_keys'] },
    authorizedUsers: { immutable: true, errors: ['authorized_users'] },
    stackscriptId: { immutable: true, errors: ['stackscript_id'] },
    stackscriptRef: { immutable: true },
    stackscriptData: { immutable: true, errors: ['stackscript_data'] },
    cloneFrom: { immutable: true },
  },
  health: (disk) => health[disk.status],
  observe: (disk) => ({ label: disk.label, state: disk.status, sizeMB: disk.size, filesystem: disk.filesystem }),
  deletion: { needs: 'parentOffline' },
  parentPower,

  // A new disk is 404 by its id for a while, and no list may show it either.
  sweep: { by: 'list', itemFromList: 'orById' },
  events: [
    {
      entity: 'vm',
      secondary: 'disk',
      // A rebuild and a restored backup make others, a change of the plan may fit a disk to it; none of them names any.
      actions: [
        'disk_create',
        'disk_delete',
        'disk_duplicate',
        'disk_resize',
        'disk_update',
        'password_reset',
        'vm_rebuild',
        'vm_resize',
        'backups_restore',
      ],
      creates: ['disk_create'],
      deletes: ['disk_delete'],
    },
  ],
  scopes: { read: ['vms:read_only'], write: ['vms:read_write'] },
  // What is on it cannot be had again.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  goesWithParent: true,
  completesParent: true,
  columns: { Instance: '.spec.instanceRef.name', MB: '.status.sizeMB', State: '.status.state' },
});
