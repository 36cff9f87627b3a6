import { describe, expect, it } from 'vitest';
import type { RunningOperator } from '../../support/world/world.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const [platform, team, other] = ['platform', 'team-a', 'team-b'];
const kind = 'CloudVolume';
const accountRef = { name: 'default', namespace: platform };
const spec = { accountRef, region: 'eu-central', sizeGiB: 20 };
let world: World;
let operator: RunningOperator;
async function begin(account: Record<string, unknown>, options: Parameters<typeof World.create>[0] = {}): Promise<void> {
  world = await World.create(options);
  for (const name of [platform, other]) await world.namespace(name);
  await world.account(account, platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', minute, platform);
}
const volumes = (): number => world.emulator.control.rows('volumes').length;
const status = async (name: string, namespace: string) => (await world.get(kind, name, namespace)).status ?? {};

describe('what is handed over within a namespace', () => {
  const cases = [
    { how: 'that names it by its id', first: true, wish: (id: unknown) => ({ id }) },
    { how: 'that names it by its id and came later', first: false, wish: (id: unknown) => ({ id }) },
    { how: 'that fits it by a match', first: false, wish: () => ({ match: { region: 'eu-central' } }) },
  ];
  for (const { how, first, wish } of cases)
    for (const onDelete of ['Delete', 'Retain'])
      it(`is given to no object of another one ${how}, under ${onDelete}`, async () => {
        await begin({ access: [team, other].map((name) => ({ namespaces: [name], adopt: 'Any' })) });
        await world.apply(kind, 'shop', { ...spec, lifecycle: { onDelete } }, team);
        const { id } = (await world.ready(kind, 'shop', minute, team)).status ?? {};
        const thief = () => world.apply(kind, 'thief', { ...spec, adopt: wish(id), lifecycle: { onDelete: 'Delete' } }, other);
        if (first) await thief();
        await world.clock.advance(minute);
        await world.apply(kind, 'store', { ...spec, adopt: { id } }, team);
        await world.reason(kind, 'store', 'AlreadyClaimed', minute, team);
        if (!first) await thief();
        await world.reason(kind, 'thief', 'AlreadyClaimed', minute, other);
        await world.delete(kind, 'shop', team);
        await world.clock.advance(10 * minute);
        expect(await status('store', team)).toMatchObject({ id });
        expect((await status('thief', other))['path']).toBeUndefined();
        await world.delete(kind, 'thief', other);
        await world.clock.advance(5 * minute);
        expect(volumes()).toBe(1);
      });

  for (const how of ['is deleted', 'asks for another one'])
    it(`is free again where who was to have it ${how} before it takes it`, async () => {
      await begin({ access: [team, other].map((name) => ({ namespaces: [name], adopt: 'Any' })) });
      await world.apply(kind, 'shop', { ...spec, lifecycle: { onDelete: 'Retain' } }, team);
      const { id } = (await world.ready(kind, 'shop', minute, team)).status ?? {};
      await world.apply(kind, 'store', { ...spec, adopt: { id }, instanceRef: { name: 'nope' } }, team);
      await world.apply(kind, 'heir', { ...spec, adopt: { id } }, other);
      await world.reason(kind, 'heir', 'AlreadyClaimed', minute, other);
      await world.delete(kind, 'shop', team);
      await world.clock.advance(5 * minute);
      expect((await status('heir', other))['path']).toBeUndefined();
      if (how === 'is deleted') await world.delete(kind, 'store', team);
      else await world.patch(kind, 'store', { spec: { adopt: { id: 99_999 } } }, team);
      expect((await world.ready(kind, 'heir', 5 * minute, other)).status).toMatchObject({ id });
    });

  it('is deleted where the other one may not take it for a tag of another installation', async () => {
    await begin({ access: [{ namespaces: [team], adopt: 'Any' }] });
    const body = { label: 'theirs', region: 'eu-central', size: 20, tags: ['co-abcdefgh'] };
    const answer = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body });
    const { id } = JSON.parse(String(answer.body)) as { readonly id: number };
    await world.apply(kind, 'shop', { ...spec, adopt: { id, force: true }, lifecycle: { onDelete: 'Delete' } }, team);
    await world.ready(kind, 'shop', minute, team);
    await world.apply(kind, 'store', { ...spec, adopt: { id } }, team);
    await world.reason(kind, 'store', 'AlreadyClaimed', minute, team);
    await world.delete(kind, 'shop', team);
    await world.gone(kind, 'shop', 5 * minute, team);
    expect(volumes()).toBe(0);
  });
});

async function stripped(): Promise<void> {
  operator.kill();
  const live = await world.get(kind, 'data', team);
  await world.admin('PUT', `${world.path(kind, team, 'data')}/status`, { ...live, status: {} });
  const { status: _, ...now } = await world.get(kind, 'data', team);
  await world.admin('PUT', world.path(kind, team, 'data'), { ...now, metadata: { ...now.metadata, annotations: {} } });
}

describe('an object of a namespace that no account admits', () => {
  /** Its CloudAccount is not there. */
  const nowhere = { ...spec, accountRef: { name: 'nowhere' } };
  for (const when of ['long before', 'afterwards'])
    it(`keeps nobody from what he had before the key was lost, where it was made ${when}`, async () => {
      await begin({ installation: undefined, access: [{ namespaces: [team] }] });
      await world.apply(kind, 'data', spec, team);
      await world.ready(kind, 'data', minute, team);
      if (when === 'long before') await world.apply(kind, 'data', nowhere, other);
      await world.clock.advance(60 * minute);
      await stripped();
      await world.admin('DELETE', '/api/v1/namespaces/cloud-operator/secrets/cloud-operator-key');
      await world.patch('CloudAccount', 'default', { spec: { recover: true } }, platform);
      if (when === 'afterwards') await world.apply(kind, 'data', nowhere, other);
      operator = await world.start();
      await world.ready(kind, 'data', 30 * minute, team);
      expect(volumes()).toBe(1);
    });

  for (const how of ['by a match', 'by a forged annotation'])
    it(`keeps nothing that is deleted in the account by naming it ${how}`, async () => {
      await begin({ access: [{ namespaces: [team], adopt: 'Any' }] });
      await world.apply(kind, 'data', { ...spec, lifecycle: { onDelete: 'Delete' } }, team);
      const { account, path } = (await world.ready(kind, 'data', minute, team)).status ?? {};
      await world.clock.advance(60 * minute);
      if (how === 'by a match') await world.apply(kind, 'w', { ...nowhere, adopt: { match: { region: 'eu-central' } } }, other);
      else
        await world.admin('POST', world.path(kind, other), {
          apiVersion: 'cloudhosting.dev/v1alpha1',
          kind,
          metadata: { name: 'w', namespace: other, annotations: { 'cloudhosting.dev/remote': `${String(account)}${String(path)}#x` } },
          spec: nowhere,
        });
      await stripped();
      await world.delete(kind, 'data', team);
      operator = await world.start();
      await world.gone(kind, 'data', 30 * minute, team);
      expect(volumes()).toBe(0);
    });
});

it('what waits for an object that the account admits no more is free for others', async () => {
  await begin({ access: [team, other].map((name) => ({ namespaces: [name], adopt: 'Any' })) });
  await world.apply(kind, 'shop', { ...spec, lifecycle: { onDelete: 'Retain' } }, team);
  const { id } = (await world.ready(kind, 'shop', minute, team)).status ?? {};
  await world.apply(kind, 'sleeper', { ...spec, adopt: { id } }, team);
  await world.reason(kind, 'sleeper', 'AlreadyClaimed', minute, team);
  await world.patch(kind, 'sleeper', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } }, team);
  await world.delete(kind, 'shop', team);
  await world.clock.advance(minute);
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [other], adopt: 'Any' }] } }, platform);
  await world.apply(kind, 'ours', { ...spec, adopt: { id } }, other);
  await world.ready(kind, 'ours', 10 * minute, other);
  expect((await status('sleeper', team))['path']).toBeUndefined();
});
