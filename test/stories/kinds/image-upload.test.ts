import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { ImageSource } from '../../support/world/image-source.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudImage';
const canary = 'Vx9qZ-source';
const url = `https://images.test/golden.img.gz?token=${canary}`;
interface Image {
  readonly id: string;
  readonly label: string;
  readonly status: string;
}
let world: World;
let source: ImageSource;
async function begin(sources: Record<string, ImageSource> = { 'https://images.test': source }, speed = 1): Promise<void> {
  world = await World.create({ sources, emulator: { speed } });
  await world.account();
  await world.start();
}
beforeEach(async () => {
  source = new ImageSource();
  await begin();
});
const images = (): readonly Image[] =>
  (world.emulator.control.rows('images') as unknown as readonly (Image & { readonly is_public: boolean })[]).filter(
    ({ is_public: everybodys }) => !everybodys,
  );
const requests = () => world.emulator.control.requests();
const sent = (method: string, path: RegExp): number =>
  requests().filter((one) => one.method === method && path.test(one.path) && one.status === 200).length;
const puts = (): number => requests().filter(({ method, path }) => method === 'PUT' && path.startsWith('/image-uploads')).length;
const upload = { region: 'us-east', url };
function secretOf(name: string): Readonly<Record<string, string>> | undefined {
  const found = world.server.objects('/secrets').find(({ metadata }) => metadata.name === name) as
    | { readonly data?: Readonly<Record<string, string>> }
    | undefined;
  return found && Object.fromEntries(Object.entries(found.data ?? {}).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}
const until = (done: () => boolean | Promise<boolean>, limit = 120_000): Promise<unknown> =>
  world.clock.runUntil(() => Promise.resolve(done()), limit);

describe('an upload from a URL', () => {
  it('is made once, brought to the service and Ready, under its own label and without what was told', async () => {
    await world.apply(kind, 'golden', { label: 'golden-2026', upload });
    await until(() => images().some(({ status }) => status === 'pending_upload'));
    const { status } = await world.ready(kind, 'golden', 300_000);
    expect(images()).toMatchObject([{ id: status?.['id'], label: 'golden-2026', status: 'available' }]);
    expect(status).toMatchObject({ state: 'available', sizeMB: 1 });
    expect([sent('POST', /images/), puts(), source.requests.length]).toEqual([1, 1, 1]);
    expect(secretOf('golden-cimg')).toEqual({ 'image-id': status?.['id'] });
    expect(world.changes.filter(({ effect }) => effect === 'Create')).toHaveLength(1);
    const data = { method: 'PUT', path: `/images/${String(status?.['id'])}#data` };
    expect(world.outcomes.filter(({ path }) => path.includes('#'))).toMatchObject([{ ...data, outcome: 'Accepted' }]);
  });
  it('shows nobody where it comes from or where it goes', async () => {
    const told: string[] = [];
    source.onPiece = () => void (told.length === 0 && told.push(String(secretOf('golden-cimg')?.['upload-url'])));
    await world.apply(kind, 'golden', { label: 'golden', upload: { region: 'us-east', urlSecretRef: { name: 'where', key: 'url' } } });
    await world.secret('where', { url });
    await world.ready(kind, 'golden', 900_000);
    const signature = new URL(String(told[0])).searchParams.get('Signature') ?? '';
    expect(signature.length).toBeGreaterThan(20);
    const shown = JSON.stringify([
      world.server.objects('cloudhosting.dev/cloudimages'),
      world.server.objects('/events'),
      world.log,
      world.changes,
      world.outcomes,
    ]);
    expect(shown.includes(signature) || shown.includes(canary)).toBe(false);
  });
  it('tells how far it is, in few writes', async () => {
    const seen = new Set<string>();
    source.onPiece = async () => {
      await new Promise<void>((go) => void world.clock.after(1000, go));
      const { progress, conditions = [] } = ((await world.find(kind, 'golden'))?.status ?? {}) as never as {
        readonly progress?: { readonly percent: number };
        readonly conditions?: readonly { readonly type: string; readonly message: string }[];
      };
      const message = conditions.find(({ type }) => type === 'Ready')?.message ?? '';
      if (progress !== undefined && message.includes('uploaded: ')) seen.add(`${progress.percent}: ${message}`);
    };
    await world.apply(kind, 'golden', { upload });
    await world.ready(kind, 'golden', 900_000);
    expect(seen.size).toBeGreaterThan(4);
    expect(seen.size).toBeLessThan(14);
    for (const one of seen) expect(one).toMatch(/^(\d+): its data is being uploaded: \1 % of \d+ bytes$/);
  });
  it.each([
    ['no gzip', () => (source.data = Buffer.from('QFI not compressed')), 'is not compressed with gzip'],
    [
      'a redirect',
      () => Object.assign(source, { status: 302, headers: { location: 'https://169.254.169.254/' } }),
      'a redirect, which is not followed',
    ],
    ['what is not there', () => (source.status = 404), 'the source answers 404'],
    ['too much', () => (source.headers = { 'content-length': String(6 * 2 ** 30) }), 'the service takes 5368709120 at most'],
  ])('of %s is refused with the reason, and sends nothing', async (_, arrange, says) => {
    arrange();
    await world.apply(kind, 'golden', { upload });
    const { message } = await world.reason(kind, 'golden', 'Rejected');
    expect(message).toContain(`spec.upload: its data cannot be uploaded: `);
    expect(message).toContain(says);
    expect(puts()).toBe(0);
    Object.assign(source, new ImageSource());
    await world.ready(kind, 'golden', 1_800_000);
    expect(images()).toMatchObject([{ status: 'available' }]);
  });
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('cut at %i tenths is begun anew, for the same image', async (tenths) => {
    source.cut = { at: Math.floor((source.data.length * tenths) / 10), times: 2 };
    await world.apply(kind, 'golden', { upload });
    await world.ready(kind, 'golden', 900_000);
    expect([images().length, sent('POST', /images/), source.requests.length]).toEqual([1, 1, 3]);
  });
  it('is not begun from a host that nobody named, and says which flag names it', async () => {
    await world.apply(kind, 'golden', { upload: { ...upload, url: 'https://elsewhere.test/x.gz' } });
    expect((await world.reason(kind, 'golden', 'Forbidden')).message).toContain('--image-source');
    await begin({});
    await world.apply(kind, 'golden', { upload });
    expect((await world.reason(kind, 'golden', 'Forbidden')).message).toContain('reads images from no address');
    expect(images()).toEqual([]);
  });
  it('ends with its object', async () => {
    let pieces = 0;
    source.onPiece = async () => {
      pieces += 1;
      await new Promise<void>((go) => void world.clock.after(10_000, go));
    };
    await world.apply(kind, 'golden', { upload, lifecycle: { onDelete: 'Delete' } });
    await until(() => pieces > 3);
    await world.delete(kind, 'golden');
    await world.gone(kind, 'golden');
    const then = pieces;
    await world.clock.advance(120_000);
    expect([images(), puts(), pieces - then < 3]).toEqual([[], 0, true]);
  });
  it('rests while its object is paused, and is begun anew after that', async () => {
    let pieces = 0;
    source.onPiece = async () => {
      pieces += 1;
      await new Promise<void>((go) => void world.clock.after(10_000, go));
    };
    await world.apply(kind, 'golden', { upload });
    await until(() => pieces > 3);
    await world.patch(kind, 'golden', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.clock.advance(30_000);
    const then = pieces;
    await world.clock.advance(120_000);
    expect([puts(), pieces - then]).toEqual([0, 0]);
    source.onPiece = () => undefined;
    await world.patch(kind, 'golden', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    await world.ready(kind, 'golden', 900_000);
    expect([images().length, sent('POST', /images/)]).toEqual([1, 1]);
  });
  it('goes on with the next leader when the first has stopped, and only one of them sends', async () => {
    await begin();
    source.onPiece = () => new Promise<void>((go) => void world.clock.after(5000, go));
    const second = await world.start();
    await world.apply(kind, 'golden', { upload });
    await until(() => source.requests.length > 0);
    expect(second.operator.phase).toBe('standby');
    source.onPiece = () => undefined;
    await world.ready(kind, 'golden', 900_000);
    expect(puts()).toBe(1);
  });
});

describe('when its Secret is lost', () => {
  it('an image that was never filled is made anew, twice at most', async () => {
    source.status = 503;
    await world.apply(kind, 'golden', { upload });
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await until(
        () =>
          images().some(({ id, status }) => !ids.includes(id) && status === 'pending_upload') &&
          secretOf('golden-cimg')?.['upload-url'] !== undefined,
        3_600_000,
      );
      ids.push(...images().map(({ id }) => id));
      await world.clock.advance(30_000);
      await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/golden-cimg');
    }
    const ready = () => world.condition(kind, 'golden', 'Ready');
    await until(async () => (await ready())?.reason === 'RemoteFailed', 3_600_000);
    expect((await ready())?.message).toContain('2 before it were given up');
    expect(ids).toHaveLength(3);
    expect([images().length, sent('DELETE', /images/)]).toEqual([1, 2]);
  });
  it('one that became available meanwhile is seen before it could be deleted', async () => {
    source.status = 503;
    await world.apply(kind, 'golden', { upload });
    await until(async () => (await world.condition(kind, 'golden', 'Ready'))?.message.includes('begun anew') === true);
    const [{ id } = { id: '' }] = images();
    // As the provider shows it, without an event, once all bytes of another process have arrived.
    world.emulator.control.edit({ collection: 'images', key: id, row: { status: 'available', size: 1 } });
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/golden-cimg');
    await world.clock.advance(900_000);
    expect([images().map((image) => image.id), sent('DELETE', /images/)]).toEqual([[id], 0]);
  });
  it('one that is available is left as it is', async () => {
    await world.apply(kind, 'golden', { upload });
    const { status } = await world.ready(kind, 'golden', 900_000);
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/golden-cimg');
    await world.clock.advance(1_200_000);
    await world.ready(kind, 'golden');
    expect(images()).toMatchObject([{ id: status?.['id'] }]);
    expect(secretOf('golden-cimg')).toEqual({ 'image-id': status?.['id'] });
  });
});

it('goes to no address that a tenant has written into its Secret', async () => {
  source.status = 503;
  await world.apply(kind, 'golden', { upload });
  await until(async () => (await world.condition(kind, 'golden', 'Ready'))?.message.includes('begun anew') === true);
  const data = { 'upload-url': Buffer.from('https://images.test/admin').toString('base64') };
  await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/golden-cimg', { data });
  source.status = 200;
  await world.ready(kind, 'golden', 3_600_000);
  expect(source.requests.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([]);
  expect([puts(), images().length]).toEqual([1, 1]);
});

describe('an upload by somebody else', () => {
  it('waits, says where, and is Ready once they sent it', async () => {
    await world.apply(kind, 'golden', { label: 'golden', upload: { region: 'us-east' } });
    await until(async () => (await world.condition(kind, 'golden', 'Ready'))?.message.includes('upload-url') === true);
    expect((await world.condition(kind, 'golden', 'Ready'))?.message).toContain('Key upload-url of Secret golden-cimg');
    await world.clock.advance(3_600_000);
    expect(puts()).toBe(0);
    const to = new URL(String(secretOf('golden-cimg')?.['upload-url']));
    const answer = await world.emulator.handle({
      method: 'PUT',
      path: `${to.pathname}${to.search}`,
      headers: { 'content-type': 'application/octet-stream' },
      body: source.data,
    });
    expect(answer.status).toBe(200);
    await world.ready(kind, 'golden', 900_000);
    expect(secretOf('golden-cimg')).toEqual({ 'image-id': images()[0]?.id });
    expect(images()).toMatchObject([{ label: 'golden', status: 'available' }]);
  });
  it('that nobody sends within a day says that the image went, and is made anew by a person alone', async () => {
    await begin({}, 100);
    await world.apply(kind, 'golden', { upload: { region: 'us-east' } });
    await until(() => images().length === 1);
    await world.reason(kind, 'golden', 'RemoteMissing', 3_600_000);
    await world.clock.advance(7_200_000);
    expect([images().length, sent('POST', /images/)]).toEqual([0, 1]);
  });
});

it('a colleague’s image of the same label is neither taken nor filled nor deleted', async () => {
  const colleague = new CloudUser(world);
  const { image } = (await colleague.post('/images/upload', { label: 'golden', region: 'us-east' })) as unknown as { image: Image };
  await world.apply(kind, 'golden', { label: 'golden', upload });
  expect((await world.reason(kind, 'golden', 'AlreadyExists')).message).toContain(image.id);
  await world.clock.advance(600_000);
  expect(images()).toMatchObject([{ id: image.id, status: 'pending_upload' }]);
  expect([puts(), source.requests.length]).toEqual([0, 0]);
});

it('a tenant who may not adopt takes no image of another team, and reads no URL out of its Secrets', async () => {
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'None' }] } });
  await world.namespace('team-b');
  const accountRef = { name: 'default', namespace: 'team-a' };
  const colleague = new CloudUser(world);
  const { image } = (await colleague.post('/images/upload', { label: 'theirs', region: 'us-east' })) as unknown as { image: Image };
  await world.secret('where', { url });
  await world.apply(kind, 'thief', { accountRef, upload, adopt: { id: image.id } }, 'team-b');
  await world.apply(kind, 'reader', { accountRef, upload: { region: 'us-east', urlSecretRef: { name: 'where', key: 'url' } } }, 'team-b');
  await world.reason(kind, 'reader', 'ReferenceNotReady', 60_000, 'team-b');
  await world.clock.advance(600_000);
  expect((await world.get(kind, 'thief', 'team-b')).status).not.toHaveProperty('id');
  expect(images()).toMatchObject([{ id: image.id, status: 'pending_upload' }]);
  expect([puts(), source.requests.length]).toEqual([0, 0]);
});
