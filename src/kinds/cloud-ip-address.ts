import * as z from 'zod';
import { addressId, checked, defineCollection, del, inSameRegion, optional, path, ref } from '../resource/index.ts';
import {
  Address,
  Beside,
  health,
  Held,
  idOf,
  isAway,
  isElsewhere,
  isPublicIPv4,
  isRange,
  changesAlso,
  keptByAnother,
  leadsTo,
  move,
  onlyHolder,
  otherHolder,
  pathIn,
  observe,
  prefixOf,
  typeOf,
  waitsToGo,
} from './ip-address/remote.ts';
import { nameAddress, nameOf, noForwardName, plainName, reverseName } from './ip-address/reverse-dns.ts';

const single = '/networking/ips';
const ranges = '/networking/ipv6/ranges';
const atInstance = ({ vm_id: instance }: Address): string => path`/vm/instances/${instance ?? 0}/ips`;

export default defineCollection({
  kind: 'CloudIPAddress',
  summary:
    'A further public IPv4 address of an instance, or an IPv6 range that is routed to one. The addresses that an instance is made with belong to its CloudInstance; of one that is adopted all the same its name is said here.',
  shortName: 'cip',

  spec: z.object({
    type: z
      .enum(['IPv4', 'IPv6Range'])
      .describe('`IPv4`: one public address, which costs. `IPv6Range`: a network of addresses. Cannot be changed.'),
    prefixLength: optional(
      checked(z.int(), { rule: 'self in [56, 64]', message: 'prefixLength is 56 or 64: write 64' }),
      'With IPv6Range, and needed there: length of its prefix, 56 or 64. Cannot be changed. Absent: with IPv4.',
    ),
    instanceRef: inSameRegion(ref('CloudInstance')).describe(
      'Instance that has it, for example `{name: web}`. Another one in the same region moves it there at once, and its traffic with it; an instance keeps at least one public IPv4 address. With IPv6Range by its name alone.',
    ),
    reverseDNS: optional(
      reverseName(),
      'With IPv4: the name that the address is looked up as, for example `mail.example.org`; it waits until that name leads to the address. Absent: the name that the service gives it; an adopted address keeps its own until reverseDNS was set once.',
    ),
  }),
  rules: [
    {
      rule: "(self.type == 'IPv6Range') == has(self.prefixLength)",
      message: 'prefixLength goes with type IPv6Range, and only there: write 64 or 56',
    },
    { rule: "!has(self.reverseDNS) || self.type == 'IPv4'", message: 'reverseDNS goes with type IPv4: leave it out' },
    {
      rule: "self.type != 'IPv6Range' || has(self.instanceRef.name)",
      message: 'a range is known by the address of its instance, which only a CloudInstance object tells: write instanceRef.name',
    },
  ],
  status: z.object({
    address: z.string().describe('The address or, of a range, its first one.'),
    prefix: z.int().describe('Length of its prefix.'),
    gateway: z.string().nullable().describe('Gateway; absent for a range.'),
    instanceId: z.int().nullable().describe('Id of the instance that has it, as far as the account tells it of this type.'),
    reverseDNS: z.string().nullable().describe('Name that it is looked up as.'),
    region: z.string().describe('Region, in which it stays.'),
    state: z.string().describe('`Assigned`; `Elsewhere` once it is neither where this object wants it nor where it was.'),
    routedTo: z.string().optional().describe('Where it was seen last: the id of an instance or, of a range, the IPv6 address of one.'),
  }),
  remote: Address,

  places: [single, ranges],
  path: ({ type }) => (type === 'IPv4' ? single : ranges),
  item: (remote, collection) => pathIn(collection, remote),
  id: idOf,
  ids: addressId,
  isPart: (remote) => !isRange(remote) && !isPublicIPv4(remote),
  firstIsPart: (remote) => (isPublicIPv4(remote) ? String(remote.vm_id) : undefined),
  leadsTo,
  strays: isAway,
  changesAlso,
  borrows: {
    instance: { ref: 'instanceRef', status: 'id' },
    primary: { ref: 'instanceRef', status: 'publicIPv4' },
    slaac: { ref: 'instanceRef', status: 'ipv6' },
  },
  recalls: ['routedTo'],
  parts: {
    held: {
      path: (_, remote) => `${atInstance(remote)}/${idOf(remote)}`,
      paged: false,
      schema: Held.nullable(),
      for: 'before',
      when: isPublicIPv4,
      notYet: [404],
      scopes: ['vms:read_only'],
    },
    beside: {
      path: (_, remote) => atInstance(remote),
      paged: false,
      schema: Beside.nullable(),
      for: 'before',
      when: isPublicIPv4,
      notYet: [404],
      scopes: ['vms:read_only'],
    },
  },
  // Every POST gives another one, and nothing tells whose one is. That of the instance itself is none of them, however late a list shows it.
  key: {
    enforced: 'counted',
    names: false,
    of: ({ type, instanceRef, prefixLength, borrowed }) =>
      type === 'IPv4'
        ? { vm_id: instanceRef, type: 'ipv4', public: true }
        : { route_target: borrowed?.['slaac'] ?? null, prefix: prefixLength },
    row: (row) => ({ ...row, prefix: prefixOf(row) }),
    cameBefore: ({ type, borrowed }) => {
      const primary = borrowed?.['primary'];
      return type === 'IPv4' && primary !== undefined ? [pathIn(single, { address: primary })] : [];
    },
  },

  create: ({ type, instanceRef, prefixLength }) =>
    type === 'IPv4' ? { vm_id: instanceRef, type: 'ipv4', public: true } : { prefix_length: prefixLength, vm_id: instanceRef },
  lacks: ({ type, borrowed }) =>
    type === 'IPv6Range' && borrowed?.['slaac'] === undefined
      ? 'spec.instanceRef: that CloudInstance does not show its IPv6 address, to which the range is routed'
      : undefined,
  fields: {
    type: {
      read: typeOf,
      immutable: true,
      refusals: [
        {
          text: /technical justification/i,
          says: 'the provider gives no further address before its support has been told what for: ask with a CloudSupportTicket that names the instance and the reason',
          as: 'QuotaExceeded',
        },
      ],
    },
    prefixLength: { read: (remote) => (isRange(remote) ? prefixOf(remote) : undefined), immutable: true, errors: ['prefix_length'] },
    instanceRef: {
      read: (remote, { instanceRef, borrowed }) => {
        if (!isRange(remote)) return remote.vm_id;
        const slaac = borrowed?.['slaac'];
        if (slaac === undefined) return onlyHolder(remote);
        if (remote.route_target === undefined) return undefined;
        return remote.route_target === slaac ? instanceRef : otherHolder(remote, instanceRef);
      },
      call: move,
      // It may have come free since the last look, and be another's.
      readFirst: 'item',
      notes: (to, remote, { borrowed }) => ({ routedTo: isRange(remote) ? borrowed?.['slaac'] : String(to) }),
      errors: ['vm_id', 'assignments', 'route_target'],
      refusals: [
        {
          text: /at least one public/i,
          says: 'it is the last public IPv4 address of the instance that has it, which would be cut off: give that one another address first, or have two change places with a CloudOperation of action AssignAddresses',
        },
        { text: /only one IPv6 range/i, says: 'that instance has a range already, and the service admits one: name another instance' },
        {
          text: /Invalid \w+ ID|IP Address not found/i,
          says: 'the address and the instance must be in one region, and the user of the token must be let change both instances: name another instance',
        },
      ],
    },
    reverseDNS: {
      read: (remote) => (isRange(remote) ? undefined : nameOf(remote)),
      call: (name, remote, want) => (isElsewhere(remote, want) ? undefined : nameAddress(idOf(remote), name ?? null)),
      readFirst: 'item',
      as: plainName,
      unset: 'clear',
      errors: ['rdns'],
      refusals: [noForwardName],
    },
  },
  health,
  observe,
  outputs: {
    address: {
      says: 'The address or, of a range, the network, for example `203.0.113.7` or `2001:db8:e000::/64`.',
      of: (remote) => (isRange(remote) ? `${idOf(remote)}/${String(prefixOf(remote))}` : idOf(remote)),
    },
  },
  deletion: {
    part: ['held', 'beside'],
    waits: waitsToGo,
    keeps: keptByAnother,
    call: (remote, item) => del(isRange(remote) ? item : `${atInstance(remote)}/${idOf(remote)}`),
  },

  // The list of ranges does not say whose one is.
  sweep: { by: 'list', itemTellsMore: true },
  events: [
    // An instance that is deleted takes its addresses along, and where they are assigned anew no event tells.
    { entity: 'vm', actions: ['vm_addip', 'vm_deleteip', 'vm_delete'], ofParent: true },
    { entity: 'account', actions: ['ipaddress_update'] },
  ],
  scopes: { read: ['ips:read_only'], write: ['ips:read_write', 'vms:read_write'] },
  // The same one is never to be had again.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { Address: '.status.address', Instance: '.status.instanceId', RDNS: '.status.reverseDNS' },
});
