import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// After a rotation the earlier key works on until its end, whichever object has the one that came in its place by then.
const minute = 60_000;
const kind = 'CloudObjectKey';
const rotated = { 'cloudhosting.dev/rotate': 'r1' };
const spec = { label: 'one', bucketAccess: [], secretName: 'creds', rotation: { overlapHours: 1 } };
const [earlier, current] = ['/object-storage/keys/1000', '/object-storage/keys/1001'];

let world: World;
let operator: RunningOperator;
let until = '';
let before = 0;
async function open(lifecycle: object = {}): Promise<void> {
  await world.apply(kind, 'old', { ...spec, lifecycle });
  await world.ready(kind, 'old');
  await world.clock.advance(2 * minute);
  await world.patch(kind, 'old', { metadata: { annotations: rotated } });
  await world.clock.advance(5 * minute);
  const { status } = await world.ready(kind, 'old');
  expect(status).toMatchObject({ path: current, retiring: [{ path: earlier }] });
  until = (status?.['retiring'] as readonly { readonly until: string }[] | undefined)?.[0]?.until ?? '';
  before = lastRequest(world);
}
beforeEach(async () => {
  world = await World.create();
  await world.account({ access: [{ namespaces: ['team-a', 'team-b'], adopt: 'Any' }] });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const heir = (more: object = {}) => ({ ...spec, ...more, adopt: { id: 1001 } });
const retiring = async () => (await world.get(kind, 'new')).status?.['retiring'];
const ids = (): readonly number[] => (world.emulator.control.rows('object keys') as readonly { readonly id: number }[]).map(({ id }) => id);
const retained = (): string =>
  (world.server.objects('/events') as unknown as readonly { reason: string; message: string }[]).find(({ reason }) => reason === 'Retained')
    ?.message ?? '';
const deletions = (): readonly string[] => changesSince(world, before).filter((one) => one.startsWith('DELETE'));
async function untilItsEnd(): Promise<void> {
  await world.clock.advance(Date.parse(until) - world.clock.now() - minute);
  expect(deletions()).toEqual([]);
  await world.clock.advance(3 * minute);
}
async function isHandedOver(): Promise<void> {
  await world.gone(kind, 'old');
  await world.ready(kind, 'new', 20 * minute);
  expect(deletions()).toEqual([]);
  expect(await retiring()).toMatchObject([{ path: earlier, until }]);
  expect(retained()).toContain(
    `${kind} new takes over what works beside it, too, and deletes that when its time is over: ${earlier} (at ${until})`,
  );
  await untilItsEnd();
  expect(changesSince(world, before)).toEqual([`DELETE ${earlier} 200 `]);
  expect(await retiring()).toBeUndefined();
  expect(ids()).toEqual([1001]);
}

describe('the earlier key of one that is renamed soon after its rotation', () => {
  it.each([{}, { onDelete: 'Delete' }, { onDelete: 'Retain' }])('goes over with its end, under %j', async (lifecycle) => {
    await open(lifecycle);
    await world.apply(kind, 'new', heir({ lifecycle }));
    await world.clock.advance(5000);
    await world.delete(kind, 'old');
    await isHandedOver();
  });

  it.each([{}, { onDelete: 'Retain' }])('goes over by an operator that comes later, under %j', async (lifecycle) => {
    await open(lifecycle);
    operator.kill();
    await world.apply(kind, 'new', heir({ lifecycle }));
    await world.delete(kind, 'old');
    await world.clock.advance(minute);
    operator = await world.start();
    await isHandedOver();
  });

  it('is known to one of the two wherever the operator ends', async () => {
    await open();
    await world.apply(kind, 'new', heir());
    await world.reason(kind, 'new', 'AlreadyClaimed');
    await world.delete(kind, 'old');
    for (let left = 100; left > 0; left -= 1) {
      await world.clock.advance(100);
      if ((await world.get(kind, 'new')).metadata.annotations?.['cloudhosting.dev/retiring'] !== undefined) break;
    }
    operator.kill();
    await world.clock.advance(minute);
    operator = await world.start();
    await isHandedOver();
  });

  it('goes soon where its end has come while nobody ran', async () => {
    await open();
    operator.kill();
    await world.apply(kind, 'new', heir());
    await world.delete(kind, 'old');
    await world.clock.advance(90 * minute);
    operator = await world.start();
    await world.gone(kind, 'old');
    await world.ready(kind, 'new', 20 * minute);
    await world.clock.advance(5 * minute);
    expect(changesSince(world, before)).toEqual([`DELETE ${earlier} 200 `]);
    expect(ids()).toEqual([1001]);
  });

  it.each([{}, { onDelete: 'Retain' }])('stays where the next one only observes, under %j, and the Event says so', async (lifecycle) => {
    await open(lifecycle);
    await world.apply(kind, 'new', heir({ lifecycle: { management: 'Observe' } }));
    await world.clock.advance(5000);
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await world.clock.advance(90 * minute);
    expect(changesSince(world, before)).toEqual([]);
    expect(ids()).toEqual([1000, 1001]);
    expect(retained()).toContain(
      `What works beside it stays, too, and nobody deletes it any more, as ${kind} new only observes: ${earlier} (which was to be deleted at ${until}). Delete that in the account once nobody uses it`,
    );
  });

  it('stays where it is pruned first, with nobody to take it over, and the Event says so', async () => {
    await open({ onDelete: 'Retain' });
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await world.apply(kind, 'new', heir({ lifecycle: { onDelete: 'Retain' } }));
    await world.ready(kind, 'new', 20 * minute);
    await world.clock.advance(90 * minute);
    expect(changesSince(world, before)).toEqual([]);
    expect(ids()).toEqual([1000, 1001]);
    expect(retained()).toContain(`What works beside it stays, too, and nobody deletes it any more: ${earlier}`);
  });

  it('waits until the account may be written to again', async () => {
    await open();
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(minute);
    await world.apply(kind, 'new', heir());
    await world.clock.advance(5000);
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    await world.clock.advance(90 * minute);
    expect(changesSince(world, before)).toEqual([]);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.clock.advance(20 * minute);
    expect(changesSince(world, before)).toEqual([`DELETE ${earlier} 200 `]);
  });

  it('is not deleted by the next one where that is asked to have it in place of the other', async () => {
    await open({ onDelete: 'Retain' });
    const paused = 'cloudhosting.dev/pause';
    const metadata = { name: 'new', namespace: 'team-a', annotations: { [paused]: 'true' } };
    await world.admin('POST', world.path(kind), { apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata, spec: heir() });
    await world.delete(kind, 'old');
    await world.gone(kind, 'old');
    expect(await retiring()).toMatchObject([{ path: earlier, until }]);
    await world.patch(kind, 'new', { metadata: { annotations: { [paused]: null } }, spec: { adopt: { id: 1000 } } });
    await world.clock.advance(90 * minute);
    expect((await world.get(kind, 'new')).status).toMatchObject({ path: earlier });
    expect(deletions()).toEqual([]);
    expect(ids()).toEqual([1000, 1001]);
  });
});

const doc = (name: string, more: object): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, namespace: 'team-a' }, spec: more });
it('plan of that rename is as without an earlier key, and tells what becomes of it', async () => {
  await open();
  const files = { 'old.yaml': doc('old', spec), 'new.yaml': doc('new', heir()) };
  const { out, exit } = await cloud(world, `plan -f new.yaml --base old.yaml --endpoint ${endpoint}`, { files, limit: 10 * minute });
  expect(out).toMatch(/CloudObjectKey team-a\/new +adopt\n/);
  expect(out).toMatch(/CloudObjectKey team-a\/old +retain\n/);
  expect(out).toContain('what works beside it is not deleted now');
  expect(out).toContain(`${earlier} (${until})`);
  expect(out).not.toContain('DELETE');
  expect(exit).toBe(1);
});
it('plan of a deletion tells that the earlier key goes at once', async () => {
  await open();
  const files = {
    'old.yaml': doc('old', spec),
    'none.yaml': doc('none', spec)
      .replace(kind, 'CloudTag')
      .replace(/"spec":.*/, '"spec":{"label":"some-tag"}}'),
  };
  const { out } = await cloud(world, `plan -f none.yaml --base old.yaml --endpoint ${endpoint}`, { files, limit: 10 * minute });
  expect(out).toContain(`what works beside it goes at once, too, before its time is over: ${earlier} (${until})`);
});
