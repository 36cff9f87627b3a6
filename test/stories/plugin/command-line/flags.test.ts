import { beforeEach, describe, expect, it } from 'vitest';
import { begin, cloud, dataOf, endpoint } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
});
const at = `--endpoint ${endpoint}`;
const volume = { region: 'eu-central', sizeGiB: 20 };
const zone = { domain: 'example.org', type: 'master', soaEmail: 'dns@example.org' };
async function zoned(spec: object = {}): Promise<void> {
  await world.apply('CloudDomain', 'zone', { ...zone, ...spec });
  await world.ready('CloudDomain', 'zone');
}
async function meddled(): Promise<void> {
  const user = new CloudUser(world);
  const [row] = (await user.list('/domains')) as readonly { readonly id: number }[];
  await user.put(`/domains/${row?.id}`, { soa_email: 'theirs@example.org' });
}

describe('tree', () => {
  beforeEach(async () => {
    await zoned();
    for (const name of ['a', 'b'])
      await world.apply('CloudDomainRecord', name, { domainRef: { name: 'zone' }, type: 'TXT', host: name, target: name });
    for (const name of ['a', 'b']) await world.ready('CloudDomainRecord', name);
  });
  it('--depth counts what lies deeper', async () => {
    const deep = (await cloud(world, 'tree')).out;
    expect(deep).toContain('CloudDomainRecord team-a/a');
    const flat = (await cloud(world, 'tree --depth 1')).out;
    expect(flat).toContain('CloudDomain team-a/zone');
    expect(flat).toMatch(/└─ 2 more/);
    expect(flat).not.toContain('CloudDomainRecord');
    expect((await cloud(world, 'tree --depth 2')).out).toBe(deep);
    expect((await cloud(world, 'tree --depth 0 cdom/zone')).out).toMatch(/zone .*\n└─ 2 more/);
    expect((await cloud(world, 'tree --depth some')).exit).toBe(2);
  });
  it('--down is what it does anyway, and excludes --up', async () => {
    expect((await cloud(world, 'tree --down')).out).toBe((await cloud(world, 'tree')).out);
    expect(await cloud(world, 'tree --down --up')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('either --up or --down') as string,
    });
  });
});

describe('wait', () => {
  it('--for=Quiet ends once nothing was on its way for half a minute, also of what is refused', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.apply('CloudVolume', 'odd', { ...volume, volumeRef: { name: 'odd' } });
    const begun = world.clock.now();
    const waiting = begin(world, 'wait cvol --for=Quiet --timeout 10m');
    const { exit, out } = await waiting.ended(10 * minute);
    expect({ exit, out }).toMatchObject({ exit: 0, out: expect.stringContaining('CloudVolume team-a/odd') as string });
    expect(world.clock.now() - begun).toBeGreaterThanOrEqual(30_000);
    expect(world.clock.now() - begun).toBeLessThan(5 * minute);
  });
  it('--for=Quiet waits while something is on its way, until time runs out', async () => {
    operator.kill();
    await world.apply('CloudVolume', 'data', volume);
    expect((await cloud(world, 'wait cvol/data --for=Quiet --timeout 2m', { limit: 3 * minute })).exit).toBe(6);
  });
  it('--for=phase=Succeeded ends with the operation, and at once where it asks or fails', async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
    await world.ready('CloudInstance', 'web');
    const phase = async (name: string, to: string) => {
      const path = `${world.path('CloudOperation', 'team-a', name)}/status`;
      await world.admin('PATCH', path, { status: { phase: to } });
    };
    operator.kill();
    const spec = { action: 'RebootInstance', target: { name: 'web' }, notAfter: '2027-01-01T00:00:00Z' };
    for (const name of ['one', 'two', 'three']) await world.apply('CloudOperation', name, spec);
    const waiting = begin(world, 'wait cop/one --for=phase=Succeeded');
    await world.clock.advance(minute);
    expect(waiting.isOver()).toBe(false);
    await phase('one', 'Succeeded');
    expect(await waiting.ended()).toMatchObject({
      exit: 0,
      out: expect.stringContaining('CloudOperation team-a/one  Succeeded') as string,
    });
    await phase('two', 'AwaitingConfirmation');
    await phase('three', 'Failed');
    expect((await cloud(world, 'wait cop/two --for=phase=Succeeded')).exit).toBe(1);
    expect((await cloud(world, 'wait cop/three --for=phase=Succeeded')).exit).toBe(1);
    expect((await cloud(world, 'wait cinst/web --for=phase=Succeeded')).exit).toBe(2);
  });
});

describe('why --against account', () => {
  it('adds what the account has now, before the operator saw it', async () => {
    await zoned();
    expect(await cloud(world, `why cdom/zone --against account ${at}`)).toMatchObject({
      exit: 0,
      out: expect.stringContaining('The account, read now, has what the spec asks for.') as string,
    });
    operator.kill();
    await meddled();
    expect((await cloud(world, 'why cdom/zone')).exit).toBe(0);
    const ran = await cloud(world, `why cdom/zone --against account ${at} -o json`);
    expect(ran.exit).toBe(1);
    expect(dataOf(ran)).toMatchObject({
      objects: [{ well: true, differs: [expect.stringContaining('wanted dns@example.org, the account has theirs@example.org') as string] }],
    });
    expect((await cloud(world, `why cdom/zone --against account ${at}`)).out).toContain(
      'The account, read now:\n  CloudDomain team-a/zone',
    );
    expect(
      world.emulator.control.requests().filter(({ method, userAgent }) => method !== 'GET' && userAgent.startsWith('kubectl')),
    ).toEqual([]);
  });
});

describe('diff --show drift', () => {
  it('leaves out what somebody has edited since', async () => {
    await zoned({ lifecycle: { drift: 'Report' } });
    await meddled();
    await world.reason('CloudDomain', 'zone', 'DriftReported', 60 * minute);
    operator.kill();
    expect((await cloud(world, 'diff cdom/zone --show drift')).exit).toBe(1);
    await world.patch('CloudDomain', 'zone', { spec: { description: 'edited' } });
    expect((await cloud(world, 'diff cdom/zone --show drift')).exit).toBe(0);
    expect((await cloud(world, 'diff cdom/zone')).exit).toBe(1);
  });
});

describe('pause and resume --account', () => {
  it('mean the CloudAccount, also of another namespace', async () => {
    expect((await cloud(world, 'pause --account team-a/default --for 1h', { namespace: 'elsewhere' })).exit).toBe(0);
    expect(Object.keys((await world.get('CloudAccount', 'default')).metadata.annotations ?? {})).toContain('cloudhosting.dev/pause');
    await world.clock.advance(minute);
    expect((await cloud(world, 'resume --account default --yes')).exit).toBe(0);
    expect((await cloud(world, 'pause cvol/a --account default')).exit).toBe(2);
    expect((await cloud(world, 'pause --account none')).exit).toBe(4);
    expect((await cloud(world, 'pause --account a/b/c')).exit).toBe(2);
  });
});

describe('release --keep', () => {
  it('prints the lines that keep what is held, which then is let go and stays, and writes nothing itself', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `v${n}`);
    for (const name of names) await world.apply('CloudVolume', name, { ...volume, lifecycle: { onDelete: 'Delete' } });
    for (const name of names) await world.ready('CloudVolume', name);
    for (const name of names) await world.delete('CloudVolume', name);
    await world.clock.advance(2 * minute);
    world.server.ledger.clear();
    const { exit, out } = await cloud(world, 'release --keep');
    expect(exit).toBe(0);
    expect(world.server.ledger.requests.filter(({ method }) => method === 'PATCH' || method === 'POST')).toEqual([]);
    const lines = out.trim().split('\n');
    expect(lines[0]).toMatch(
      /^kubectl patch -n team-a cloudvolume\/v\d+ --type merge -p '\{"spec":\{"lifecycle":\{"onDelete":"Retain"\}\}\}'$/,
    );
    expect(lines.length).toBeGreaterThan(1);
  });
});

describe('status', () => {
  it('says of an account what holds up or hides something in all of it', async () => {
    operator.kill();
    await world.admin('PATCH', `${world.path('CloudAccount', 'team-a', 'default')}/status`, {
      status: {
        eventsRefused: 'the token may not read events',
        shareUsedUp: { sharePercent: 1, classes: ['read'], since: '2026-01-01T00:00:00Z' },
      },
    });
    const ran = await cloud(world, 'status -o json');
    expect(dataOf(ran)).toMatchObject({
      accounts: [{ notes: [expect.stringContaining('1 %'), expect.stringContaining('events cannot be read')] }],
    });
    expect((await cloud(world, 'status')).out).toContain('team-a/default: events cannot be read');
  });
});
