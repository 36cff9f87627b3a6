import CloudDisk from '../../src/kinds/cloud-disk.ts';
import { Sensitive } from '../../src/resource/index.ts';
import type { Fixture } from '../conformance/fixture.ts';

const password = new Sensitive('correct-horse-Battery-9-staple');
const fromImage = { image: 'vm/debian11', rootPasswordSecretRef: password } as const;
/** Without an image it has no disks and is off. */
const bare = { image: undefined, rootPasswordSecretRef: undefined, authorizedKeys: undefined, power: undefined };

export default {
  kind: CloudDisk,
  sample: { name: 'scratch', spec: { instanceRef: { name: 'bare' }, sizeMB: 4096, filesystem: 'ext4' } },
  needs: {
    bare: { kind: 'CloudInstance', spec: bare },
    root: { kind: 'CloudDisk', spec: { sizeMB: 1024 } },
    'bare-2': { kind: 'CloudInstance', spec: { ...bare, label: 'bare-2' } },
  },
  secrets: { 'disk-root': { password: 'correct-horse-Battery-9-staple' } },
  want: { name: 'scratch-abcdefgh', instanceRef: '$bare', sizeMB: 4096, filesystem: 'ext4' },
  wants: {
    'a label of its own': { label: 'scratch', filesystem: undefined },
    'room to swap': { sizeMB: 512, filesystem: 'swap' },
    'an image': {
      ...fromImage,
      filesystem: undefined,
      authorizedKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBbjRYFHjYFLAkGNUSQ2XQdx7BVvZQxbmUvxJYpeCJIZ ops'],
    },
    'a copy': {
      label: 'copied',
      cloneFrom: { diskRef: '$root' },
      borrowed: { source: 'root-abcdefgh' },
      filesystem: undefined,
      sizeMB: 1024,
    },
  },
  remote: {
    id: 25_674,
    label: 'scratch-abcdefgh',
    status: 'ready',
    size: 4096,
    filesystem: 'ext4',
    created: '2023-03-06T10:00:00',
    updated: '2023-03-06T10:00:00',
  },

  rejects: {
    'no instance': [{ instanceRef: undefined }, 'instanceRef'],
    'an instance by an id that leads elsewhere': [{ instanceRef: { external: '../volumes/7' } }, 'an id is a number'],
    'no size': [{ sizeMB: undefined }, 'sizeMB'],
    'a size of nothing': [{ sizeMB: 0 }, 'sizeMB'],
    'a fraction of a MB': [{ sizeMB: 10.5 }, 'sizeMB'],
    'a label that is too long': [{ label: 'a'.repeat(49) }, 'label'],
    'a file system that there is not': [{ filesystem: 'ntfs' }, 'filesystem'],
    'an image without a password': [{ filesystem: undefined, image: 'vm/debian11' }, 'an image needs rootPasswordSecretRef'],
    'an image by its id and by its object': [
      {
        filesystem: undefined,
        image: 'vm/debian11',
        imageRef: { name: 'golden' },
        rootPasswordSecretRef: { name: 'disk-root', key: 'password' },
      },
      'at most one of image and imageRef',
    ],
    "an object's image without a password": [
      { filesystem: undefined, imageRef: { name: 'golden' } },
      'an image needs rootPasswordSecretRef',
    ],
    'a password of an empty disk': [{ rootPasswordSecretRef: { name: 'disk-root', key: 'password' } }, 'an empty disk has no password'],
    'keys without an image': [{ authorizedKeys: ['ssh-ed25519 AAAA ops'] }, 'only means something with an image'],
    'a copy with a file system': [{ cloneFrom: { diskRef: { name: 'root' } } }, 'a copy has all that its source has'],
    'a copy of an id': [{ filesystem: undefined, cloneFrom: { diskRef: { external: 7 } } }, 'write diskRef.name'],
  },
  edits: [
    { field: 'instanceRef', to: '$bare-2', spec: { name: 'bare-2' }, refused: true, admissionOnly: true },
    { field: 'label', to: 'data', calls: ['PUT {item}'], body: { label: 'data' } },
    { field: 'sizeMB', to: 8192, calls: ['POST {item}/resize'], body: { size: 8192 } },
    { field: 'sizeMB', to: 2048, calls: ['POST {item}/resize'], body: { size: 2048 } },
    { field: 'filesystem', to: 'ext3', refused: true },
  ],
  exempt: {
    'complete after one POST: a copy': 'it is born under the name of its source, and renamed by a PUT',
    'edits rootPasswordSecretRef': 'only a disk with an image has one, and the sample is empty',
  },
  plans: [
    {
      name: 'a greater size is asked for, because the instance must be off',
      want: { sizeMB: 8192 },
      step: { do: 'approve', plan: { effect: 'Reboot' } },
    },
    {
      name: 'and is not while it is off',
      want: { sizeMB: 8192 },
      context: { parentRests: true },
      step: { do: 'update', call: { body: { size: 8192 } } },
    },
    {
      name: 'a smaller one is asked for even then',
      want: { sizeMB: 2048 },
      context: { parentRests: true },
      step: { do: 'approve', plan: { effect: 'Rebuild' } },
    },
    { name: 'a disk that is being made is waited for', want: { sizeMB: 8192 }, remote: { status: 'not ready' }, step: { do: 'wait' } },
    {
      name: 'a password that was rotated is asked for',
      want: { ...fromImage },
      context: { applied: () => false },
      step: { do: 'approve', plan: { effect: 'Reboot' } },
    },
  ],
} satisfies Fixture<typeof CloudDisk>;
