import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, minute } from '../../support/plugin/account-scene.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import type { World } from '../../support/world/world.ts';

const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const of = (...names: readonly string[]) => names.map((name) => ({ addressFrom: { instanceRef: { name }, address: 'PublicIPv4' } }));
const share = (names: readonly string[] = ['web'], more: object = {}) => ({
  instanceRef: { name: 'standby' },
  addresses: of(...names),
  ...more,
});
const doc = (name: string): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudIPShare', metadata: { name, namespace: 'team-a' }, spec: share() });
let scene: AccountScene;
let world: World;
let since: number;
const sent = (): readonly string[] => changesSince(world, since);
const sharing = (count: number) =>
  expect.stringMatching(new RegExp(`^POST /networking/ips/share 200 \\{"vm_id":\\d+,"ips":\\[("[\\d.]+",?){${count}}\\]\\}$`));

beforeEach(async () => {
  scene = await AccountScene.create();
  ({ world } = scene);
  await world.start();
  for (const name of ['standby', 'web', 'api']) await world.apply('CloudInstance', name, machine);
  for (const name of ['standby', 'web', 'api']) await world.ready('CloudInstance', name);
  await world.apply('CloudIPShare', 'old', share());
  await world.ready('CloudIPShare', 'old');
  await world.clock.advance(5 * minute);
  since = lastRequest(world);
});

async function renamed(spec: Record<string, unknown>, wait = 30_000): Promise<void> {
  await world.apply('CloudIPShare', 'neu', spec);
  await world.clock.advance(wait);
  await world.delete('CloudIPShare', 'old');
  await world.gone('CloudIPShare', 'old', 5 * minute);
}

describe('a CloudIPShare under another name', () => {
  it.each([30_000, 0])('has the addresses without a moment in between (%i ms)', async (wait) => {
    await renamed(share(), wait);
    await world.ready('CloudIPShare', 'neu', minute);
    await world.clock.advance(10 * minute);
    expect(sent()).toEqual([]);
    await world.delete('CloudIPShare', 'neu');
    await world.gone('CloudIPShare', 'neu', 5 * minute);
    expect(sent()).toEqual([sharing(0)]);
  });
  it('with other addresses too has them by one call', async () => {
    await renamed(share(['web', 'api']));
    await world.ready('CloudIPShare', 'neu', minute);
    expect(sent()).toEqual([sharing(2)]);
  });
  it('is planned so', async () => {
    const { out } = await scene.typed('plan -f neu.yaml --base old.yaml', { files: { 'neu.yaml': doc('neu'), 'old.yaml': doc('old') } });
    expect(out).toMatch(/CloudIPShare team-a\/old +retain/);
    expect(out).not.toContain('/networking/ips/share');
  });
});

describe('a share is emptied', () => {
  it('where the other object only looks', async () => {
    await renamed(share(['web'], { lifecycle: { management: 'Observe' } }));
    expect(sent()).toEqual([sharing(0)]);
  });
  it('where one that only looks is older than the other object, and has it then', async () => {
    await world.apply('CloudIPShare', 'looks', share(['web'], { lifecycle: { management: 'Observe' } }));
    await world.clock.advance(10_000);
    await renamed(share(['api']));
    await world.clock.advance(10 * minute);
    expect(sent()).toEqual([sharing(0)]);
  });
  it('where the other object is paused, also since it was looked at', async () => {
    await world.apply('CloudIPShare', 'neu', share());
    await world.clock.advance(30_000);
    await world.patch('CloudIPShare', 'neu', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 5 * minute);
    expect(sent()).toEqual([sharing(0)]);
  });
  it('where the other object was never looked at', async () => {
    await world.admin('POST', world.path('CloudIPShare', 'team-a'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudIPShare',
      metadata: { name: 'neu', annotations: { 'cloudhosting.dev/pause': 'true' } },
      spec: share(),
    });
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 5 * minute);
    expect(sent()).toEqual([sharing(0)]);
  });
  it('where the other object is of another namespace, which has it then', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    const { id } = (await world.get('CloudInstance', 'standby')).status ?? {};
    const address = (await world.get('CloudInstance', 'web')).status?.['publicIPv4'];
    const accountRef = { name: 'default', namespace: 'team-a' };
    const theirs = { accountRef, instanceRef: { external: id }, addresses: [{ address }] };
    await world.apply('CloudIPShare', 'neu', theirs, 'team-b');
    await world.reason('CloudIPShare', 'neu', 'AlreadyClaimed', 5 * minute, 'team-b');
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 5 * minute);
    expect(sent()[0]).toEqual(sharing(0));
  });
  it.each([3100, 3500, 5000, 10_000])('where the other one is deleted %i ms later', async (later) => {
    await world.apply('CloudIPShare', 'neu', share());
    await world.clock.advance(30_000);
    await world.delete('CloudIPShare', 'old');
    await world.clock.advance(later);
    await world.delete('CloudIPShare', 'neu');
    for (const name of ['old', 'neu']) await world.gone('CloudIPShare', name, 5 * minute);
    expect(sent()).toEqual([sharing(0)]);
  });
  it('where both objects are deleted', async () => {
    await world.apply('CloudIPShare', 'neu', share());
    await world.clock.advance(30_000);
    await world.delete('CloudIPShare', 'old');
    await world.delete('CloudIPShare', 'neu');
    await world.gone('CloudIPShare', 'old', 5 * minute);
    expect(sent()).toEqual([sharing(0)]);
  });
  it('where nobody else names it, at once', async () => {
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 5 * minute);
    expect(sent()).toEqual([sharing(0)]);
  });
});
