import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../../support/virtual/backend.ts';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
const volume = { region: 'eu-central', sizeGiB: 20 };
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
});
async function dead(after = 10 * minute): Promise<void> {
  operator.kill();
  await world.clock.advance(after);
}
const why = async (line: string) => {
  const { exit, out } = await cloud(world, `why ${line}`);
  return { exit, out };
};

describe('what nobody has looked at since', () => {
  it('its deletion, is said, and not that it is Available with nothing to do', async () => {
    operator.kill();
    await world.delete('CloudVolume', 'data');
    const { exit, out } = await why('cvol/data');
    expect(exit).toBe(1);
    expect(out).toMatch(/NotLookedAt: it is being deleted since \S+, and no operator has looked at it since/);
    expect(out).not.toContain('Nothing.');
    expect((await cloud(world, 'tree')).out).toMatch(/CloudVolume team-a\/data +\(not looked at since\) ●/);
    expect((await cloud(world, 'status')).out).toContain('1 NotLookedAt');
  });
  it('an edit, is said before what an older spec met', async () => {
    await world.apply('CloudInstance', 'web', { ...machine, type: 'g6-nanode-9' });
    await world.reason('CloudInstance', 'web', 'InvalidSpec');
    operator.kill();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-nanode-1' } });
    expect((await why('cinst/web')).out).toMatch(
      /NotLookedAt: its spec was edited \(generation 2\) after an operator looked last \(generation 1\), when it was InvalidSpec: spec\.type/,
    );
  });
  it('an approval that is written already, is not asked for once more', async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.ready('CloudInstance', 'web');
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    operator.kill();
    expect((await cloud(world, 'approve cinst/web --yes --wait --timeout 10s')).exit).toBe(6);
    const { out } = await why('cinst/web');
    expect(out).toContain('it is approved by annotation, and no operator has taken that up yet');
    expect(out).not.toContain('kubectl cloud approve');
  });
});

describe('a lease that nobody renews', () => {
  it('is the root of whatever waits, and no wait is advised', async () => {
    await dead();
    await world.apply('CloudVolume', 'young', volume);
    const { exit, out } = await why('cvol/young');
    expect(exit).toBe(1);
    expect(out).toMatch(/\n {2}Lease \S+: NotHeld: nobody has renewed it since \S+: no operator works for CloudAccount team-a\/default/);
    expect(out).toContain('What to do: See whether its Pods run, and what they log. Nothing is seen or done until one works.');
    expect(out).toMatch(/\n {2}kubectl -n \S+ get pods/);
    expect(out).not.toContain('kubectl cloud wait');
    const { objects } = dataOf(await cloud(world, 'why cvol/young -o json')) as { objects: { chain: { reason: string }[] }[] };
    expect(objects[0]?.chain.map(({ reason }) => reason)).toEqual(['NotLookedAt', 'NotHeld']);
  });
  it('is said to who waits, once and at the beginning', async () => {
    await dead();
    for (const name of ['young', 'younger']) await world.apply('CloudVolume', name, volume);
    const { exit, err } = await cloud(world, 'wait cvol --timeout 1m', { limit: 120_000 });
    expect([exit, err.match(/CloudAccount team-a\/default: no operator works for it: nobody has renewed lease \S+ since /g)]).toEqual([
      6,
      expect.objectContaining({ length: 1 }),
    ]);
  });
  it('is said beside what was well when it was seen last, and of accounts at a glance', async () => {
    expect((await why('cvol/data')).out).not.toContain('no operator works');
    expect((await cloud(world, 'status')).exit).toBe(0);
    await dead();
    expect((await why('cvol/data')).out).toMatch(
      /Account team-a\/default: Available, .*, no operator works for it: nobody has renewed lease \S+ since /,
    );
    const { exit, out } = await cloud(world, 'status');
    expect(exit).toBe(1);
    expect(out).toMatch(/team-a\/default: no operator works for it: nobody has renewed lease \S+ since \S+; all of this is as it was then/);
  });
  it('is not known where it may not be read, and then nothing is said', async () => {
    await dead();
    world.server.addUser('reader', { name: 'reader' });
    world.server.setGrants([{ to: 'reader', rules: [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list'] }] }]);
    const { exit, out } = await cloud(world, 'status', { token: 'reader' });
    expect([exit, out.includes('no operator works')]).toEqual([0, false]);
  });
});

describe('doctor', () => {
  it('does not call in order what it has seen nothing of', async () => {
    const { findings } = dataOf(await cloud(world, 'doctor -o json')) as { findings: { id: string; severity: string; seen: string }[] };
    expect(findings.find(({ id }) => id === 'D04')).toMatchObject({
      severity: 'info',
      seen: expect.stringContaining('no Pod of an operator is to be seen') as string,
    });
  });
});

const between = (server: Backend): Backend => ({
  handle: (request) =>
    request.path.includes('cloudhosting.dev')
      ? Promise.resolve({ status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' })
      : server.handle(request),
});
describe('a cluster without the CRDs', () => {
  const ofGroup = ['status -A', 'status', 'why -A', 'tree -A', 'diff -A', 'approve --list'];
  it.each<readonly [string, string]>([
    ...ofGroup.map((line) => [line, 'cloudhosting.dev/v1alpha1'] as const),
    ['status default', 'cloudaccounts.cloudhosting.dev'],
    ['why cvol/data', 'cloudvolumes.cloudhosting.dev'],
    ['reconcile cvol/data', 'cloudvolumes.cloudhosting.dev'],
  ])('is no calm one: %s', async (line, what) => {
    const { exit, out, err } = await cloud(world, line, { between });
    expect([exit, out, err]).toEqual([
      4,
      '',
      `kubectl cloud ${line.split(' ', 1).join('')}: this cluster does not have ${what}. Look whether it is the one that you mean: kubectl config current-context. If it is, the CRDs are not installed there: the chart brings them, or cloud-operator crds --apply\n`,
    ]);
  });
  it('is looked at all the same by doctor and bundle', async () => {
    expect((await cloud(world, 'doctor -A', { between })).out).toContain('not checked: no CRD is to be seen');
    expect((await cloud(world, 'bundle -A --to help.tgz', { between, files: {} })).exit).toBe(0);
  });
});
