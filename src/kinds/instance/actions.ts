import { wordOrQuoted } from '../../lib/quoted.ts';
import { type Acted, type Action, type Given, minutes, post } from '../../resource/index.ts';
import { assigning } from './assigning.ts';
import { type Deployed, deployment } from './deployment.ts';
import type { Instance, PartsRead } from './remote.ts';
import { restoring, shownParts } from './restoring.ts';

type Row = Instance & PartsRead;
type OfInstance = Action<Row, Deployed>;

/** An instance with several configurations boots the one that it booted last, unless the call names another. */
const booted = ({ bootConfigRef }: Deployed, { configRef = bootConfigRef }: Given) =>
  configRef === undefined ? undefined : { config_id: configRef };

const notThere = ({ awaited }: Deployed, { configRef }: Given): string | undefined =>
  configRef === undefined && awaited?.includes('bootConfigRef') === true
    ? 'has a spec.bootConfigRef that is not there yet; name the configuration to boot with configRef, or make that one first'
    : undefined;

const offAgain = 'would be powered off again, as its spec.power is Off; set power to On, or take it away';

/** What can be done to an instance once. A job takes a minute, at most two as far as was recorded. */
export const actions = {
  RebootInstance: {
    says: 'Shuts the instance down and boots it again, with the configuration of `configRef`, else of its `bootConfigRef`, else the one that it booted last.',
    effect: 'Reboot',
    call: ({ path, want }, given) => post(`${path}/reboot`, booted(want, given)),
    jobs: ['vm_reboot'],
    within: minutes(20),
    against: ({ want, remote }: Acted<Row, Deployed>, given) =>
      want.power === 'Off'
        ? offAgain
        : remote.status === 'offline'
          ? 'is powered off; boot it with action BootInstance'
          : notThere(want, given),
  },
  BootInstance: {
    says: 'Boots an instance that is powered off, with the configuration of `configRef`, else of its `bootConfigRef`, else the one that it booted last.',
    effect: 'InPlace',
    call: ({ path, want }, given) => post(`${path}/boot`, booted(want, given)),
    jobs: ['vm_boot'],
    within: minutes(20),
    against: ({ want, remote }, given) =>
      want.power === 'Off'
        ? offAgain
        : remote.status === 'running'
          ? 'runs; to boot it anew, or with another configuration, use action RebootInstance'
          : notThere(want, given),
  },
  ShutdownInstance: {
    says: 'Shuts the instance down. What it costs stays the same.',
    effect: 'Reboot',
    call: ({ path }) => post(`${path}/shutdown`),
    jobs: ['vm_shutdown'],
    within: minutes(20),
    against: ({ want, remote }) =>
      want.power === 'On'
        ? 'would be booted again, as its spec.power is On; set power to Off instead, or take it away first'
        : remote.status === 'offline'
          ? 'is powered off already'
          : undefined,
  },
  RebuildInstance: {
    says: 'Deploys the image of the spec anew, with its password, keys and script: all disks and configurations that are there are deleted.',
    effect: 'Rebuild',
    wholeSpec: true,
    parts: ['disks', 'configs'],
    call: ({ path, want }) => post(`${path}/rebuild`, deployment(want)),
    jobs: ['vm_rebuild'],
    within: minutes(60),
    against: ({ want }) =>
      (want.image ?? want.imageRef) === undefined
        ? 'has neither spec.image nor spec.imageRef, so that there is nothing to deploy; set image'
        : undefined,
    loses: ({ path, want, remote }) => [
      `all disks and configurations of ${path} are erased, with everything on them (${shownParts(remote) || 'it has none now'}), and ${want.image ?? want.imageRef ?? 'nothing'} is deployed`,
    ],
  },
  SnapshotInstance: {
    says: 'Takes a snapshot of the disks, under `label`. There is one at a time: it takes the place of the one before.',
    effect: 'InPlace',
    parts: ['snapshots'],
    call: ({ path }, { label }) => post(`${path}/backups`, { label }),
    jobs: ['vm_snapshot'],
    within: minutes(60),
    against: ({ remote }) =>
      remote.backups.enabled ? undefined : 'has no backups enabled, which snapshots are a part of; set spec.backupsEnabled to true',
    loses: ({ remote: { snapshots } }) => {
      const { current } = snapshots?.snapshot ?? {};
      return current == null
        ? []
        : [`the snapshot ${wordOrQuoted(current.label ?? '')} (${current.id}) of ${current.created} is replaced, and gone for good`];
    },
  },
  RestoreInstanceBackup: restoring,
  AssignAddresses: assigning,
} satisfies Readonly<Record<string, OfInstance>>;
