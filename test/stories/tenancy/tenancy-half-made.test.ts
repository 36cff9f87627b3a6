import { beforeEach, expect, it } from 'vitest';
import { ImageSource } from '../../support/world/image-source.ts';
import { World } from '../../support/world/world.ts';

// team-b means harm to team-a, which may adopt; both use the account of `platform`.
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const hour = 3_600_000;
const kind = 'CloudImage';
const from = (host: string) => ({ accountRef, upload: { region: 'us-east', url: `https://${host}.test/golden.img.gz` } });

interface Image {
  readonly id: string;
  readonly label: string;
  readonly is_public: boolean;
}
let world: World;
let mark: string;
const images = (): readonly Image[] =>
  (world.emulator.control.rows('images') as unknown as readonly Image[]).filter(({ is_public: everybodys }) => !everybodys);
async function gone(name: string, namespace: string): Promise<void> {
  await world.delete(kind, name, namespace);
  await world.gone(kind, name, hour, namespace);
}

beforeEach(async () => {
  world = await World.create({ sources: { 'https://good.test': new ImageSource(), 'https://evil.test': new ImageSource() } });
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim], adopt: 'Any' }, { namespaces: [tenant] }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', hour, platform);
  await world.apply(kind, 'golden', { ...from('good'), lifecycle: { onDelete: 'Delete' } }, victim);
  await world.ready(kind, 'golden', hour, victim);
  mark = String(images()[0]?.label);
  await gone('golden', victim);
});

it('what a tenant made whose object is called like another’s mark is not taken for what that one left half made', async () => {
  await world.apply(kind, mark, { ...from('evil'), lifecycle: { onDelete: 'Retain' } }, tenant);
  await world.ready(kind, mark, hour, tenant);
  const [evil] = images();
  await gone(mark, tenant);
  // The owner key of that object has the form of a nonce.
  expect(evil?.label).toMatch(new RegExp(`^${mark}-[a-z2-7]{8}$`));
  await world.apply(kind, 'golden', from('good'), victim);
  const { status } = await world.ready(kind, 'golden', hour, victim);
  expect(images()).toHaveLength(2);
  expect(status?.['id']).not.toBe(evil?.id);
});

it('a tenant may not choose another’s mark with a nonce behind it, which could have been seen in the account', async () => {
  await world.apply(kind, 'trap', { ...from('evil'), label: `${mark}-abcdefgh` }, tenant);
  await world.reason(kind, 'trap', 'InvalidSpec', hour, tenant);
  expect(images()).toEqual([]);
});

it('nor a label with what the key signed for another’s object behind it, while that one is there', async () => {
  await world.apply(kind, 'silver', { ...from('good'), label: 'silver' }, victim);
  await world.clock.runUntil(() => Promise.resolve(images().length > 0), hour);
  const sent = String(images()[0]?.label);
  expect(sent).toMatch(/^silver-[a-z2-7]{8}$/);
  await world.ready(kind, 'silver', hour, victim);
  await world.apply(kind, 'trap', { ...from('evil'), label: sent }, tenant);
  await world.reason(kind, 'trap', 'InvalidSpec', hour, tenant);
  await world.apply(kind, 'like', { ...from('evil'), label: 'silver-abcdefgh' }, tenant);
  await world.ready(kind, 'like', hour, tenant);
});
it('whoever may not adopt does not get what an attempt of an earlier object of its name made, and has no other one made beside it', async () => {
  await world.apply(kind, 'mine', { ...from('good'), label: 'mine' }, tenant);
  await world.clock.runUntil(() => Promise.resolve(images().length > 0), hour);
  const [{ id, label } = { id: '', label: '' }] = images();
  await world.ready(kind, 'mine', hour, tenant);
  await gone('mine', tenant);
  world.emulator.control.edit({ collection: 'images', key: id, row: { label } });
  await world.apply(kind, 'mine', { ...from('good'), label: 'mine' }, tenant);
  const { message } = await world.reason(kind, 'mine', 'AlreadyExists', hour, tenant);
  expect(message).toContain('spec.access[].adopt: Any');
  expect(message).not.toContain(id);
  expect(images()).toHaveLength(1);
});
