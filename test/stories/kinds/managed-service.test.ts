import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const kind = 'CloudManagedService';
const address = 'https://shop.example.org';
const spec = { serviceType: 'url', address, timeoutSeconds: 30 };
const path = '/managed/services';
const hour = 3_600_000;

let world: World;
let colleague: CloudUser;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('ops-login', { username: 'support', password: 'correct-horse-Battery-9-staple' });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  colleague = new CloudUser(world);
});

interface Service {
  readonly id: number;
  readonly label: string;
  readonly address: string;
  readonly status: string;
  readonly region: string | null;
  readonly credentials: readonly number[];
}
const services = (): readonly Service[] => world.emulator.control.rows('managed services') as never;
const only = (): Service => {
  expect(services()).toHaveLength(1);
  return services()[0] as Service;
};
const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ username, path: at, method }) => username === 'admin' && at.startsWith(path) && method !== 'GET')
    .map(({ method, path: at }) => `${method} ${at.replace(/\d+/, '{}')}`);
const refuse = (method: string, status: number): number =>
  world.emulator.control.addFault({
    match: { method, path: `${path}/${only().id}`, username: 'admin' },
    effect: { kind: 'answer', status, body: JSON.stringify({ errors: [{ reason: status === 404 ? 'Not found' : 'Method Not Allowed' }] }) },
  });
const told = (reason: string): readonly string[] =>
  world.server
    .objects('/events')
    .flatMap((event) =>
      (event as unknown as { reason: string; message: string }).reason === reason
        ? [(event as unknown as { message: string }).message]
        : [],
    );
const becomes = (row: Partial<Service>): unknown => world.emulator.control.edit({ collection: 'managed services', key: only().id, row });
async function made(more: object = {}): Promise<Service> {
  await world.apply(kind, 'shop', { ...spec, ...more });
  await world.ready(kind, 'shop');
  return only();
}

describe('a managed service', () => {
  it('that is down is told once by an Event, and its object stays Ready and says so', async () => {
    const { id } = await made({ label: 'shop' });
    await world.clock.advance(400_000);
    expect((await world.get(kind, 'shop')).status).toMatchObject({ state: 'ok', address, issues: 0 });
    becomes({ status: 'problem' });
    const entity = { id: 1, type: 'ticket', label: 'Shop is down', url: '/v4/support/tickets/1' };
    for (const [key, services] of [
      [823, [id]],
      [824, [id + 1]],
    ] as const)
      world.emulator.control.edit({
        collection: 'managed issues',
        row: { id: key, created: '2026-01-01T00:01:01', services, entity },
      });
    await world.clock.advance(hour);
    expect((await world.ready(kind, 'shop')).status).toMatchObject({ state: 'problem', issues: 1 });
    expect(told('ServiceDown')).toEqual([expect.stringContaining(`${address} is down`)]);
    expect(told('ManagedIssue')).toEqual([expect.stringContaining('issue 823 names')]);
  });
  it('follows its credential, its address and its switch, and loses its region with its private address', async () => {
    await world.apply('CloudManagedCredential', 'ops', { passwordSecretRef: { name: 'ops-login', key: 'password' } });
    await world.ready('CloudManagedCredential', 'ops');
    const inside = { serviceType: 'tcp', address: '192.168.139.5:22', region: 'us-east', credentialRefs: [{ name: 'ops' }] };
    await made(inside);
    const credential = Number((await world.get('CloudManagedCredential', 'ops')).status?.['id']);
    expect(only()).toMatchObject({ region: 'us-east', credentials: [credential] });
    await made({ credentialRefs: [], enabled: false });
    expect(only()).toMatchObject({ address, region: null, credentials: [], status: 'disabled' });
    await colleague.post(`${path}/${only().id}/enable`);
    await world.clock.runUntil(() => Promise.resolve(only().status === 'disabled'), 400_000);
    await made({ credentialRefs: [], enabled: true });
    expect(only().status).not.toBe('disabled');
    expect(sent()).toEqual([
      'POST /managed/services',
      'PUT /managed/services/{}',
      ...Array.from({ length: 2 }, () => 'POST /managed/services/{}/disable'),
      'POST /managed/services/{}/enable',
    ]);
  });
  it('is watched before its credential is there, and takes none away while one is awaited', async () => {
    await world.apply(kind, 'shop', { ...spec, credentialRefs: [{ name: 'ops' }] });
    const { message } = await world.reason(kind, 'shop', 'ReferenceNotReady');
    expect(message).toContain('ops');
    const theirs = await colleague.post('/managed/credentials', { label: 'theirs', password: 'theirs' });
    await colleague.put(`${path}/${only().id}`, { credentials: [theirs['id']] });
    await world.clock.advance(hour);
    expect(only().credentials).toEqual([theirs['id']]);
    await world.apply('CloudManagedCredential', 'ops', { passwordSecretRef: { name: 'ops-login', key: 'password' } });
    await world.ready(kind, 'shop');
    const mine = Number((await world.get('CloudManagedCredential', 'ops')).status?.['id']);
    expect(only().credentials).toEqual([mine]);
    await world.patch(kind, 'shop', { spec: { credentialRefs: [{ name: 'night' }] } });
    await world.clock.advance(hour);
    expect(only().credentials).toEqual([mine]);
  });
  it('has no region of the account, which is for what needs one', async () => {
    await world.patch('CloudAccount', 'default', { spec: { defaults: { region: 'us-east' } } });
    await world.clock.advance(60_000);
    expect(await made()).toMatchObject({ region: null });
    await world.clock.advance(hour);
    expect(sent()).toEqual(['POST /managed/services']);
  });
  it('of which the answer was lost is found by its name, its time and its event', async () => {
    world.emulator.control.addFault({ match: { method: 'POST', path, username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } });
    await made();
    expect(sent()).toEqual(['POST /managed/services']);
  });
  it('that no list shows yet is not made twice by an operator that was started anew', async () => {
    world.emulator.control.setKnobs({ listLagSeconds: 55 });
    await made();
    operator.kill();
    await world.start();
    await world.clock.advance(hour);
    await world.ready(kind, 'shop');
    expect(sent()).toEqual(['POST /managed/services']);
  });
  // Where the list lagged for longer than anybody knows of, a second one was made.
  it('that no list shows for an hour is there all the same, where the service shows it by its id', async () => {
    world.emulator.control.setKnobs({ listLagSeconds: 3600 });
    await world.apply(kind, 'shop', spec);
    await world.clock.runUntil(async () => (await world.get(kind, 'shop')).status?.['path'] !== undefined, 60_000);
    operator.kill();
    await world.start();
    await world.clock.advance(1_800_000);
    await world.ready(kind, 'shop');
    expect(sent()).toEqual(['POST /managed/services']);
  });
  it("of a colleague's of the same name and address is neither made nor taken", async () => {
    await colleague.post(path, { label: 'shop', service_type: 'url', address, timeout: 30 });
    await world.apply(kind, 'shop', { ...spec, label: 'shop' });
    const { message } = await world.reason(kind, 'shop', 'AlreadyExists');
    expect(message).toContain(String(only().id));
    await world.delete(kind, 'shop');
    await world.gone(kind, 'shop');
    expect(services()).toHaveLength(1);
    expect(sent()).toEqual([]);
  });
  it('that is gone is made anew, and goes with its object', async () => {
    const { id } = await made();
    await colleague.delete(`${path}/${id}`);
    await world.clock.runUntil(() => Promise.resolve(services().length === 1), hour);
    await world.ready(kind, 'shop');
    await world.delete(kind, 'shop');
    await world.gone(kind, 'shop');
    expect(services()).toEqual([]);
  });
});

describe('where the service knows a list and a create alone, as its documents do', () => {
  it.each([404, 405])('is read out of the list, and what cannot be changed is said (%i)', async (status) => {
    const { id } = await made();
    for (const method of ['GET', 'PUT', 'DELETE']) refuse(method, status);
    becomes({ address: 'https://other.example' });
    await world.clock.runUntil(async () => (await world.condition(kind, 'shop', 'Synced'))?.status === 'False', 400_000);
    const { message = '' } = (await world.condition(kind, 'shop', 'Synced')) ?? {};
    expect(message).toContain(`PUT ${path}/${id}`);
    await world.clock.advance(hour);
    expect(sent().filter((call) => call === 'POST /managed/services')).toHaveLength(1);
    expect(sent().filter((call) => call.startsWith('PUT')).length).toBeLessThan(20);
  });
  it.each([404, 405])('stays in the account when its object goes, and an Event says so (%i)', async (status) => {
    const { id } = await made();
    refuse('GET', status);
    refuse('DELETE', status);
    await world.delete(kind, 'shop');
    await world.gone(kind, 'shop');
    expect(only().id).toBe(id);
    expect(JSON.stringify(world.server.objects('/events'))).toContain('the provider does not let it be deleted');
    expect(sent().filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
  });
});

it('is for unrestricted users and for the namespace of the account alone', async () => {
  await world.namespace('team-b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
  await world.apply(kind, 'shop', { ...spec, accountRef: { name: 'default', namespace: 'team-a' } }, 'team-b');
  await world.clock.advance(600_000);
  expect((await world.condition(kind, 'shop', 'Ready', 'team-b'))?.status).not.toBe('True');
  await world.namespace('team-c');
  await world.account({ installation: 'other' }, 'team-c', 'token-limited');
  await world.apply(kind, 'shop', spec, 'team-c');
  await world.reason(kind, 'shop', 'Forbidden', hour, 'team-c');
  expect(world.emulator.control.requests().filter(({ path: at, method }) => at.startsWith(path) && method !== 'GET')).toEqual([]);
});
