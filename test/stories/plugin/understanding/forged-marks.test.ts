import { beforeEach, expect, it } from 'vitest';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

/** Who may edit an object may write into its annotations what looks signed; the plugin has no key to tell. `evil` is a tenant that does. */
const accountRef = { name: 'default', namespace: 'platform' };
const mac = 'a'.repeat(16);
const secret = '#!/bin/bash\n# of the platform alone: Canary-Horse-9-Battery';
let world: World;
beforeEach(async () => {
  world = await World.create();
  for (const name of ['platform', 'evil']) await world.namespace(name);
  await world.account({ access: [{ namespaces: ['team-a', 'evil'] }] }, 'platform');
  await world.start();
  await world.ready('CloudAccount', 'default', 60_000, 'platform');
});
const write = (kind: string, name: string, annotations: object) => world.patch(kind, name, { metadata: { annotations } }, 'evil');
/** Paused from the start, so that its status never says what it has. */
const trap = () =>
  world.admin('POST', world.path('CloudVolume', 'evil'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudVolume',
    metadata: { name: 'trap', namespace: 'evil', annotations: { 'cloudhosting.dev/pause': 'true' } },
    spec: { ...volume, label: 'trap' },
  });
const volume = { accountRef, region: 'eu-central', sizeGiB: 20 };
const remote = (account: unknown, path: unknown) => ({
  'cloudhosting.dev/remote': `${String(account)}${String(path)}#created.${mac}.${mac}`,
});
const plan = async (line: string, spec?: object): Promise<string> => {
  const document = JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudVolume', metadata: { name: 'data' }, spec });
  return (await cloud(world, `plan ${line} --endpoint ${endpoint}`, { limit: 300_000, files: { 'all.yaml': document } })).out;
};

it('what a tenant wrote into its annotation does not make the plan of another team refuse', async () => {
  await trap();
  await world.clock.advance(10_000);
  await world.apply('CloudVolume', 'data', volume);
  const { path, account } = (await world.ready('CloudVolume', 'data')).status ?? {};
  await write('CloudVolume', 'trap', remote(account, path));
  await world.clock.advance(10_000);
  await world.ready('CloudVolume', 'data');
  expect(await plan('-f all.yaml', { ...volume, sizeGiB: 40 })).toContain('sizeGiB: 20 -> 40');
});

it('an intent that a tenant wrote itself does not make the plan of another team wait', async () => {
  await trap();
  const intent = `{"attempts":[{"at":"2026-01-01T00:01:50.000Z","n":1}],"before":[],"key":{"in":"/volumes","is":{"label":"new-data"}},"mac":"${mac}"}`;
  await write('CloudVolume', 'trap', { 'cloudhosting.dev/intent': intent });
  await world.clock.advance(10_000);
  expect(await plan('-f all.yaml', { ...volume, label: 'new-data' })).toContain('POST /volumes');
});

it.each(['/', '?'])('a plan of what is a conflict to the operator shows nothing of another team’s (%j)', async (end) => {
  const script = { accountRef, images: ['vm/debian11'] };
  await world.apply('CloudStackScript', 'setup', { ...script, label: 'setup', script: secret });
  const { path, account } = (await world.ready('CloudStackScript', 'setup')).status ?? {};
  await world.clock.advance(10_000);
  const metadata = { name: 'probe', namespace: 'evil', annotations: remote(account, `${String(path)}${end}`) };
  const spec = { ...script, label: 'probe', script: '#!/bin/sh' };
  await world.admin('POST', world.path('CloudStackScript', 'evil'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudStackScript',
    metadata,
    spec,
  });
  await world.reason('CloudStackScript', 'probe', 'IdentityConflict', 60_000, 'evil');
  const shown = await plan('cscript/probe -n evil');
  expect.soft(shown).toContain('refused');
  expect(shown).not.toContain('Canary');
});

it('a status that a manifest brings confirms nothing', async () => {
  await world.apply('CloudStackScript', 'setup', { accountRef, images: ['vm/debian11'], label: 'setup', script: secret });
  const { path, account } = (await world.ready('CloudStackScript', 'setup')).status ?? {};
  const spec = { accountRef, images: ['vm/debian11'], label: 'probe', script: '#!/bin/sh' };
  await world.apply('CloudStackScript', 'probe', spec, 'evil');
  await world.clock.advance(10_000);
  await write('CloudStackScript', 'probe', remote(account, path));
  await world.clock.advance(10_000);
  const document = JSON.stringify({
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudStackScript',
    metadata: { name: 'probe' },
    spec,
    status: { path, account },
  });
  const { out } = await cloud(world, `plan -f all.yaml -n evil --endpoint ${endpoint}`, {
    limit: 300_000,
    files: { 'all.yaml': document },
  });
  expect(out).not.toContain('Canary');
  expect(out).toContain('probe');
});
