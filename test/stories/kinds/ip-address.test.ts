import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudIPAddress';
const machine = { region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Delete' } };
const address = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'IPv4',
  instanceRef: { name: 'web' },
  lifecycle: { onDelete: 'Delete' },
  ...more,
});
const range = { type: 'IPv6Range', prefixLength: 64 };
interface Row {
  readonly address: string;
  readonly vm_id: number;
  readonly type: string;
  readonly rdns: string | null;
}

let world: World;
let colleague: CloudUser;
beforeEach(() => begin());
/** Two instances in a region; the account may have further addresses. */
async function begin(knobs: Record<string, unknown> = {}): Promise<void> {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true, ...knobs } } });
  colleague = new CloudUser(world);
  await world.account();
  await world.start();
  for (const name of ['web', 'db']) await world.apply('CloudInstance', name, machine);
  for (const name of ['web', 'db']) await world.ready('CloudInstance', name);
}
const statusOf = async (name: string, of = kind): Promise<Record<string, unknown>> => ({ ...(await world.get(of, name)).status });
const idOf = async (name: string): Promise<number> => Number((await statusOf(name, 'CloudInstance'))['id']);
const rows = (): readonly Row[] => (world.emulator.control.rows('addresses') as never as Row[]).filter(({ type }) => type === 'ipv4');
const of = async (name: string): Promise<readonly string[]> => {
  const id = await idOf(name);
  return rows().flatMap((row) => (row.vm_id === id ? [row.address] : []));
};
const spoil = (effect: Parameters<World['emulator']['control']['addFault']>[0]['effect'], path = '/networking/ips'): number =>
  world.emulator.control.addFault({ match: { method: 'POST', path, username: 'admin' }, times: 1, effect });
const sent = (begins = ''): readonly string[] => changesOf(world).filter((call) => call.includes('/ip') && call.startsWith(begins));
const ready = async (name = 'mail'): Promise<string> => String((await world.ready(kind, name)).status?.['address']);
const text = async (name: string, reason: string): Promise<string> => (await world.reason(kind, name, reason, 3_600_000)).message;
/** What keeps it from going on, for a person to read. */
async function stalled(name = 'mail'): Promise<string> {
  await world.clock.runUntil(async () => (await world.condition(kind, name, 'Stalled'))?.status === 'True', 3_600_000);
  return (await world.condition(kind, name, 'Stalled'))?.message ?? '';
}

/** The provider gives what was freed to the next machine. */
async function given(mine: string): Promise<number> {
  const { id } = await colleague.post('/vm/instances', { region: 'eu-central', type: 'g6-nanode-1', label: 'victim' });
  const own = rows().find(({ vm_id: at }) => at === id);
  world.emulator.control.edit({ collection: 'addresses', key: mine, row: { ...own, address: mine } });
  return Number(id);
}
const rangeRows = (): readonly { range: string; vm_id: number }[] => world.emulator.control.rows('ipv6 ranges') as never;

describe('a further address', () => {
  it('is allocated by one call, and shown with where it is', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    expect(await of('web')).toContain(mine);
    expect(await statusOf('mail')).toMatchObject({
      id: mine,
      path: `/networking/ips/${mine}`,
      instanceId: await idOf('web'),
      state: 'Assigned',
      region: 'eu-central',
      prefix: 24,
    });
    expect(sent()).toEqual(['POST /networking/ips']);
  });
  it('says what to do where the provider wants to know what for', async () => {
    await begin({ extraPublicAddresses: false });
    await world.apply(kind, 'mail', address());
    const message = await text('mail', 'QuotaExceeded');
    expect(message).toContain('CloudSupportTicket');
    expect(message).toContain('spec.type');
    await world.clock.advance(1_200_000);
    expect(sent()).toHaveLength(1);
  });
  it('gets its name once that leads to it, loses it with the field, and a bad day of DNS is no failure', async () => {
    await world.apply(kind, 'mail', address({ reverseDNS: 'mail.example.org' }));
    const message = await text('mail', 'Busy');
    expect(message).toContain('spec.reverseDNS: that name does not lead to this address yet');
    const mine = String((await statusOf('mail'))['address']);
    await world.apply('CloudDomain', 'example', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
    await world.apply('CloudDomainRecord', 'mail', { domainRef: { name: 'example' }, type: 'A', host: 'mail', target: mine });
    await ready();
    expect(rows().find((row) => row.address === mine)?.rdns).toBe('mail.example.org');
    await world.patch(kind, 'mail', { spec: { reverseDNS: null } });
    await world.clock.advance(10_000);
    await ready();
    expect(rows().find((row) => row.address === mine)?.rdns).toMatch(/^172-0-0-\d+[.]ip[.]/);
  });
  it('keeps a name that it had when it was adopted', async () => {
    const id = await idOf('web');
    const { address: theirs } = await colleague.post('/networking/ips', { vm_id: id, type: 'ipv4', public: true });
    const { id: zone } = await colleague.post('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    await colleague.post(`/domains/${String(zone)}/records`, { type: 'A', name: 'old', target: theirs });
    await world.clock.advance(600_000);
    await colleague.put(`/networking/ips/${String(theirs)}`, { rdns: 'old.example.org' });
    await world.apply(kind, 'mail', address({ adopt: { id: theirs } }));
    expect(await ready()).toBe(theirs);
    await world.clock.advance(600_000);
    expect((await statusOf('mail'))['reverseDNS']).toBe('old.example.org');
    expect(sent()).toEqual([]);
  });
});

describe('a move', () => {
  it('takes one call, and leaves no instance without an address', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.advance(1000);
    await ready();
    expect(await of('db')).toContain(mine);
    expect(sent()).toEqual(['POST /networking/ips', 'POST /networking/ipv4/assign']);
    const [first, ...more] = await of('db');
    expect(more).toEqual([mine]);
    await colleague.delete(`/vm/instances/${await idOf('db')}/ips/${String(first)}`);
    await world.clock.advance(60_000);
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'web' } } });
    const message = await text('mail', 'Rejected');
    expect(message).toContain('it is the last public IPv4 address of the instance that has it');
    expect(await of('db')).toEqual([mine]);
  });
  it('may be taken back before it was done', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.runUntil(() => Promise.resolve(sent('POST /networking/ipv4').length > 0), 30_000);
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'web' } } });
    await world.clock.advance(120_000);
    await ready();
    expect(await of('web')).toContain(mine);
  });
  it('to another region is refused with the field', async () => {
    await world.apply('CloudInstance', 'far', { ...machine, region: 'us-east' });
    await world.ready('CloudInstance', 'far');
    await world.apply(kind, 'mail', address());
    await ready();
    // Of an instance without an object only the service knows where it is.
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: null, external: await idOf('far') } } });
    expect(await text('mail', 'Rejected')).toContain('spec.instanceRef: the address and the instance must be in one region');
  });
  it('by somebody else is told, and not undone: nobody knows whose it is then', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    const to = await idOf('db');
    await colleague.post('/networking/ipv4/assign', { region: 'eu-central', assignments: [{ address: mine, vm_id: to }] });
    expect(await stalled()).toContain(`${mine} is routed to instance ${to} by now`);
    expect((await statusOf('mail'))['state']).toBe('Elsewhere');
    expect(sent()).toHaveLength(1);
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.advance(1000);
    await ready();
    expect(sent()).toHaveLength(1);
  });
});

describe('a create whose answer never came', () => {
  it('is never sent twice while something has come about, and a person says what that is', async () => {
    spoil({ kind: 'lose-answer' });
    await world.apply(kind, 'mail', address());
    const message = await text('mail', 'Ambiguous');
    const [, made] = await of('web');
    expect(message).toContain(`/networking/ips/${made}`);
    await world.clock.advance(7_200_000);
    expect(sent()).toHaveLength(1);
    await world.patch(kind, 'mail', { spec: { adopt: { id: made } } });
    expect(await ready()).toBe(made);
    expect(await of('web')).toHaveLength(2);
  });
  it('is sent again once it surely made nothing', async () => {
    spoil({ kind: 'lose-request' });
    await world.apply(kind, 'mail', address());
    await ready();
    expect(sent()).toHaveLength(2);
    expect(await of('web')).toHaveLength(2);
  });
  it('takes nothing that another object has allocated meanwhile', async () => {
    spoil({ kind: 'lose-request' });
    await world.apply(kind, 'mail', address());
    await world.reason(kind, 'mail', 'UnknownOutcome');
    await world.apply(kind, 'other', address());
    await ready('other');
    await ready('mail');
    expect(await ready('mail')).not.toBe(await ready('other'));
    expect(await of('web')).toHaveLength(3);
  });
  it('takes the address of the instance itself for none of its own, however late lists show that', async () => {
    await begin({ listLagSeconds: 60 });
    spoil({ kind: 'lose-request' });
    await world.apply('CloudInstance', 'new', machine);
    await world.apply(kind, 'mail', address({ instanceRef: { name: 'new' } }));
    const mine = await ready();
    expect(mine).not.toBe((await statusOf('new', 'CloudInstance'))['publicIPv4']);
    expect(await of('new')).toHaveLength(2);
  });
});

describe('an object that was made by its second attempt', () => {
  it('has the address of no instance for a second one, also when it has been moved', async () => {
    spoil({ kind: 'lose-request' });
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    expect(sent()).toHaveLength(2);
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.advance(1_200_000);
    expect((await world.condition(kind, 'mail', 'Synced'))?.reason).toBe('Available');
    expect(await of('db')).toContain(mine);
    expect(await of('web')).toHaveLength(1);
  });
});

describe('its end', () => {
  it('is looked at right before, and takes nothing else', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    const before = world.emulator.control.requests().length;
    await world.delete(kind, 'mail');
    await world.gone(kind, 'mail');
    const at = `/vm/instances/${await idOf('web')}/ips`;
    const calls = world.emulator.control.requests().slice(before);
    const told = calls.map(({ method, path }) => `${method} ${path}`);
    expect(told.indexOf(`GET ${at}/${mine}`)).toBeGreaterThanOrEqual(0);
    expect(told.indexOf(`DELETE ${at}/${mine}`)).toBeGreaterThan(told.indexOf(`GET ${at}/${mine}`));
    expect(await of('web')).toHaveLength(1);
  });
  it('leaves it in the account unless the spec says otherwise', async () => {
    await world.apply(kind, 'mail', address({ lifecycle: {} }));
    const mine = await ready();
    await world.delete(kind, 'mail');
    await world.gone(kind, 'mail');
    expect(await of('web')).toContain(mine);
  });
  it('and another one is not allocated beside it when the object comes back, before a person has said so', async () => {
    await world.apply(kind, 'mail', address({ lifecycle: { onDelete: 'Retain' } }));
    const mine = await ready();
    await world.delete(kind, 'mail');
    await world.gone(kind, 'mail');
    await world.apply(kind, 'mail', address({ lifecycle: { onDelete: 'Retain' } }));
    expect(await text('mail', 'AlreadyExists')).toContain(`spec.adopt: {id: "${mine}"}`);
    expect(sent()).toEqual(['POST /networking/ips']);
    await world.patch(kind, 'mail', { metadata: { annotations: { 'cloudhosting.dev/recreate': '1' } } });
    expect(await ready()).not.toBe(mine);
    expect(sent()).toHaveLength(2);
  });
  it('waits for a person where it is the last one of an instance, until that goes too', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    const [first] = await of('web');
    await colleague.delete(`/vm/instances/${await idOf('web')}/ips/${String(first)}`);
    await world.delete(kind, 'mail');
    expect(await stalled()).toContain('the last public IPv4 address of its instance');
    await world.clock.advance(3_600_000);
    expect(await of('web')).toEqual([mine]);
    await world.delete('CloudInstance', 'web');
    await world.gone('CloudInstance', 'web');
    await world.gone(kind, 'mail', 7_200_000);
  });
  it('comes with its instance: the object says so, and asks seldom', async () => {
    for (const name of ['one', 'two', 'three']) await world.apply(kind, name, address());
    for (const name of ['one', 'two', 'three']) await ready(name);
    await world.delete('CloudInstance', 'web');
    await world.gone('CloudInstance', 'web');
    await world.clock.advance(600_000);
    for (const name of ['one', 'two', 'three']) {
      const condition = await world.condition(kind, name, 'Ready');
      expect(condition?.status).toBe('False');
      expect((await statusOf(name))['id']).toBeUndefined();
    }
    const before = world.emulator.control.requests().filter(({ path }) => path.includes('/ips')).length;
    await world.clock.advance(3_600_000);
    const asked = world.emulator.control.requests().filter(({ path }) => path.includes('/ips')).length - before;
    expect(asked).toBeLessThan(40);
    expect(changesOf(world).filter((call) => call.includes('/ips'))).toHaveLength(3);
    for (const name of ['one', 'two', 'three']) await world.delete(kind, name);
    for (const name of ['one', 'two', 'three']) await world.gone(kind, name);
    expect(world.panics).toEqual([]);
  });
  it('by somebody else is seen by the event of the instance, long before the next sweep', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    await world.clock.advance(60_000);
    await colleague.delete(`/vm/instances/${await idOf('web')}/ips/${mine}`);
    await world.reason(kind, 'mail', 'RemoteMissing', 60_000);
    await world.patch(kind, 'mail', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
    expect(await ready()).not.toBe(mine);
    expect(await of('web')).toHaveLength(2);
  });
  it('goes together with its instance without a word', async () => {
    await world.apply(kind, 'mail', address());
    await ready();
    await world.delete('CloudInstance', 'web');
    await world.delete(kind, 'mail');
    await world.gone('CloudInstance', 'web');
    await world.gone(kind, 'mail');
    expect(await of('db')).toHaveLength(1);
  });
});

describe('an address that came free and is somebody else’s by now', () => {
  it('is not moved by an edit that comes before any event or list tells of it', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    await colleague.delete(`/vm/instances/${await idOf('web')}`);
    const victim = await given(mine);
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.advance(600_000);
    expect(rows().find((row) => row.address === mine)?.vm_id).toBe(victim);
    expect(await stalled()).toContain('a person moved it, or it came free and the provider gave it to somebody else');
    expect(sent('POST /networking/ipv4')).toEqual([]);
  });
  it('is neither moved nor released nor named, whatever becomes of the object', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    await world.apply('CloudIPShare', 'standby', { instanceRef: { name: 'db' }, addresses: [] });
    await world.ready('CloudIPShare', 'standby');
    await colleague.delete(`/vm/instances/${await idOf('web')}/ips/${mine}`);
    const victim = await given(mine);
    await world.clock.advance(1_200_000);
    const before = sent().length;
    expect(await stalled()).toContain(`instance ${victim}`);
    await world.patch(kind, 'mail', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.advance(1_200_000);
    await world.delete(kind, 'mail');
    await world.clock.advance(3_600_000);
    expect(sent()).toHaveLength(before);
    expect(rows().find((row) => row.address === mine)).toMatchObject({ vm_id: victim });
    await world.patch(kind, 'mail', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.gone(kind, 'mail');
    expect(sent()).toHaveLength(before);
  });
  it('not even after its loss was seen, or a backup without status', async () => {
    await world.apply(kind, 'mail', address());
    const mine = await ready();
    await colleague.delete(`/vm/instances/${await idOf('web')}/ips/${mine}`);
    await text('mail', 'RemoteMissing');
    const victim = await given(mine);
    const { metadata, spec } = await world.get(kind, 'mail');
    const path = world.path(kind, 'team-a', 'mail');
    await world.patch(kind, 'mail', { metadata: { finalizers: [] } });
    await world.delete(kind, 'mail');
    await world.admin('POST', world.path(kind), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind,
      metadata: { name: 'mail', namespace: 'team-a', annotations: metadata.annotations, finalizers: metadata.finalizers },
      spec,
    });
    await world.clock.advance(1_200_000);
    await world.admin('DELETE', path);
    await world.clock.advance(3_600_000);
    expect(rows().find((row) => row.address === mine)).toMatchObject({ vm_id: victim });
    expect(sent()).toHaveLength(1);
  });
});

describe('a range', () => {
  it('is routed to its instance, moved and released', async () => {
    await world.apply(kind, 'net', address(range));
    const mine = await ready('net');
    expect(rangeRows()).toMatchObject([{ range: mine, vm_id: await idOf('web') }]);
    expect(await statusOf('net')).toMatchObject({ prefix: 64, region: 'eu-central', path: `/networking/ipv6/ranges/${mine}` });
    await world.patch(kind, 'net', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.advance(1000);
    await ready('net');
    expect(rangeRows()).toMatchObject([{ range: mine, vm_id: await idOf('db') }]);
    await world.delete(kind, 'net');
    await world.gone(kind, 'net');
    expect(rangeRows()).toEqual([]);
    expect(changesOf(world).filter((call) => call.includes('/networking/'))).toEqual([
      'POST /networking/ipv6/ranges',
      'POST /networking/ips/assign',
      `DELETE /networking/ipv6/ranges/${mine}`,
    ]);
  });
  it('of unknown outcome is left to a person, who names it in whichever spelling', async () => {
    spoil({ kind: 'lose-answer' }, '/networking/ipv6/ranges');
    await world.apply(kind, 'net', address(range));
    await text('net', 'Ambiguous');
    const [made] = rangeRows();
    await world.patch(kind, 'net', { spec: { adopt: { id: `${String(made?.range).toUpperCase()}/64` } } });
    expect(await ready('net')).toBe(made?.range);
    expect(rangeRows()).toHaveLength(1);
  });
});

describe('another namespace', () => {
  it('that may not adopt is told nothing of what there is, and nothing is asked or sent', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'None' }] } });
    await world.clock.advance(5000);
    const accountRef = { name: 'default', namespace: 'team-a' };
    await world.apply('CloudInstance', 'theirs', { ...machine, accountRef }, 'team-b');
    await world.ready('CloudInstance', 'theirs', 600_000, 'team-b');
    const [victim] = await of('web');
    const before = changesOf(world).length;
    const instanceRef = { name: 'theirs' };
    await world.apply(kind, 'thief', { type: 'IPv4', accountRef, instanceRef, adopt: { id: victim } }, 'team-b');
    await world.apply(kind, 'nobodys', { type: 'IPv4', accountRef, instanceRef, adopt: { id: '203.0.113.99' } }, 'team-b');
    await world.apply(kind, 'literal', { type: 'IPv4', accountRef, instanceRef: { external: await idOf('web') } }, 'team-b');
    const { message } = await world.reason(kind, 'thief', 'Forbidden', 60_000, 'team-b');
    expect((await world.reason(kind, 'nobodys', 'Forbidden', 60_000, 'team-b')).message).toBe(message);
    await world.reason(kind, 'literal', 'ReferenceNotReady', 60_000, 'team-b');
    expect(changesOf(world)).toHaveLength(before);
  });
});
