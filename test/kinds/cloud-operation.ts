import CloudOperation from '../../src/kinds/cloud-operation.ts';
import type { Fixture } from '../conformance/fixture.ts';

export default {
  kind: CloudOperation,
  sample: {
    name: 'reboot-web',
    about: 'It is done once, within the time limit alone: put a time of the next seven days there, and another name for each.',
    spec: { action: 'RebootInstance', target: { name: 'web' }, notAfter: '2026-01-05T00:00:00Z' },
  },
  needs: {
    web: { kind: 'CloudInstance' },
    source: { kind: 'CloudInstance', spec: { backupsEnabled: true } },
    db: { kind: 'CloudInstance', spec: { power: 'Off' } },
  },
  ways: {
    onto: { action: 'RestoreInstanceBackup', target: { name: 'source' }, toInstanceRef: { name: 'db' }, backupId: 4711, overwrite: true },
  },
  waysHold: {
    onto: {
      backups: {
        id: 4711,
        type: 'auto',
        status: 'successful',
        available: true,
        created: '2026-01-01T00:00:00',
        updated: '2026-01-01T00:00:00',
        finished: '2026-01-01T00:00:00',
        label: null,
        region: 'us-southeast',
        configs: ['My Debian 11 Disk Profile'],
        disks: [
          { size: 50_688, filesystem: 'ext4', label: 'Debian 11 Disk' },
          { size: 512, filesystem: 'swap', label: '512 MB Swap Image' },
        ],
        vm_id: '$source',
      },
    },
  },
  want: { name: 'reboot-web-abcdefgh', action: 'RebootInstance', target: { name: 'web' }, notAfter: '2026-01-05T00:00:00Z' },
  remote: {},

  rejects: {
    'no action': [{ action: undefined }, 'action'],
    'an action that there is none of': [{ action: 'DeleteInstance' }, 'action'],
    'an action in small letters': [{ action: 'rebootInstance' }, 'action'],
    'no target': [{ target: undefined }, 'target'],
    'a target without a name': [{ target: {} }, 'name'],
    'a name that no object can have': [{ target: { name: 'Web_1' } }, 'name'],
    'no time limit': [{ notAfter: undefined }, 'notAfter'],
    'a day in place of a time': [{ notAfter: '2026-01-05' }, 'notAfter'],
    'a configuration for what boots nothing': [
      { action: 'ShutdownInstance', configRef: { name: 'web-rescue' } },
      'configRef goes with action RebootInstance, BootInstance alone: leave it out',
    ],
    'a snapshot without a name': [{ action: 'SnapshotInstance' }, 'action SnapshotInstance needs label: add it'],
    'a name for what makes nothing': [{ label: 'x' }, 'label goes with action SnapshotInstance alone: leave it out'],
    'a restore of nothing': [{ action: 'RestoreInstanceBackup', overwrite: true }, 'action RestoreInstanceBackup needs backupId: add it'],
    'a restore of no backup of a database': [{ action: 'RestoreDatabaseBackup' }, 'needs exactly one of backupRef and backupId'],
    'a restore of two backups at once': [
      { action: 'RestoreDatabaseBackup', backupId: 7, backupRef: { name: 'before-upgrade' } },
      'needs exactly one of backupRef and backupId',
    ],
    'a snapshot of a database for an instance': [
      { action: 'RestoreInstanceBackup', backupId: 7, backupRef: { name: 'before-upgrade' } },
      'backupRef goes with action RestoreDatabaseBackup alone: leave it out',
    ],
    'a backup that there cannot be': [{ action: 'RestoreInstanceBackup', backupId: 0 }, 'backupId'],
    'a reboot of another': [{ toInstanceRef: { name: 'db' } }, 'toInstanceRef goes with action RestoreInstanceBackup alone: leave it out'],
    'a restore onto the target by another field': [
      { action: 'RestoreInstanceBackup', backupId: 7, toInstanceRef: { name: 'web' } },
      'toInstanceRef is the target itself: leave it out, or name another instance',
    ],
    'a restore onto what has no object': [{ action: 'RestoreInstanceBackup', backupId: 7, toInstanceRef: {} }, 'name'],
    'a reboot that overwrites': [{ overwrite: true }, 'overwrite goes with action RestoreInstanceBackup alone: leave it out'],
    'a recycled node without its id': [{ action: 'RecycleNode' }, 'action RecycleNode, DeleteNode needs nodeId: add it'],
    'the name of a node in place of its id': [
      { action: 'RecycleNode', nodeId: 'lke1234-456-63483a5f4cb1' },
      'nodeId is the id of a node, not of its instance or its name',
    ],
    'a node for what concerns none': [
      { nodeId: '456-63483a5f4cb1' },
      'nodeId goes with action RecycleNode, DeleteNode alone: leave it out',
    ],
    'an assignment of nothing': [{ action: 'AssignAddresses' }, 'action AssignAddresses needs assignments: add it'],
    'an address for what moves none': [
      { assignments: [{ address: '203.0.113.7', instanceRef: { name: 'web' } }] },
      'assignments goes with action AssignAddresses alone: leave it out',
    ],
    'an assignment of two addresses in one': [
      {
        action: 'AssignAddresses',
        assignments: [{ address: '203.0.113.7', addressRef: { name: 'vip' }, instanceRef: { name: 'web' } }],
      },
      'set exactly one of address and addressRef',
    ],
    'an assignment of what is no address': [
      { action: 'AssignAddresses', assignments: [{ address: '203.0.113.700', instanceRef: { name: 'web' } }] },
      'write for example 203.0.113.7',
    ],
    'access that stays as it is': [
      { action: 'RegenerateClusterAccess', kubeconfig: false },
      'RegenerateClusterAccess renews nothing: set kubeconfig or serviceToken to true',
    ],
    'a time to stay that is no time': [{ ttlSecondsAfterFinished: -1 }, 'ttlSecondsAfterFinished'],
    'a configuration by name and by id': [{ configRef: { name: 'web-rescue', external: 12 } }, 'set exactly one of name and external'],
  },
  edits: [
    { field: 'action', to: 'ShutdownInstance', refused: true, admissionOnly: true },
    { field: 'target', to: { name: 'other' }, refused: true, admissionOnly: true },
    { field: 'notAfter', to: '2026-01-06T00:00:00Z', refused: true, admissionOnly: true },
    { field: 'label', to: 'after', refused: true, admissionOnly: true },
    { field: 'backupId', to: 2, refused: true, admissionOnly: true },
    { field: 'backupRef', to: 12, spec: { external: 12 }, refused: true, admissionOnly: true },
    { field: 'toInstanceRef', to: 12, spec: { name: 'db' }, refused: true, admissionOnly: true },
    { field: 'overwrite', to: true, refused: true, admissionOnly: true },
    { field: 'ttlSecondsAfterFinished', to: 60, refused: true, admissionOnly: true },
    { field: 'nodeId', to: '456-63483a5f4cb1', refused: true, admissionOnly: true },
    { field: 'kubeconfig', to: true, refused: true, admissionOnly: true },
    { field: 'serviceToken', to: true, refused: true, admissionOnly: true },
    {
      field: 'assignments',
      to: [{ address: '203.0.113.7', instanceRef: 12 }],
      spec: [{ address: '203.0.113.7', instanceRef: { external: 12 } }],
      refused: true,
      admissionOnly: true,
    },
    { field: 'configRef', to: 12, spec: { external: 12 }, refused: true, admissionOnly: true },
  ],
  plans: [],
} satisfies Fixture<typeof CloudOperation>;
