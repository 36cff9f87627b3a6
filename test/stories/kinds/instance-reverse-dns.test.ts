import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const kind = 'CloudInstance';
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
interface Row {
  readonly address: string;
  readonly vm_id: number;
  readonly type: string;
  readonly public: boolean;
  readonly rdns: string | null;
}

let world: World;
let colleague: CloudUser;
let operator: RunningOperator;
let at: string;
const rows = () => world.emulator.control.rows('addresses') as never as readonly Row[];
const addressOf = (type: 'ipv4' | 'ipv6') => rows().find((row) => row.type === type && row.public)?.address ?? '';
const nameOf = (address: string) => rows().find((row) => row.address === address)?.rdns;
const puts = () => changesOf(world).filter((call) => call.startsWith('PUT /networking'));
const asked = () => world.emulator.control.requests().filter(({ method, path }) => method === 'GET' && path === `${at}/ips`).length;
async function forward(name: string, target: string, type = 'A'): Promise<void> {
  const zones = await colleague.list('/domains');
  const id =
    zones[0]?.['id'] ?? (await colleague.post('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' }))['id'];
  await colleague.post(`/domains/${String(id)}/records`, { type, name, target });
}
const vip = (more: object) => ({ type: 'IPv4', instanceRef: { name: 'web' }, adopt: { id: addressOf('ipv4') }, ...more });
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  colleague = new CloudUser(world);
  await world.account();
  operator = await world.start();
  await world.apply(kind, 'web', machine);
  at = String((await world.ready(kind, 'web')).status?.['path']);
});

describe('the name of the addresses of an instance', () => {
  it('is set once it leads to them, by one call for each, and stays when the field goes', async () => {
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'web.example.org', ipv6: 'web6.example.org' } } });
    const { message } = await world.reason(kind, 'web', 'Busy', 600_000);
    expect(message).toContain('spec.reverseDNS: that name does not lead to this address yet');
    await forward('web', addressOf('ipv4'));
    await forward('web6', addressOf('ipv6'), 'AAAA');
    await world.clock.advance(5000);
    await world.ready(kind, 'web', 1_800_000);
    await world.clock.advance(600_000);
    expect([nameOf(addressOf('ipv4')), nameOf(addressOf('ipv6'))]).toEqual(['web.example.org', 'web6.example.org']);
    expect((await world.get(kind, 'web')).status?.['reverseDNS']).toEqual([
      `${addressOf('ipv4')} web.example.org`,
      `${addressOf('ipv6')} web6.example.org`,
    ]);
    const before = puts().length;
    await world.patch(kind, 'web', { spec: { reverseDNS: null } });
    await world.clock.advance(900_000);
    expect(puts()).toHaveLength(before);
    expect(nameOf(addressOf('ipv4'))).toBe('web.example.org');
    expect(world.panics).toEqual([]);
  });
  it('is put right when somebody changes it, also after a restart', async () => {
    for (const name of ['web', 'other']) await forward(name, addressOf('ipv4'));
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'Web.example.org' } } });
    await world.clock.runUntil(() => Promise.resolve(nameOf(addressOf('ipv4')) === 'Web.example.org'), 600_000);
    await world.clock.advance(600_000);
    expect(puts()).toHaveLength(1);
    operator.process.kill();
    await world.start();
    await world.clock.advance(60_000);
    await colleague.put(`/networking/ips/${addressOf('ipv4')}`, { rdns: 'other.example.org' });
    await world.clock.runUntil(() => Promise.resolve(nameOf(addressOf('ipv4')) === 'Web.example.org'), 900_000);
  });
  it('is not given to an address that has just left the instance', async () => {
    await world.apply(kind, 'db', machine);
    const { id: db } = (await world.ready(kind, 'db')).status ?? {};
    const left = addressOf('ipv4');
    await forward('web', left);
    await world.clock.advance(600_000);
    const { address: further } = await colleague.post('/networking/ips', {
      vm_id: Number(at.split('/').at(-1)),
      type: 'ipv4',
      public: true,
    });
    await world.clock.advance(600_000);
    await colleague.post('/networking/ips/assign', { region: 'eu-central', assignments: [{ address: left, vm_id: Number(db) }] });
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'web.example.org' } } });
    await world.clock.advance(900_000);
    expect(nameOf(left)).not.toBe('web.example.org');
    expect(puts().every((call) => call === `PUT /networking/ips/${String(further)}`)).toBe(true);
  });
  it('costs nobody a call who does not ask for it', async () => {
    await world.clock.advance(3_600_000);
    const without = asked();
    await forward('web', addressOf('ipv4'));
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'web.example.org' } } });
    await world.ready(kind, 'web', 600_000);
    const before = asked();
    await world.clock.advance(3_600_000);
    expect(asked() - before).toBeGreaterThan(without + 5);
  });
});

describe('where a CloudIPAddress stands for the address', () => {
  it('that one says its name, and the instance says so and is woken when it goes', async () => {
    for (const name of ['web', 'vip']) await forward(name, addressOf('ipv4'));
    await world.apply('CloudIPAddress', 'vip', vip({ reverseDNS: 'vip.example.org' }));
    await world.ready('CloudIPAddress', 'vip');
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'web.example.org' } } });
    const { message } = await world.reason(kind, 'web', 'InvalidSpec', 600_000);
    expect(message).toContain('spec.reverseDNS');
    expect(message).toContain(`${addressOf('ipv4')} is that of CloudIPAddress team-a/vip`);
    await world.clock.advance(900_000);
    expect(nameOf(addressOf('ipv4'))).toBe('vip.example.org');
    expect(puts()).toHaveLength(1);
    await world.delete('CloudIPAddress', 'vip');
    await world.gone('CloudIPAddress', 'vip');
    await world.ready(kind, 'web', 120_000);
    expect(nameOf(addressOf('ipv4'))).toBe('web.example.org');
  });
  it('and which has just become the first of the instance, it is let alone', async () => {
    await world.apply(kind, 'db', machine);
    const { id: db } = (await world.ready(kind, 'db')).status ?? {};
    const left = addressOf('ipv4');
    const vm = Number(at.split('/').at(-1));
    const { address: further } = await colleague.post('/networking/ips', { vm_id: vm, type: 'ipv4', public: true });
    await forward('web', left);
    for (const name of ['other', 'vip']) await forward(name, String(further));
    await world.apply('CloudIPAddress', 'vip', vip({ adopt: { id: further }, reverseDNS: 'vip.example.org' }));
    await world.ready('CloudIPAddress', 'vip');
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'web.example.org' } } });
    await world.clock.runUntil(() => Promise.resolve(nameOf(left) === 'web.example.org'), 600_000);
    await world.clock.advance(600_000);
    const before = puts();
    await colleague.post('/networking/ips/assign', { region: 'eu-central', assignments: [{ address: left, vm_id: Number(db) }] });
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'other.example.org' } } });
    await world.clock.advance(900_000);
    expect(puts()).toEqual(before);
    expect((await world.condition(kind, 'web', 'Synced'))?.reason).toBe('InvalidSpec');
  });
  it('that comes later, it is let alone from then on', async () => {
    for (const name of ['web', 'vip']) await forward(name, addressOf('ipv4'));
    await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'web.example.org' } } });
    await world.clock.runUntil(() => Promise.resolve(nameOf(addressOf('ipv4')) === 'web.example.org'), 600_000);
    await world.apply('CloudIPAddress', 'vip', vip({ reverseDNS: 'vip.example.org' }));
    await world.clock.runUntil(() => Promise.resolve(nameOf(addressOf('ipv4')) === 'vip.example.org'), 600_000);
    await world.clock.advance(1_800_000);
    expect(puts()).toHaveLength(2);
    expect((await world.condition(kind, 'web', 'Synced'))?.reason).toBe('InvalidSpec');
    expect((await world.condition('CloudIPAddress', 'vip', 'Synced'))?.status).toBe('True');
  });
});

it('a token that may not name addresses is told which scope it lacks, before any call, and others are told of none', async () => {
  const scopes = 'vms:read_write events:read_only account:read_only';
  world.emulator.control.setToken({ token: 'token-narrow', username: 'admin', scopes });
  const data = { token: Buffer.from('token-narrow').toString('base64') };
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data });
  await world.clock.advance(120_000);
  expect((await world.get('CloudAccount', 'default')).status?.['missingScopes'] ?? []).not.toContain('ips:read_write');
  await forward('web', addressOf('ipv4'));
  await world.patch(kind, 'web', { spec: { reverseDNS: { ipv4: 'web.example.org' } } });
  const { message } = await world.reason(kind, 'web', 'Forbidden', 600_000);
  expect(message).toContain('ips:read_write');
  expect(puts()).toEqual([]);
});
