import * as z from 'zod';
import {
  accountId,
  accountIds,
  addressId,
  checked,
  defineOperation,
  ipv4Pattern,
  matches,
  objectName,
  optional,
  parameterRules,
  ref,
  refOnce,
  refToObject,
} from '../resource/index.ts';

/** What each action is, and what it does, is said by the kind to which it is done. */
const operates = {
  RebootInstance: { on: 'CloudInstance', takes: ['configRef'] },
  BootInstance: { on: 'CloudInstance', takes: ['configRef'] },
  ShutdownInstance: { on: 'CloudInstance' },
  RebuildInstance: { on: 'CloudInstance' },
  SnapshotInstance: { on: 'CloudInstance', needs: ['label'] },
  RestoreInstanceBackup: { on: 'CloudInstance', needs: ['backupId'], takes: ['toInstanceRef', 'overwrite'], onto: 'toInstanceRef' },
  AssignAddresses: { on: 'CloudInstance', needs: ['assignments'] },
  ResetDatabaseCredentials: { on: 'CloudDatabase' },
  PatchDatabase: { on: 'CloudDatabase' },
  RestoreDatabaseBackup: { on: 'CloudDatabase', takes: ['backupId', 'backupRef'] },
  RecycleCluster: { on: 'CloudKubernetesCluster' },
  RecycleNodePool: { on: 'CloudNodePool' },
  RecycleNode: { on: 'CloudKubernetesCluster', needs: ['nodeId'] },
  DeleteNode: { on: 'CloudKubernetesCluster', needs: ['nodeId'] },
  ResetKubeconfig: { on: 'CloudKubernetesCluster' },
  ResetServiceToken: { on: 'CloudKubernetesCluster' },
  RegenerateClusterAccess: { on: 'CloudKubernetesCluster', takes: ['kubeconfig', 'serviceToken'] },
} as const;

export default defineOperation({
  kind: 'CloudOperation',
  summary:
    'Something that is done once to the cloud resource of another object, and never again for this object: a reboot, a rebuild, a snapshot, a new password.',
  shortName: 'cop',

  spec: z.object({
    action: z
      .enum([
        'RebootInstance',
        'BootInstance',
        'ShutdownInstance',
        'RebuildInstance',
        'SnapshotInstance',
        'RestoreInstanceBackup',
        'AssignAddresses',
        'ResetDatabaseCredentials',
        'PatchDatabase',
        'RestoreDatabaseBackup',
        'RecycleCluster',
        'RecycleNodePool',
        'RecycleNode',
        'DeleteNode',
        'ResetKubeconfig',
        'ResetServiceToken',
        'RegenerateClusterAccess',
      ])
      .describe(
        'What is done, for example `RebootInstance`. What loses something waits until a person confirms `status.challenge`. Cannot be changed.',
      ),
    // Only what has an object in this namespace: whoever may write one here could else name what is another team's.
    target: z
      .object({ name: objectName().describe('Its name; its kind follows from the action.') })
      .describe('The object of this namespace to whose cloud resource it is done, for example `{name: web}`. Cannot be changed.'),
    notAfter: z.iso
      .datetime()
      .describe(
        'When it is too late to begin, at most 7 days after this object is made, for example `2026-12-01T18:00:00Z`; then it is Expired. It is what keeps an operation that comes back out of Git or a backup from being done again. Cannot be changed.',
      ),
    ttlSecondsAfterFinished: optional(
      z.int().min(0).max(31_536_000),
      'Seconds after its end until this object is deleted, for example 86400, as of a Job. One that is Expired stays, unless its name was generated (`generateName`), because what brings it back would do so for ever. Cannot be changed. Absent: it stays.',
    ),
    configRef: optional(
      ref('CloudInstanceConfig'),
      'With RebootInstance and BootInstance: the configuration to boot, for example `{name: web-rescue}`. Cannot be changed. Absent: `bootConfigRef` of the instance, or the one that was booted last.',
    ),
    label: optional(
      z.string().min(1).max(255),
      'With SnapshotInstance: the name of the snapshot, for example `before-upgrade`. Cannot be changed. Absent: for no other action.',
    ),
    backupId: optional(
      accountId(),
      'With RestoreInstanceBackup and RestoreDatabaseBackup: the id of a backup of the target itself, for example `123456`. From other namespaces than that of the account only where its `access` says adopt: Any. Cannot be changed. Absent: for no other action.',
    ),
    backupRef: optional(
      ref('CloudDatabaseBackup'),
      'With RestoreDatabaseBackup, in place of backupId: a snapshot of the target, for example `{name: before-upgrade}`. Cannot be changed. Absent: backupId is used.',
    ),
    toInstanceRef: optional(
      refToObject('CloudInstance'),
      'With RestoreInstanceBackup: the instance of this namespace onto which the backup goes, in the region of the target, for example `{name: web-2}`. Cannot be changed. Absent: it goes onto the target itself.',
    ),
    overwrite: optional(
      z.boolean(),
      'With RestoreInstanceBackup: true erases all disks and configurations that are there first. Cannot be changed. Absent: they stay, and there must be room.',
    ),
    // Below the target's own cluster, so that it can be no node of another one.
    nodeId: optional(
      checked(z.string().max(64), {
        rule: matches('self', '[0-9]+-[0-9a-z]+'),
        message: 'nodeId is the id of a node, not of its instance or its name: write for example "456-63483a5f4cb1"',
      }).register(accountIds, { ofAccount: true }),
      'With RecycleNode and DeleteNode: the id of a node of the cluster, for example `456-63483a5f4cb1`. From other namespaces than that of the account only where its `access` says adopt: Any. Cannot be changed. Absent: for no other action.',
    ),
    assignments: optional(
      z
        .array(
          z
            .object({
              addressRef: optional(
                refOnce('CloudIPAddress', addressId, { status: 'state', is: 'Assigned' }),
                'The address by its object, for example `{name: vip}`; another spec.instanceRef of that has to follow. Absent: address is used.',
              ),
              address: optional(
                checked(z.string().min(7).max(15), {
                  rule: matches('self', ipv4Pattern),
                  message: 'address is a public IPv4 address: write for example 203.0.113.7',
                }).register(accountIds, { ofAccount: true }),
                'The address itself, also one that an instance was made with, for example `203.0.113.7`. From other namespaces than that of the account only where its `access` says adopt: Any. Absent: addressRef is used.',
              ),
              instanceRef: ref('CloudInstance').describe('Instance that gets it, for example `{name: web-2}`.'),
            })
            .meta({
              'x-kubernetes-validations': [
                { rule: 'has(self.address) != has(self.addressRef)', message: 'set exactly one of address and addressRef' },
              ],
            }),
        )
        .min(1)
        .max(16),
      'With AssignAddresses: which address goes to which instance, all in the region of the target and all at once, for example `[{address: 203.0.113.7, instanceRef: {name: web-2}}]`. At least one of them is the target’s now. Cannot be changed. Absent: for no other action.',
    ),
    kubeconfig: optional(z.boolean(), 'With RegenerateClusterAccess: true renews the kubeconfig. Cannot be changed. Absent: it stays.'),
    serviceToken: optional(
      z.boolean(),
      'With RegenerateClusterAccess: true renews the service token. Cannot be changed. Absent: it stays.',
    ),
  }),
  rules: [
    ...parameterRules(operates),
    {
      rule: "self.action != 'RestoreDatabaseBackup' || has(self.backupRef) != has(self.backupId)",
      message: 'action RestoreDatabaseBackup needs exactly one of backupRef and backupId: add or leave out one of them',
      fieldPath: '.action',
    },
    {
      rule: '!has(self.toInstanceRef) || self.toInstanceRef.name != self.target.name',
      message: 'toInstanceRef is the target itself: leave it out, or name another instance',
      fieldPath: '.toInstanceRef',
    },
    {
      rule: "self.action != 'RegenerateClusterAccess' || (has(self.kubeconfig) && self.kubeconfig) || (has(self.serviceToken) && self.serviceToken)",
      message: 'RegenerateClusterAccess renews nothing: set kubeconfig or serviceToken to true',
      fieldPath: '.action',
    },
  ],
  status: z.object({}),

  fields: {
    action: { immutable: true },
    target: { immutable: true },
    notAfter: { immutable: true },
    ttlSecondsAfterFinished: { immutable: true },
    configRef: { immutable: true, errors: ['config_id'] },
    label: { immutable: true },
    backupId: { immutable: true },
    backupRef: { immutable: true },
    toInstanceRef: { immutable: true, errors: ['vm_id'] },
    overwrite: { immutable: true },
    nodeId: { immutable: true },
    assignments: { immutable: true },
    kubeconfig: { immutable: true },
    serviceToken: { immutable: true },
  },
  operates,

  scopes: { read: ['events:read_only'], write: ['events:read_only'] },
  columns: { Action: '.spec.action', Target: '.spec.target.name', To: '.spec.toInstanceRef.name', Phase: '.status.phase' },
});
