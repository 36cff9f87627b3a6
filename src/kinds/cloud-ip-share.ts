import * as z from 'zod';
import {
  accountIds,
  addressId,
  type AnyWant,
  type Call,
  canonicalAddress,
  checked,
  defineSingleton,
  inSameRegion,
  matches,
  ipv4Pattern,
  ipv6Pattern,
  optional,
  output,
  path,
  post,
  ready,
  ref,
  refOnce,
  type RemoteId,
} from '../resource/index.ts';
import { addressPath } from './ip-address/reverse-dns.ts';

/** Of `GET /vm/instances/{id}/ips` what others own and this instance may answer for. */
const Addresses = z.object({
  ipv4: z.object({ shared: z.array(z.object({ address: z.string(), vm_id: z.number().nullish() })) }),
  ipv6: z.object({ global: z.array(z.object({ range: z.string(), route_target: z.string().nullish() })) }),
});
type Addresses = z.output<typeof Addresses>;

/** A range with a route target is routed to the instance itself. */
const sharedOf = ({ ipv4, ipv6 }: Addresses): readonly string[] => [
  ...ipv4.shared.map(({ address }) => address),
  ...ipv6.global.flatMap(({ range, route_target: routed }) => (routed === null || routed === undefined ? [range] : [])),
];

interface Wanted {
  readonly address?: string | undefined;
  readonly addressFrom?: string | undefined;
  readonly addressRef?: RemoteId | undefined;
}
const isWanted = (one: unknown): one is Wanted => typeof one === 'object' && one !== null;
const textOf = (one: unknown): string =>
  isWanted(one) ? canonicalAddress(one.address ?? one.addressFrom ?? String(one.addressRef ?? '')) : '';
/** In whichever order and spelling. */
const canonical = (list: unknown): readonly string[] => (Array.isArray(list) ? [...new Set(list.map(textOf))].toSorted() : []);

/** Of each address that is shared, where an object of another namespace may have it: itself, and the instance that it is at. */
function placesOf({ ipv4 }: Addresses, address: string): readonly string[] {
  const owner = ipv4.shared.find((one) => one.address === address)?.vm_id;
  const its = ['/networking/ips', '/networking/ipv6/ranges'].map((collection) => addressPath(collection, address));
  return typeof owner === 'number' ? [...its, path`/vm/instances/${owner}`] : its;
}
/** What another namespace has by now is not shared on behalf of this one. */
const keptOf = (remote: Addresses, { taken = [] }: Pick<AnyWant, 'taken'>): readonly string[] =>
  sharedOf(remote).filter(
    (address) => !placesOf(remote, address).some((place) => taken.some(({ path: at, isOpen }) => at === place && isOpen !== true)),
  );

/** While somebody's address is not known, what is shared beyond what is wanted may be that one: nothing of it is taken away. */
interface Awaiting {
  readonly awaited?: readonly string[];
}
const takesAway = ({ awaited = [] }: Awaiting): boolean => !awaited.includes('addresses');

/** The call names all that is shared from then on. */
const share = (instance: RemoteId, ips: readonly string[]): Call => ({
  ...post('/networking/ips/share', { vm_id: instance, ips }),
  segment: 'v4beta',
});

export default defineSingleton({
  kind: 'CloudIPShare',
  summary: 'Addresses of other instances that one instance may answer for, for example in a failover pair.',
  shortName: 'cipshare',

  spec: z.object({
    instanceRef: ref('CloudInstance').describe(
      'Instance that may answer for the addresses, for example `{name: web-2}`. Cannot be changed.',
    ),
    addresses: z
      .array(
        z
          .object({
            address: optional(
              checked(z.string().min(2).max(45), {
                rule: `${matches('self', ipv4Pattern)} || ${matches('self', ipv6Pattern)}`,
                message:
                  'address is an IPv4 address or the first address of an IPv6 range, without prefix length: write for example 203.0.113.7',
              }).register(accountIds, { ofAccount: true }),
              'An address of another instance in the same region, or an IPv6 range, for example `203.0.113.7`. From other namespaces than that of the account only where its `access` says adopt: Any. Absent: addressFrom or addressRef is used.',
            ),
            addressFrom: optional(
              output('CloudInstance', {
                ref: 'instanceRef',
                selector: 'address',
                fields: { PublicIPv4: 'publicIPv4', PrivateIPv4: 'privateIPv4' },
                describe: 'Which address of that instance.',
              }),
              'Takes the address from an instance and follows it, for example `{instanceRef: {name: web}, address: PublicIPv4}`. Absent: address or addressRef is used.',
            ),
            addressRef: optional(
              inSameRegion(refOnce('CloudIPAddress', addressId, { status: 'state', is: 'Assigned' })),
              'A further address or range by its object, for example `{name: vip}`, wherever that is. Absent: address or addressFrom is used.',
            ),
          })
          .meta({
            'x-kubernetes-validations': [
              {
                rule: '[has(self.address), has(self.addressFrom), has(self.addressRef)].exists_one(one, one)',
                message: 'set exactly one of address, addressFrom and addressRef',
              },
            ],
          }),
      )
      .max(32)
      .describe(
        'All addresses that it shares, for example `[{address: 203.0.113.7}]`; whatever else it shares is taken from it, but not while one of these is not known yet. One that another namespace has by now, itself or with its instance, is taken from it at once. `[]`: none.',
      ),
  }),
  status: z.object({
    shared: z.array(z.string()).describe('Addresses that the instance shares.'),
  }),
  remote: Addresses,

  parent: { ref: 'instanceRef', calls: 1 },
  changesAlso: (remote) => sharedOf(remote).flatMap((address) => placesOf(remote, address)),
  path: (want) => path`/vm/instances/${want.instanceRef}/ips`,
  fields: {
    instanceRef: { immutable: true, errors: ['vm_id'] },
    addresses: {
      read: (remote, want) => {
        const mine = canonical(want.addresses);
        const kept = keptOf(remote, want);
        const shown = sharedOf(remote).filter(
          (address) => takesAway(want) || mine.includes(canonicalAddress(address)) || !kept.includes(address),
        );
        return shown.map((address) => ({ address }));
      },
      call: (wanted, remote, want) => {
        const mine = canonical(wanted);
        return share(want.instanceRef, takesAway(want) ? mine : [...new Set([...keptOf(remote, want), ...mine])].toSorted());
      },
      inPart: true,
      as: canonical,
      errors: ['ips'],
    },
  },
  health: () => ready,
  observe: (remote) => ({ shared: [...sharedOf(remote)] }),
  deletion: {
    call: (_, item) => share(Number(item.split('/')[3]), []),
    ended: (remote) => sharedOf(remote).length === 0,
  },

  events: [],
  scopes: { read: ['vms:read_only'], write: ['ips:read_write', 'vms:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Stall' },
  columns: { Instance: '.spec.instanceRef.name', Shared: '.status.shared' },
});
