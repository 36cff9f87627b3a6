import { expect, it } from 'vitest';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const keyAt = '/api/v1/namespaces/cloud-operator/secrets';
const accountRef = { name: 'default', namespace: 'team-a' };
const spec = { accountRef, region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Delete' } };
const recreate = { metadata: { annotations: { 'cloudhosting.dev/recreate': 'today' } } };

/** A cluster out of a backup, from before its instance was deleted and made once more under the same name. */
async function restored(namespace: string, account: object = {}): Promise<{ readonly world: World; readonly since: string }> {
  const old = await World.create();
  const admits = { access: [{ namespaces: ['team-b'] }], installation: 'prod' };
  await old.namespace('team-b');
  await old.account(admits);
  const operator = await old.start();
  await old.apply('CloudInstance', 'web', spec, namespace);
  await old.ready('CloudInstance', 'web', undefined, namespace);
  const backup = exported(old, { annotations: true });
  await old.delete('CloudInstance', 'web', namespace);
  await old.gone('CloudInstance', 'web', undefined, namespace);
  await old.apply('CloudInstance', 'web', spec, namespace);
  const { status } = await old.ready('CloudInstance', 'web', undefined, namespace);
  await old.clock.advance(5 * minute);
  operator.kill();
  const { data } = (await old.admin('GET', `${keyAt}/cloud-operator-key`)) as unknown as { readonly data: object };
  const world = await World.create({ beside: old });
  await world.namespace('team-b');
  const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
  await world.admin('POST', keyAt, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await world.account({ ...admits, ...account });
  await restore(world, backup);
  await world.start();
  return { world, since: String(status?.['path']) };
}

it.each([
  ['', {}],
  [', also while the account recovers', { recover: true }],
])('what was made since the backup for an object of its name is told, and taken when a person says so%s', async (_, account) => {
  const { world, since } = await restored('team-a', account);
  const seq = lastRequest(world);
  const { message } = await world.reason('CloudInstance', 'web', 'RemoteMissing');
  expect(message).toContain(`${since} bears the mark of this object`);
  expect(message).not.toContain('empty');
  await world.patch('CloudInstance', 'web', recreate);
  expect((await world.ready('CloudInstance', 'web')).status).toMatchObject({ path: since });
  expect(changesSince(world, seq).filter((call) => !/^POST \S+ 400/.test(call))).toEqual([]);
});

it.each([
  ['and who may adopt is told of it', 'team-a', true],
  ['but who may not adopt is not', 'team-b', false],
])('what somebody else gave the label of what is gone bears its mark, %s', async (_, namespace, isTold) => {
  const world = await World.create();
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-b'] }] });
  await world.start();
  await world.apply('CloudInstance', 'web', spec, namespace);
  const { status } = await world.ready('CloudInstance', 'web', undefined, namespace);
  const { label, tags } = world.emulator.control.rows('instances')[0] as unknown as { readonly label: string; readonly tags: string[] };
  const colleague = new CloudUser(world);
  await colleague.delete(String(status?.['path']));
  await world.reason('CloudInstance', 'web', 'RemoteMissing', undefined, namespace);
  const { id } = await colleague.post('/vm/instances', { label, tags, region: 'eu-central', type: 'g6-nanode-1' });
  await world.clock.advance(70 * minute);
  const { message } = await world.reason('CloudInstance', 'web', 'RemoteMissing', undefined, namespace);
  expect(message.includes(`/vm/instances/${String(id)} bears the mark`)).toBe(isTold);
  expect(message.includes(String(id))).toBe(isTold);
});

it('of several that bear its mark none is said to be taken, and who says yes is asked which', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudVolume', 'data', { sizeGiB: 20, region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
  const { status } = await world.ready('CloudVolume', 'data');
  const { label, tags } = world.emulator.control.rows('volumes')[0] as unknown as { readonly label: string; readonly tags: string[] };
  const colleague = new CloudUser(world);
  await colleague.delete(String(status?.['path']));
  await world.reason('CloudVolume', 'data', 'RemoteMissing');
  const copies = [];
  for (let n = 0; n < 2; n += 1) copies.push((await colleague.post('/volumes', { label, tags, region: 'eu-central', size: 20 }))['id']);
  await world.clock.advance(70 * minute);
  const { message } = await world.reason('CloudVolume', 'data', 'RemoteMissing');
  expect(message).toContain(copies.map((id) => `/volumes/${String(id)}`).join(', '));
  expect(message).not.toContain('taken in place');
  await world.patch('CloudVolume', 'data', recreate);
  await world.reason('CloudVolume', 'data', 'Ambiguous');
});

it('what is told of a loss while the account recovers costs one read of what was made since', async () => {
  const { world, since } = await restored('team-a', { recover: true });
  await world.patch('CloudInstance', 'web', { spec: { lifecycle: { onMissing: 'Recreate' } } });
  await world.reason('CloudInstance', 'web', 'RemoteMissing');
  const seq = lastRequest(world);
  await world.clock.advance(70 * minute);
  const reads = world.emulator.control.requests(seq).filter(({ method, path }) => method === 'GET' && path.endsWith(since));
  expect(reads).toHaveLength(1);
});
