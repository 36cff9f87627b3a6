import { beforeEach, expect, it } from 'vitest';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const minute = 60_000;
const volume = { region: 'eu-central', sizeGiB: 20 };
const copy = { volumeRef: { name: 'golden' } };

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account({ installation: 'prod' });
  operator = await world.start();
  await world.apply('CloudVolume', 'golden', volume);
  await world.ready('CloudVolume', 'golden');
});
const rows = (): readonly { readonly id: number; readonly label: string }[] => world.emulator.control.rows('volumes') as never;
const loseAnswer = (effect: 'lose-answer' | 'lose-request'): number =>
  world.emulator.control.addFault({
    match: { method: 'POST', template: '/volumes/{volumeId}/clone', username: 'admin' },
    times: 1,
    effect: { kind: effect },
  });

/** The answer to the copy is lost with its operator, and the source leaves Git meanwhile. */
async function interrupted(effect: 'lose-answer' | 'lose-request'): Promise<number> {
  loseAnswer(effect);
  await world.apply('CloudVolume', 'copy', copy);
  await world.reason('CloudVolume', 'copy', 'UnknownOutcome');
  operator.kill();
  await world.patch('CloudVolume', 'golden', { metadata: { finalizers: null } });
  await world.delete('CloudVolume', 'golden');
  await world.clock.advance(10 * minute);
  const seq = lastRequest(world);
  await world.start();
  return seq;
}

it('a copy of which the answer was lost is taken up, although its source has left', async () => {
  const seq = await interrupted('lose-answer');
  await world.clock.advance(5 * minute);
  expect((await world.get('CloudVolume', 'copy')).status).toMatchObject({ id: String(rows()[1]?.id) });
  expect(changesSince(world, seq).filter((call) => call.startsWith('POST'))).toEqual([]);
});

it('one that never reached the service says that nothing can be seen of it, and sends nothing', async () => {
  const seq = await interrupted('lose-request');
  await world.clock.advance(30 * minute);
  const { message } = (await world.condition('CloudVolume', 'copy', 'Synced')) ?? {};
  expect(message).toContain('CloudVolume golden is not found');
  expect(message).toContain('made nothing that can be seen');
  expect(changesSince(world, seq)).toEqual([]);
});

async function rebuilt({ label, withKey }: { readonly label?: string; readonly withKey: boolean }): Promise<number> {
  await world.apply('CloudVolume', 'copy', { ...copy, label });
  await world.ready('CloudVolume', 'copy');
  operator.kill();
  const [old, objects] = [world, exported(world)];
  const at = '/api/v1/namespaces/cloud-operator/secrets';
  const { data } = (await old.admin('GET', `${at}/cloud-operator-key`)) as unknown as { readonly data: object };
  world = await World.create({ beside: old });
  const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
  if (withKey) await world.admin('POST', at, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await world.account({ installation: 'prod' });
  await restore(
    world,
    objects.filter((one) => one.metadata.name === 'copy'),
  );
  const seq = lastRequest(world);
  await world.start();
  return seq;
}

it('a cluster that is rebuilt from Git without the source finds the copy by its mark', async () => {
  const seq = await rebuilt({ withKey: true });
  await world.clock.advance(5 * minute);
  expect((await world.get('CloudVolume', 'copy')).status).toMatchObject({ id: String(rows()[1]?.id) });
  expect(changesSince(world, seq)).toEqual([]);
});

it.each([
  ['with a label that is no mark', { label: 'copied', withKey: true }],
  ['that lost its key', { withKey: false }],
])('one %s does not say that nothing was made, but how it is had back', async (_, how) => {
  const seq = await rebuilt(how);
  const { message } = await world.reason('CloudVolume', 'copy', 'ReferenceNotReady');
  expect(message).not.toContain('Nothing was made');
  expect(message).toContain('without spec.volumeRef and with spec.adopt');
  await world.clock.advance(30 * minute);
  expect(changesSince(world, seq)).toEqual([]);
});
