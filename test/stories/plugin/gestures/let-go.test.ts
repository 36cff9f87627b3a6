import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
});
const made = async (kind: string, name: string, spec: Record<string, unknown>): Promise<string> => {
  await world.apply(kind, name, spec);
  return String((await world.ready(kind, name, 10 * minute)).status?.['path']);
};
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const of = { instanceRef: { name: 'web' } };
const disk = { ...of, sizeMB: 2000, filesystem: 'ext4' };
const retain = { lifecycle: { onDelete: 'Retain' } };
const rows = (collection: string): readonly { id: number }[] => world.emulator.control.rows(collection) as never;

/** A machine with all that is in it, on it or beside it. */
async function web(spec: object = {}) {
  return {
    web: await made('CloudInstance', 'web', { ...machine, backupsEnabled: true, ...spec }),
    root: await made('CloudDisk', 'root', { ...disk, label: 'root' }),
    main: await made('CloudInstanceConfig', 'main', { ...of, label: 'main', devices: { sda: { diskRef: { name: 'root' } } } }),
    vip: await made('CloudIPAddress', 'vip', { ...of, type: 'IPv6Range', prefixLength: 64 }),
    share: await made('CloudIPShare', 'share', { ...of, addresses: [] }),
    data: await made('CloudVolume', 'data', { region: 'eu-central', ...of }),
    edge: await made('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }] }),
  };
}
async function byHand(path: string, body: object): Promise<void> {
  const { status, ...answer } = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: `/v4${path}`, body });
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  // Jobs of the machine come one after the other.
  await world.clock.advance(5 * minute);
}

/** All of them deleted at once, so that the rest waits for a person. */
async function manyDeleted(): Promise<void> {
  const others = Array.from({ length: 11 }, (_, n) => `other${n}`);
  for (const name of others) await made('CloudInstance', name, machine);
  for (const name of [...others, 'web']) await world.delete('CloudInstance', name);
  await world.reason('CloudInstance', 'web', 'DeletionHeld');
  await world.clock.advance(2 * minute);
}
/** What is told below one line of a list. */
function below(text: string, of: string): readonly string[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`  ${of}: `));
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('    '));
  return lines.slice(at, end);
}

describe('release of machines', () => {
  it('names whatever goes with each, with and without objects, and who waits for it then', async () => {
    const paths = await web();
    await byHand(`${paths.web}/disks`, { label: 'scratch', size: 500 });
    await byHand(`${paths.web}/configs`, { label: 'rescue', devices: { sda: { disk_id: rows('disks')[0]?.id } } });
    await byHand(`${paths.web}/backups`, { label: 'before' });
    await world.clock.advance(20 * minute);
    await manyDeleted();
    const list = (await cloud(world, 'release --list')).out;
    const [fate, ...along] = below(list, 'CloudInstance team-a/web');
    expect(fate).toBe(`  CloudInstance team-a/web: its cloud resource will be deleted (${paths.web})`);
    const address = String((await world.get('CloudInstance', 'web')).status?.['publicIPv4']);
    expect(along[0]).toMatch(/^ {4}what these have is lost with it: /);
    for (const name of [
      'CloudDisk team-a/root',
      'CloudInstanceConfig team-a/main',
      'CloudIPAddress team-a/vip',
      'CloudIPShare team-a/share',
    ])
      expect(along[0]).toContain(name);
    expect(along[0]).not.toMatch(/data|edge|other/);
    expect(along[1]).toMatch(
      /^ {4}lost with it, and no object stands for it, as far as was seen last: configuration rescue \(\d+\), backup before \(\d+\), address /,
    );
    expect(along[1]).toContain(`address ${address}`);
    expect(along[1]).not.toContain('main');
    expect(along[2]).toBe(
      '    disks of it that no object stands for are lost, too, and Kubernetes does not tell them: kubectl cloud orphans --kinds cdisk lists them',
    );
    expect(along[3]).toContain('these name it, and wait for ever once it is gone: ');
    expect(along[3]).toContain('CloudDisk team-a/root (what it has is lost by then)');
    expect(along[3]).toContain(
      `CloudVolume team-a/data (once deleted, its cloud resource stays in the account, and goes on costing what it costs (${paths.data}))`,
    );
    expect(along[3]).toContain(`CloudFirewall team-a/edge (once deleted, its cloud resource will be deleted (${paths.edge}))`);
    expect((await cloud(world, `orphans --kinds cdisk --endpoint ${endpoint}`, { limit: 10 * minute })).out).toContain('scratch');
    const asked = await cloud(world, 'release', { answers: ['no'] });
    expect(below(asked.err, 'CloudInstance team-a/web')).toEqual([fate, ...along]);
    const [held] = ((await world.get('CloudAccount', 'default')).status?.['held'] ?? []) as readonly { readonly count: number }[];
    const { count } = held ?? {};
    expect((await cloud(world, `release --confirm ${count}`)).exit).toBe(0);
    await world.gone('CloudInstance', 'web', 20 * minute);
    // Nothing was told as lost that is not, and nothing else of what stood there is.
    expect(['disks', 'configs', 'backups', 'instances', 'ipv6 ranges'].flatMap(rows)).toEqual([]);
    expect([rows('volumes').length, rows('firewalls').length]).toEqual([1, 1]);
    await world.clock.advance(10 * minute);
    for (const [kind, name] of [
      ['CloudDisk', 'root'],
      ['CloudVolume', 'data'],
      ['CloudFirewall', 'edge'],
    ] as const)
      expect((await world.condition(kind, name, 'Synced'))?.reason).toBe('ReferenceNotReady');
  });
  it('tells of a disk that is held beside its machine that it goes with that', async () => {
    const { root } = await web();
    await world.patch('CloudDisk', 'root', { spec: { lifecycle: { onDelete: 'Delete' } } });
    await manyDeleted();
    await world.delete('CloudDisk', 'root');
    await world.reason('CloudDisk', 'root', 'DeletionHeld');
    await world.clock.advance(2 * minute);
    const { out } = await cloud(world, 'release --list');
    expect(out).toContain(`\n  CloudDisk team-a/root: its cloud resource goes with CloudInstance team-a/web (${root})\n`);
    expect(below(out, 'CloudInstance team-a/web').join()).not.toContain('CloudDisk team-a/root (what it has');
  });
  it('names what is counted with them, and waits for something else besides', async () => {
    const paths = await web();
    await world.patch('CloudDisk', 'root', { spec: { lifecycle: { protect: true } } });
    await manyDeleted();
    const { out } = await cloud(world, 'release --list');
    const [first = '', second = ''] = below(out, 'CloudInstance team-a/web');
    expect(first).toContain(
      `its cloud resource will be deleted (${paths.web}); it waits for more than a release: CloudDisk root is in ${paths.web}, which`,
    );
    expect(second).toContain('CloudDisk team-a/root');
    expect(out).not.toContain('the account counts');
  });
  it('warns with --keep of what waits for them then, and leaves the lines to type alone', async () => {
    const { root } = await web();
    await manyDeleted();
    const { out, err } = await cloud(world, 'release --keep');
    expect(out.split('\n').filter((line) => line !== '' && !line.startsWith('kubectl patch '))).toEqual([]);
    expect(err).toMatch(/^CloudInstance team-a\/web: these name it, and wait for ever once it is gone: /);
    expect(err).toContain(
      `CloudDisk team-a/root (once deleted, its cloud resource stays in the account, and goes on costing what it costs (${root}))`,
    );
  });
});

const leaving = async (kind: string, name: string) => {
  const { spec } = await world.get(kind, name);
  const text = JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec });
  const files = { 'before/all.yaml': text, 'now/none.yaml': '' };
  return (await cloud(world, `plan -f now --base before --endpoint ${endpoint}`, { files, limit: 10 * minute })).out;
};

describe('plan of what is let go', () => {
  it('names who waits for it, and what becomes of those', async () => {
    const { root, main } = await web(retain);
    const out = await leaving('CloudInstance', 'web');
    expect(out).toMatch(/^CloudInstance team-a\/web +retain\b/);
    expect(out).toContain('these name it, and wait for ever once it is gone: ');
    expect(out).toContain(
      `CloudDisk team-a/root (once deleted, its cloud resource stays in the account, and goes on costing what it costs (${root}))`,
    );
    expect(out).toContain(`CloudInstanceConfig team-a/main (once deleted, its cloud resource will be deleted (${main}))`);
    expect(out).not.toContain('lost');
  });
  it('tells of what is deleted what goes with it', async () => {
    await web();
    const out = await leaving('CloudInstance', 'web');
    expect(out).toMatch(/what these have is lost with it: .*CloudIPAddress team-a\/vip/);
    expect(out).toContain('CloudDisk team-a/root (what it has is lost by then)');
  });
});

describe('what goes with a machine, whatever its own object says', () => {
  it('is lost in the lines of both, in a plan', async () => {
    await web();
    const objects = await Promise.all([world.get('CloudInstance', 'web'), world.get('CloudDisk', 'root')]);
    const all = objects.map(({ kind, metadata: { name }, spec }) =>
      JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec }),
    );
    const files = { 'before/all.yaml': all.join('\n---\n'), 'now/none.yaml': '' };
    const { out } = await cloud(world, `plan -f now --base before --endpoint ${endpoint}`, { files, limit: 10 * minute });
    expect(out).toMatch(
      /^CloudDisk team-a\/root +delete\n {2}it goes with CloudInstance team-a\/web, whatever spec\.lifecycle\.onDelete of its own says/m,
    );
    expect(out).toMatch(/what these have is lost with it: .*CloudDisk team-a\/root\b/);
    expect(out.slice(out.indexOf('CloudDisk team-a/root  '))).toContain('CloudInstanceConfig team-a/main (what it has is lost by then)');
    expect(out).not.toContain('retain');
  });
  it('is told by why as gone, and not as what stays or is deleted with its object', async () => {
    await web();
    await world.delete('CloudInstance', 'web');
    await world.gone('CloudInstance', 'web');
    await world.clock.advance(5 * minute);
    for (const [kind, name] of [
      ['CloudDisk', 'root'],
      ['CloudInstanceConfig', 'main'],
    ] as const) {
      const { out } = await cloud(world, `why ${kind}/${name}`);
      expect(out).toContain('line deletes it, and the account has nothing of it any more.');
      for (const never of ['stays in the account', 'will be deleted', 'onDelete']) expect(out).not.toContain(never);
    }
  });
});

it('abandon names who waits for what it lets go', async () => {
  world = await World.create();
  await world.account({}, 'team-a', 'token-limited');
  await world.start();
  await made('CloudInstance', 'web', machine);
  const root = await made('CloudDisk', 'root', { ...disk, label: 'root' });
  const { status } = await world.get('CloudInstance', 'web');
  await world.clock.advance(2 * minute);
  world.emulator.control.setGrants('limited', { [`vm:${String(status?.['id'])}`]: null });
  await world.reason('CloudInstance', 'web', 'RemoteNotVisible', 30 * minute);
  await world.delete('CloudInstance', 'web');
  await world.clock.runUntil(async () => (await world.condition('CloudInstance', 'web', 'Stalled'))?.status === 'True', 30 * minute);
  const { exit, err } = await cloud(world, 'abandon cinst/web --dry-run');
  expect([exit, err]).toEqual([
    0,
    expect.stringContaining('\n  these name it, and wait for ever once it is gone: CloudDisk team-a/root (once deleted, '),
  ]);
  expect(err).toContain(`stays in the account, and goes on costing what it costs (${root}))`);
});
