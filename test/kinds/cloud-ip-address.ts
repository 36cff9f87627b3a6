import CloudIPAddress from '../../src/kinds/cloud-ip-address.ts';
import type { Fixture } from '../conformance/fixture.ts';

/** As the emulator gives them, in this order. */
const slaac = { web: '2600:3c06::f03c:91ff:fe00:2', 'web-2': '2600:3c06::f03c:91ff:fe00:4' };
const item = '/networking/ips/172.0.0.6';
const range = {
  address: undefined,
  type: undefined,
  public: undefined,
  gateway: undefined,
  rdns: undefined,
  vm_id: undefined,
  range: '2600:3d06:0:100::',
  prefix: 64,
  route_target: slaac.web,
};
const wanted = { type: 'IPv6Range', prefixLength: 64, borrowed: { instance: '$web', slaac: slaac.web } } as const;
const inRange = { type: 'IPv6Range', prefixLength: 64 };

export default {
  kind: CloudIPAddress,
  sample: { name: 'mail', spec: { type: 'IPv4', instanceRef: { name: 'web' } } },
  needs: {
    web: { kind: 'CloudInstance' },
    'web-2': { kind: 'CloudInstance', spec: { label: 'web-2' } },
  },
  want: {
    name: 'mail-abcdefgh',
    type: 'IPv4',
    instanceRef: '$web',
    borrowed: { instance: '$web', primary: '172.0.0.2', slaac: slaac.web },
    recalled: { routedTo: '$web' },
  },
  wants: {
    'a range': { ...wanted, recalled: {} },
    'a great range': { ...wanted, prefixLength: 56, recalled: {} },
  },
  remote: {
    address: '172.0.0.6',
    gateway: '172.0.0.1',
    subnet_mask: '255.255.255.0',
    prefix: 24,
    type: 'ipv4',
    public: true,
    rdns: '172-0-0-6.ip.vmusercontent.com',
    vm_id: '$web',
    region: 'eu-central',
  },

  rejects: {
    'no type': [{ type: undefined }, 'type'],
    'an address of the private network': [{ type: 'PrivateIPv4' }, 'type'],
    'no instance': [{ instanceRef: undefined }, 'instanceRef'],
    'an instance by an id that leads elsewhere': [{ instanceRef: { external: '../volumes/7' } }, 'an id is a number'],
    'a range without a length': [{ type: 'IPv6Range' }, 'write 64 or 56'],
    'a range of a length that there is not': [{ ...inRange, prefixLength: 60 }, 'prefixLength is 56 or 64'],
    'an address with a length': [{ prefixLength: 64 }, 'prefixLength goes with type IPv6Range'],
    'a range with a name': [{ ...inRange, reverseDNS: 'mail.example.org' }, 'reverseDNS goes with type IPv4'],
    'a range of an instance without an object': [{ ...inRange, instanceRef: { external: 5 } }, 'write instanceRef.name'],
    'a name that is no host': [{ reverseDNS: 'mail' }, 'write for example mail.example.org'],
    'a name with its final dot': [{ reverseDNS: 'mail.example.org.' }, 'without a final dot'],
    'one that leads elsewhere': [{ adopt: { id: '../vm/instances/1002' } }, 'the id of an address is the address itself'],
  },
  edits: [
    {
      field: 'instanceRef',
      to: '$web-2',
      spec: { name: 'web-2' },
      calls: ['POST /networking/ipv4/assign'],
      body: { region: 'eu-central', assignments: [{ address: '172.0.0.6', vm_id: '$web-2' }] },
    },
  ],
  exempt: {
    'edits reverseDNS': 'the name must lead to the address first, and which one that will be nobody knows before it is there',
  },
  plans: [
    {
      name: 'a name is set by its own call',
      want: { reverseDNS: 'mail.example.org' },
      step: { do: 'update', call: { method: 'PUT', path: item, body: { rdns: 'mail.example.org' } } },
    },
    {
      name: 'a name that is gone from the spec makes way for that of the service',
      remote: { rdns: 'mail.example.org' },
      step: { do: 'update', call: { path: item, body: { rdns: null } } },
    },
    { name: 'an older name of the service is no name', remote: { rdns: 'li123-456.members.example.com' }, step: { do: 'nothing' } },
    {
      name: 'another spelling of a name is the same name',
      want: { reverseDNS: 'Mail.example.org' },
      remote: { rdns: 'mail.example.org' },
      step: { do: 'nothing' },
    },
    { name: 'what came free and is somebody else’s is let alone', remote: { vm_id: 4711 }, step: { do: 'refuse', reason: 'RemoteFailed' } },
    {
      name: 'and is not released either',
      remote: { vm_id: 4711 },
      deleting: true,
      step: { do: 'refuse', reason: 'Rejected' },
    },
    { name: 'a private address is not what it wants', remote: { public: false }, step: { do: 'refuse', reason: 'ImmutableField' } },
    { name: 'and is never released', remote: { public: false }, deleting: true, step: { do: 'refuse', reason: 'Rejected' } },
    {
      name: 'that of the instance itself is never released',
      remote: { type: 'ipv6', address: slaac.web },
      deleting: true,
      step: { do: 'refuse', reason: 'Rejected' },
    },
    {
      name: 'the last one of an instance is not released',
      remote: { held: { address: '172.0.0.6' }, beside: { ipv4: { public: [{ address: '172.0.0.6' }] } } },
      deleting: true,
      step: { do: 'refuse', reason: 'Rejected' },
    },
    {
      name: 'one of two is released from its instance',
      remote: { held: { address: '172.0.0.6' }, beside: { ipv4: { public: [{ address: '172.0.0.2' }, { address: '172.0.0.6' }] } } },
      deleting: true,
      step: { do: 'delete', call: { method: 'DELETE', path: '/vm/instances/101/ips/172.0.0.6' } },
    },
    { name: 'one that has just been moved is looked for again', remote: { held: null }, deleting: true, step: { do: 'wait' } },
    { name: 'a range at its instance is at rest', want: wanted, remote: range, step: { do: 'nothing' } },
    {
      name: 'a range is moved with its length',
      want: { ...wanted, instanceRef: '$web-2', borrowed: { slaac: slaac['web-2'] }, recalled: { routedTo: slaac.web } },
      remote: range,
      step: {
        do: 'update',
        call: { path: '/networking/ips/assign', body: { assignments: [{ address: '2600:3d06:0:100::/64', vm_id: 102 }] } },
      },
    },
    {
      name: 'a range of another length is another range',
      want: wanted,
      remote: { ...range, prefix: 56 },
      step: { do: 'refuse', reason: 'ImmutableField' },
    },
    {
      name: 'what only the create has told of a range is not all of it',
      want: wanted,
      remote: { ...range, range: '2600:3d06:0:100::/64', prefix: undefined, region: undefined },
      step: { do: 'wait' },
    },
    {
      name: 'a range is deleted by itself',
      want: wanted,
      remote: range,
      deleting: true,
      step: { do: 'delete', call: { method: 'DELETE' } },
    },
  ],
} satisfies Fixture<typeof CloudIPAddress>;
