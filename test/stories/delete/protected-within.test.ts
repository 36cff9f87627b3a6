import { beforeEach, expect, it } from 'vitest';
import { cloud, dataOf, endpoint } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

const protect = { lifecycle: { onDelete: 'Delete', protect: true } };
const free = { lifecycle: { onDelete: 'Delete', protect: false } };
const team = 'team-b';
const accountRef = { name: 'default', namespace: 'team-a' };

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account({ access: [{ namespaces: [team], adopt: 'Any' }] });
  await world.namespace(team);
  await world.start();
});
const deletes = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => path.replace(/^\/v4(beta)?/, '').replaceAll(/\d+/g, 'N'));
const rows = (collection: string): readonly unknown[] => world.emulator.control.rows(collection);

async function machine(disks: Readonly<Record<string, object>>, more: object = {}): Promise<void> {
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Delete' }, ...more });
  await world.ready('CloudInstance', 'web');
  for (const [name, lifecycle] of Object.entries(disks)) {
    await world.apply('CloudDisk', name, { instanceRef: { name: 'web' }, label: name, sizeMB: 1000, ...lifecycle });
    await world.ready('CloudDisk', name);
  }
}
async function held(kind: string, name: string): Promise<string> {
  await world.delete(kind, name);
  const { message } = await world.reason(kind, name, 'DeletionHeld');
  await world.clock.advance(600_000);
  expect(await world.condition(kind, name, 'Synced')).toMatchObject({ reason: 'DeletionHeld' });
  return message;
}

it('a machine with a protected disk stays until that may go, and says which', async () => {
  await machine({ data: protect });
  const message = await held('CloudInstance', 'web');
  expect(message).toMatch(/^CloudDisk data is in \/vm\/instances\/\d+, which would take it along, and has spec\.lifecycle\.protect: true/);
  expect(deletes()).toEqual([]);
  await world.patch('CloudDisk', 'data', { spec: free });
  await world.gone('CloudInstance', 'web', 60_000);
  expect(rows('disks')).toEqual([]);
});
it('`why` tells both lines, and `plan --prune` that it would be held', async () => {
  await machine({ data: protect });
  await world.patch('CloudInstance', 'web', { metadata: { labels: { part: 'shop' } } });
  const files = { 'none.yaml': 'apiVersion: v1\nkind: List\nitems: []\n' };
  const plan = await cloud(world, `plan -f none.yaml --prune -l part=shop -o json --endpoint ${endpoint}`, { limit: 600_000, files });
  expect(dataOf(plan)).toMatchObject({
    objects: [{ action: 'wait', message: expect.stringContaining('CloudDisk data is in ') as string }],
  });
  await held('CloudInstance', 'web');
  const why = await cloud(world, 'why cinst/web', { limit: 600_000 });
  expect(why.out).toContain(
    [
      'The second takes the protection off: then it and CloudDisk data are deleted at once, for good, without a question.',
      `  kubectl -n team-a patch cloudinstance web --type=merge -p '{"spec":{"lifecycle":{"onDelete":"Retain"}}}'`,
      `  kubectl -n team-a patch clouddisk data --type=merge -p '{"spec":{"lifecycle":{"protect":false}}}'`,
      '',
    ].join('\n'),
  );
  await world.patch('CloudInstance', 'web', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.gone('CloudInstance', 'web', 60_000);
  expect(rows('disks')).toHaveLength(1);
});
it('all that holds it is named, and a disk beside it goes by a call of its own meanwhile', async () => {
  await machine({ data: protect, logs: protect, spare: free });
  expect(await held('CloudInstance', 'web')).toMatch(
    /^CloudDisk data and CloudDisk logs are in \S+, which would take them along, and have spec\.lifecycle\.protect: true\. To leave all of it in the account, set spec\.lifecycle\.onDelete: Retain here; if that is set to false in each of them, all of it is deleted at once, for good$/,
  );
  expect((await world.get('CloudInstance', 'web')).status?.['waitingFor']).toEqual([
    'spec.lifecycle.protect of CloudDisk data',
    'spec.lifecycle.protect of CloudDisk logs',
  ]);
  const { out } = await cloud(world, 'why cinst/web', { limit: 600_000 });
  for (const name of ['data', 'logs']) expect(out).toContain(`kubectl -n team-a patch clouddisk ${name} --type=merge -p`);
  await world.patch('CloudDisk', 'logs', { spec: free });
  await world.clock.advance(5000);
  expect((await world.condition('CloudInstance', 'web', 'Synced'))?.message).toMatch(/^CloudDisk data is in /);
  await world.delete('CloudDisk', 'spare');
  await world.gone('CloudDisk', 'spare');
  expect(deletes()).toEqual(['/vm/instances/N/disks/N']);
});
it('what is kept by default holds nothing', async () => {
  await machine({ data: {} });
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web');
  expect(rows('disks')).toEqual([]);
});
it('a machine that is itself kept, or is deleted together with all that is in it, goes as ever', async () => {
  await machine({ data: protect });
  await world.delete('CloudInstance', 'web');
  await world.reason('CloudInstance', 'web', 'DeletionHeld');
  await world.delete('CloudDisk', 'data');
  await world.gone('CloudInstance', 'web', 60_000);
  await world.patch('CloudDisk', 'data', { spec: free });
  await world.gone('CloudDisk', 'data');
  await world.apply('CloudInstance', 'kept', { region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Retain' } });
  await world.ready('CloudInstance', 'kept');
  await world.apply('CloudDisk', 'more', { instanceRef: { name: 'kept' }, label: 'more', sizeMB: 1000, ...protect });
  await world.ready('CloudDisk', 'more');
  await world.delete('CloudInstance', 'kept');
  await world.gone('CloudInstance', 'kept');
  expect(rows('instances')).toHaveLength(1);
});
it('a disk that is paused wakes the machine too, once it may go', async () => {
  await machine({ data: protect });
  await held('CloudInstance', 'web');
  await world.patch('CloudDisk', 'data', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
  await world.clock.advance(60_000);
  await world.patch('CloudDisk', 'data', { spec: free });
  await world.clock.advance(60_000);
  expect(rows('instances')).toEqual([]);
});
it('a machine is not made anew over a protected disk, also where that was approved', async () => {
  await machine({ data: protect }, { lifecycle: { onDelete: 'Delete', replace: 'Allow', approve: ['InPlace', 'Replace'] } });
  await world.patch('CloudInstance', 'web', { spec: { region: 'us-east' } });
  const { message } = await world.reason('CloudInstance', 'web', 'DeletionHeld');
  expect(message).toContain('CloudDisk data is in ');
  await world.clock.advance(600_000);
  expect(deletes()).toEqual([]);
  await world.patch('CloudDisk', 'data', { spec: free });
  await world.clock.advance(60_000);
  expect(deletes()).toEqual(['/vm/instances/N']);
});

const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', ...free, allowedRefs: { namespaces: [team] } };
const record = (namespace: string): Record<string, unknown> => ({
  accountRef,
  domainRef: { name: 'zone', namespace },
  type: 'A',
  host: 'www',
  target: '192.0.2.1',
  ...protect,
});
it('a zone with a protected record stays', async () => {
  await world.apply('CloudDomain', 'zone', zone);
  await world.apply('CloudDomainRecord', 'www', record('team-a'));
  await world.ready('CloudDomainRecord', 'www');
  expect(await held('CloudDomain', 'zone')).toContain('CloudDomainRecord www is in ');
  expect(deletes()).toEqual([]);
});
it('a record of another namespace holds up no zone of its owner', async () => {
  await world.apply('CloudDomain', 'zone', zone);
  await world.apply('CloudDomainRecord', 'www', record('team-a'), team);
  await world.ready('CloudDomainRecord', 'www', 120_000, team);
  await world.delete('CloudDomain', 'zone');
  await world.gone('CloudDomain', 'zone');
  expect(rows('domains')).toEqual([]);
});
it('a cluster with a protected pool stays, and is held after a restart too', async () => {
  const nodePools = [{ name: 'base', type: 'g6-standard-2', count: 2 }];
  await world.apply('CloudKubernetesCluster', 'prod', { label: 'prod', region: 'us-east', k8sVersion: '1.24', nodePools, ...free });
  await world.ready('CloudKubernetesCluster', 'prod');
  await world.apply('CloudNodePool', 'gpu', { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1, ...protect });
  await world.ready('CloudNodePool', 'gpu');
  expect(await held('CloudKubernetesCluster', 'prod')).toContain('CloudNodePool gpu is in ');
  await world.start();
  await world.clock.advance(600_000);
  expect(deletes()).toEqual([]);
});
