import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

/** Answers of the service with status 200 that are not what its documents promise. */
const odd: readonly (readonly [what: string, body: unknown])[] = [
  ['another type', { ipv4: { public: 'none' } }],
  ['null', { ipv4: null }],
  ['rows of another shape', { ipv4: { public: [17] } }],
  ['no object', []],
];
const instance = {
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
  power: 'On',
};
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
});
const answers = (template: string, body: unknown): number =>
  world.emulator.control.addFault({
    match: { method: 'GET', template },
    effect: { kind: 'answer', status: 200, body: JSON.stringify(body) },
  });
const changes = () => world.emulator.control.requests().filter(({ method }) => method !== 'GET');

it.each(odd)('keeps an instance Ready whose addresses, which are only shown, are answered with %s', async (_, body) => {
  const id = answers('/vm/instances/{vmId}/ips', body);
  await world.start();
  await world.apply('CloudInstance', 'web', instance);
  await world.ready('CloudInstance', 'web');
  // Read from birth, and again by the rounds.
  await world.clock.advance(900_000);
  const shown = await world.get('CloudInstance', 'web');
  expect(shown.status).toMatchObject({ state: 'running', publicIPv4: expect.any(String) });
  expect(shown.status).not.toHaveProperty('reverseDNS');
  expect((await world.condition('CloudInstance', 'web', 'Ready'))?.status).toBe('True');
  world.emulator.control.removeFault(id);
  await world.clock.advance(900_000);
  expect((await world.get('CloudInstance', 'web')).status?.['reverseDNS']).toHaveLength(1);
});

it('keeps what it showed of a part before the answers became odd', async () => {
  await world.start();
  await world.apply('CloudInstance', 'web', instance);
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(900_000);
  const before = (await world.get('CloudInstance', 'web')).status?.['reverseDNS'];
  expect(before).toHaveLength(1);
  answers('/vm/instances/{vmId}/ips', { ipv4: { public: 'none' } });
  await world.clock.advance(1_800_000);
  expect((await world.get('CloudInstance', 'web')).status?.['reverseDNS']).toEqual(before);
  expect((await world.condition('CloudInstance', 'web', 'Ready'))?.status).toBe('True');
});

it('keeps an account Ready whose maintenance, which is only shown, is answered with rows of another shape', async () => {
  answers('/account/maintenance', { data: [null, 'soon'], page: 1, pages: 1, results: 2 });
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.clock.advance(1_800_000);
  expect((await world.condition('CloudAccount', 'default', 'Ready'))?.status).toBe('True');
});

it('says of a part that is compared what cannot be read, and changes nothing by it', async () => {
  await world.start();
  await world.apply('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [] });
  await world.ready('CloudFirewall', 'edge');
  const id = answers('/networking/firewalls/{firewallId}/devices', { data: [{ id: 'x' }], page: 1, pages: 1, results: 1 });
  await world.clock.advance(900_000);
  const before = changes().length;
  await world.patch('CloudFirewall', 'edge', { spec: { tags: ['prod'] } });
  const told = await world.reason('CloudFirewall', 'edge', 'Unreachable', 1_800_000);
  expect(told.message).toContain('devices');
  expect(changes().slice(before)).toEqual([]);
  world.emulator.control.removeFault(id);
  await world.ready('CloudFirewall', 'edge', 1_800_000);
});
