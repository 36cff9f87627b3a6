import { expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const instance = { region: 'eu-central', type: 'g6-nanode-1', label: 'web-1' };

/** An instance `web-1` of the operator's, beside `web-2` of somebody else's. */
async function begin(): Promise<World> {
  const world = await World.create();
  await world.account();
  await world.start();
  await new CloudUser(world).post('/vm/instances', { ...instance, label: 'web-2' });
  await world.apply('CloudInstance', 'web', instance);
  await world.ready('CloudInstance', 'web');
  return world;
}

it('a label that another has is refused with what to do, and nothing is lost', async () => {
  const world = await begin();
  const { status } = await world.get('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { label: 'web-2' } });
  const { message } = await world.reason('CloudInstance', 'web', 'AlreadyExists');
  expect(message).toContain('spec.label');
  expect(message).toMatch(/choose another value, or rename the other one there/);
  expect(await world.condition('CloudInstance', 'web', 'Stalled')).toMatchObject({ status: 'True' });
  await world.clock.advance(3_600_000);
  expect((await world.get('CloudInstance', 'web')).status).toMatchObject({ id: status?.['id'], path: status?.['path'] });
  const labels = (await new CloudUser(world).list('/vm/instances')).map(({ label }) => label);
  expect(new Set(labels)).toEqual(new Set(['web-1', 'web-2']));
  await world.patch('CloudInstance', 'web', { spec: { label: 'web-3' } });
  expect((await world.ready('CloudInstance', 'web')).status?.['id']).toBe(status?.['id']);
});

it('is taken as soon as the other has let go of it', async () => {
  const world = await begin();
  await world.patch('CloudInstance', 'web', { spec: { label: 'web-2' } });
  await world.reason('CloudInstance', 'web', 'AlreadyExists');
  const user = new CloudUser(world);
  const other = (await user.list('/vm/instances')).find(({ label }) => label === 'web-2');
  await user.put(`/vm/instances/${String(other?.['id'])}`, { label: 'web-9' });
  await world.ready('CloudInstance', 'web', 3_700_000);
  expect(new Set((await user.list('/vm/instances')).map(({ label }) => label))).toEqual(new Set(['web-2', 'web-9']));
});

it('names the object of the same namespace that has the label, so that two are swapped by way of a third, and none of another namespace', async () => {
  const world = await World.create();
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-b'] }] });
  await world.start();
  const theirs = { region: 'eu-central', type: 'g6-nanode-1', accountRef: { name: 'default', namespace: 'team-a' } };
  await world.apply('CloudInstance', 'hidden', { ...theirs, label: 'web-3' }, 'team-b');
  await world.ready('CloudInstance', 'hidden', undefined, 'team-b');
  for (const label of ['web-1', 'web-2']) await world.apply('CloudInstance', label, { ...instance, label });
  for (const name of ['web-1', 'web-2']) await world.ready('CloudInstance', name);
  await world.patch('CloudInstance', 'web-1', { spec: { label: 'web-2' } });
  await world.patch('CloudInstance', 'web-2', { spec: { label: 'web-1' } });
  const [one, two] = [
    await world.reason('CloudInstance', 'web-1', 'AlreadyExists'),
    await world.reason('CloudInstance', 'web-2', 'AlreadyExists'),
  ];
  expect(one.message).toContain('CloudInstance team-a/web-2 has this already');
  expect(two.message).toContain('CloudInstance team-a/web-1 has this already');
  await world.patch('CloudInstance', 'web-2', { spec: { label: 'between' } });
  await world.ready('CloudInstance', 'web-2');
  await world.ready('CloudInstance', 'web-1', 3_700_000);
  await world.patch('CloudInstance', 'web-2', { spec: { label: 'web-1' } });
  await world.ready('CloudInstance', 'web-2');
  await world.patch('CloudInstance', 'web-1', { spec: { label: 'web-3' } });
  const other = await world.reason('CloudInstance', 'web-1', 'AlreadyExists');
  expect(other.message).toContain('Something else in the account has this already');
  expect(other.message).not.toContain('hidden');
});

for (const [kind, spec] of [
  ['CloudInstance', { region: 'eu-central', type: 'g6-nanode-1' }],
  ['CloudFirewall', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' }],
] as const)
  it(`${kind}: two that swap their labels by way of a third wait for nothing but each other`, async () => {
    const world = await World.create();
    await world.account();
    await world.start();
    for (const label of ['one', 'two']) await world.apply(kind, label, { ...spec, label });
    for (const name of ['one', 'two']) await world.ready(kind, name);
    await world.patch(kind, 'one', { spec: { label: 'two' } });
    await world.patch(kind, 'two', { spec: { label: 'one' } });
    const { message } = await world.reason(kind, 'one', 'AlreadyExists');
    await world.reason(kind, 'two', 'AlreadyExists');
    expect(message).toContain('give that one another first; two that shall swap need a third in between');
    await world.patch(kind, 'two', { spec: { label: 'between' } });
    await world.ready(kind, 'two');
    await world.ready(kind, 'one', 60_000);
    await world.patch(kind, 'two', { spec: { label: 'one' } });
    await world.ready(kind, 'two', 60_000);
  });

it('is taken at once from an object that has another by now, or is gone, also one of another namespace', async () => {
  const world = await World.create();
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-b'] }] });
  await world.start();
  const firewall = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
  const theirs = { ...firewall, accountRef: { name: 'default', namespace: 'team-a' } };
  await world.apply('CloudFirewall', 'hidden', { ...theirs, label: 'web-3' }, 'team-b');
  await world.ready('CloudFirewall', 'hidden', undefined, 'team-b');
  await world.apply('CloudFirewall', 'web', { ...firewall, label: 'web-1' });
  await world.ready('CloudFirewall', 'web');
  await world.patch('CloudFirewall', 'web', { spec: { label: 'web-3' } });
  const { message } = await world.reason('CloudFirewall', 'web', 'AlreadyExists');
  expect(message).not.toContain('hidden');
  await world.patch('CloudFirewall', 'hidden', { spec: { label: 'web-4' } }, 'team-b');
  await world.ready('CloudFirewall', 'hidden', undefined, 'team-b');
  await world.ready('CloudFirewall', 'web', 60_000);
  await world.patch('CloudFirewall', 'web', { spec: { label: 'web-4' } });
  await world.reason('CloudFirewall', 'web', 'AlreadyExists');
  await world.patch('CloudFirewall', 'hidden', { spec: { lifecycle: { onDelete: 'Delete' } } }, 'team-b');
  await world.delete('CloudFirewall', 'hidden', 'team-b');
  await world.gone('CloudFirewall', 'hidden', undefined, 'team-b');
  await world.ready('CloudFirewall', 'web', 60_000);
});

it('is made as soon as the object that has its name has another', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'one', instance);
  await world.ready('CloudInstance', 'one');
  await world.apply('CloudInstance', 'two', instance);
  await world.reason('CloudInstance', 'two', 'AlreadyClaimed');
  await world.patch('CloudInstance', 'one', { spec: { label: 'web-2' } });
  await world.ready('CloudInstance', 'one');
  await world.ready('CloudInstance', 'two', 60_000);
});
