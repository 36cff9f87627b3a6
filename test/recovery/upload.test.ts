import { expect, it } from 'vitest';
import { ImageSource } from '../support/world/image-source.ts';
import { killedEverywhere, type Striking } from '../support/struck.ts';
import { type RunningOperator, World } from '../support/world/world.ts';

const kind = 'CloudImage';
const upload = { region: 'us-east', url: 'https://images.test/golden.img.gz' };
interface Image {
  readonly id: string;
  readonly label: string;
  readonly status: string;
  readonly is_public: boolean;
}
const images = (world: World): readonly Image[] =>
  (world.emulator.control.rows('images') as unknown as readonly Image[]).filter(({ is_public: everybodys }) => !everybodys);
const keysOf = (world: World): readonly string[] => {
  const found = world.server.objects('/secrets').find(({ metadata }) => metadata.name === 'golden-cimg');
  return Object.keys((found as { readonly data?: object } | undefined)?.data ?? {});
};

interface Struck {
  readonly world: World;
  readonly operator: RunningOperator;
  readonly source: ImageSource;
}
async function begun(striking?: Striking, source = new ImageSource()): Promise<Struck> {
  const sources = { 'https://images.test': source };
  const world = await World.create({ sources, ...(striking && { between: striking.between }) });
  await world.account();
  const operator = await world.start();
  await world.ready('CloudAccount', 'default');
  return { world, operator, source };
}
/** Exactly one, whole, and of what only its answer told nothing is left. */
async function wholeInTheEnd(world: World, step: string): Promise<void> {
  const { status } = await world.ready(kind, 'golden');
  await world.clock.advance(1_200_000);
  const [image, ...more] = images(world);
  expect({ step, ...image, more, keys: keysOf(world) }).toMatchObject({
    step,
    id: status?.['id'],
    label: 'golden',
    status: 'available',
    more: [],
    keys: ['image-id'],
  });
}

async function struck(striking: Striking): Promise<World> {
  const { world, operator } = await begun(striking);
  striking.arm(operator);
  await world.apply(kind, 'golden', { label: 'golden', upload });
  await world.clock.advance(180_000);
  return world;
}

it('killed at every step of an upload: one available image in the end', { timeout: 300_000 }, async () => {
  await killedEverywhere({
    play: struck,
    calm: (seen) => {
      expect(seen.filter((one) => one.includes('/images/upload'))).toHaveLength(1);
      expect(seen.filter((one) => one.startsWith('PUT /image-uploads'))).toHaveLength(1);
    },
    end: wholeInTheEnd,
  });
});

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('killed at %i tenths of its data: the next begins anew, for the same image', async (tenths) => {
  const { world, operator, source } = await begun();
  source.onPiece = (sent) => {
    if (sent >= (source.data.length * tenths) / 10 && source.requests.length === 1) operator.kill();
  };
  await world.apply(kind, 'golden', { label: 'golden', upload });
  await world.clock.advance(180_000);
  const [first] = images(world);
  expect(first?.status).toBe('pending_upload');
  await world.start();
  await wholeInTheEnd(world, `${tenths} tenths`);
  expect([images(world)[0]?.id, source.requests.length]).toEqual([first?.id, 2]);
});

it('asked to stop in the middle: it is cut at once, and the next leader begins anew', async () => {
  const { world, operator, source } = await begun();
  let pieces = 0;
  source.onPiece = async () => {
    pieces += 1;
    await new Promise<void>((go) => void world.clock.after(5000, go));
  };
  await world.apply(kind, 'golden', { label: 'golden', upload });
  await world.clock.runUntil(() => Promise.resolve(pieces > 2), 120_000);
  const stopping = world.clock.monotonic();
  let stoppedAt: number | undefined;
  void operator.operator.stop().then(() => (stoppedAt = world.clock.monotonic()));
  await world.clock.runUntil(() => Promise.resolve(stoppedAt !== undefined), 60_000);
  expect((stoppedAt ?? Infinity) - stopping).toBeLessThan(20_000);
  const then = pieces;
  await world.clock.advance(60_000);
  expect(pieces - then).toBeLessThan(2);
  source.onPiece = () => undefined;
  await world.start();
  await wholeInTheEnd(world, 'stopped');
});

it('a leader that cannot renew its lease sends nothing more, and two never send at once', async () => {
  const { world, operator, source } = await begun();
  const open = new Set<number>();
  let most = 0;
  let count = 0;
  source.onPiece = async (sent) => {
    if (sent === 0) count += 1;
    open.add(count);
    await new Promise<void>((go) => void world.clock.after(3000, go));
    most = Math.max(most, open.size);
  };
  await world.apply(kind, 'golden', { label: 'golden', upload });
  await world.clock.runUntil(() => Promise.resolve(count > 0), 120_000);
  await world.start();
  world.server.faults.add({ match: { method: /PUT|PATCH/, path: /\/leases\// }, action: { kind: 'answer', status: 500 } });
  await world.clock.advance(60_000);
  expect(operator.operator.phase).toBe('stopped');
  world.server.faults.clear();
  open.clear();
  source.onPiece = () => undefined;
  await world.clock.advance(60_000);
  await wholeInTheEnd(world, 'lease lost');
  const puts = world.emulator.control.requests().filter(({ method, path }) => method === 'PUT' && path.startsWith('/image-uploads'));
  expect(puts.filter(({ status }) => status === 200)).toHaveLength(1);
});
