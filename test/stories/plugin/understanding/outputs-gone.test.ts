import { beforeEach, expect, it } from 'vitest';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const at = (name: string): string => `/api/v1/namespaces/team-a/secrets/${name}`;
const isThere = async (name: string): Promise<boolean> => (await world.server.as('admin', 'GET', at(name))).status === 200;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudVolume', 'data', {
    region: 'eu-central',
    sizeGiB: 20,
    outputs: [{ secretName: 'disk', keys: { DISK: '{device-path}' } }],
  });
  await world.ready('CloudVolume', 'data');
  await world.clock.runUntil(() => isThere('disk'), 10 * minute);
  await world.clock.advance(minute);
});

const says =
  'Secret team-a/disk, to which it gives something out, is not there. The operator writes it again when it looks next, in some 5 minutes. To have it look at once:\n  kubectl cloud reconcile -n team-a cvol/data\n';

it('a Secret of its outputs that somebody deleted is missed before the operator looks, and comes back by the line that is told', async () => {
  expect((await cloud(world, 'why cvol/data')).out).not.toContain('not there');
  await world.server.as('admin', 'DELETE', at('disk'));
  const { exit, out } = await cloud(world, 'why cvol/data');
  expect([exit, out]).toEqual([0, expect.stringContaining(says)]);
  expect(out).toMatch(/^CloudVolume team-a\/data is Ready and as wanted/);
  expect(dataOf(await cloud(world, 'why cvol/data -o json'))).toMatchObject({ objects: [{ outputsGone: ['Secret team-a/disk'] }] });
  await cloud(world, 'reconcile -n team-a cvol/data');
  await world.clock.advance(minute);
  expect(await isThere('disk')).toBe(true);
  expect((await cloud(world, 'why cvol/data')).out).not.toContain('not there');
});

it('is written again within the time that is told', async () => {
  await world.server.as('admin', 'DELETE', at('disk'));
  await world.clock.runUntil(() => isThere('disk'), 5.5 * minute);
});

it('is not spoken of to who may not read it, and not promised while nobody looks', async () => {
  await world.server.as('admin', 'DELETE', at('disk'));
  const shut = await cloud(world, 'why cvol/data', {
    between: (server) => ({
      handle: (request) =>
        request.path.includes('/secrets/')
          ? Promise.resolve({ status: 403, headers: { 'content-type': 'application/json' }, body: '{"kind":"Status","code":403}' })
          : server.handle(request),
    }),
  });
  expect([shut.exit, shut.out]).toEqual([0, expect.not.stringContaining('disk')]);
  await cloud(world, 'pause cvol/data --reason test');
  await world.clock.advance(minute);
  expect((await cloud(world, 'why cvol/data')).out).not.toContain('writes it again');
});

it('of what was told only once it is not promised that it comes back', async () => {
  await world.apply('CloudObjectKey', 'uploads', { bucketAccess: [] });
  await world.ready('CloudObjectKey', 'uploads', 10 * minute);
  const { outputs } = (await world.get('CloudObjectKey', 'uploads')).status as unknown as { readonly outputs: readonly { name: string }[] };
  const name = outputs[0]?.name ?? '';
  await world.server.as('admin', 'DELETE', at(name));
  const { out } = await cloud(world, 'why cokey/uploads');
  expect(out).toContain(
    `Secret team-a/${name}, to which it gives something out, is not there. The operator writes it again when it looks next, in some 5 minutes, but not `,
  );
  expect(out).toContain(', which the service tells only once: then it says what to do. To have it look at once:\n');
});

it('of a key that came back from Git with the one that was rotated out the line that ends it is told', async () => {
  const { id: made } = await new CloudUser(world).post('/object-storage/keys', { label: 'By Hand', bucket_access: [] });
  const adopted = { bucketAccess: [], adopt: { id: made } };
  await world.apply('CloudObjectKey', 'uploads', adopted);
  const { id } = (await world.ready('CloudObjectKey', 'uploads', 10 * minute)).status ?? {};
  const rotate = 'rotate cokey/uploads --confirm uploads';
  await cloud(world, rotate);
  await world.clock.runUntil(async () => (await world.get('CloudObjectKey', 'uploads')).status?.['id'] !== id, 10 * minute);
  await world.delete('CloudObjectKey', 'uploads');
  await world.gone('CloudObjectKey', 'uploads', 10 * minute);
  await world.apply('CloudObjectKey', 'uploads', adopted);
  // The Secret still holds what the newer key was told, and nothing else does: a person says whether anybody needs that.
  const { message } = await world.reason('CloudObjectKey', 'uploads', 'AlreadyExists', 10 * minute);
  expect(message).toContain('Secret uploads-cokey keeps what was told once of something that stays in the account');
  const kept = (await cloud(world, 'why cokey/uploads')).out;
  expect(kept).toContain('\n  kubectl -n team-a edit cloudobjectkey uploads\n');
  expect(kept).not.toContain('support');
  await world.admin('DELETE', at('uploads-cokey'));
  await world.clock.advance(6 * minute);
  await world.ready('CloudObjectKey', 'uploads', 10 * minute);
  const { out } = await cloud(world, 'why cokey/uploads');
  expect(out).toMatch(
    /This object adopted \/object-storage\/keys\/\d+, and [^\n]* was told once, to whoever made that\. .*\n {2}kubectl -n team-a get secrets .*\n {2}kubectl -n team-a edit .*\n {2}kubectl cloud rotate -n team-a cokey\/uploads\n/,
  );
  expect(out).not.toContain('kubectl cloud reconcile');
  await cloud(world, rotate);
  await world.clock.runUntil(() => isThere('uploads-cokey'), 10 * minute);
});
