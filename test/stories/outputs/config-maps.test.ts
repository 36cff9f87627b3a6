import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const spec = { label: 'setup', images: ['any/all'], scriptFrom: { configMapKeyRef: { name: 'scripts', key: 'setup.sh' } } };
const at = '/api/v1/namespaces/team-a/configmaps/scripts';
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const scripts = () =>
  world.emulator.control
    .objects()
    .flatMap(({ collection, diedAt, row }) => (collection === 'stackscripts' && diedAt === undefined ? [row] : []));
const mine = (): unknown => scripts().find((row) => (row as { label: string }).label === 'setup');

describe('a text out of a ConfigMap', () => {
  it('is waited for, and the object says for what', async () => {
    await world.apply('CloudStackScript', 'setup', spec);
    const { message } = await world.reason('CloudStackScript', 'setup', 'ReferenceNotReady');
    expect(message).toContain('ConfigMap scripts is not found in namespace team-a. Create it with key setup.sh');
    expect(mine()).toBeUndefined();
    await world.configMap('scripts', { 'other.sh': '#!/bin/sh' });
    await world.clock.advance(6 * minute);
    expect((await world.condition('CloudStackScript', 'setup', 'Synced'))?.message).toContain('ConfigMap scripts has no key setup.sh');
    await world.admin('PATCH', at, { data: { 'setup.sh': '#!/bin/sh\necho 1' } });
    await world.ready('CloudStackScript', 'setup', 6 * minute);
    expect(mine()).toMatchObject({ script: '#!/bin/sh\necho 1' });
  });

  it('is followed within five minutes of its change, and kept when the ConfigMap goes', async () => {
    await world.configMap('scripts', { 'setup.sh': '#!/bin/sh\necho 1' });
    await world.apply('CloudStackScript', 'setup', spec);
    await world.ready('CloudStackScript', 'setup');
    await world.admin('PATCH', at, { data: { 'setup.sh': '#!/bin/sh\necho 2' } });
    await world.clock.advance(5 * minute + 5000);
    expect(mine()).toMatchObject({ script: '#!/bin/sh\necho 2' });
    await world.admin('DELETE', at);
    await world.reason('CloudStackScript', 'setup', 'ReferenceNotReady', 6 * minute);
    expect(mine()).toMatchObject({ script: '#!/bin/sh\necho 2' });
  });

  it('that the service refuses is sent again when it was corrected there', async () => {
    await world.configMap('scripts', { 'setup.sh': '#!/bin/sh\n# <UDF name="host name" label="Host" />' });
    await world.apply('CloudStackScript', 'setup', spec);
    const { message } = await world.reason('CloudStackScript', 'setup', 'Rejected');
    expect(message).toContain('spec.scriptFrom: it said "Invalid StackScript');
    await world.admin('PATCH', at, { data: { 'setup.sh': '#!/bin/sh\necho 1' } });
    await world.ready('CloudStackScript', 'setup', 6 * minute);
    expect(mine()).toMatchObject({ script: '#!/bin/sh\necho 1' });
  });

  it.each([
    ['names no program', 'echo 1', 'spec.scriptFrom: what it names does not begin with #!'],
    ['is empty', '', 'spec.scriptFrom: what it names does not begin with #!'],
    ['is too long', `#!${'a'.repeat(65_534)}`, 'spec.scriptFrom: what it names has 65536 characters, and a script has 65535 at most'],
  ])('that %s is never sent, neither with the create nor later, until it is another', async (_, text, says) => {
    await world.configMap('scripts', { 'setup.sh': text });
    await world.apply('CloudStackScript', 'setup', spec);
    const { message } = await world.reason('CloudStackScript', 'setup', 'InvalidSpec');
    expect(message).toContain(says);
    expect(changesOf(world)).toEqual([]);
    await world.admin('PATCH', at, { data: { 'setup.sh': '#!/bin/sh\necho 1' } });
    await world.ready('CloudStackScript', 'setup', 6 * minute);
    await world.admin('PATCH', at, { data: { 'setup.sh': text } });
    const later = await world.reason('CloudStackScript', 'setup', 'InvalidSpec', 6 * minute);
    expect(later.message).toContain(says);
    expect(changesOf(world)).toEqual(['POST /vm/stackscripts']);
  });

  it('of 65535 characters is sent, however many bytes they are', async () => {
    await world.configMap('scripts', { 'setup.sh': `#!/bin/sh\n#${'é'.repeat(65_524)}` });
    await world.apply('CloudStackScript', 'setup', spec);
    await world.ready('CloudStackScript', 'setup');
    expect(changesOf(world)).toEqual(['POST /vm/stackscripts']);
  });

  it('of another namespace is not to be had', async () => {
    await world.namespace('team-b');
    await world.configMap('scripts', { 'setup.sh': '#!/bin/sh' }, 'team-b');
    await world.apply('CloudStackScript', 'setup', spec);
    await world.reason('CloudStackScript', 'setup', 'ReferenceNotReady');
    expect(mine()).toBeUndefined();
  });
});

it('a script is made private, and published once that is approved', async () => {
  await world.configMap('scripts', { 'setup.sh': '#!/bin/sh' });
  await world.apply('CloudStackScript', 'setup', { ...spec, public: true });
  await world.reason('CloudStackScript', 'setup', 'ApprovalRequired');
  expect(mine()).toMatchObject({ is_public: false });
  const { status } = await world.get('CloudStackScript', 'setup');
  const plan = status?.['plan'] as { hash: string } | undefined;
  await world.patch('CloudStackScript', 'setup', { metadata: { annotations: { 'cloudhosting.dev/approve': plan?.hash } } });
  await world.ready('CloudStackScript', 'setup');
  expect(mine()).toMatchObject({ is_public: true });
});

it('a public script is not deleted: its object waits for a person, and goes when it is to stay', async () => {
  await world.configMap('scripts', { 'setup.sh': '#!/bin/sh' });
  const approve = ['InPlace', 'Rebuild'];
  await world.apply('CloudStackScript', 'setup', { ...spec, public: true, lifecycle: { approve } });
  await world.ready('CloudStackScript', 'setup');
  await world.delete('CloudStackScript', 'setup');
  const { message } = await world.reason('CloudStackScript', 'setup', 'Rejected');
  expect(message).toContain('spec.lifecycle.onDelete: Retain');
  await world.patch('CloudStackScript', 'setup', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.gone('CloudStackScript', 'setup');
  expect(mine()).toMatchObject({ is_public: true });
});

it('a script that a colleague makes in the minute of a lost create is known by who made it, although no event is read', async () => {
  await world.configMap('scripts', { 'setup.sh': '#!/bin/sh' });
  world.emulator.control.addFault({ match: { method: 'POST', username: 'admin' }, times: 1, effect: { kind: 'lose-request' } });
  world.emulator.control.addFault({
    match: { method: 'GET', path: '/account/events', username: 'admin' },
    effect: { kind: 'answer', status: 200, body: '{"data":[],"page":1,"pages":1,"results":0}' },
  });
  await world.apply('CloudStackScript', 'setup', spec);
  await world.reason('CloudStackScript', 'setup', 'UnknownOutcome');
  await new CloudUser(world).post('/vm/stackscripts', { label: 'setup', images: ['any/all'], script: '#!/bin/sh' });
  await world.reason('CloudStackScript', 'setup', 'AlreadyExists');
  await world.delete('CloudStackScript', 'setup');
  await world.gone('CloudStackScript', 'setup');
  expect([mine(), changesOf(world)]).toEqual([expect.objectContaining({ username: 'colleague' }), ['POST /vm/stackscripts']]);
});
