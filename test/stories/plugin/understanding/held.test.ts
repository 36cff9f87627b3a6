import { beforeEach, describe, expect, it } from 'vitest';
import { type CliOptions, cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import { changesSince, lastRequest } from '../../../support/world/gitops.ts';
import type { RunningOperator, World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
});

describe('what is not made anew, because much vanished at once', () => {
  const names = Array.from({ length: 8 }, (_, n) => `f${n}`);
  it('is told as gone and not as deleted here, with the lines by which it is seen to', async () => {
    for (const name of names) await world.apply('CloudFirewall', name, { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    for (const name of names) await world.ready('CloudFirewall', name);
    const paths = await Promise.all(names.map(async (name) => String((await world.get('CloudFirewall', name)).status?.['path'])));
    for (const path of paths) await new CloudUser(world).delete(path);
    await world.clock.advance(15 * minute);
    await world.apply('CloudFirewall', 'new', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' });
    const { message } = await world.reason('CloudFirewall', 'new', 'DeletionHeld');
    expect(message).toMatch(
      /^nothing is deleted here: what too many objects of kind CloudFirewall had .* none is made, or made anew, until a person/,
    );
    const status = await cloud(world, 'status');
    expect([status.exit, status.out.match(/CloudFirewall team-a\/|objects of kind CloudFirewall/g) ?? []]).toEqual([
      1,
      ['objects of kind CloudFirewall'],
    ]);
    expect(status.out).toMatch(
      / 1\n\nwhat 8 objects of kind CloudFirewall had .*\n {2}To look first, .*\n {4}kubectl cloud release --list -n team-a cacc\/default\n {4}kubectl cloud release -n team-a cacc\/default\n/,
    );
    expect(status.out).not.toMatch(/annotate|--keep/);
    const fates = await list();
    expect(fates).toContain('\n  CloudFirewall team-a/new: is made, for the first time\n');
    for (const [at, name] of names.entries())
      expect(fates).toContain(`\n  CloudFirewall team-a/${name}: is made anew, empty (${paths[at]})\n`);
    const { out } = await cloud(world, 'why cfw/new');
    expect(out).toContain('\nWhat to do: Nothing is deleted here, so leave lifecycle.onDelete as it is. Find out what removed them');
    expect(out).not.toMatch(/Retain|--keep/);
    expect(out).toContain(
      '\n  kubectl cloud history -n team-a cfw/new\n  kubectl cloud release --list -n team-a cacc/default\n  kubectl cloud release -n team-a cacc/default --of CloudFirewall\n',
    );
  });
});

const list = async (options: CliOptions = {}): Promise<string> => (await cloud(world, 'release --list', options)).out;

/** As somebody's who deleted a key three minutes ago. */
const event = (name: string, message: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'team-a' },
  involvedObject: { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudObjectKey', namespace: 'team-a', name },
  reason: 'Deleted',
  message,
  type: 'Normal',
  lastTimestamp: new Date(world.clock.now() - 3 * minute).toISOString(),
});

describe('what of a mass deletion went before the rest was held', () => {
  const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
  async function mostWent(namespace = 'team-a'): Promise<readonly string[]> {
    const accountRef = { name: 'default', namespace: 'team-a' };
    for (const name of names)
      await world.apply('CloudVolume', name, { region: 'eu-central', accountRef, lifecycle: { onDelete: 'Delete' } }, namespace);
    for (const name of names) await world.ready('CloudVolume', name, undefined, namespace);
    for (const name of names) {
      await world.delete('CloudVolume', name, namespace);
      await world.clock.advance(15_000);
    }
    await world.clock.advance(minute);
    const found = await Promise.all(names.map((name) => world.find('CloudVolume', name, namespace)));
    return names.filter((_, at) => found[at] === undefined);
  }

  it('is named by release, its list and why, with what it had', async () => {
    const gone = await mostWent();
    expect(gone).toHaveLength(10);
    for (const out of [
      await list(),
      (await cloud(world, 'release', { answers: ['no'] })).err,
      (await cloud(world, 'why cvol -n team-a')).out,
      (await cloud(world, 'why cvol/v13')).out,
    ]) {
      expect(out).toContain('\n  Of namespace team-a went before the rest was held, and nothing brings it back:\n    CloudVolume team-a/v');
      for (const name of gone)
        expect(out).toMatch(new RegExp(`\\n    CloudVolume team-a/${name}: /volumes/\\d+ is gone from the account\\n`));
      expect(out).not.toContain('team-a/v13: /volumes');
    }
    const { accounts } = dataOf(await cloud(world, 'status -o json')) as {
      accounts: readonly { held: readonly { goneNames: readonly string[] }[] }[];
    };
    expect(accounts[0]?.held[0]?.goneNames.toSorted()).toEqual(gone.map((name) => `CloudVolume ${name}`).toSorted());
  });
  it('is named without its Events, which nobody keeps for long, as far as the account remembers', async () => {
    const gone = await mostWent();
    for (const { metadata } of world.server.objects('/events') as unknown as { metadata: { name: string; namespace: string } }[])
      await world.admin('DELETE', `/api/v1/namespaces/${metadata.namespace}/events/${metadata.name}`);
    const out = await list();
    for (const name of gone) expect(out).toContain(`\n    CloudVolume team-a/${name}\n`);
  });
  it('leaves out what was rotated: its object has the new one, and the account does not count it', async () => {
    const gone = await mostWent();
    const rotated = event('rotated', '/object-storage/keys/5 is deleted: another one has taken its place');
    for (const one of [rotated, event('plain', '/object-storage/keys/6 is gone from the account')])
      await world.admin('POST', '/api/v1/namespaces/team-a/events', one);
    const out = await list();
    expect(out).toContain('\n    CloudObjectKey team-a/plain: ');
    expect(out).not.toContain('team-a/rotated');
    for (const name of gone) expect(out).toContain(`\n    CloudVolume team-a/${name}: `);
  });
  it('of another namespace is told by its Events alone, and to nobody who may not list them', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
    const gone = await mostWent('team-b');
    expect(gone).toHaveLength(10);
    const known = await list();
    for (const name of gone) expect(known).toContain(`\n    CloudVolume team-b/${name}: /volumes/`);
    world.server.addUser('reader', { name: 'reader' });
    const rules = [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list', 'patch'] }];
    world.server.setGrants([{ to: 'reader', rules }]);
    const unknown = await list({ token: 'reader' });
    expect(unknown).toContain('\n    10 more, which only Events of the namespace name, and you may not list those\n');
    for (const name of gone) expect(unknown).not.toContain(`team-b/${name}:`);
  });
  it('is told to a tenant who may not read the account, of the own namespace', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
    const gone = await mostWent('team-b');
    world.server.addUser('tenant', { name: 'tenant' });
    const rules = [
      { apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list'] },
      { apiGroups: [''], resources: ['events'], verbs: ['list'] },
    ];
    world.server.setGrants([{ to: 'tenant', namespace: 'team-b', rules }]);
    const { out } = await cloud(world, 'why cvol -n team-b', { token: 'tenant', namespace: 'team-b' });
    for (const name of gone) expect(out).toContain(`\n    CloudVolume team-b/${name}: /volumes/`);
  });
});

describe('a CloudAccount that is being deleted while something uses it', () => {
  beforeEach(async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
    await world.ready('CloudVolume', 'data');
  });
  it('is so at once, before an operator has looked', async () => {
    operator.kill();
    await world.delete('CloudAccount', 'default');
    const { exit, out } = await cloud(world, 'status');
    expect(exit).toBe(1);
    expect(out).toMatch(/\nteam-a\/default +NotLookedAt /);
    expect(out).toMatch(/team-a\/default: NotLookedAt: it is being deleted since \S+, and no operator has looked at it since\n/);
    expect(out).not.toContain('Available: ');
  });
  it('counts as one that needs a person', async () => {
    await world.delete('CloudAccount', 'default');
    await world.reason('CloudAccount', 'default', 'DeletionHeld');
    const { out } = await cloud(world, 'status');
    expect(out).toMatch(/\nteam-a\/default +DeletionHeld .* 1\n/);
    expect(out).toMatch(/To undo it: kubectl cloud why -n team-a cacc\/default\n/);
    const { accounts } = dataOf(await cloud(world, 'status -o json')) as { accounts: readonly { needPerson: readonly object[] }[] };
    expect(accounts[0]?.needPerson).toEqual([expect.objectContaining({ object: 'CloudAccount team-a/default', reason: 'DeletionHeld' })]);
    expect((await cloud(world, 'why cacc/default')).out).not.toContain(', no mass deletion is held.');
  });
  it('is named by release and its list, which say that no release lets it go, and what does', async () => {
    await world.delete('CloudAccount', 'default');
    await world.reason('CloudAccount', 'default', 'DeletionHeld');
    const why = (await cloud(world, 'why cacc/default')).out;
    const way = why.split('\n').filter((one) => one.startsWith('  kubectl '));
    expect(way).toHaveLength(4);
    for (const line of ['release --list', 'release cacc/default', 'release cacc/default --keep']) {
      const { exit, out } = await cloud(world, line);
      expect([exit, out]).toEqual([
        0,
        expect.stringMatching(
          /^CloudAccount team-a\/default is being deleted, and held: 1 object still uses this account, among them CloudVolume team-a\/data\. .*\nNo release lets it go, as no mass deletion is held\. If its deletion was a mistake, /,
        ),
      ]);
      for (const one of way) expect(out).toContain(`\n${one}\n`);
      expect(out).not.toContain('Nothing of CloudAccount');
    }
  });
  it('is named so by the list too before an operator has looked', async () => {
    operator.kill();
    await world.delete('CloudAccount', 'default');
    expect((await cloud(world, 'release --list')).out).toMatch(
      /^CloudAccount team-a\/default: it is being deleted since \S+, and no operator has looked at it since\n/,
    );
  });
  it('is still served, so that its objects are not told as held up by it', async () => {
    await world.delete('CloudAccount', 'default');
    await world.reason('CloudAccount', 'default', 'DeletionHeld');
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.ready('CloudVolume', 'data');
    expect((await cloud(world, 'why cvol/data')).out).toMatch(/^CloudVolume team-a\/data is Ready and as wanted/);
    expect((await cloud(world, 'status')).out).not.toMatch(/holds up|seen last/);
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 60 } });
    expect((await cloud(world, 'wait cvol/data', { limit: minute })).exit).toBe(0);
    operator.kill();
    await world.clock.advance(10 * minute);
    expect((await cloud(world, 'why cvol/data')).out).toContain('no operator works for CloudAccount team-a/default');
  });
  it('is had back by the lines of why, and nothing of its objects changes', async () => {
    await world.delete('CloudAccount', 'default');
    const { message } = await world.reason('CloudAccount', 'default', 'DeletionHeld');
    expect(message).toMatch(/To undo it: kubectl cloud why -n team-a cacc\/default$/);
    expect(message.length).toBeLessThan(300);
    const { out } = await cloud(world, 'why cacc/default');
    const patch =
      /\n {2}kubectl -n team-a get cloudaccount default -o yaml > cloudaccount-default\.yaml\n {2}kubectl -n team-a patch cloudaccount default --type=merge -p '(.*)'\n {2}kubectl apply -f cloudaccount-default\.yaml\n {2}kubectl cloud tree -n team-a cacc\/default\n/.exec(
        out,
      )?.[1];
    const { spec } = await world.get('CloudAccount', 'default');
    const seq = lastRequest(world);
    await world.patch('CloudAccount', 'default', JSON.parse(patch ?? '') as Record<string, unknown>);
    await world.gone('CloudAccount', 'default');
    await world.apply('CloudAccount', 'default', { ...spec });
    await world.ready('CloudAccount', 'default', 10 * minute);
    await world.ready('CloudVolume', 'data');
    expect(changesSince(world, seq)).toEqual([]);
  });
});

describe('wait for what can be used and is Stalled', () => {
  it('says that it needs a person, and ends with 1 where it is to be as wanted', async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', tags: ['prod'] });
    const path = String((await world.ready('CloudVolume', 'data')).status?.['path']);
    for (let round = 0; round < 4; round += 1) {
      await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { tags: ['theirs'] } });
      await world.clock.advance(minute);
    }
    await world.reason('CloudVolume', 'data', 'Contested');
    const { exit, out } = await cloud(world, 'wait cvol/data', { limit: minute });
    expect({ exit, out }).toEqual({
      exit: 0,
      out: 'CloudVolume team-a/data  Available, and not as wanted (Contested): it needs a person, kubectl cloud why says what to do\n',
    });
    const synced = await cloud(world, 'wait cvol/data --for=Synced', { limit: minute });
    expect([synced.exit, synced.out + synced.err]).toEqual([1, expect.stringContaining('needs a person: Contested')]);
  });
});

it('what waits for something that was deleted in the account is told so, and not that it has no id yet', async () => {
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  const path = String((await world.ready('CloudInstance', 'web')).status?.['path']);
  await new CloudUser(world).delete(path);
  await world.reason('CloudInstance', 'web', 'RemoteMissing', 60 * minute);
  await world.apply('CloudVolume', 'data', { region: 'eu-central', instanceRef: { name: 'web' } });
  const { message } = await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
  expect(message).toContain(
    'spec.instanceRef: CloudInstance web is missing in the account (RemoteMissing): kubectl cloud why -n team-a cinst/web',
  );
  const { out } = await cloud(world, 'why cvol/data');
  expect(out).toMatch(/\n {2}CloudInstance team-a\/web, .*: RemoteMissing: /);
  expect(out).toContain('\n  kubectl cloud recreate -n team-a cinst/web\n');
});

it('release in a namespace that has no account called default names those that are meant, with the whole line', async () => {
  await world.namespace('blog');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['blog'] }] } });
  const { spec } = await world.get('CloudAccount', 'default');
  await world.apply('CloudAccount', 'main', spec, 'blog');
  const spare = {
    region: 'eu-central',
    sizeGiB: 20,
    accountRef: { name: 'default', namespace: 'team-a' },
    lifecycle: { onDelete: 'Delete' },
  };
  const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
  for (const name of names) await world.apply('CloudVolume', name, spare, 'blog');
  for (const name of names) await world.ready('CloudVolume', name, undefined, 'blog');
  for (const name of names) await world.delete('CloudVolume', name, 'blog');
  await world.clock.advance(minute);
  for (const line of ['release -n blog --list', 'release -n blog cacc/other --keep']) {
    const { exit, err } = await cloud(world, line);
    expect([exit, err]).toEqual([
      4,
      expect.stringMatching(
        /CloudAccount blog\/(?:default|other) is not found.*\nCloudAccount team-a\/default holds \d+ objects of namespace blog: kubectl cloud release --list -n team-a cacc\/default\nCloudAccount blog\/main holds nothing: kubectl cloud release --list -n blog cacc\/main\n/,
      ),
    ]);
  }
});

describe('a deletion that is held by lifecycle.protect of what is in it', () => {
  beforeEach(async () => {
    await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-standard-1' });
    await world.ready('CloudInstance', 'web', 10 * minute);
    await world.apply('CloudDisk', 'root', { instanceRef: { name: 'web' }, sizeMB: 2000, lifecycle: { protect: true } });
    await world.ready('CloudDisk', 'root', 10 * minute);
  });
  it('is told by release, its list and why, which do not say that nothing is held', async () => {
    expect(await list()).toBe('Nothing of CloudAccount team-a/default is held.\n');
    await world.delete('CloudInstance', 'web');
    await world.reason('CloudInstance', 'web', 'DeletionHeld');
    for (const line of ['release --list', 'release'])
      expect(await cloud(world, line)).toMatchObject({
        exit: 0,
        out: 'No mass deletion of CloudAccount team-a/default is held.\n1 object is held by spec.lifecycle.protect, its own or that of what is in it, and no release lets it go: CloudInstance team-a/web. What does: kubectl cloud why -n team-a cinst/web\n',
      });
    const { out } = await cloud(world, 'why cinst/web');
    expect(out).toContain(', may write, not paused, no mass deletion is held.');
    expect(out).not.toContain('nothing is held');
  });
  it('is told with its number, to somebody who may list it', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await world.apply('CloudVolume', name, { region: 'eu-central', lifecycle: { protect: true } });
    for (const name of ['a', 'b', 'c', 'd']) await world.ready('CloudVolume', name);
    for (const name of ['a', 'b', 'c', 'd']) await world.delete('CloudVolume', name);
    for (const name of ['a', 'b', 'c', 'd']) await world.reason('CloudVolume', name, 'DeletionHeld');
    expect(await list()).toContain(
      '\n4 objects are held by spec.lifecycle.protect, their own or that of what is in them, and no release lets them go: CloudVolume team-a/a, b, c and 1 more. What does: kubectl cloud why KIND/NAME, for the first one kubectl cloud why -n team-a cvol/a\n',
    );
    world.server.addUser('owner', { name: 'owner' });
    world.server.setGrants([
      { to: 'owner', rules: [{ apiGroups: ['cloudhosting.dev'], resources: ['cloudaccounts'], verbs: ['get', 'list', 'patch'] }] },
    ]);
    expect(await list({ token: 'owner' })).toBe('Nothing of CloudAccount team-a/default is held.\n');
  });
});
