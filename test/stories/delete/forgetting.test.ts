import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const record = { domainRef: { name: 'example' }, type: 'A', host: 'www', target: '192.0.2.1' };

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudDomain', 'example', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
  await world.apply('CloudDomainRecord', 'www', record);
  await world.ready('CloudDomainRecord', 'www');
  await world.clock.advance(minute);
});

describe('what is gone is forgotten by every store', () => {
  it('when it was deleted', async () => {
    await world.delete('CloudDomainRecord', 'www');
    await world.gone('CloudDomainRecord', 'www');
    await world.clock.settle();
    expect(world.remembered()).toEqual([]);
  });
  it('also by a reconcile that was under way while another one of its name took its place', async () => {
    world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes' }, times: 1, effect: { kind: 'delay', seconds: 20 } });
    await world.apply('CloudVolume', 'data', { region: 'eu-central' });
    await world.clock.advance(2000);
    await world.patch('CloudVolume', 'data', { metadata: { finalizers: null } });
    await world.delete('CloudVolume', 'data');
    await world.apply('CloudVolume', 'data', { region: 'eu-central' });
    await world.clock.advance(10 * minute);
    expect(world.remembered()).toEqual([]);
  });
  it('when the account goes with all that used it', async () => {
    await world.delete('CloudDomain', 'example');
    await world.delete('CloudAccount', 'default');
    await world.gone('CloudDomain', 'example');
    await world.delete('CloudDomainRecord', 'www');
    await world.gone('CloudDomainRecord', 'www');
    await world.gone('CloudAccount', 'default');
    await world.clock.settle();
    expect(world.remembered()).toEqual([]);
  });
  it('and by the cache of a connection that another account shares', async () => {
    await world.namespace('team-b');
    await world.account({}, 'team-b');
    await world.ready('CloudAccount', 'default', 60_000, 'team-b');
    await world.delete('CloudAccount', 'default', 'team-b');
    await world.gone('CloudAccount', 'default', 60_000, 'team-b');
    await world.clock.advance(10 * minute);
    expect(world.remembered()).toEqual([]);
  });
});
