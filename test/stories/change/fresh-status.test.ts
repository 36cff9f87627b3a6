import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const minute = 60_000;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('root', { password: 'Correct-Horse-7' });
  await world.start();
  await world.apply('CloudInstance', 'web', {
    region: 'us-east',
    type: 'g6-standard-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'root', key: 'password' },
    backupsEnabled: true,
    lifecycle: { onDelete: 'Delete' },
  });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(10 * minute);
});
const statusOf = async (kind: string, name: string): Promise<Readonly<Record<string, unknown>>> =>
  (await world.get(kind, name)).status ?? {};

it('a snapshot is in the status of its instance as soon as it is taken', async () => {
  expect((await statusOf('CloudInstance', 'web'))['backups']).toEqual([]);
  expect((await cloud(world, 'snapshot cinst/web --label before --yes', { limit: 60 * minute })).exit).toBe(0);
  await world.clock.advance(5000);
  expect((await statusOf('CloudInstance', 'web'))['backups']).toMatchObject([{ label: 'before', state: 'successful' }]);
});

it('a volume shows that its instance is gone within half a minute', async () => {
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web', 60 * minute);
  await world.clock.runUntil(async () => (await statusOf('CloudVolume', 'data'))['instanceId'] === undefined, 30_000);
});

it('what stays behind is looked at for a minute only, beside the rounds', async () => {
  await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
  await world.ready('CloudDomain', 'zone');
  await world.apply('CloudDomainRecord', 'www', {
    domainRef: { name: 'zone' },
    type: 'A',
    host: 'www',
    targetFrom: { instanceRef: { name: 'web' }, address: 'PublicIPv4' },
  });
  await world.ready('CloudDomainRecord', 'www');
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web', 60 * minute);
  await world.clock.advance(2 * minute);
  const path = String((await statusOf('CloudDomainRecord', 'www'))['path']);
  const reads = (): number =>
    world.emulator.control.requests().filter((request) => request.method === 'GET' && request.path.endsWith(path)).length;
  const before = reads();
  await world.clock.advance(10 * minute);
  expect(reads() - before).toBeLessThanOrEqual(1);
});
