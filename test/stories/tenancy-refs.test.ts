import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../support/changes.ts';
import { World } from '../support/world.ts';

let world: World;
const accountRef = { name: 'default', namespace: 'team-a' };
beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-b'] }] });
  await world.start();
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
