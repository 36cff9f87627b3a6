import { expect, test } from 'vitest';
import { testAccount } from '../test-account.ts';

const ssh = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['0.0.0.0/0'] } };
const policies = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' };
const at = 'rules.inbound[0]';
const many = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}/32`);

async function problems(inbound: readonly object[], outbound: readonly object[] = []): Promise<readonly string[]> {
  const api = testAccount();
  return (await api.post('/networking/firewalls', { label: 'web', rules: { ...policies, inbound, outbound } })).errors;
}

test.each([
  ['nothing', {}, ['action: action is required', 'protocol: protocol is required', 'addresses: addresses is required']],
  ['an unknown action', { ...ssh, action: 'REJECT' }, ['action: action is not valid']],
  ['a protocol in small letters', { ...ssh, protocol: 'tcp' }, ['protocol: protocol is not valid']],
  [
    'an IPv6 network as IPv4',
    { ...ssh, addresses: { ipv4: ['192.0.2.0/24', '::/0'] } },
    ['addresses.ipv4[1]: Must contain only valid IPv4 addresses or networks'],
  ],
  [
    'a mask too long',
    { ...ssh, addresses: { ipv6: ['2001:db8::/129'] } },
    ['addresses.ipv6[0]: Must contain only valid IPv6 addresses or networks'],
  ],
  ['addresses that are no object', { ...ssh, addresses: ['192.0.2.0/24'] }, ['addresses: addresses is not valid']],
  ['a short label', { ...ssh, label: 'ab' }, ['label: Length must be 3-32 characters']],
  ['a long description', { ...ssh, description: 'd'.repeat(101) }, ['description: Length must be 1-100 characters']],
  ['TCP without ports', { ...ssh, ports: undefined }, ['ports: ports is required']],
  ['ports of IPENCAP', { ...ssh, protocol: 'IPENCAP' }, ['ports: ports is not valid']],
])('refused with its path: %s', async (_what, rule, expected) => {
  expect(await problems([rule])).toEqual(expected.map((item) => `${at}.${item}`));
});

test.each(['0', '022', '65536', '80-80', '90-80', '80-', 'ssh', '22,', '22 ,80', '22,  80', '1-2-3', ' 22'])(
  'ports refused: "%s"',
  async (ports) => {
    expect(await problems([{ ...ssh, ports }])).toEqual([`${at}.ports: ports is not valid`]);
  },
);

test.each(['1', '65535', '22-24, 80, 443', '22,80', '1-65535'])('ports taken: "%s"', async (ports) => {
  expect(await problems([{ ...ssh, ports }])).toEqual([]);
});

test('at most 15 pieces of ports; a range is two', async () => {
  const single = Array.from({ length: 13 }, (_, index) => `${index + 1}`);
  expect(await problems([{ ...ssh, ports: [...single, '100-200'].join(',') }])).toEqual([]);
  expect(await problems([{ ...ssh, ports: [...single, '99', '100-200'].join(',') }])).toEqual([`${at}.ports: Must be 1-15 items`]);
});

test('at most 255 addresses in a rule, and 25 rules in both directions', async () => {
  expect(await problems([{ ...ssh, addresses: { ipv4: many(255), ipv6: null } }])).toEqual([]);
  expect(await problems([{ ...ssh, addresses: { ipv4: many(255), ipv6: ['::/0'] } }])).toEqual([`${at}.addresses: Must be 0-255 items`]);
  const list = (count: number) => Array.from({ length: count }, () => ssh);
  expect(await problems(list(20), list(5))).toEqual([]);
  expect(await problems(list(20), list(6))).toEqual(['rules: Must be 0-25 items']);
});

test('problems of several rules come together', async () => {
  expect(await problems([ssh, { ...ssh, ports: '0' }], [{ ...ssh, action: 'X' }])).toEqual([
    'rules.inbound[1].ports: ports is not valid',
    'rules.outbound[0].action: action is not valid',
  ]);
});
