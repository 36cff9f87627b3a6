import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../support/world.ts';

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
    await world.configMap('scripts', { 'setup.sh': 'echo 1' });
    await world.apply('CloudStackScript', 'setup', spec);
    const { message } = await world.reason('CloudStackScript', 'setup', 'Rejected');
    expect(message).toContain('spec.scriptFrom: Invalid StackScript');
    await world.admin('PATCH', at, { data: { 'setup.sh': '#!/bin/sh\necho 1' } });
    await world.ready('CloudStackScript', 'setup', 6 * minute);
    expect(mine()).toMatchObject({ script: '#!/bin/sh\necho 1' });
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
