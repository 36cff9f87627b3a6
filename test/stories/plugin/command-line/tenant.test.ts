import { expect, it } from 'vitest';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { plural } from '../../../../src/generate/names.ts';
import { registry } from '../../../../src/plugin/command-line/kinds.ts';
import { World } from '../../../support/world/world.ts';

const [platform, theirs, own] = ['platform', 'team-a', 'team-b'];
const volume = { accountRef: { name: 'default', namespace: platform }, region: 'eu-central', sizeGiB: 20 };
const document = (name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudVolume', metadata: { name, namespace: own }, spec });
const everything = { apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['*'] };
const besides = { apiGroups: [''], resources: ['secrets', 'configmaps', 'events'], verbs: ['get', 'list', 'watch', 'create', 'patch'] };
const forged = '\u001B[2J\nApproved by security ![x](https://evil.example/p.png)';

it('who may edit one namespace is told by no verb what another one has, and forged texts stay in their line', async () => {
  const world = await World.create();
  for (const name of [platform, own]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [theirs, own] }] }, platform);
  await world.start();
  await world.apply('CloudVolume', 'theirs', { ...volume, label: 'canary-label' }, theirs);
  const { status = {} } = await world.ready('CloudVolume', 'theirs', 60_000, theirs);
  await world.apply('CloudVolume', 'mine', volume, own);
  const mine = await world.ready('CloudVolume', 'mine', 60_000, own);
  const plan = { hash: 'a'.repeat(16), effect: 'Replace', changes: [`size: ${forged}`], names: [`1000 is ${forged}`] };
  await world.patch('CloudVolume', 'mine', { metadata: { annotations: { 'cloudhosting.dev/pause': `true;reason=${forged}` } } }, own);
  await world.clock.advance(10_000);
  await world.admin('PATCH', `${world.path('CloudVolume', own, 'mine')}/status`, { status: { ...mine.status, plan } });
  world.server.addUser('tenant', { name: 'tenant' });
  world.server.setGrants([{ to: 'tenant', namespace: own, rules: [everything, besides] }]);
  const files = {
    'new/copy.yaml': document('copy', { ...volume, region: undefined, volumeRef: { external: Number(status['id']) } }),
    'new/take.yaml': document('take', { ...volume, adopt: { id: Number(status['id']) } }),
  };
  const account = `--account ${platform}/default --endpoint ${endpoint}`;
  const said: string[] = [];
  for (const line of [
    'why -A',
    'why cvol/mine',
    `why cvol/theirs -n ${theirs}`,
    'tree',
    'tree -A',
    'approve --list',
    'approve --list -A',
    'status',
    `plan cvol/mine -o markdown --endpoint ${endpoint}`,
    `plan -f new --endpoint ${endpoint}`,
    'plan -f new --against cluster',
    `orphans ${account}`,
    `export --to - ${account}`,
  ]) {
    const { out, err } = await cloud(world, line, { token: 'tenant', namespace: own, limit: 300_000, files });
    said.push(out, err);
  }
  const text = said.join('\n');
  expect(text).toContain('Approved by security');
  expect(text).not.toMatch(/^Approved by/m);
  for (const hidden of ['canary-label', '\u001B', String(status['path'])]) expect(text).not.toContain(hidden);
});

it('who may read everything of a namespace but accounts is shown the rest by tree and status, and told what is left out', async () => {
  const world = await World.create();
  for (const name of [platform, own]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [own] }] }, platform);
  await world.start();
  await world.apply('CloudVolume', 'mine', volume, own);
  await world.ready('CloudVolume', 'mine', 60_000, own);
  world.server.addUser('tenant', { name: 'tenant' });
  const resources = registry.kinds.filter(({ kind }) => kind !== 'CloudAccount').map(({ kind }) => plural(kind));
  world.server.setGrants([{ to: 'tenant', namespace: own, rules: [{ ...everything, resources }] }]);
  for (const [verb, has] of [
    ['tree', `CloudVolume ${own}/mine`],
    ['status', `${platform}/default`],
  ] as const) {
    const { exit, out, err } = await cloud(world, verb, { token: 'tenant', namespace: own, limit: 300_000 });
    expect([exit, err]).toEqual([
      0,
      expect.stringContaining('CloudAccount is left out, because you may not list cloudaccounts.cloudhosting.dev in namespace team-b'),
    ]);
    expect(out).toContain(has);
  }
  world.server.setGrants([]);
  const { exit, err } = await cloud(world, 'tree', { token: 'tenant', namespace: own, limit: 300_000 });
  expect([exit, err]).toEqual([4, expect.stringContaining('The right that is missing: list')]);
});
