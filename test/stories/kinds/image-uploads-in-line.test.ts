import { expect, it } from 'vitest';
import { ImageSource } from '../../support/world/image-source.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudImage';
const [hog, quiet] = ['hog', 'quiet'];
const accountRef = { name: 'default', namespace: 'team-a' };
const names = Array.from({ length: 6 }, (_, n) => `g${n}`);

let world: World;
/** Of images from `slow.test` nothing comes before it is told to. */
async function begun(): Promise<{ readonly slow: ImageSource; readonly quick: ImageSource; readonly go: () => void }> {
  const [slow, quick] = [new ImageSource(), new ImageSource()];
  const { promise: told, resolve: go } = Promise.withResolvers<void>();
  slow.onPiece = (sent) => (sent > 0 ? told : undefined);
  world = await World.create({ sources: { 'https://slow.test': slow, 'https://quick.test': quick } });
  for (const name of [hog, quiet]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [hog, quiet] }] });
  await world.start();
  return { slow, quick, go };
}
const image = (name: string, host: string, namespace: string): Promise<unknown> =>
  world.apply(kind, name, { accountRef, label: name, upload: { region: 'us-east', url: `https://${host}/${name}.img.gz` } }, namespace);
const said = async (name: string): Promise<string> => (await world.condition(kind, name, 'Ready', hog))?.message ?? '';

it('uploads of one namespace leave half of what runs at once to others, and those in line say on what they wait', async () => {
  const { slow, quick, go } = await begun();
  for (const name of names) await image(name, 'slow.test', hog);
  await world.clock.advance(60_000);
  expect(slow.requests).toHaveLength(4);
  const waiting = (await Promise.all(names.map(said))).filter((message) => message.includes('is not being uploaded yet'));
  expect(waiting).toEqual(
    Array.from({ length: 2 }, () =>
      expect.stringContaining(
        'its data is not being uploaded yet: 4 other uploads of namespace hog are under way, and the rest of the 8 that this operator has at once is left to other namespaces. It begins by itself when one of them ends',
      ),
    ),
  );
  await image('mine', 'quick.test', quiet);
  await world.clock.advance(20_000);
  expect([slow.requests.length, quick.requests.length]).toEqual([4, 1]);
  go();
  await world.ready(kind, 'mine', 300_000, quiet);
  for (const name of names) await world.ready(kind, name, 900_000, hog);
  expect(slow.requests).toHaveLength(6);
  expect(world.panics).toEqual([]);
});

it('a place in line is given up with the object, and the next one has it', async () => {
  const { slow, go } = await begun();
  for (const name of names) await image(name, 'slow.test', hog);
  await world.clock.advance(30_000);
  const [first = '', second = ''] = await Promise.all(names.map(async (name) => [name, await said(name)] as const)).then((all) =>
    all.flatMap(([name, message]) => (message.includes('is not being uploaded yet') ? [name] : [])),
  );
  await world.delete(kind, first, hog);
  await world.gone(kind, first, 600_000, hog);
  const running = names.find((name) => name !== first && name !== second) ?? '';
  await world.delete(kind, running, hog);
  await world.gone(kind, running, 600_000, hog);
  await world.clock.advance(15_000);
  expect(await said(second)).toContain('its data is being uploaded');
  go();
  await world.ready(kind, second, 900_000, hog);
  expect(slow.requests).toHaveLength(5);
});

it('who sends nothing for two minutes has no place any more', async () => {
  const { slow, go } = await begun();
  for (const name of names) await image(name, 'slow.test', hog);
  await world.clock.advance(60_000);
  expect(slow.requests).toHaveLength(4);
  await world.clock.advance(75_000);
  expect(new Set(slow.requests.map(({ path }) => path)).size).toBe(6);
  go();
  for (const name of names) await world.ready(kind, name, 1_800_000, hog);
});
