import { wordOrQuoted } from '../../lib/quoted.ts';
import { type Acted, type Action, type Given, minutes, path, post } from '../../resource/index.ts';
import { addressPath } from '../ip-address/reverse-dns.ts';
import type { Deployed } from './deployment.ts';
import type { Instance, PartsRead } from './remote.ts';

interface Assignment {
  readonly address: string;
  /** By its id; undefined where the spec is seen as it is written. */
  readonly to: number | undefined;
}
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
function assignmentOf(one: unknown): Assignment {
  const { address, addressRef, instanceRef } = one as { address?: unknown; addressRef?: unknown; instanceRef?: unknown };
  return { address: textIn(address) || textIn(addressRef), to: typeof instanceRef === 'number' ? instanceRef : undefined };
}
const assignmentsIn = ({ assignments }: Given): readonly Assignment[] =>
  Array.isArray(assignments) ? (assignments as readonly unknown[]).map(assignmentOf) : [];

/** Which of the addresses of the target others get. */
const leaving = ({ id, ipv4 }: Instance, given: Given): readonly string[] =>
  assignmentsIn(given).flatMap(({ address, to }) => (ipv4.includes(address) && to !== id ? [address] : []));

/** All move at once, so that where the target has lost what it gives up everybody has what they were to get. */
export const assigning: Action<Instance & PartsRead, Deployed> = {
  says: 'Gives public IPv4 addresses to other instances of the region, all at once, so that two can change places.',
  effect: 'Reboot',
  beyond: true,
  call: ({ remote }, given) =>
    post('/networking/ips/assign', {
      region: remote.region,
      assignments: assignmentsIn(given).map(({ address, to }) => ({ address, vm_id: to })),
    }),
  // No event tells of it.
  jobs: [],
  rests: () => 'done',
  // Looked at later, the spec is seen as it is written: then what the target still has of those that it gave up.
  replaces: (remote, given) => (assignmentsIn(given).some(({ to }) => to === undefined) ? remote.ipv4 : leaving(remote, given)),
  within: minutes(10),
  against: ({ remote }: Acted<Instance, Deployed>, given) =>
    leaving(remote, given).length > 0
      ? undefined
      : {
          field: 'assignments',
          says: 'none of them gives away an address of the target: name the instance as target that has one of them now',
        },
  beside: ({ ipv4 }, given) => assignmentsIn(given).flatMap(({ address }) => (ipv4.includes(address) ? [] : [pathOf(address)])),
  loses: (acted, given) =>
    assignmentsIn(given).map(({ address, to }) => `${address} ${goes(acted, address, String(to))}: what it is reached by there breaks off`),
};

const pathOf = (address: string): string => addressPath('/networking/ips', address);

/** Whose it was must be in the challenge: whoever confirms that has not confirmed that another one loses it. */
function goes({ remote, beside = {}, called }: Acted<Instance, Deployed>, address: string, to: string): string {
  if (remote.ipv4.includes(address)) return `leaves instance ${remote.id} (${wordOrQuoted(remote.label)}) for instance ${to}`;
  const { vm_id: from } = (beside[pathOf(address)] ?? {}) as { readonly vm_id?: number | null };
  if (typeof from !== 'number') return `goes to instance ${to}, wherever it is now`;
  const name = called?.(path`/vm/instances/${from}`);
  return `goes to instance ${to} from ${name === undefined ? 'an instance of which this namespace has no object' : `instance ${from} (${name})`}`;
}
