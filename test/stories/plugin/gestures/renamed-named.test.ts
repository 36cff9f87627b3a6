import { expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const web = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
  label: 'web',
};

it('why of a machine that takes over names the firewall and the volume that name the one before, and nothing changes by what it says', async () => {
  const world = await World.create();
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
  await world.start();
  await world.apply('CloudInstance', 'old', web);
  await world.ready('CloudInstance', 'old');
  await world.apply('CloudFirewall', 'fw', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'old' }] });
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'old' }, sizeGiB: 20 });
  await world.ready('CloudFirewall', 'fw');
  await world.ready('CloudVolume', 'data');
  await world.apply('CloudInstance', 'new', web);
  await world.clock.advance(5 * minute);
  const told = async (): Promise<string> => {
    const { out } = await cloud(world, 'why cinst/new');
    expect(out).toContain(
      'CloudFirewall team-a/fw (spec.instanceRefs[0]), CloudVolume team-a/data (spec.instanceRef) name the other one, too: before that is deleted, have them name this one',
    );
    return out;
  };
  expect(await told()).toContain('If this object is that one renamed');
  const { status } = await world.get('CloudInstance', 'old');
  await world.patch('CloudInstance', 'new', { spec: { adopt: { id: Number(status?.['id']) } } });
  await world.clock.advance(5 * minute);
  expect(await told()).toContain('delete the other one by the first line');

  const sent = (): number => world.emulator.control.requests().filter(({ method }) => method !== 'GET').length;
  const before = sent();
  await world.patch('CloudFirewall', 'fw', { spec: { instanceRefs: [{ name: 'new' }] } });
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'new' } } });
  await world.clock.advance(5 * minute);
  expect((await cloud(world, 'why cinst/new')).out).not.toContain('name the other one');
  await world.delete('CloudInstance', 'old');
  await world.gone('CloudInstance', 'old');
  for (const [kind, name] of [
    ['CloudInstance', 'new'],
    ['CloudFirewall', 'fw'],
    ['CloudVolume', 'data'],
  ] as const)
    await world.ready(kind, name, 30 * minute);
  await world.clock.advance(30 * minute);
  expect(sent()).toBe(before);
});
