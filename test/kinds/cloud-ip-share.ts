import CloudIPShare from '../../src/kinds/cloud-ip-share.ts';
import type { Fixture } from '../conformance/fixture.ts';

const from = (name: string) => ({ addressFrom: { instanceRef: { name }, address: 'PublicIPv4' } });
/** As the emulator gives them, in this order. */
const addressOf = { other: '172.0.0.2', web: '172.0.0.4' };
const one = (address: string): { readonly addresses: unknown } => ({ addresses: [{ address }] });
const shared = (...addresses: readonly string[]) => ({ ipv4: { shared: addresses.map((address) => ({ address })) } });

export default {
  kind: CloudIPShare,
  sample: { name: 'standby', spec: { instanceRef: { name: 'web-2' }, addresses: [from('web')] } },
  needs: {
    'web-3': { kind: 'CloudInstance', spec: { label: 'web-3' } },
    web: { kind: 'CloudInstance' },
    'web-2': { kind: 'CloudInstance', spec: { label: 'web-2' } },
  },
  want: { name: 'standby-abcdefgh', instanceRef: '$web-2', addresses: [{ addressFrom: addressOf.web }] },
  wants: {
    'by their text': { addresses: [{ address: addressOf.web }] },
    'of two instances': { addresses: [{ addressFrom: addressOf.other }, { addressFrom: addressOf.web }] },
    'the same twice': { addresses: [{ address: addressOf.web }, { addressFrom: addressOf.web }] },
    none: { addresses: [] },
    'by its object': { addresses: [{ addressRef: addressOf.web }] },
  },
  remote: { ...shared(addressOf.web), ipv6: { global: [] } },

  rejects: {
    'no instance': [{ instanceRef: undefined }, 'instanceRef'],
    'a name that no object can have': [{ instanceRef: { name: '../web' } }, 'a name has lower-case'],
    'an id that leads elsewhere': [{ instanceRef: { external: '../vm/instances/1002' } }, 'an id is a number'],
    'nothing about addresses': [{ addresses: undefined }, 'addresses'],
    'an address that is none': [one('web.example.org'), 'write for example 203.0.113.7'],
    'an address with its prefix length': [one('203.0.113.7/24'), 'without prefix length'],
    'a number too great for an address': [one('203.0.113.700'), 'write for example 203.0.113.7'],
    'an element that names nothing': [{ addresses: [{}] }, 'exactly one of address, addressFrom and addressRef'],
    'an element that names two': [
      { addresses: [{ address: '203.0.113.7', ...from('web') }] },
      'exactly one of address, addressFrom and addressRef',
    ],
    'an address that instances do not publish': [
      { addresses: [{ addressFrom: { instanceRef: { name: 'web' }, address: 'IPv6' } }] },
      'address',
    ],
    'an id in place of an object': [
      { addresses: [{ addressFrom: { instanceRef: { external: 5 }, address: 'PublicIPv4' } }] },
      'write name',
    ],
  },
  edits: [
    { field: 'instanceRef', to: '$web-3', spec: { name: 'web-3' }, refused: true, admissionOnly: true },
    {
      field: 'addresses',
      to: [{ addressFrom: addressOf.web }, { addressFrom: addressOf.other }],
      spec: [from('web'), from('web-3')],
      calls: ['POST /networking/ips/share'],
      body: { vm_id: '$web-2', ips: [addressOf.other, addressOf.web] },
    },
    { field: 'addresses', to: [], calls: ['POST /networking/ips/share'], body: { ips: [] } },
  ],
  plans: [
    {
      name: 'the order is no difference',
      want: { addresses: [{ addressFrom: addressOf.other }, { addressFrom: addressOf.web }] },
      remote: shared(addressOf.web, addressOf.other),
      step: { do: 'nothing' },
    },
    {
      name: 'what somebody else added is taken away',
      remote: shared(addressOf.web, addressOf.other),
      step: { do: 'update', call: { path: '/networking/ips/share', segment: 'v4beta', body: { ips: [addressOf.web] } } },
    },
    {
      name: 'a range that is routed to the instance itself is none of it',
      remote: { ipv6: { global: [{ range: '2600:3c06:e000::', prefix: 64, route_target: '2600:3c06::1' }] } },
      step: { do: 'nothing' },
    },
    {
      name: 'another spelling of a range is the same range',
      want: { addresses: [{ addressFrom: addressOf.web }, { address: '2600:3C06:E000:0::' }] },
      remote: { ipv6: { global: [{ range: '2600:3c06:e000::', prefix: 64, route_target: null }] } },
      step: { do: 'nothing' },
    },
    {
      name: 'while an address is not known yet nothing is taken away',
      want: { addresses: [{ addressFrom: addressOf.other }], awaited: ['addresses'] },
      remote: shared(addressOf.web),
      step: { do: 'update', call: { body: { ips: [addressOf.other, addressOf.web] } } },
    },
    {
      name: 'and where all that is known is there nothing is done',
      want: { addresses: [{ addressFrom: addressOf.other }], awaited: ['addresses'] },
      remote: shared(addressOf.web, addressOf.other),
      step: { do: 'nothing' },
    },
    {
      name: 'when its object goes nothing is shared any more',
      deleting: true,
      step: { do: 'delete', call: { path: '/networking/ips/share', body: { ips: [] } } },
    },
  ],
} satisfies Fixture<typeof CloudIPShare>;
