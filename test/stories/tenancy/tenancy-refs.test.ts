import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
const accountRef = { name: 'default', namespace: 'team-a' };
beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-b'] }] });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});

it('a record whose domain no longer admits it is left as it is, with the reference that is not admitted', async () => {
  const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', allowedRefs: { namespaces: ['team-b'] } };
  await world.apply('CloudDomain', 'zone', zone);
  const record = { accountRef, domainRef: { name: 'zone', namespace: 'team-a' }, type: 'A', host: 'www', target: '192.0.2.1' };
  await world.apply('CloudDomainRecord', 'www', record, 'team-b');
  await world.ready('CloudDomainRecord', 'www', 120_000, 'team-b');
  await world.patch('CloudDomain', 'zone', { spec: { allowedRefs: { namespaces: [] } } });
  const before = changesOf(world).length;
  await world.patch('CloudDomainRecord', 'www', { spec: { target: '192.0.2.66' } }, 'team-b');
  const { message } = await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady', 120_000, 'team-b');
  expect(message).toContain('spec.domainRef: CloudDomain team-a/zone is not found, or does not admit namespace team-b');
  await world.clock.advance(3_600_000);
  expect(changesOf(world)).toHaveLength(before);
  expect(world.emulator.control.requests().filter(({ path }) => path.includes('undefined'))).toEqual([]);
});

const images = () => world.emulator.control.rows('stackscripts').map((row) => (row as { images?: unknown }).images);

describe('an element of a list that a namespace may not name', () => {
  const script = { accountRef, label: 'setup', script: '#!/bin/sh\n' };
  it('keeps the object from being made without it', async () => {
    await world.apply('CloudStackScript', 'mine', { ...script, images: ['vm/debian11', 'private/1'] }, 'team-b');
    const { message } = await world.reason('CloudStackScript', 'mine', 'ReferenceNotReady', 60_000, 'team-b');
    expect(message).toContain('spec.images[1]: "private/1" is something of the account itself');
    expect(changesOf(world)).toEqual([]);
  });
  it('leaves the field alone when it is added later', async () => {
    await world.apply('CloudStackScript', 'mine', { ...script, images: ['vm/debian11'] }, 'team-b');
    await world.ready('CloudStackScript', 'mine', 60_000, 'team-b');
    const before = images();
    await world.patch('CloudStackScript', 'mine', { spec: { images: ['vm/debian12', 'private/1'] } }, 'team-b');
    await world.reason('CloudStackScript', 'mine', 'ReferenceNotReady', 60_000, 'team-b');
    expect(images()).toEqual(before);
  });
});

const clones = () => changesOf(world).filter((line) => line.includes('/clone'));

describe('a zone whose allowedRefs admit another namespace', () => {
  const clone = { accountRef, domain: 'example.net', cloneFrom: { name: 'zone', namespace: 'team-a' } };
  beforeEach(async () => {
    const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', allowedRefs: { namespaces: ['team-b'] } };
    await world.apply('CloudDomain', 'zone', zone);
    await world.ready('CloudDomain', 'zone');
  });
  it('takes its records, and is not copied by it with all that others have there', async () => {
    await world.apply('CloudDomain', 'copy', clone, 'team-b');
    const { message } = await world.reason('CloudDomain', 'copy', 'ReferenceNotReady', 120_000, 'team-b');
    expect(message).toContain('spec.cloneFrom: ');
    expect(message).toContain('spec.access[].adopt: Any for namespace team-b');
    await world.clock.advance(3_600_000);
    expect(clones()).toEqual([]);
    expect(world.emulator.control.rows('domains')).toHaveLength(1);
  });
  it('is copied by it where the account lets that namespace adopt', async () => {
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    await world.apply('CloudDomain', 'copy', clone, 'team-b');
    await world.ready('CloudDomain', 'copy', 120_000, 'team-b');
    expect(clones()).toHaveLength(1);
  });
  it('is not named to whom it does not admit, whatever the account lets that namespace do', async () => {
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    await world.patch('CloudDomain', 'zone', { spec: { allowedRefs: { namespaces: [] } } });
    await world.apply('CloudDomain', 'copy', clone, 'team-b');
    const { message } = await world.reason('CloudDomain', 'copy', 'ReferenceNotReady', 120_000, 'team-b');
    expect(message).toContain('is not found, or does not admit namespace team-b');
    expect(clones()).toEqual([]);
  });
});

const admits = (...namespaces: string[]) => world.patch('CloudDomain', 'zone', { spec: { allowedRefs: { namespaces } } });
const records = () => world.emulator.control.rows('domain records') as unknown as { id: number }[];
const isLost = async () => (await world.reason('CloudDomainRecord', 'theirs', 'AlreadyClaimed', 3_600_000, 'team-b')).message;

describe('a record that was made while its zone admitted the namespace, once it does no more', () => {
  const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', allowedRefs: { namespaces: ['team-b'] } };
  const same = { accountRef, type: 'A', host: 'www', target: '192.0.2.1', lifecycle: { onDelete: 'Delete' } };
  const own = (more: object = {}) => world.apply('CloudDomainRecord', 'own', { ...same, domainRef: { name: 'zone' }, ...more });
  beforeEach(async () => {
    await world.apply('CloudDomain', 'zone', zone);
    const record = { ...same, domainRef: { name: 'zone', namespace: 'team-a' } };
    await world.apply('CloudDomainRecord', 'theirs', record, 'team-b');
    await world.ready('CloudDomainRecord', 'theirs', 120_000, 'team-b');
  });

  it.each([false, true])('is adopted by who has the zone, who deletes it then (restart: %s)', async (restarts) => {
    await own();
    await world.reason('CloudDomainRecord', 'own', 'AlreadyClaimed', 120_000);
    await admits();
    const { message } = await world.reason('CloudDomainRecord', 'own', 'AlreadyExists', 120_000);
    const id = Number(records()[0]?.id);
    expect(message).toContain(`To take it over write spec.adopt: {id: ${id}}`);
    await world.patch('CloudDomainRecord', 'own', { spec: { adopt: { id } } });
    await world.ready('CloudDomainRecord', 'own', 120_000);
    expect(await isLost()).toContain('already: that CloudDomain no longer admits namespace team-b; one remote has one object');
    if (restarts) {
      operator.kill();
      operator = await world.start();
    }
    // It is not given back to whoever is admitted again.
    await admits('team-b');
    await world.clock.advance(3_600_000);
    await world.ready('CloudDomainRecord', 'own', 60_000);
    await isLost();
    const before = changesOf(world).length;
    await world.delete('CloudDomainRecord', 'theirs', 'team-b');
    await world.gone('CloudDomainRecord', 'theirs', 120_000, 'team-b');
    expect(changesOf(world).slice(before)).toEqual([]);
    await world.delete('CloudDomainRecord', 'own');
    await world.gone('CloudDomainRecord', 'own', 120_000);
    expect(records()).toEqual([]);
  });
  it('is its object’s while nobody took it over, and again once that is admitted', async () => {
    await admits();
    await world.reason('CloudDomainRecord', 'theirs', 'ReferenceNotReady', 120_000, 'team-b');
    await admits('team-b');
    await world.ready('CloudDomainRecord', 'theirs', 120_000, 'team-b');
    await own({ adopt: { id: Number(records()[0]?.id) } });
    await world.reason('CloudDomainRecord', 'own', 'AlreadyClaimed', 120_000);
    await admits();
    await world.delete('CloudDomainRecord', 'own');
    await world.delete('CloudDomainRecord', 'theirs', 'team-b');
    await world.gone('CloudDomainRecord', 'theirs', 120_000, 'team-b');
    expect(records()).toEqual([]);
  });
});
