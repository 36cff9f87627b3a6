import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { ImageSource } from '../../support/world/image-source.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const kind = 'CloudImage';
const upload = { region: 'us-east', url: 'https://images.test/golden.img.gz' };
const keyAt = '/api/v1/namespaces/cloud-operator/secrets';
const minute = 60_000;

interface Image {
  readonly id: string;
  readonly label: string;
  readonly status: string;
  readonly is_public: boolean;
}
let source: ImageSource;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  source = new ImageSource();
  world = await World.create({ sources: { 'https://images.test': source } });
  await world.account({ installation: 'prod' });
  operator = await world.start();
});
const images = (): readonly Image[] =>
  (world.emulator.control.rows('images') as unknown as readonly Image[]).filter(({ is_public: everybodys }) => !everybodys);
const everMade = (): number =>
  world.emulator.control.objects().filter(({ collection, row }) => collection === 'images' && !(row as unknown as Image).is_public).length;

/** Its operator ends while the data is on its way. */
async function cut(spec: object = {}): Promise<Image> {
  source.onPiece = () => new Promise<void>(() => undefined);
  await world.apply(kind, 'golden', { upload, ...spec });
  await world.clock.runUntil(() => Promise.resolve(source.requests.length > 0), 10 * minute);
  operator.kill();
  source.onPiece = () => undefined;
  return images()[0] as Image;
}
interface Rebuilt {
  readonly withKey: boolean;
  readonly recover?: boolean;
  readonly installation?: string | undefined;
}
/** The cluster with nothing but what Git has, and its key where somebody kept it. */
async function rebuild({ withKey, ...account }: Rebuilt): Promise<number> {
  const [old, objects] = [world, exported(world)];
  const { data } = (await old.admin('GET', `${keyAt}/cloud-operator-key`)) as unknown as { readonly data: object };
  world = await World.create({ beside: old, sources: { 'https://images.test': source } });
  const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
  if (withKey) await world.admin('POST', keyAt, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await world.account({ installation: 'prod', ...account });
  await restore(world, objects);
  const seq = lastRequest(world);
  await world.start();
  return seq;
}

describe('a cluster that is rebuilt from Git while an image is uploaded', () => {
  it.each([
    ['by its mark', {}],
    ['by what its key signed behind a label that is no mark', { label: 'golden' }],
  ])('takes the image %s, and has another one made in its place, as nobody knows the address any more', async (_, spec) => {
    const before = await cut(spec);
    const seq = await rebuild({ withKey: true });
    await world.ready(kind, 'golden', 60 * minute);
    expect(images()).toMatchObject([{ status: 'available' }]);
    expect(changesSince(world, seq)[0]).toContain(`DELETE /images/${before.id}`);
    expect(everMade()).toBe(2);
  });
  it.each([
    ['of which the key was lost, as another thing of it shows,', {}],
    ['of which the key was lost, with a label that is no mark,', { label: 'golden' }],
  ])('and %s leaves it alone, makes no second one, and says what to do', async (_, spec) => {
    await world.apply('CloudFirewall', 'web', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    await world.ready('CloudFirewall', 'web');
    const before = await cut(spec);
    await world.clock.advance(minute);
    const seq = await rebuild({ withKey: false });
    const { message } = await world.reason(kind, 'golden', 'AlreadyExists');
    await world.clock.advance(120 * minute);
    expect(changesSince(world, seq).filter((call) => call.includes('/images'))).toEqual([]);
    expect(message).toContain(before.id);
    expect(message).toContain('set spec.recover: true');
    await new CloudUser(world).delete(`/images/${before.id}`);
    await world.ready(kind, 'golden', 120 * minute);
    expect(images()).toMatchObject([{ status: 'available' }]);
  });
  it('leaves alone one that waits for its data and shows by nothing whose it is, and says what to do', async () => {
    const { id } = await cut({ label: 'golden' });
    world.emulator.control.edit({ collection: 'images', key: id, row: { label: 'golden-abcdefgh' } });
    await rebuild({ withKey: true });
    expect((await world.reason(kind, 'golden', 'AlreadyExists')).message).toContain('delete it there, and another one is made');
    expect(everMade()).toBe(1);
  });
  it('finds it by its mark while the account recovers, and changes nothing before that is over', async () => {
    const before = await cut();
    const seq = await rebuild({ withKey: true, recover: true });
    await world.clock.advance(10 * minute);
    expect((await world.get(kind, 'golden')).status).toMatchObject({ id: before.id });
    expect(changesSince(world, seq).filter((call) => !call.startsWith('PUT'))).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: { recover: false } });
    await world.ready(kind, 'golden', 60 * minute);
    expect(images()).toMatchObject([{ status: 'available' }]);
  });
});

/** Made for whoever sends the data later, and the cluster is lost: to which address that goes only its Secret said. */
async function awaited(): Promise<URL> {
  const address = (): string | undefined => {
    const found = world.server.objects('/secrets').find(({ metadata: { name } }) => name === 'golden-cimg');
    return (found as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data?.['upload-url'];
  };
  await world.apply(kind, 'golden', { upload: { region: 'us-east' } });
  await world.clock.runUntil(() => Promise.resolve(address() !== undefined), 10 * minute);
  operator.kill();
  return new URL(Buffer.from(String(address()), 'base64').toString());
}
async function saysLost(): Promise<string> {
  await world.clock.runUntil(async () => (await world.condition(kind, 'golden', 'Stalled'))?.status === 'True', 30 * minute);
  const { reason, message } = (await world.condition(kind, 'golden', 'Ready')) ?? {};
  expect([reason, message]).toEqual(['RemoteFailed', expect.stringContaining('was told once, and its Secret does not hold it any more')]);
  return String(message);
}
describe('a cluster that is rebuilt from Git while an image waits for data that somebody else sends', () => {
  it('takes the image, says that the address is lost, and leaves it to those who may have it', async () => {
    const { pathname, search } = await awaited();
    const seq = await rebuild({ withKey: true });
    expect(await saysLost()).not.toContain('says to which address');
    await world.clock.advance(120 * minute);
    expect(changesSince(world, seq).filter((call) => call.includes('/images'))).toEqual([]);
    const headers = { 'content-type': 'application/octet-stream' };
    await world.emulator.handle({ method: 'PUT', path: `${pathname}${search}`, headers, body: source.data });
    await world.ready(kind, 'golden', 60 * minute);
    expect(everMade()).toBe(1);
  });
  it('has another one made by what it says to do', async () => {
    await awaited();
    await rebuild({ withKey: true });
    expect(await saysLost()).toContain('delete this object under spec.lifecycle.onDelete: Delete and apply it again');
    await world.patch(kind, 'golden', { spec: { lifecycle: { onDelete: 'Delete' } } });
    await world.delete(kind, 'golden');
    await world.gone(kind, 'golden', 10 * minute);
    await awaited();
    expect([images().length, everMade()]).toEqual([1, 2]);
  });
});

async function captured(spec: object = {}, byId = false): Promise<Image> {
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  await world.apply('CloudDisk', 'root', { instanceRef: { name: 'web' }, sizeMB: 1000 });
  const { status } = await world.ready('CloudDisk', 'root');
  const diskRef = byId ? { external: Number(status?.['id']) } : { name: 'root' };
  await world.apply(kind, 'golden', { capture: { diskRef }, ...spec });
  await world.clock.runUntil(() => Promise.resolve(images().length > 0), 10 * minute);
  operator.kill();
  await world.clock.advance(minute);
  return images()[0] as Image;
}
describe('a cluster that is rebuilt from Git while an image is captured', () => {
  it('takes the image by its mark, and makes no second one', async () => {
    const { id } = await captured();
    await rebuild({ withKey: true });
    await world.ready(kind, 'golden', 60 * minute);
    expect(images()).toMatchObject([{ id }]);
    expect(everMade()).toBe(1);
  });
  it('makes no second one either while one is not done of which nothing shows whose it is, and says so', async () => {
    const { id } = await captured({ label: 'golden' });
    // As one of many GB is for half an hour.
    world.emulator.control.edit({ collection: 'images', key: id, row: { status: 'creating', label: 'golden-abcdefgh' } });
    await rebuild({ withKey: true });
    expect((await world.reason(kind, 'golden', 'AlreadyExists')).message).toContain(`spec.adopt: {id: "${id}"}`);
    expect(everMade()).toBe(1);
  });
});

describe('a cluster that is rebuilt from Git after a capture was done, and before its label was put right,', () => {
  const label = 'golden';
  const done = async (spec: object = {}): Promise<Image> => {
    await captured({ label, ...spec }, true);
    await world.clock.runUntil(() => Promise.resolve(images()[0]?.status === 'available'), 60 * minute);
    const [image] = images();
    expect(image?.label).toMatch(/^golden.*-[a-z2-7]{8}$/);
    return image as Image;
  };
  it.each([
    ['by what its key signed behind a label that is no mark', { label }],
    ['also where that took away the end of a long label', { label: 'golden-images-of-all-machines-of-the-web-shop-2026' }],
  ])('finds it %s', async (_, spec) => {
    const { id } = await done(spec);
    await rebuild({ withKey: true });
    await world.ready(kind, 'golden', 60 * minute);
    expect(images()).toMatchObject([{ id, label: spec.label }]);
    expect(everMade()).toBe(1);
  });
  it('finds it while the account recovers', async () => {
    const { id } = await done();
    const seq = await rebuild({ withKey: true, recover: true });
    await world.ready(kind, 'golden', 60 * minute);
    expect(images()).toMatchObject([{ id }]);
    expect(changesSince(world, seq).filter((call) => call.startsWith('POST'))).toEqual([]);
  });
  it.each([
    ['of which the key was lost', { installation: 'prod' }, 'set spec.recover: true'],
    ['of which neither key nor installation is known', { installation: undefined }, 'the spec.installation that'],
  ])('and %s makes no second one beside it, and says whose it may be', async (_, account, says) => {
    const { id } = await done();
    await rebuild({ withKey: false, ...account });
    const { message } = await world.reason(kind, 'golden', 'AlreadyExists');
    expect(message).toContain(`/images/${id}`);
    expect(message).toContain(says);
    await world.clock.advance(120 * minute);
    expect(everMade()).toBe(1);
    await world.patch(kind, 'golden', { spec: { adopt: { id } } });
    await world.ready(kind, 'golden', 60 * minute);
    expect(everMade()).toBe(1);
  });
});

it('an image of another object whose name only looks like that of this one keeps nobody waiting', async () => {
  source.onPiece = () => new Promise<void>(() => undefined);
  await world.apply(kind, 'golden', { upload });
  await world.clock.runUntil(() => Promise.resolve(images().length === 1), 10 * minute);
  source.onPiece = () => undefined;
  await world.apply(kind, 'other', { label: images()[0]?.label.slice(0, -9), upload });
  await world.apply(kind, 'third', { label: 'golden', upload });
  await world.ready(kind, 'third', 60 * minute);
});
