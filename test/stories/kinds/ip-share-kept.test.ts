import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

/** `evil` let an instance go (Retain), and team-a, who may adopt, has it now; the CloudIPShare of `evil` is still there. */
const accountRef = { name: 'default', namespace: 'platform' };
const machine = { accountRef, region: 'eu-central', type: 'g6-nanode-1' };
const share = (instance: string, other: string) => ({
  accountRef,
  instanceRef: { name: instance },
  addresses: [{ addressFrom: { instanceRef: { name: other }, address: 'PublicIPv4' } }],
});
async function begin() {
  const world = await World.create();
  for (const name of ['platform', 'evil']) await world.namespace(name);
  await world.account({ access: [{ namespaces: ['evil'] }, { namespaces: ['team-a'], adopt: 'Any' }] }, 'platform');
  await world.start();
  for (const name of ['standby', 'web'])
    await world.apply('CloudInstance', name, { ...machine, lifecycle: { onDelete: 'Retain' } }, 'evil');
  for (const name of ['standby', 'web']) await world.ready('CloudInstance', name, 600_000, 'evil');
  await world.apply('CloudIPShare', 'hold', share('standby', 'web'), 'evil');
  await world.ready('CloudIPShare', 'hold', 600_000, 'evil');
  const id = Number((await world.get('CloudInstance', 'standby', 'evil')).status?.['id']);
  await world.delete('CloudInstance', 'standby', 'evil');
  await world.gone('CloudInstance', 'standby', 600_000, 'evil');
  await world.apply('CloudInstance', 'mine', { ...machine, adopt: { id } });
  await world.apply('CloudInstance', 'front', machine);
  for (const name of ['mine', 'front']) await world.ready('CloudInstance', name);
  return { world, id };
}

it('does not keep the addresses of an instance from who has it now', async () => {
  const { world } = await begin();
  await world.apply('CloudIPShare', 'pair', share('mine', 'front'));
  await world.ready('CloudIPShare', 'pair');
});
it('is not put back on an instance that is another team’s by now', async () => {
  const { world, id } = await begin();
  const before = world.changes.length;
  await world.delete('CloudIPShare', 'hold', 'evil');
  await world.gone('CloudIPShare', 'hold', 600_000, 'evil');
  const sent = world.changes.slice(before).filter(({ key }) => key.namespace === 'evil');
  expect(sent, `calls of evil on instance ${id}, which is team-a/mine`).toEqual([]);
});
