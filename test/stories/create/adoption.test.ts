import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

interface Volume {
  readonly id: number;
  readonly label: string;
  readonly tags: readonly string[];
}
let world: World;
beforeEach(async () => {
  world = await World.create();
});
async function begin(token = 'token-admin'): Promise<void> {
  await world.account({}, 'team-a', token);
  await world.start();
  await world.ready('CloudAccount', 'default');
}
const volumes = (): readonly Volume[] => world.emulator.control.rows('volumes') as never;
const writes = (username = 'admin'): string[] =>
  world.emulator.control
    .requests()
    .filter((request) => request.method !== 'GET' && request.username === username)
    .map(({ method, path }) => `${method} ${path}`);
async function somebodyMakes(body: Record<string, unknown>): Promise<number> {
  const all = { region: 'eu-central', size: 20, ...body };
  const answer = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body: all });
  return (JSON.parse(String(answer.body)) as { id: number }).id;
}
const adopting = (adopt: Record<string, unknown>): Record<string, unknown> => ({ region: 'eu-central', label: 'data', adopt });

describe('adopt.match', () => {
  it('takes the one that has all the properties, numbers too', async () => {
    await begin();
    await somebodyMakes({ label: 'data', size: 20 });
    const id = await somebodyMakes({ label: 'data', size: 40 });
    await world.apply('CloudVolume', 'data', adopting({ match: { label: 'data', size: '40' } }));
    expect((await world.ready('CloudVolume', 'data')).status).toMatchObject({ id: String(id), origin: 'Adopted', policy: 'Retain' });
    expect(writes()).toEqual([]);
  });
  it.each([
    [{}, "is this object's now; it stays when the object is deleted"],
    [{ lifecycle: { management: 'Observe' } }, 'is what this object observes; nothing of it is changed or deleted'],
  ])('tells of what became of it, with %j', async (more, says) => {
    await begin();
    const id = await somebodyMakes({ label: 'data', size: 20 });
    await world.apply('CloudVolume', 'data', { ...adopting({ id }), ...more });
    await world.clock.advance(60_000);
    const events = world.server.objects('/events') as unknown as { reason: string; message: string }[];
    expect(events.filter(({ reason }) => reason === 'Adopted').map(({ message }) => message)).toEqual([
      expect.stringContaining(`/volumes/${id} exists already and ${says}`),
    ]);
  });
  it('of several takes none and names them', async () => {
    await begin();
    const ids = [await somebodyMakes({ label: 'data' }), await somebodyMakes({ label: 'data' })];
    await world.apply('CloudVolume', 'data', adopting({ match: { label: 'data' } }));
    const { message } = await world.reason('CloudVolume', 'data', 'Ambiguous');
    for (const id of ids) expect(message).toContain(`/volumes/${id}`);
    expect(writes()).toEqual([]);
  });
});

// A tool makes what was renamed first and prunes last: a machine goes with its object by default.
it('what another object made is handed over by what the message says, and nothing of it goes', async () => {
  await begin();
  await world.apply('CloudInstance', 'old', { region: 'eu-central', type: 'g6-nanode-1' });
  const { status } = await world.ready('CloudInstance', 'old');
  await world.apply('CloudInstance', 'new', { region: 'eu-central', type: 'g6-nanode-1', adopt: { id: Number(status?.['id']) } });
  const { message } = await world.reason('CloudInstance', 'new', 'AlreadyClaimed');
  expect(message).toContain('or delete the other one, which hands it over to this one');
  const before = writes().length;
  await world.patch('CloudInstance', 'old', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.delete('CloudInstance', 'old');
  await world.gone('CloudInstance', 'old');
  expect((await world.ready('CloudInstance', 'new', 120_000)).status).toMatchObject({ id: status?.['id'], origin: 'Adopted' });
  expect(writes().slice(before)).toEqual([]);
});

it('a match finds what was made after the list that is known, and before its object', async () => {
  await begin();
  await world.apply('CloudVolume', 'own', { region: 'eu-central', sizeGiB: 20, label: 'own' });
  await world.ready('CloudVolume', 'own');
  const id = await somebodyMakes({ label: 'data' });
  await world.apply('CloudVolume', 'data', adopting({ match: { label: 'data' } }));
  expect((await world.ready('CloudVolume', 'data', 30_000)).status).toMatchObject({ id: String(id) });
});

describe("another installation's tag", () => {
  it('keeps its remote from adoption but by force, and from being found in any other way', async () => {
    await begin();
    const id = await somebodyMakes({ label: 'data', tags: ['co-abcdefgh'] });
    await world.apply('CloudVolume', 'data', adopting({ id }));
    const refused = await world.reason('CloudVolume', 'data', 'AlreadyClaimed');
    expect(refused.message).toContain('spec.adopt.force');
    expect(writes()).toEqual([]);
    await world.apply('CloudVolume', 'data', adopting({ id, force: true }));
    const adopted = await world.ready('CloudVolume', 'data');
    expect(adopted.status?.['id']).toBe(String(id));
    expect(volumes()[0]?.tags).toContain('co-abcdefgh');
  });
});

describe('an adopted remote', () => {
  it('that was made anew after somebody deleted it is kept on deletion, too, while the spec names one to adopt', async () => {
    await begin();
    const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [], outbound: [] };
    const { control } = world.emulator;
    const made = await control.actAs({
      username: 'colleague',
      method: 'POST',
      path: '/v4/networking/firewalls',
      body: { label: 'edge', rules },
    });
    const { id } = JSON.parse(String(made.body)) as { id: number };
    const wanted = { label: 'edge', inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', inbound: [], outbound: [] };
    await world.apply('CloudFirewall', 'edge', { ...wanted, adopt: { id } });
    await world.ready('CloudFirewall', 'edge');
    await control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/networking/firewalls/${id}` });
    await world.clock.runUntil(async () => (await world.get('CloudFirewall', 'edge')).status?.['origin'] === 'Created', 1_200_000);
    expect((await world.ready('CloudFirewall', 'edge')).status?.['policy']).toBe('Retain');
    await world.delete('CloudFirewall', 'edge');
    await world.gone('CloudFirewall', 'edge');
    expect(control.rows('firewalls')).toHaveLength(1);
  });
  it.each([400, 503])('is made anew by itself, where its kind is, though the service answers %i first', async (status) => {
    await begin();
    const { control } = world.emulator;
    const ssh_key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEmanyYearsAgoThatThisKeyWasMadeAndUsedNow ops';
    const made = await control.actAs({ username: 'admin', method: 'POST', path: '/v4/profile/sshkeys', body: { label: 'ops', ssh_key } });
    const { id } = JSON.parse(String(made.body)) as { id: number };
    await world.apply('CloudSSHKey', 'ops', { label: 'ops', publicKey: ssh_key, adopt: { id } });
    await world.ready('CloudSSHKey', 'ops');
    control.addFault({ match: { method: 'POST', path: '/profile/sshkeys' }, times: 1, effect: { kind: 'answer', status } });
    await control.actAs({ username: 'admin', method: 'DELETE', path: `/v4/profile/sshkeys/${id}` });
    await world.clock.runUntil(async () => (await world.get('CloudSSHKey', 'ops')).status?.['remotesBefore'] === 1, 1_200_000);
    await world.ready('CloudSSHKey', 'ops', 3_600_000);
    expect(control.rows('ssh keys')).toHaveLength(1);
  });
  it('is kept on deletion after adopt was removed, and goes where the spec says so', async () => {
    await begin();
    const id = await somebodyMakes({ label: 'data' });
    await world.apply('CloudVolume', 'data', adopting({ id }));
    await world.ready('CloudVolume', 'data');
    const { adopt: _gone, ...spec } = adopting({ id });
    await world.apply('CloudVolume', 'data', spec);
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    expect(volumes()).toHaveLength(1);
    await world.apply('CloudVolume', 'data', { ...adopting({ id }), lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    expect(volumes()).toEqual([]);
  });
  it('is claimed by one object only', async () => {
    await begin();
    const id = await somebodyMakes({ label: 'data' });
    for (const name of ['one', 'two']) await world.apply('CloudVolume', name, adopting({ id }));
    // The volume itself is being made for ten seconds.
    await world.clock.advance(15_000);
    const reasons = await Promise.all(['one', 'two'].map(async (name) => (await world.condition('CloudVolume', name, 'Synced'))?.reason));
    expect(reasons.filter((reason) => reason === 'Available')).toHaveLength(1);
    expect(reasons.filter((reason) => reason === 'AlreadyClaimed')).toHaveLength(1);
    const marked = await Promise.all(['one', 'two'].map(async (name) => (await world.get('CloudVolume', name)).metadata.annotations));
    expect(marked.filter((annotations) => annotations?.['cloudhosting.dev/remote'] !== undefined)).toHaveLength(1);
  });
});

describe('a restricted user', () => {
  it('can let go of what cannot be seen, once the object is deleted and its own value is written', async () => {
    await begin('token-limited');
    await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
    const { status } = await world.ready('CloudVolume', 'data');
    await world.clock.advance(120_000);
    world.emulator.control.setGrants('limited', { [`volume:${String(status?.['id'])}`]: null });
    expect((await world.reason('CloudVolume', 'data', 'RemoteNotVisible', 900_000)).message).toContain('or delete this object');
    const abandon = (value: string): Promise<unknown> =>
      world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/abandon': value } } });
    await abandon('true');
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(60_000);
    const { message = '' } = (await world.condition('CloudVolume', 'data', 'Stalled')) ?? {};
    expect(message).toContain('kubectl -n team-a annotate cloudvolume data cloudhosting.dev/abandon=');
    await abandon(/abandon=(\S+)$/.exec(message)?.[1] ?? '');
    await world.gone('CloudVolume', 'data', 60_000);
    expect(writes('limited')).toEqual(['POST /volumes']);
    expect(volumes()).toHaveLength(1);
    const events = world.server.objects('/events') as unknown as { reason: string; message: string }[];
    expect(events.filter(({ reason }) => reason === 'Retained').map((event) => event.message)).toEqual([
      expect.stringContaining('was let go by annotation cloudhosting.dev/abandon, so nothing in the account was touched'),
    ]);
  });
  it('that was none a moment ago proves no loss', async () => {
    await begin();
    await world.apply('CloudFirewall', 'wall', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    const path = String((await world.ready('CloudFirewall', 'wall')).status?.['path']);
    await world.clock.advance(200_000);
    const answer = (at: string, status: number, body: unknown): number =>
      world.emulator.control.addFault({
        match: { method: 'GET', path: at },
        effect: { kind: 'answer', status, body: JSON.stringify(body) },
      });
    answer(path, 404, { errors: [{ reason: 'Not found' }] });
    answer('/networking/firewalls', 200, { data: [], page: 1, pages: 1, results: 0 });
    answer('/profile', 200, { username: 'admin', restricted: true });
    const { message } = await world.reason('CloudFirewall', 'wall', 'RemoteNotVisible');
    expect(message).toContain('Its user is restricted');
    await world.clock.advance(900_000);
    expect(writes('admin')).toEqual(['POST /networking/firewalls']);
  });
  it('sends no tags, and a remote that it cannot see is not gone', async () => {
    await begin('token-limited');
    await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete', onMissing: 'Recreate' } });
    const { status } = await world.ready('CloudVolume', 'data');
    expect(volumes()).toMatchObject([{ tags: [] }]);
    expect((await world.get('CloudAccount', 'default')).status).toMatchObject({ restricted: true, user: 'limited' });
    await world.clock.advance(120_000);
    world.emulator.control.setGrants('limited', { [`volume:${String(status?.['id'])}`]: null });
    await world.clock.advance(900_000);
    expect((await world.condition('CloudVolume', 'data', 'Synced'))?.reason).toBe('RemoteNotVisible');
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(900_000);
    expect(await world.find('CloudVolume', 'data')).toBeDefined();
    expect(writes('limited')).toEqual(['POST /volumes']);
    expect(volumes()).toHaveLength(1);
  });
});

describe('where nothing may be adopted', () => {
  it('the answer is the same whatever the account has', async () => {
    await world.namespace('team-b');
    await world.account({ access: [{ namespaces: ['team-b'] }] });
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.apply('CloudVolume', 'claimed', { region: 'eu-central', label: 'claimed' });
    const claimed = Number((await world.ready('CloudVolume', 'claimed')).status?.['id']);
    const free = await somebodyMakes({ label: 'data' });
    await somebodyMakes({ label: 'data' });
    const wishes = [{ id: claimed }, { id: free }, { id: 987_654 }, { match: { label: 'data' } }, { match: { label: 'none' } }];
    const answers = new Set<string>();
    for (const [index, adopt] of wishes.entries()) {
      const spec = { ...adopting(adopt), accountRef: { name: 'default', namespace: 'team-a' } };
      await world.apply('CloudVolume', `wish-${index}`, spec, 'team-b');
      answers.add((await world.reason('CloudVolume', `wish-${index}`, 'Forbidden', 60_000, 'team-b')).message);
    }
    expect(answers.size).toBe(1);
  });
});

describe('what was adopted, went, and is made anew', () => {
  let operator: RunningOperator;
  let id: number;
  /** The first create is refused for a moment; by then the object has let go of what is gone. */
  const refusedOnce = async (status: number): Promise<void> => {
    await world.account();
    operator = await world.start();
    await world.ready('CloudAccount', 'default');
    id = await somebodyMakes({ label: 'data' });
    await world.apply('CloudVolume', 'data', adopting({ id }));
    await world.ready('CloudVolume', 'data');
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/volumes/${id}` });
    await world.reason('CloudVolume', 'data', 'RemoteMissing');
    world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes' }, times: 1, effect: { kind: 'answer', status } });
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
  };
  /** Whether the one volume of the account is another one, and the object's. */
  const isMade = async (): Promise<boolean> => {
    const { status } = await world.ready('CloudVolume', 'data', 3_600_000);
    const [only, ...more] = volumes();
    return more.length === 0 && String(only?.id) === status?.['id'] && only?.id !== id;
  };

  it.each([400, 503])('comes all the same where the service answers %i first', async (status) => {
    await refusedOnce(status);
    expect(await isMade()).toBe(true);
  });
  it('comes all the same where the operator is killed before it asks again', async () => {
    await refusedOnce(400);
    await world.reason('CloudVolume', 'data', 'Busy');
    operator.kill();
    await world.start();
    expect(await isMade()).toBe(true);
  });
  it('does not come where the spec names another one meanwhile, which is not there', async () => {
    await refusedOnce(400);
    await world.reason('CloudVolume', 'data', 'Busy');
    await world.patch('CloudVolume', 'data', { spec: { adopt: { id: 99_999 } } });
    await world.reason('CloudVolume', 'data', 'RemoteMissing');
    await world.clock.advance(3_600_000);
    expect(volumes()).toEqual([]);
  });
});

it('what was made in the place of what was adopted is found again under its id, which the Event and why name', async () => {
  const world = await World.create();
  await world.account({ access: [{ namespaces: ['team-a'], adopt: 'Any' }] }, 'team-a', 'token-admin');
  await world.start();
  await world.ready('CloudAccount', 'default');
  const wall = { label: 'edge', inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', inbound: [], outbound: [] };
  const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT', inbound: [], outbound: [] };
  const made = await world.emulator.control.actAs({
    username: 'colleague',
    method: 'POST',
    path: '/v4/networking/firewalls',
    body: { label: 'edge', rules },
  });
  const { id } = JSON.parse(String(made.body)) as { readonly id: number };
  const spec = { ...wall, adopt: { id }, lifecycle: { onMissing: 'Recreate', onDelete: 'Retain' } };
  await world.apply('CloudFirewall', 'edge', spec);
  await world.ready('CloudFirewall', 'edge');
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/networking/firewalls/${id}` });
  await world.clock.runUntil(async () => Number((await world.get('CloudFirewall', 'edge')).status?.['remotesBefore']) >= 1, 1_800_000);
  const anew = Number((await world.ready('CloudFirewall', 'edge', 600_000)).status?.['id']);
  await world.delete('CloudFirewall', 'edge');
  await world.gone('CloudFirewall', 'edge');
  const told = (world.server.objects('/events') as never as { readonly reason: string; readonly message: string }[]).find(
    ({ reason }) => reason === 'Retained',
  );
  expect(told?.message).toContain(`apply the manifest again with spec.adopt: {id: ${anew}}`);
  await world.apply('CloudFirewall', 'edge', spec);
  const { message } = await world.reason('CloudFirewall', 'edge', 'RemoteMissing');
  expect(message).toContain(
    `No object has ${anew} of /networking/firewalls (${anew}: edge, 0 Rules): spec.adopt: {id: ${anew}} takes that over`,
  );
  const { out } = await cloud(world, 'why cfw/edge');
  expect(out).toContain(`"adopt":{"id":${anew}}`);
  expect(out).not.toContain('"adopt":null');
  await world.patch('CloudFirewall', 'edge', { spec: { adopt: { id: anew } } });
  await world.ready('CloudFirewall', 'edge');
  expect(world.emulator.control.rows('firewalls')).toHaveLength(1);
});

it('what has no name is told by what its columns show', async () => {
  await begin();
  await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' });
  const zone = String((await world.ready('CloudDomain', 'zone')).status?.['id']);
  const made = await world.emulator.control.actAs({
    username: 'colleague',
    method: 'POST',
    path: `/v4/domains/${zone}/records`,
    body: { type: 'A', name: 'shop', target: '203.0.113.7' },
  });
  const { id } = JSON.parse(String(made.body)) as { readonly id: number };
  const record = { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' };
  await world.apply('CloudDomainRecord', 'www', { ...record, adopt: { id: 4711 } });
  const { message } = await world.reason('CloudDomainRecord', 'www', 'RemoteMissing');
  expect(message).toContain(`No object has ${id} of /domains/${zone} (${id}: A, shop, 203.0.113.7)`);
});
