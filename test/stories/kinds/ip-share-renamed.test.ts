import { beforeEach, describe, expect, it } from 'vitest';
import { AccountScene, minute } from '../../support/plugin/account-scene.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

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
let operator: RunningOperator;
let since: number;
const sent = (): readonly string[] => changesSince(world, since);
const sharing = (count: number) =>
  expect.stringMatching(new RegExp(`^POST /networking/ips/share 200 \\{"vm_id":\\d+,"ips":\\[("[\\d.]+",?){${count}}\\]\\}$`));

const access = (...namespaces: readonly string[]) => ({ spec: { access: [{ namespaces, adopt: 'Any' }] } });

beforeEach(async () => {
  scene = await AccountScene.create();
  ({ world } = scene);
  operator = await world.start();
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
  it('has them where it is edited by the sync that deletes the other', async () => {
    await world.apply('CloudIPShare', 'neu', share());
    await world.clock.advance(30_000);
    await world.patch('CloudIPShare', 'neu', { spec: { addresses: of('web', 'api') } });
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 5 * minute);
    await world.ready('CloudIPShare', 'neu', minute);
    expect(sent()).toEqual([sharing(2)]);
  });
  it.each([
    ['before the deletion', async () => [await world.apply('CloudIPShare', 'neu', share()), await world.clock.advance(30_000)]],
    ['since the operator stopped', async () => world.admin('POST', world.path('CloudIPShare', 'team-a'), JSON.parse(doc('neu')) as object)],
  ])('has them where the other is deleted while there is no operator, and it was made %s', async (when, make) => {
    if (when === 'before the deletion') await make();
    operator.kill();
    if (when !== 'before the deletion') await make();
    await world.delete('CloudIPShare', 'old');
    await world.clock.advance(minute);
    operator = await world.start();
    await world.gone('CloudIPShare', 'old', 5 * minute);
    await world.ready('CloudIPShare', 'neu', minute);
    await world.clock.advance(10 * minute);
    expect(sent()).toEqual([]);
  });
  it.each([1, 100, 1000])('has them where the operator is another one %i ms after the deletion', async (ms) => {
    await world.apply('CloudIPShare', 'neu', share());
    await world.clock.advance(30_000);
    await world.delete('CloudIPShare', 'old');
    await world.clock.advance(ms);
    operator.kill();
    operator = await world.start();
    await world.gone('CloudIPShare', 'old', 5 * minute);
    await world.ready('CloudIPShare', 'neu', minute);
    expect(sent()).toEqual([]);
  });
  it.each([
    ['machine', ['standby']],
    ['machine that has the address', ['web']],
    ['machines', ['standby', 'web']],
  ])('has them where the %s are renamed with it', async (_, names) => {
    const called = (name: string): string => (names.includes(name) ? `${name}-2` : name);
    for (const name of names) {
      const id = Number((await world.get('CloudInstance', name)).status?.['id']);
      await world.apply('CloudInstance', called(name), { ...machine, adopt: { id } });
    }
    await world.apply('CloudIPShare', 'neu', { instanceRef: { name: called('standby') }, addresses: of(called('web')) });
    await world.delete('CloudIPShare', 'old');
    for (const name of names) await world.delete('CloudInstance', name);
    await world.gone('CloudIPShare', 'old', 5 * minute);
    for (const name of names) await world.gone('CloudInstance', name, 5 * minute);
    await world.ready('CloudIPShare', 'neu', 5 * minute);
    await world.clock.advance(10 * minute);
    expect(sent().filter((line) => line.includes('/ips/share'))).toEqual([]);
  });
  it('has them where an older one of another namespace is not admitted any more since the operator stopped', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', access('team-a', 'team-b'));
    const { id } = (await world.get('CloudInstance', 'standby')).status ?? {};
    const accountRef = { name: 'default', namespace: 'team-a' };
    await world.apply('CloudIPShare', 'theirs', { accountRef, instanceRef: { external: id }, addresses: [] }, 'team-b');
    await world.reason('CloudIPShare', 'theirs', 'AlreadyClaimed', 5 * minute, 'team-b');
    await world.apply('CloudIPShare', 'neu', share());
    await world.clock.advance(30_000);
    operator.kill();
    await world.patch('CloudAccount', 'default', access('team-a'));
    await world.delete('CloudIPShare', 'old');
    operator = await world.start();
    await world.gone('CloudIPShare', 'old', 5 * minute);
    await world.ready('CloudIPShare', 'neu', minute);
    await world.clock.advance(10 * minute);
    expect(sent()).toEqual([]);
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
  it.each(['ghost', 'ghost and web'])('where the other object names the address of a machine that is not there (%s)', async (names) => {
    await world.apply('CloudIPShare', 'neu', share(names.split(' and ')));
    await world.clock.advance(30_000);
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 5 * minute);
    expect(sent()[0]).toEqual(sharing(0));
  });
  it('where the other object names an address that does not come within seconds', async () => {
    const { metadata } = await world.get('CloudInstance', 'api');
    await world.emulator.control.actAs({
      username: 'admin',
      method: 'DELETE',
      path: `/v4${String((await world.get('CloudInstance', 'api')).status?.['path'])}`,
    });
    await world.reason('CloudInstance', 'api', 'RemoteMissing', 60 * minute);
    await world.apply('CloudIPShare', 'neu', share(['api']));
    await world.clock.advance(30_000);
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 30_000);
    expect([sent().filter((line) => line.includes('/ips/share')), metadata.name]).toEqual([[sharing(0)], 'api']);
  });
  it.each(['before', 'since'])('where one of another namespace that is older has it then, and the operator stopped (%s)', async (when) => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    const { id } = (await world.get('CloudInstance', 'standby')).status ?? {};
    const address = (await world.get('CloudInstance', 'web')).status?.['publicIPv4'];
    const accountRef = { name: 'default', namespace: 'team-a' };
    await world.apply('CloudIPShare', 'theirs', { accountRef, instanceRef: { external: id }, addresses: [{ address }] }, 'team-b');
    await world.reason('CloudIPShare', 'theirs', 'AlreadyClaimed', 5 * minute, 'team-b');
    await world.apply('CloudIPShare', 'neu', share());
    await world.clock.advance(30_000);
    if (when === 'since') await world.delete('CloudIPShare', 'old');
    operator.kill();
    await world.clock.advance(minute);
    if (when === 'before') await world.delete('CloudIPShare', 'old');
    operator = await world.start();
    await world.gone('CloudIPShare', 'old', 5 * minute);
    expect(sent()[0]).toEqual(sharing(0));
  });
  it('where the machine after which the other object is named is not handed over', async () => {
    const id = Number((await world.get('CloudInstance', 'standby')).status?.['id']);
    await world.apply('CloudInstance', 'standby-2', { ...machine, adopt: { id } });
    await world.apply('CloudIPShare', 'neu', share(['web'], { instanceRef: { name: 'standby-2' } }));
    await world.delete('CloudIPShare', 'old');
    await world.gone('CloudIPShare', 'old', 30_000);
    expect(sent()).toEqual([sharing(0)]);
  });
  it('where both machines are renamed with it, and the other object names one that is not there, too', async () => {
    const id = Number((await world.get('CloudInstance', 'standby')).status?.['id']);
    await world.apply('CloudInstance', 'standby-2', { ...machine, adopt: { id } });
    await world.apply('CloudIPShare', 'neu', share(['web', 'ghost'], { instanceRef: { name: 'standby-2' } }));
    await world.clock.advance(5000);
    await world.delete('CloudIPShare', 'old');
    await world.delete('CloudInstance', 'standby');
    await world.gone('CloudIPShare', 'old', 30_000);
    expect(sent().filter((line) => line.includes('/ips/share'))[0]).toEqual(sharing(0));
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
