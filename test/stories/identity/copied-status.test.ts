import { describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { ImageSource } from '../../support/world/image-source.ts';
import { World } from '../../support/world/world.ts';

const bucket = 'eu-central-1/shop-assets';
const golden = { bucketRef: { name: 'assets' }, object: 'logo.png' };
const at = (world: World, ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');

/** One kind of each mode: two specs that ask for the same sort of thing. */
interface Copied {
  readonly kind: string;
  readonly specs: (world: World) => readonly [Record<string, unknown>, Record<string, unknown>];
  /** Its Ready says that it is done, and that it may be done again nobody shall say. */
  readonly once?: true;
}
const modes: Readonly<Record<string, Copied>> = {
  issued: { kind: 'CloudObjectURL', specs: () => [golden, golden] },
  'told once': {
    kind: 'CloudObjectKey',
    specs: () => [
      { label: 'one', bucketAccess: [] },
      { label: 'two', bucketAccess: [] },
    ],
  },
  'a singleton below a bucket': {
    kind: 'CloudObjectACL',
    specs: () => [
      { ...golden, acl: 'private' },
      { ...golden, object: 'other.png', acl: 'public-read' },
    ],
  },
  'a singleton of an instance': {
    kind: 'CloudManagedInstanceSettings',
    specs: () => [
      { instanceRef: { name: 'web' }, ssh: { user: 'support' } },
      { instanceRef: { name: 'other' }, ssh: { user: 'support' } },
    ],
  },
  'an image that is captured': {
    kind: 'CloudImage',
    specs: () => [
      { label: 'one', capture: { diskRef: { name: 'root' } } },
      { label: 'two', capture: { diskRef: { name: 'root' } } },
    ],
  },
  'an image that is uploaded': {
    kind: 'CloudImage',
    specs: () => [
      { label: 'one', upload: { region: 'us-east', url: 'https://images.test/one.img.gz' } },
      { label: 'two', upload: { region: 'us-east', url: 'https://images.test/two.img.gz' } },
    ],
  },
  operation: {
    kind: 'CloudOperation',
    once: true,
    specs: (world) => [
      { action: 'RebootInstance', target: { name: 'web' }, notAfter: at(world, 3_600_000) },
      { action: 'RebootInstance', target: { name: 'web' }, notAfter: at(world, 3_660_000) },
    ],
  },
};

async function begin(): Promise<World> {
  const world = await World.create({ sources: { 'https://images.test': new ImageSource() } });
  const user = new CloudUser(world);
  await world.account();
  await world.start();
  const plain = { region: 'eu-central', type: 'g6-nanode-1' };
  await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'shop-assets' });
  await world.secret('root', { password: 'Correct-Horse-7' });
  const deployed = { ...plain, image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
  await world.apply('CloudInstance', 'web', deployed);
  await world.apply('CloudInstance', 'other', plain);
  await world.apply('CloudInstance', 'disks', plain);
  await world.apply('CloudDisk', 'root', { instanceRef: { name: 'disks' }, sizeMB: 1000 });
  for (const name of ['web', 'other']) await world.ready('CloudInstance', name);
  await world.ready('CloudDisk', 'root');
  await world.ready('CloudBucket', 'assets');
  for (const name of ['logo.png', 'other.png']) await user.object(bucket, 'PUT', name, 'x');
  return world;
}
const changes = ({ emulator }: World): readonly string[] =>
  emulator.control
    .requests()
    .filter(({ method, username, status }) => method !== 'GET' && username === 'admin' && status < 300)
    .map(({ method, path }) => `${method} ${path}`);

/** What a wait for Ready, and a person, takes for ready. */
async function isReady(world: World, kind: string, name: string): Promise<boolean> {
  const { metadata } = await world.get(kind, name);
  const ready = await world.condition(kind, name, 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation;
}

/** As a restore with status does, or `kubectl replace --subresource=status`. */
async function copy(world: World, { kind, specs }: Copied, account: object): Promise<void> {
  const [one, two] = specs(world);
  await world.apply(kind, 'one', one);
  const { status } = await world.ready(kind, 'one');
  await world.patch('CloudAccount', 'default', { spec: account });
  await world.clock.advance(60_000);
  await world.apply(kind, 'two', two);
  await world.admin('PATCH', `${world.path(kind, undefined, 'two')}/status`, { status });
}

const halted = {
  'the account is read-only': { mode: 'ReadOnly' },
  'its token is gone': { tokenSecretRef: { name: 'nowhere', key: 'token' } },
};
const goesOn = { mode: 'Manage', tokenSecretRef: { name: 'cloud-token', key: 'token' } };

describe.each(Object.entries(modes))('the status of another object (%s)', (_, copied) => {
  const { kind, once = false } = copied;
  it.each(Object.entries(halted))('makes no object Ready while %s, and is put right when that is over', async (_why, account) => {
    const world = await begin();
    await copy(world, copied, account);
    const before = changes(world);
    for (let at = 0; at < 10; at += 1) {
      await world.clock.advance(at < 5 ? 100 : 120_000);
      expect([at, await isReady(world, kind, 'two')]).toEqual([at, false]);
    }
    expect(changes(world)).toEqual(before);
    await world.patch('CloudAccount', 'default', { spec: goesOn });
    await world.clock.runUntil(
      async () => (await isReady(world, kind, 'two')) || (await world.get(kind, 'two')).status?.['phase'] === 'Expired',
      600_000,
    );
    // What may have been done already is not done.
    expect([await isReady(world, kind, 'two'), changes(world).length > before.length]).toEqual([!once, !once]);
    const { metadata, status } = await world.get(kind, 'two');
    expect(status).toMatchObject({ objectUid: metadata.uid });
    expect(await isReady(world, kind, 'one')).toBe(true);
    expect(world.panics).toEqual([]);
  });
});

const secretOf = (name: string): string => `/api/v1/namespaces/team-a/secrets/${name}-curl`;
describe('the Secret of a pre-signed URL', () => {
  it('that somebody deletes is written again in the usual time, with another URL', async () => {
    const world = await begin();
    await world.apply('CloudObjectURL', 'one', { ...golden, expiresInSeconds: 86_400 });
    await world.ready('CloudObjectURL', 'one');
    const before = changes(world).length;
    await world.admin('DELETE', secretOf('one'));
    await world.clock.runUntil(() => Promise.resolve(changes(world).length > before), 600_000);
    await world.clock.settle();
    expect(Object.keys(((await world.admin('GET', secretOf('one'))) as unknown as { data: object }).data)).toContain('url');
    expect(changes(world)).toHaveLength(before + 1);
    expect(await isReady(world, 'CloudObjectURL', 'one')).toBe(true);
  });
  it.each(Object.entries(halted))('that is gone, or holds another URL, leaves nothing to be Ready with while %s', async (_, account) => {
    const world = await begin();
    for (const name of ['gone', 'spoilt', 'kept']) {
      await world.apply('CloudObjectURL', name, { ...golden, expiresInSeconds: 86_400 });
      await world.ready('CloudObjectURL', name);
    }
    await world.patch('CloudAccount', 'default', { spec: account });
    await world.clock.advance(60_000);
    await world.admin('DELETE', secretOf('gone'));
    const other = (await world.admin('GET', secretOf('kept'))) as unknown as { data: object };
    await world.admin('PATCH', secretOf('spoilt'), { data: other.data });
    await world.clock.advance(900_000);
    const ready = await Promise.all(['gone', 'spoilt', 'kept'].map((name) => isReady(world, 'CloudObjectURL', name)));
    expect(ready).toEqual([false, false, true]);
    await world.patch('CloudAccount', 'default', { spec: goesOn });
    for (const name of ['gone', 'spoilt']) await world.ready('CloudObjectURL', name, 900_000);
  });
});
