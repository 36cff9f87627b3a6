import { type Acted, type Action, type Given, minutes, post } from '../../resource/index.ts';
import type { Instance } from './remote.ts';

/** What of the spec has a say in what is done once. */
interface Powered {
  readonly power?: 'On' | 'Off' | undefined;
}
type Powering = Action<Instance, Powered>;

/** An instance with several configurations boots the one that it booted last, unless the call names another. */
const booted = ({ configRef }: Given) => (configRef === undefined ? undefined : { config_id: configRef });

const offAgain = 'spec.power is Off, so that it would be powered off again: set power to On, or take it away';

/** What can be done to an instance once. A job takes a minute, at most two as far as was recorded. */
export const actions = {
  RebootInstance: {
    says: 'Shuts the instance down and boots it again, with the configuration of `configRef` or the one that it booted last.',
    effect: 'Reboot',
    call: ({ path }, given) => post(`${path}/reboot`, booted(given)),
    jobs: ['vm_reboot'],
    within: minutes(20),
    against: ({ want, remote }: Acted<Instance, Powered>) =>
      want.power === 'Off' ? offAgain : remote.status === 'offline' ? 'it is powered off: boot it with action BootInstance' : undefined,
  },
  BootInstance: {
    says: 'Boots an instance that is powered off, with the configuration of `configRef` or the one that it booted last.',
    effect: 'InPlace',
    call: ({ path }, given) => post(`${path}/boot`, booted(given)),
    jobs: ['vm_boot'],
    within: minutes(20),
    against: ({ want, remote }) =>
      want.power === 'Off'
        ? offAgain
        : remote.status === 'running'
          ? 'it runs: to boot it anew, or with another configuration, use action RebootInstance'
          : undefined,
  },
  ShutdownInstance: {
    says: 'Shuts the instance down. What it costs stays the same.',
    effect: 'Reboot',
    call: ({ path }) => post(`${path}/shutdown`),
    jobs: ['vm_shutdown'],
    within: minutes(20),
    against: ({ want, remote }) =>
      want.power === 'On'
        ? 'spec.power is On, so that it would be booted again: set power to Off instead, or take it away first'
        : remote.status === 'offline'
          ? 'it is powered off already'
          : undefined,
  },
} satisfies Readonly<Record<string, Powering>>;
