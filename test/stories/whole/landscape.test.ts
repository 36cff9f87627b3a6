import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const deleted = { lifecycle: { onDelete: 'Delete' } };

/** What the demo shows: an instance with a volume behind a firewall, a domain with records that point at it, a bucket. */
async function landscape(world: World): Promise<void> {
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-9-Battery' });
  await world.apply('CloudInstance', 'web', {
    region: 'eu-central',
    type: 'g6-nanode-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'web-root', key: 'password' },
    ...deleted,
  });
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, instanceRef: { name: 'web' }, ...deleted });
  await world.apply('CloudFirewall', 'edge', {
    enabled: true,
    inboundPolicy: 'DROP',
    outboundPolicy: 'ACCEPT',
    inbound: [{ action: 'ACCEPT', protocol: 'TCP', ports: '22, 443', addresses: { ipv4: ['0.0.0.0/0'] } }],
    instanceRefs: [{ name: 'web' }],
    ...deleted,
  });
  await world.apply('CloudDomain', 'example', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com', ...deleted });
  await world.apply('CloudDomainRecord', 'www', {
    domainRef: { name: 'example' },
    type: 'A',
    host: 'www',
    targetFrom: { instanceRef: { name: 'web' }, address: 'PublicIPv4' },
    ...deleted,
  });
}
const objects = [
  ['CloudAccount', 'default'],
  ['CloudInstance', 'web'],
  ['CloudVolume', 'data'],
  ['CloudFirewall', 'edge'],
  ['CloudDomain', 'example'],
  ['CloudDomainRecord', 'www'],
] as const;

it('brings up a landscape, corrects a change by somebody else with his name, and leaves an empty account', async () => {
  const world = await World.create();
  await landscape(world);
  await world.start();
  for (const [kind, name] of objects) await world.ready(kind, name);
  const web = await world.get('CloudInstance', 'web');
  const volume = await world.get('CloudVolume', 'data');
  expect(volume.status?.['instanceId']).toBe(Number(web.status?.['id']));
  const record = await world.get('CloudDomainRecord', 'www');
  const records = world.emulator.control.rows('domain records') as { id: number; target: string }[];
  expect(records.find(({ id }) => id === Number(record.status?.['id']))?.target).toBe(web.status?.['publicIPv4']);

  const firewall = await world.get('CloudFirewall', 'edge');
  const path = String(firewall.status?.['path']);
  await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { status: 'disabled' } });
  await world.clock.runUntil(async () => (await world.get('CloudFirewall', 'edge')).status?.['lastCorrection'] !== undefined, 15_000);
  expect((await world.get('CloudFirewall', 'edge')).status?.['lastCorrection']).toMatchObject({ by: 'colleague' });
  await world.ready('CloudFirewall', 'edge');

  for (const [kind, name] of objects.toReversed()) await world.delete(kind, name);
  for (const [kind, name] of objects.toReversed()) await world.gone(kind, name);
  const alive = world.emulator.control.objects().filter(({ diedAt, bornBy }) => diedAt === undefined && bornBy === 'admin');
  expect(alive.map(({ collection, key }) => `${collection}/${String(key)}`).filter((one) => !/^(events|tags)\//.test(one))).toEqual([]);
  expect(world.panics).toEqual([]);
});
