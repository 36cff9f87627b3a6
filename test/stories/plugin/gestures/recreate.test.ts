import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import type { World } from '../../../support/world/world.ts';

let world: World;
const rows = (of: 'instances' | 'disks' | 'configs'): readonly { id: number; label: string }[] => world.emulator.control.rows(of) as never;
const gone = async (): Promise<void> => {
  const [machine] = rows('instances');
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4/vm/instances/${machine?.id ?? 0}` });
};
beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  await world.ready('CloudInstance', 'web');
  await world.apply('CloudDisk', 'root', { instanceRef: { name: 'web' }, label: 'root', sizeMB: 2000, filesystem: 'ext4' });
  await world.ready('CloudDisk', 'root');
  await world.apply('CloudInstanceConfig', 'main', {
    instanceRef: { name: 'web' },
    label: 'main',
    devices: { sda: { diskRef: { name: 'root' } } },
  });
  await world.ready('CloudInstanceConfig', 'main');
});

it('recreate of a machine names what went with it, and what Git has to say', async () => {
  const [disk] = rows('disks');
  const [config] = rows('configs');
  await world.patch('CloudDisk', 'root', { spec: { adopt: { id: disk?.id ?? 0 } } });
  await world.patch('CloudInstanceConfig', 'main', { spec: { adopt: { id: config?.id ?? 0 } } });
  await gone();
  await world.reason('CloudInstance', 'web', 'RemoteMissing');
  const { exit, err } = await cloud(world, 'recreate cinst/web --dry-run');
  expect(exit).toBe(0);
  expect(err).toContain('What was in it went with it, and is made anew after it, empty:');
  expect(err).toContain('  kubectl cloud recreate -n team-a cdisk/root');
  expect(err).toContain('CloudInstanceConfig team-a/main: by itself');
  const named = `CloudDisk team-a/root (${disk?.id ?? 0}), CloudInstanceConfig team-a/main (${config?.id ?? 0})`;
  expect(err).toContain(`  spec.adopt still names what is gone, of ${named}. Here that counts no more once another one is made.`);
});

it('a machine that was taken over comes back with its configuration, by the lines of recreate, and without an edit', async () => {
  const [machine] = rows('instances');
  const [config] = rows('configs');
  await world.patch('CloudInstance', 'web', { spec: { adopt: { id: machine?.id ?? 0 } } });
  await world.patch('CloudInstanceConfig', 'main', { spec: { adopt: { id: config?.id ?? 0 } } });
  await gone();
  await world.reason('CloudInstance', 'web', 'RemoteMissing');
  await world.reason('CloudInstanceConfig', 'main', 'ReferenceNotReady');
  expect((await cloud(world, 'recreate cinst/web --confirm web')).err).toContain(`CloudInstanceConfig team-a/main (${config?.id ?? 0})`);
  await world.reason('CloudDisk', 'root', 'RemoteMissing');
  expect((await cloud(world, 'recreate cdisk/root --confirm root')).exit).toBe(0);
  await world.ready('CloudInstanceConfig', 'main', 3_600_000);
  expect((await cloud(world, 'doctor --recovery')).out).toContain(`its spec.adopt names ${config?.id ?? 0}: a rebuild from Git would wait`);
});

it('recreate says of what is made by itself that much at once is held', async () => {
  await world.apply('CloudDomain', 'site', { domain: 'site.example', type: 'master', soaEmail: 'a@site.example' });
  await world.ready('CloudDomain', 'site');
  for (const name of ['a', 'b']) {
    await world.apply('CloudDomainRecord', name, { domainRef: { name: 'site' }, type: 'A', host: name, target: '203.0.113.1' });
    await world.ready('CloudDomainRecord', name);
  }
  const path = String((await world.get('CloudDomain', 'site')).status?.['path']);
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${path}` });
  await world.reason('CloudDomain', 'site', 'RemoteMissing');
  const { err } = await cloud(world, 'recreate cdom/site --dry-run');
  expect(err).toContain('CloudDomainRecord team-a/a: by itself\n');
  expect(err).toContain('Where many of a kind vanished at once, those are held until: kubectl cloud release -n team-a cacc/default\n');
});

it("recreate calls nothing gone that spec.adopt names and that was never this object's", async () => {
  const [disk] = rows('disks');
  await world.patch('CloudDisk', 'root', { spec: { adopt: { id: (disk?.id ?? 0) + 1 } } });
  await gone();
  await world.reason('CloudInstance', 'web', 'RemoteMissing');
  const { exit, err } = await cloud(world, 'recreate cinst/web --dry-run');
  expect(exit).toBe(0);
  expect(err).toContain('  kubectl cloud recreate -n team-a cdisk/root');
  expect(err).not.toContain('which is gone');
});

it('recreate speaks of other addresses only where there are some', async () => {
  await gone();
  await world.reason('CloudInstance', 'web', 'RemoteMissing');
  expect((await cloud(world, 'recreate cinst/web --dry-run')).err).toContain(
    'web: another one is made, empty, with another id and other addresses\n',
  );
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  const { status } = await world.ready('CloudVolume', 'data');
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${String(status?.['path'])}` });
  await world.reason('CloudVolume', 'data', 'RemoteMissing');
  expect((await cloud(world, 'recreate cvol/data --dry-run')).err).toContain('data: another one is made, empty, with another id\n');
});

it('recreate of what was never taken, as what its spec.adopt names is gone, says what to do instead', async () => {
  await world.apply('CloudInstanceConfig', 'other', { instanceRef: { name: 'web' }, label: 'other', devices: {}, adopt: { id: 99_999 } });
  await world.reason('CloudInstanceConfig', 'other', 'RemoteMissing');
  const { exit, err } = await cloud(world, 'recreate ccfg/other --yes');
  expect(exit).toBe(3);
  expect(err).not.toContain('only what was there and is gone');
  expect(err).toContain('spec.adopt {"id":99999} matches nothing in the account');
  expect(err).toContain(`kubectl -n team-a patch cloudinstanceconfig other --type=merge -p '{"spec":{"adopt":null}}'`);
});

it('recreate of several takes their names in one flag, where nobody types', async () => {
  for (const name of ['one', 'two']) {
    await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20 });
    const { status } = await world.ready('CloudVolume', name);
    await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${String(status?.['path'])}` });
    await world.reason('CloudVolume', name, 'RemoteMissing');
  }
  const refused = await cloud(world, 'recreate cvol/one cvol/two --confirm one');
  expect([refused.exit, refused.err]).toEqual([3, expect.stringContaining('--confirm must be exactly one,two')]);
  expect(refused.err).toContain("To have it done without a terminal: kubectl cloud recreate cvol/one cvol/two --confirm 'one,two'");
  const asked = await cloud(world, 'recreate cvol/one cvol/two --confirm one,two');
  expect(asked.exit).toBe(0);
  // It has only begun.
  expect(asked.out).toBe(
    ['one', 'two']
      .map(
        (name) =>
          `CloudVolume team-a/${name}: will be made anew. To follow it until it is there: kubectl cloud wait -n team-a cvol/${name}\n`,
      )
      .join(''),
  );
  expect((await cloud(world, 'wait -n team-a cvol/one', { limit: 600_000 })).exit).toBe(0);
  for (const name of ['one', 'two']) await world.reason('CloudVolume', name, 'Available');
});

it('recreate makes nothing of what is only observed, and says so', async () => {
  await world.patch('CloudInstance', 'web', { spec: { lifecycle: { management: 'Observe' } } });
  await gone();
  await world.reason('CloudInstance', 'web', 'RemoteMissing');
  const { exit, err } = await cloud(world, 'recreate cinst/web --confirm web');
  expect([exit, err]).toEqual([3, expect.stringContaining('CloudInstance team-a/web only observes, so nothing is made for it')]);
  expect(err).toContain(`kubectl -n team-a patch cloudinstance web --type=merge -p '{"spec":{"lifecycle":{"management":"Manage"}}}'`);
  expect((await world.get('CloudInstance', 'web')).metadata.annotations?.['cloudhosting.dev/recreate']).toBeUndefined();
});

const typed = async (more: string) => (await cloud(world, `recreate cbkt/media ${more}`)).err;

describe('recreate of a bucket, whose id is its cluster and label', () => {
  const bucket = { cluster: 'eu-central-1', lifecycle: { onDelete: 'Delete' } };
  const lost = async (spec: object): Promise<string> => {
    await world.apply('CloudBucket', 'media', { ...bucket, ...spec });
    const { status } = await world.ready('CloudBucket', 'media');
    await world.clock.advance(360_000);
    await new CloudUser(world).delete(String(status?.['path']));
    await world.reason('CloudBucket', 'media', 'RemoteMissing', 3_600_000);
    return String(status?.['id']);
  };

  it('says that the new one has the same id, and that a manifest which names it is right', async () => {
    await new CloudUser(world).post('/object-storage/buckets', { cluster: 'eu-central-1', label: 'acme-media' });
    await lost({ label: 'acme-media', adopt: { id: 'eu-central-1/acme-media' } });
    const err = await typed('--confirm media');
    expect(err).toContain('media: another one is made, empty, with the same id, eu-central-1/acme-media\n');
    expect(err).toContain('names what is made now, too, of CloudBucket team-a/media (eu-central-1/acme-media): it has the same id. Leave');
    expect(err).not.toContain('take it out of the manifests');
    expect((await world.ready('CloudBucket', 'media')).status).toMatchObject({ id: 'eu-central-1/acme-media' });
  });
  it('says so of a label that was derived, too', async () => {
    const id = await lost({});
    expect(await typed('--confirm media')).toContain(`with the same id, ${id}\n`);
    expect((await world.ready('CloudBucket', 'media')).status).toMatchObject({ id });
  });
  it('that was adopted, and whose spec says no label, gets another one, and the manifest names what is gone', async () => {
    await new CloudUser(world).post('/object-storage/buckets', { cluster: 'eu-central-1', label: 'acme-media' });
    await lost({ adopt: { id: 'eu-central-1/acme-media' } });
    const err = await typed('--confirm media');
    expect(err).toContain('media: another one is made, empty, with another id\n');
    expect(err).toContain('take it out of the manifests');
    const { status } = await world.ready('CloudBucket', 'media');
    expect(status?.['id']).not.toBe('eu-central-1/acme-media');
  });
});
