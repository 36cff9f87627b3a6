import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const rule = (port: string) => ({ action: 'ACCEPT', protocol: 'TCP', ports: port, addresses: { ipv4: ['203.0.113.0/24'] } });
const wall = { label: 'wall', inbound: [rule('22')], inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };

let world: World;
let path: string;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudFirewall', 'wall', wall);
  path = String((await world.ready('CloudFirewall', 'wall')).status?.['path']);
});
const rules = () => new CloudUser(world).get(`${path}/rules`);
const byColleague = async (outbound: readonly object[]): Promise<void> => {
  await new CloudUser(world).put(`${path}/rules`, { ...(await rules()), outbound });
};

// The row of the last look was sent along: what a colleague had opened or closed a moment ago was undone without a word.
it('the direction that the spec leaves alone stays as it is at this moment', async () => {
  await byColleague([rule('443')]);
  await world.patch('CloudFirewall', 'wall', { spec: { inbound: [rule('2222')] } });
  await world.clock.advance(1000);
  expect(await rules()).toMatchObject({ inbound: [{ ports: '2222' }], outbound: [{ ports: '443' }] });
  await byColleague([]);
  await world.patch('CloudFirewall', 'wall', { spec: { inbound: [rule('22')] } });
  await world.clock.advance(1000);
  expect(await rules()).toMatchObject({ inbound: [{ ports: '22' }], outbound: [] });
});

it('where it cannot be read nothing is sent', async () => {
  const fault = world.emulator.control.addFault({
    match: { method: 'GET', path: `${path}/rules` },
    effect: { kind: 'answer', status: 200, body: '{"inbound": 7}' },
  });
  await byColleague([rule('443')]).catch(() => undefined);
  await world.patch('CloudFirewall', 'wall', { spec: { inbound: [rule('2222')] } });
  await world.clock.advance(60_000);
  world.emulator.control.removeFault(fault);
  expect(await rules()).toMatchObject({ inbound: [{ ports: '22' }] });
  await world.ready('CloudFirewall', 'wall');
  expect(await rules()).toMatchObject({ inbound: [{ ports: '2222' }] });
});
const idsOf = async (): Promise<unknown> => (await world.get('CloudInstance', 'web')).status?.['firewallIds'];
const firewallId = async (): Promise<number> => Number((await world.get('CloudFirewall', 'edge')).status?.['id']);

describe('what an instance shows of its firewalls', () => {
  it('is read again when it comes behind one, or leaves it, whoever did that, though no event names it', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', 'web');
    await world.clock.runUntil(async () => (await idsOf()) !== undefined, 600_000);
    const edge = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }] };
    await world.apply('CloudFirewall', 'edge', edge);
    await world.ready('CloudFirewall', 'edge');
    const id = await firewallId();
    await world.clock.runUntil(async () => isDeepStrictEqual(await idsOf(), [id]), 30_000);
    await world.patch('CloudFirewall', 'edge', { spec: { instanceRefs: [] } });
    await world.clock.runUntil(async () => isDeepStrictEqual(await idsOf(), []), 30_000);
    await world.patch('CloudFirewall', 'edge', { spec: { instanceRefs: [{ name: 'web' }] } });
    await world.clock.runUntil(async () => isDeepStrictEqual(await idsOf(), [id]), 30_000);
    await world.delete('CloudFirewall', 'edge');
    await world.gone('CloudFirewall', 'edge');
    await world.clock.runUntil(async () => isDeepStrictEqual(await idsOf(), []), 30_000);
  });
});
