import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../src/engine/ports/index.ts';
import { post } from '../../../src/resource/index.ts';
import { accountWorld, how, idOf, kinds, ownerOf, sent } from './account-world.ts';
import { settled } from './scripted.ts';

type Connected = ReturnType<typeof accountWorld> & {
  readonly connection: Connection;
  readonly firewall: string;
  readonly instance: number;
};
const rules = { inbound_policy: 'DROP', outbound_policy: 'ACCEPT' };

/** A firewall of a colleague, owned by an object, and an instance that is not behind it yet. */
async function connected(): Promise<Connected> {
  const world = accountWorld();
  const { connection } = await world.open();
  const firewall = `/networking/firewalls/${idOf(await world.byColleague('POST', '/v4/networking/firewalls', { label: 'wall', rules }))}`;
  const instance = idOf(await world.byColleague('POST', '/v4/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'web' }));
  connection.cache.track(firewall, ownerOf('firewall', 'wall', '/networking/firewalls'));
  connection.cache.requestSweep(ownerOf('firewall', 'wall', '/networking/firewalls'));
  await world.clock.advance(180_000);
  world.counted();
  world.woken.length = 0;
  return { ...world, connection, firewall, instance };
}
const devices = ({ connection, firewall }: Connected): unknown => connection.cache.get(firewall)?.remote['devices'];

describe('a part', () => {
  test('is merged into its remote as a field', async () => {
    const set = await connected();
    await settled(set.clock, set.connection.cache.readPart(set.firewall, 'devices', how));
    expect(devices(set)).toEqual([]);
    expect(set.connection.cache.get(set.firewall)?.remote).toMatchObject({ label: 'wall' });
  });

  test('of something nobody owns is refused: nobody says where it is', async () => {
    const set = await connected();
    await expect(set.connection.cache.readPart('/volumes/1', 'devices', how)).rejects.toMatchObject({ fault: 'Abandoned' });
  });

  test('of something that is gone is not found', async () => {
    const set = await connected();
    await set.byColleague('DELETE', `/v4${set.firewall}`);
    set.connection.cache.invalidate(set.firewall);
    await expect(settled(set.clock, set.connection.cache.readPart(set.firewall, 'devices', how))).rejects.toMatchObject({
      fault: 'NotFound',
    });
  });

  test('that is compared is read again when an event names its item', async () => {
    const set = await connected();
    await settled(set.clock, set.connection.cache.readPart(set.firewall, 'devices', how));
    await set.byColleague('POST', `/v4${set.firewall}/devices`, { type: 'vm', id: set.instance });
    await set.clock.advance(10_100);
    expect(devices(set)).toMatchObject([{ entity: { id: set.instance, type: 'vm' } }]);
    expect(set.woken).toContain('CloudFirewall/team/wall');
  });

  test('that changes without an event is found by the round, and wakes its owner', async () => {
    const set = await connected();
    set.emulator.control.addFault({ match: {}, effect: { kind: 'lost' } });
    await set.byColleague('POST', `/v4${set.firewall}/devices`, { type: 'vm', id: set.instance });
    await set.clock.advance(301_000);
    expect(devices(set)).toMatchObject([{ entity: { id: set.instance } }]);
    expect(set.woken).toContain('CloudFirewall/team/wall');
    set.counted();
    await set.clock.advance(3_600_000);
    expect(set.counted()['GET /networking/firewalls/{id}/devices']).toBe(12);
  });

  test('goes with what we changed: it is read anew', async () => {
    const set = await connected();
    await settled(set.clock, set.connection.cache.readPart(set.firewall, 'devices', how));
    const reply = await settled(set.clock, sent(set.connection, post(`${set.firewall}/devices`, { type: 'vm', id: set.instance }), how));
    set.connection.cache.written(set.firewall, reply);
    expect(set.connection.cache.get(set.firewall)).toBeUndefined();
    await settled(set.clock, set.connection.cache.readPart(set.firewall, 'devices', how));
    expect(devices(set)).toMatchObject([{ entity: { id: set.instance } }]);
  });
});

/** An instance that an object has just come to own, none of its parts read. */
async function owned(): Promise<Connected & { readonly vm: string }> {
  const set = await connected();
  const vm = `/vm/instances/${set.instance}`;
  set.connection.cache.track(vm, ownerOf('instance', 'web', '/vm/instances'));
  await settled(set.clock, set.connection.cache.read(vm, kinds.instance, how));
  set.counted();
  set.woken.length = 0;
  return { ...set, vm };
}
const partReads = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).filter(([name]) => /instances\/.*\/(ips|firewalls|backups)$/.test(name));

describe('parts of what was just made', () => {
  test('are read all at once, wake nobody, and the rounds do not read them again', async () => {
    const { connection, clock, counted, woken, vm } = await owned();
    await settled(clock, connection.cache.readNewParts(vm, how, 2000));
    expect(Object.keys(connection.cache.get(vm)?.remote ?? {})).toEqual(expect.arrayContaining(['firewalls', 'ips', 'snapshots']));
    await clock.advance(200_000);
    expect(partReads(counted()).map(([, calls]) => calls)).toEqual([1, 1, 1]);
    expect(woken.filter((name) => name.startsWith('CloudInstance'))).toEqual([]);
  });

  test('that take too long are not waited for: they wake their owner', async () => {
    const { connection, emulator, clock, woken, vm } = await owned();
    emulator.control.addFault({ match: { method: 'GET', path: `${vm}/ips` }, times: 1, effect: { kind: 'delay', seconds: 5 } });
    const begun = clock.monotonic();
    await settled(clock, connection.cache.readNewParts(vm, how, 2000));
    expect(clock.monotonic() - begun).toBeLessThanOrEqual(2000);
    expect(connection.cache.get(vm)?.remote).not.toHaveProperty('ips');
    await clock.advance(4000);
    expect(connection.cache.get(vm)?.remote).toHaveProperty('ips');
    expect(woken).toContain('CloudInstance/team/web');
  });
});

test('what is only shown is told without another look at the events: nothing is corrected by it', async () => {
  const { clock, counted, woken } = await owned();
  await clock.advance(200_000);
  const polls = counted()['GET /account/events'];
  expect(polls).toBeLessThanOrEqual(21);
  expect(woken.filter((name) => name.startsWith('CloudInstance')).length).toBeGreaterThanOrEqual(3);
});
