import CloudFirewall from '../../src/kinds/cloud-firewall.ts';
import type { Fixture } from '../conformance/fixture.ts';

const everywhere = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] };
const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['203.0.113.0/24'] }, label: 'allow-ssh' } as const;
const web = { action: 'ACCEPT', protocol: 'TCP', ports: '80, 443', addresses: everywhere, description: 'The shop' } as const;
const device = (id: string | number) => ({
  id: 31,
  created: '2023-03-06T10:00:00',
  entity: { id, type: 'vm', label: 'web', url: '/v4/vm/instances/1' },
});
/** The sample with one inbound rule. */
const rule = (change: object) => ({ inbound: [{ ...ssh, ...change }] });

export default {
  kind: CloudFirewall,
  sample: {
    name: 'web-servers',
    spec: {
      inbound: [ssh, web],
      inboundPolicy: 'DROP',
      outboundPolicy: 'ACCEPT',
      tags: ['prod'],
      instanceRefs: [{ name: 'web' }],
    },
  },
  needs: { web: { kind: 'CloudInstance' }, 'web-2': { kind: 'CloudInstance', spec: { label: 'web-2' } } },
  want: {
    name: 'web-servers-abcdefgh',
    inbound: [ssh, web],
    inboundPolicy: 'DROP',
    outboundPolicy: 'ACCEPT',
    tags: ['prod'],
    instanceRefs: ['$web'],
  },
  wants: {
    'closed to all': { inbound: [], outbound: [], outboundPolicy: 'DROP' },
    'other protocols': {
      inbound: [
        { action: 'DROP', protocol: 'ICMP', addresses: everywhere },
        { action: 'ACCEPT', protocol: 'IPENCAP', addresses: everywhere },
      ],
    },
    'a label of its own': { label: 'edge.eu_1', instanceRefs: [] },
    'two instances': { instanceRefs: ['$web', '$web-2'] },
    'instances by their labels': { instanceRefs: undefined, instanceSelector: ['$web', '$web-2'] },
  },
  remote: {
    id: 7,
    label: 'web-servers-abcdefgh',
    status: 'enabled',
    rules: { inbound: [ssh, web], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
    tags: ['prod'],
    devices: [device('$web')],
    created: '2023-03-06T10:00:00',
    updated: '2023-03-06T10:00:00',
  },

  rejects: {
    'an instance by an id that leads elsewhere': [{ instanceRefs: [{ external: '1/../2' }] }, 'an id is a number'],
    'no policy': [{ inboundPolicy: undefined }, 'inboundPolicy'],
    'TCP without ports': [rule({ ports: undefined }), 'TCP and UDP need ports'],
    'ICMP with ports': [rule({ protocol: 'ICMP' }), 'have no ports'],
    'a port of 0': [rule({ ports: '0' }), 'without leading zeros'],
    'a port with a leading zero': [rule({ ports: '022' }), 'without leading zeros'],
    'a port beyond 65535': [rule({ ports: '65536' }), 'numbers of 1 to 65535'],
    'a range that goes down': [rule({ ports: '90-80' }), 'ends above its start'],
    'a range of one port': [rule({ ports: '80-80' }), 'ends above its start'],
    'a list with two spaces': [rule({ ports: '22,  80' }), 'ranges and lists'],
    'sixteen pieces': [rule({ ports: '1-2,3-4,5-6,7-8,9-10,11-12,13-14,15,16' }), 'at most 15 pieces'],
    'an address without mask': [rule({ addresses: { ipv4: ['203.0.113.7'] } }), 'with its mask'],
    'a mask beyond 32': [rule({ addresses: { ipv4: ['203.0.113.7/33'] } }), 'with its mask'],
    'an IPv6 address among IPv4': [rule({ addresses: { ipv4: ['2001:db8::/32'] } }), 'with its mask'],
    'a mask beyond 128': [rule({ addresses: { ipv6: ['2001:db8::/129'] } }), 'with its mask'],
    'more than 255 addresses': [
      rule({ addresses: { ipv4: Array.from({ length: 255 }, (_, i) => `203.0.113.${i}/32`), ipv6: ['::/0'] } }),
      'at most 255 addresses',
    ],
    'no addresses at all': [rule({ addresses: undefined }), 'addresses'],
    'more than 25 rules': [
      { inbound: Array.from({ length: 20 }, () => ssh), outbound: Array.from({ length: 6 }, () => ssh) },
      'at most 25 rules',
    ],
    'a protocol that does not exist': [rule({ protocol: 'SCTP' }), 'protocol'],
    'a label of a rule that is too short': [rule({ label: 'ab' }), 'label'],
    'a description that is too long': [rule({ description: 'a'.repeat(101) }), 'description'],
    'a label that ends in a dash': [{ label: 'web-' }, 'begins and ends with'],
    'two periods in a row': [{ label: 'web..1' }, 'in a row'],
    'names and labels of instances at once': [{ instanceSelector: { matchLabels: { tier: 'web' } } }, 'set one of them'],
    'a selector without labels': [{ instanceRefs: undefined, instanceSelector: {} }, 'matchLabels'],
    'a label that no object can have': [{ instanceRefs: undefined, instanceSelector: { matchLabels: { tier: 'a b' } } }, 'tier'],
    "a tag of the operator's": [{ tags: ['co-abcdefgh'] }, 'belong to the operator'],
  },
  edits: [
    { field: 'label', to: 'edge', calls: ['PUT {item}'], body: { label: 'edge' } },
    { field: 'enabled', to: false, calls: ['PUT {item}'], body: { status: 'disabled' } },
    {
      field: 'inbound',
      to: [web],
      calls: ['PUT {item}/rules'],
      body: { inbound: [web], outbound: [], inbound_policy: 'DROP', outbound_policy: 'ACCEPT' },
    },
    {
      field: 'inbound',
      to: [
        { ...ssh, ports: '22' },
        { ...web, ports: '80,443' },
      ],
    },
    { field: 'inboundPolicy', to: 'ACCEPT', calls: ['PUT {item}/rules'], body: { inbound_policy: 'ACCEPT' } },
    { field: 'outbound', to: [web], calls: ['PUT {item}/rules'], body: { outbound: [web] } },
    { field: 'outboundPolicy', to: 'DROP', calls: ['PUT {item}/rules'], body: { outbound_policy: 'DROP' } },
    { field: 'tags', to: [], calls: ['PUT {item}'], body: { tags: [] } },
    {
      field: 'instanceRefs',
      to: ['$web-2'],
      spec: [{ name: 'web-2' }],
      calls: ['POST {item}/devices', 'DELETE {item}/devices/*'],
      body: { type: 'vm' },
    },
    { field: 'instanceRefs', to: [], calls: ['DELETE {item}/devices/*'] },
    { field: 'instanceRefs', to: undefined },
    {
      field: 'instanceSelector',
      to: ['$web', '$web-2'],
      spec: { matchLabels: { tier: 'web' } },
      with: { instanceRefs: undefined },
      calls: ['POST {item}/devices'],
    },
  ],
  plans: [
    {
      name: 'rules in another order are drift',
      want: { inbound: [web, ssh] },
      step: { do: 'update', call: { path: '/networking/firewalls/7/rules' } },
    },
    {
      name: 'null and absent parts of rules are no drift',
      remote: {
        rules: {
          inbound: [
            { ...ssh, description: null },
            { ...web, label: null },
          ],
          inbound_policy: 'DROP',
          outbound: null,
          outbound_policy: 'ACCEPT',
        },
      },
      want: { outbound: [] },
      step: { do: 'nothing' },
    },
    {
      name: 'rules that the spec does not manage are sent along',
      want: { outboundPolicy: 'DROP' },
      remote: { rules: { inbound: [ssh, web], inbound_policy: 'DROP', outbound: [{ ...web, note: 'theirs' }], outbound_policy: 'ACCEPT' } },
      step: { do: 'update', call: { body: { outbound: [{ note: 'theirs' }], outbound_policy: 'DROP' } } },
    },
    {
      name: 'all rules are repaired by one call',
      want: { inbound: [ssh], inboundPolicy: 'ACCEPT' },
      step: { do: 'update', call: { body: { inbound: [ssh], inbound_policy: 'ACCEPT' } } },
    },
    {
      name: 'another address is drift',
      want: { inbound: [{ ...ssh, addresses: { ipv4: ['203.0.113.9/32'] } }, web] },
      step: { do: 'update' },
    },
    { name: 'another label of a rule is drift', want: { inbound: [{ ...ssh, label: 'ssh' }, web] }, step: { do: 'update' } },
    {
      name: 'addresses in another order or spelling are no drift',
      want: { inbound: [{ ...ssh, addresses: { ipv4: ['10.0.0.0/8', '203.0.113.0/24'], ipv6: ['2001:DB8:0::/32'] } }, web] },
      remote: {
        rules: {
          inbound: [{ ...ssh, addresses: { ipv4: ['203.0.113.0/24', '10.0.0.0/8'], ipv6: ['2001:db8::/32'] } }, web],
          inbound_policy: 'DROP',
          outbound_policy: 'ACCEPT',
        },
      },
      step: { do: 'nothing' },
    },
    {
      name: 'devices that were not read give no verdict',
      remote: { devices: undefined },
      context: { pending: false },
      step: { do: 'nothing' },
    },
    { name: 'devices are read before an edit', remote: { devices: undefined }, step: { do: 'read', part: 'devices' } },
    {
      name: 'a device of another kind is left alone',
      remote: { devices: [device('$web'), { id: 32, entity: { id: 9, type: 'nodebalancer' } }] },
      step: { do: 'nothing' },
    },
    {
      name: 'a firewall that was disabled is enabled again',
      want: { enabled: true },
      remote: { status: 'disabled' },
      step: { do: 'update', call: { body: { status: 'enabled' } } },
    },
    { name: 'a deleted firewall is broken', remote: { status: 'deleted' }, step: { do: 'refuse', reason: 'RemoteFailed' } },
    {
      name: 'it is made with its instances',
      remote: null,
      step: { do: 'create', call: { body: { devices: { vms: [101] }, rules: { inbound_policy: 'DROP', outbound: [] } } } },
    },
    { name: 'it is deleted with its devices', deleting: true, step: { do: 'delete', call: { path: '/networking/firewalls/7' } } },
  ],
} satisfies Fixture<typeof CloudFirewall>;
