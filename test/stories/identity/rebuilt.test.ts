import { beforeEach, describe, expect, it } from 'vitest';
import { formatIdentity, InstallationKey, installationTag, ownerDigest } from '../../../src/engine/model/identity.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const shared = { name: 'default', namespace: 'team-a' };
const volume = (more: Record<string, unknown> = {}): Record<string, unknown> => ({ accountRef: shared, region: 'eu-central', ...more });
const rows = (collection = 'volumes'): readonly { id: number; label: string; tags: string[] }[] =>
  world.emulator.control.rows(collection) as never;
/** Whatever the operators asked for that changes something, answered or refused. */
const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .flatMap(({ method, path, username }) => (method === 'GET' || username !== 'admin' ? [] : [`${method} ${path}`]));
const annotate = (name: string, annotations: Record<string, string | null>, kind = 'CloudVolume'): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations } });
const recover = (on: boolean): Promise<unknown> => world.patch('CloudAccount', 'default', { spec: { recover: on } });
const account = async (): Promise<Record<string, unknown>> => (await world.get('CloudAccount', 'default')).status ?? {};

beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
});
async function begin(spec: Record<string, unknown> = {}): Promise<void> {
  await world.account({ access: [{ namespaces: ['team-b'] }], ...spec });
  await world.start();
  await world.ready('CloudAccount', 'default');
}
/** Another cluster on the same account, with a key of its own and none of the objects. */
async function rebuild(spec: Record<string, unknown> = {}): Promise<void> {
  world = await World.create({ beside: world });
  await world.namespace('team-b');
  await begin(spec);
}
async function lost(...names: readonly string[]): Promise<void> {
  await begin();
  for (const name of names) await world.apply('CloudVolume', name, volume());
  for (const name of names) await world.ready('CloudVolume', name);
}

describe('a label that a tenant chooses', () => {
  it('is no mark, also when it ends in what everybody can compute of another object', async () => {
    await begin();
    const name = { installation: 'tests', kind: 'CloudInstance', namespace: 'team-a', name: 'db' };
    const spec = { accountRef: shared, region: 'eu-central', type: 'g6-nanode-1' };
    const label = `db-${ownerDigest(name)}`;
    await world.apply('CloudInstance', 'trap', { ...spec, label, lifecycle: { onDelete: 'Retain' } }, 'team-b');
    await world.ready('CloudInstance', 'trap', undefined, 'team-b');
    await world.delete('CloudInstance', 'trap', 'team-b');
    await world.gone('CloudInstance', 'trap', undefined, 'team-b');
    const [trap] = rows('instances');
    await world.apply('CloudInstance', 'db', spec);
    const { status } = await world.ready('CloudInstance', 'db');
    expect(trap?.label).toBe(label);
    expect(status?.['id']).not.toBe(String(trap?.id));
    expect(rows('instances')).toHaveLength(2);
  });
});

describe('an object that was made before owner keys had a key', () => {
  it('keeps its label and its remote, and a later key changes nothing of either', async () => {
    const old = Buffer.alloc(32, 7);
    await world.secret('cloud-operator-key', { key: old.toString('base64') }, 'cloud-operator');
    await begin();
    const name = { installation: 'tests', kind: 'CloudVolume', namespace: 'team-a', name: 'data' };
    const body = { label: `data-${ownerDigest(name)}`, region: 'eu-central', size: 20 };
    const { id } = await new CloudUser(world).post('/volumes', body);
    const identity = { account: String((await account())['account']), path: `/volumes/${String(id)}`, how: 'created' } as const;
    const remote = formatIdentity({ key: new InstallationKey(old), name, life: '' }, identity);
    await world.admin('POST', world.path('CloudVolume'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudVolume',
      metadata: { name: 'data', namespace: 'team-a', annotations: { 'cloudhosting.dev/remote': remote } },
      spec: volume(),
    });
    await world.ready('CloudVolume', 'data');
    const keys = { key: Buffer.alloc(32, 8).toString('base64'), 'previous-1': old.toString('base64') };
    const data = Object.fromEntries(Object.entries(keys).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
    await world.admin('PATCH', '/api/v1/namespaces/cloud-operator/secrets/cloud-operator-key', { data });
    await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, { status: null });
    world.launch();
    await world.clock.advance(60_000);
    await world.ready('CloudVolume', 'data');
    expect(rows()).toMatchObject([{ id, label: body.label }]);
    expect(sent()).toEqual([]);
  });
});

describe('while an account recovers', () => {
  it('what fits two objects is nobody’s before a person has said whose', async () => {
    await begin();
    await world.apply('CloudVolume', 'db', volume());
    await world.apply('CloudVolume', 'db', volume(), 'team-b');
    await world.ready('CloudVolume', 'db');
    await world.ready('CloudVolume', 'db', undefined, 'team-b');
    const before = rows();
    await rebuild({ recover: true });
    await world.apply('CloudVolume', 'db', volume(), 'team-b');
    await world.apply('CloudVolume', 'db', volume());
    const { message } = await world.reason('CloudVolume', 'db', 'Ambiguous');
    const { message: hidden } = await world.reason('CloudVolume', 'db', 'Ambiguous', undefined, 'team-b');
    expect(hidden).toContain('spec.access[].adopt: Any');
    for (const { id } of before) expect(message).toContain(`spec.adopt: {id: ${id}}`);
    for (const { id } of before) expect(hidden).not.toContain(String(id));
    await world.patch('CloudVolume', 'db', { spec: { adopt: { id: before[0]?.id } } });
    const mine = await world.ready('CloudVolume', 'db');
    const theirs = await world.ready('CloudVolume', 'db', 60_000, 'team-b');
    expect([mine, theirs].map(({ status }) => status?.['id'])).toEqual(before.map(({ id }) => String(id)));
    expect(rows()).toEqual(before);
  });

  it('one remote that fits two objects goes to none of them', async () => {
    await lost('db');
    const before = rows();
    await rebuild({ recover: true });
    await world.apply('CloudVolume', 'db', volume(), 'team-b');
    await world.apply('CloudVolume', 'db', volume());
    const { message } = await world.reason('CloudVolume', 'db', 'Ambiguous');
    expect(message).toContain('an object of another namespace');
    expect(message).toContain(`spec.adopt: {id: ${before[0]?.id}}`);
    const { message: hidden } = await world.reason('CloudVolume', 'db', 'Ambiguous', undefined, 'team-b');
    expect(hidden).toContain('ask the owner of CloudAccount team-a/default');
    expect(hidden).not.toContain(String(before[0]?.id));
    await world.delete('CloudVolume', 'db', 'team-b');
    await world.gone('CloudVolume', 'db', undefined, 'team-b');
    await world.ready('CloudVolume', 'db', 3_600_000);
    expect(rows()).toEqual(before);
  });

  it('what differs in one value is left alone, and nothing is sent', async () => {
    await lost('data');
    const before = sent().length;
    await rebuild({ recover: true });
    await world.apply('CloudVolume', 'data', volume({ sizeGiB: 40 }));
    expect((await world.reason('CloudVolume', 'data', 'RemoteMissing')).message).toContain('spec.adopt');
    await world.clock.advance(600_000);
    expect(sent()).toHaveLength(before);
  });

  it('what is missing is made for whom a person asks, to the end of it, and for all when recover is off', async () => {
    await begin({ recover: true });
    for (const name of ['one', 'two']) await world.apply('CloudVolume', name, volume());
    for (const name of ['one', 'two']) await world.reason('CloudVolume', name, 'RemoteMissing');
    expect(sent()).toEqual([]);
    world.emulator.control.addFault({
      match: { method: 'POST', path: '/volumes' },
      times: 1,
      effect: { kind: 'answer', status: 503, body: '{"errors":[{"reason":"maintenance"}]}' },
    });
    await annotate('one', { 'cloudhosting.dev/recreate': 'now' });
    await world.clock.runUntil(() => sent().length > 0, 60_000);
    await annotate('one', { 'cloudhosting.dev/recreate': null });
    const { metadata } = await world.ready('CloudVolume', 'one');
    expect(Object.keys(metadata.annotations ?? {})).not.toContain('cloudhosting.dev/replacing');
    expect(rows()).toHaveLength(1);
    await recover(false);
    await world.ready('CloudVolume', 'two');
    expect(rows()).toHaveLength(2);
  });

  it('what is found missing is not made, whatever its policy says', async () => {
    await begin();
    await world.apply('CloudVolume', 'data', volume({ lifecycle: { onMissing: 'Recreate' } }));
    const { status } = await world.ready('CloudVolume', 'data');
    await recover(true);
    await world.clock.advance(60_000);
    await new CloudUser(world).delete(String(status?.['path']));
    expect((await world.reason('CloudVolume', 'data', 'RemoteMissing')).message).toContain('spec.recover');
    await world.clock.advance(600_000);
    expect(rows()).toEqual([]);
    await annotate('data', { 'cloudhosting.dev/recreate': 'now' });
    await world.ready('CloudVolume', 'data');
    expect(rows()).toHaveLength(1);
  });

  it('nothing is replaced', async () => {
    await begin();
    const spec = volume({ lifecycle: { onDelete: 'Delete', replace: 'Allow', approve: ['InPlace', 'Reboot', 'Rebuild', 'Replace'] } });
    await world.apply('CloudVolume', 'data', spec);
    await world.ready('CloudVolume', 'data');
    await recover(true);
    await world.clock.advance(60_000);
    await world.patch('CloudVolume', 'data', { spec: { region: 'us-southeast' } });
    expect((await world.reason('CloudVolume', 'data', 'AccountNotReady')).message).toContain('spec.recover');
    await world.clock.advance(600_000);
    expect(sent()).toEqual(['POST /volumes']);
    await recover(false);
    await world.ready('CloudVolume', 'data');
    expect(sent()).toEqual(['POST /volumes', expect.stringMatching('DELETE'), 'POST /volumes']);
  });

  it('an old note of a replacement makes nothing for another object of this name', async () => {
    await begin();
    const spec = volume({ lifecycle: { replace: 'Allow', approve: ['InPlace', 'Reboot', 'Rebuild', 'Replace'], onDelete: 'Delete' } });
    await world.apply('CloudVolume', 'data', spec);
    await world.ready('CloudVolume', 'data');
    world.emulator.control.addFault({ match: { method: 'DELETE' }, times: 3, effect: { kind: 'answer', status: 503 } });
    await world.patch('CloudVolume', 'data', { spec: { region: 'us-southeast' } });
    const note = async (): Promise<string | undefined> =>
      (await world.get('CloudVolume', 'data')).metadata.annotations?.['cloudhosting.dev/replacing'];
    await world.clock.runUntil(async () => (await note()) !== undefined, 60_000);
    const backup = { 'cloudhosting.dev/replacing': await note() };
    await world.ready('CloudVolume', 'data', 3_600_000);
    await recover(true);
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    const before = sent().length;
    const restored = {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudVolume',
      metadata: { name: 'data', namespace: 'team-a', annotations: backup },
    };
    await world.admin('POST', world.path('CloudVolume'), { ...restored, spec: volume({ region: 'us-southeast', sizeGiB: 40 }) });
    await world.reason('CloudVolume', 'data', 'RemoteMissing');
    await world.clock.advance(600_000);
    expect(sent()).toHaveLength(before);
  });
});

const name = (text: string): Promise<unknown> => world.patch('CloudAccount', 'default', { spec: { installation: text } });

describe('the installation', () => {
  it('can be named once: as it is shown, or as one likes while nothing was signed under it', async () => {
    await begin({ installation: undefined });
    const shown = String((await account())['installation']);
    expect((await account())['installationInUse']).toBeUndefined();
    await world.apply('CloudVolume', 'data', volume());
    await world.ready('CloudVolume', 'data');
    expect((await account())['installationInUse']).toBe(true);
    await expect(name('prod')).rejects.toThrow('installation');
    await name(shown);
    await expect(name('prod')).rejects.toThrow('installation');
    await expect(world.patch('CloudAccount', 'default', { spec: { installation: null } })).rejects.toThrow('installation');
    await world.clock.advance(120_000);
    await world.ready('CloudVolume', 'data');
    expect(sent()).toEqual(['POST /volumes']);
  });

  it('is free again when the last object has gone', async () => {
    await begin({ installation: undefined });
    await world.apply('CloudVolume', 'data', volume({ lifecycle: { onDelete: 'Delete' } }));
    await world.ready('CloudVolume', 'data');
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.clock.advance(240_000);
    await name('prod');
    await world.apply('CloudVolume', 'data', volume());
    await world.ready('CloudVolume', 'data');
    await world.clock.runUntil(async () => (await account())['installation'] === 'prod', 60_000);
    expect(rows()[0]?.tags).toEqual([installationTag('prod')]);
  });

  it('that a rebuilt cluster does not name doubles nothing: it waits, and finds all with the old one', async () => {
    await begin({ installation: undefined });
    await world.apply('CloudVolume', 'data', volume());
    await world.apply('CloudFirewall', 'web', { accountRef: shared, inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    const { spec: firewall } = await world.ready('CloudFirewall', 'web');
    await world.ready('CloudVolume', 'data');
    const old = String((await account())['installation']);
    const before = sent().length;
    await rebuild({ installation: undefined });
    await world.apply('CloudVolume', 'data', volume());
    await world.apply('CloudFirewall', 'web', firewall);
    const { message } = await world.reason('CloudVolume', 'data', 'AlreadyExists');
    expect(message).toContain('spec.installation');
    expect(message).toContain('another name');
    await world.reason('CloudFirewall', 'web', 'AlreadyExists');
    await world.apply('CloudVolume', 'other', volume({ label: 'other' }));
    expect(sent().length - before).toBeLessThanOrEqual(1);
    await world.delete('CloudVolume', 'other');
    await world.gone('CloudVolume', 'other');
    await world.clock.advance(240_000);
    await world.patch('CloudAccount', 'default', { spec: { installation: old, recover: true } });
    await world.ready('CloudVolume', 'data');
    await world.ready('CloudFirewall', 'web');
    expect([rows().filter(({ label }) => label.startsWith('data')), rows('firewalls')].map(({ length }) => length)).toEqual([1, 1]);
  });
});

const labels = async (): Promise<readonly string[]> => {
  const { metadata } = await world.admin('GET', '/api/v1/namespaces/cloud-operator/secrets/cloud-operator-key');
  return Object.keys((metadata as { labels?: object }).labels ?? {});
};

describe("the Secret of the operator's key", () => {
  it('says that it is in use while anything is signed with it', async () => {
    await begin();
    expect(await labels()).not.toContain('cloudhosting.dev/in-use');
    await world.apply('CloudVolume', 'data', volume({ lifecycle: { onDelete: 'Delete' } }));
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(60_000);
    expect(await labels()).toContain('cloudhosting.dev/in-use');
    await world.delete('CloudVolume', 'data');
    await world.delete('CloudAccount', 'default');
    await world.gone('CloudAccount', 'default');
    expect(await labels()).not.toContain('cloudhosting.dev/in-use');
  });

  it('stays in use while another holds the lease of an account whose objects it has signed', async () => {
    await begin();
    await world.apply('CloudAccount', 'without-objects', (await world.get('CloudAccount', 'default')).spec);
    await world.apply('CloudVolume', 'data', volume());
    await world.ready('CloudVolume', 'data');
    await world.clock.advance(60_000);
    const { metadata } = await world.get('CloudAccount', 'default');
    const lease = `/apis/coordination.k8s.io/v1/namespaces/team-a/leases/cloud-operator-${metadata['uid']}`;
    const held = {
      holderIdentity: 'another/release',
      leaseDurationSeconds: 3600,
      renewTime: new Date(world.clock.now()).toISOString().replace('Z', '000Z'),
    };
    await world.admin('PATCH', lease, { spec: held });
    await world.clock.advance(30_000);
    await world.patch('CloudAccount', 'without-objects', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });
    await world.clock.advance(60_000);
    expect(await labels()).toContain('cloudhosting.dev/in-use');
  });
});
