import { beforeEach, describe, expect, it } from 'vitest';
import { waitStep } from '../../../../src/plugin/output/line-shapes.ts';
import { begin, cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
/** As its spec says: whoever waits for one that has nothing to boot waits in vain. */
const off = { ...machine, power: 'Off' };
const volume = { region: 'eu-central', sizeGiB: 20 };

const rooted = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };

async function shop(): Promise<void> {
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.apply('CloudInstance', 'web', { ...machine, ...rooted });
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
  await world.apply('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: [{ name: 'web' }] });
  for (const [kind, name] of [
    ['CloudInstance', 'web'],
    ['CloudVolume', 'data'],
    ['CloudFirewall', 'edge'],
  ] as const)
    await world.ready(kind, name);
}

describe('tree', () => {
  it('shows below each object what refers to it, by which field, and below the account the rest', async () => {
    await shop();
    const { exit, out } = await cloud(world, 'tree');
    expect(exit).toBe(0);
    const lines = out.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  ').trim());
    expect(lines.slice(0, 5)).toEqual([
      'OBJECT  STATE  DETAILS  BY',
      expect.stringMatching(/^CloudAccount team-a\/default {2}Ready {2}user admin$/),
      expect.stringMatching(/^└─ CloudInstance team-a\/web {2}Ready {2}\S+ 172\.\S+ {2}accountRef$/),
      expect.stringMatching(/^├─ CloudFirewall team-a\/edge {2}Ready .*instanceRefs\[0\]$/),
      expect.stringMatching(/^└─ CloudVolume team-a\/data {2}Ready .*instanceRef$/),
    ]);
  });
  it('shows of the record of a domain itself that it has no name below it', async () => {
    await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
    for (const [name, host] of [['apex'], ['www', 'www']] as const)
      await world.apply('CloudDomainRecord', name, { domainRef: { name: 'zone' }, type: 'A', target: '192.0.2.1', ...(host && { host }) });
    for (const name of ['apex', 'www']) await world.ready('CloudDomainRecord', name);
    const { out } = await cloud(world, 'tree cdom/zone');
    expect(out).toMatch(/team-a\/apex +Ready +- 192\.0\.2\.1 +domainRef/);
    expect(out).toMatch(/team-a\/www +Ready +www 192\.0\.2\.1 +domainRef/);
  });
  it('up shows what an object refers to, also what is not there or has no object', async () => {
    await world.apply('CloudVolume', 'copy', { ...volume, volumeRef: { name: 'gone' } });
    await world.apply('CloudVolume', 'other', { instanceRef: { external: 77 }, sizeGiB: 20 });
    await world.clock.advance(minute);
    const up = await cloud(world, 'tree cvol/copy --up');
    expect(up.out).toMatch(/└─ CloudVolume team-a\/gone +\(not found\) ●/);
    const { edges } = dataOf(await cloud(world, 'tree -o json')) as { edges: unknown };
    expect(edges).toContainEqual({ from: 'CloudVolume team-a/other', to: 'CloudInstance with id 77', field: 'spec.instanceRef' });
  });
  it('resolves selectors, names Secrets only when asked, and draws for others', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.admin('POST', world.path('CloudInstance'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudInstance',
      metadata: { name: 'web', namespace: 'team-a', labels: { tier: 'web' } },
      spec: { ...machine, ...rooted },
    });
    const firewall = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceSelector: { matchLabels: { tier: 'web' } } };
    await world.apply('CloudFirewall', 'edge', firewall);
    await world.ready('CloudInstance', 'web');
    expect((await cloud(world, 'tree')).out).toMatch(/└─ CloudFirewall team-a\/edge .*instanceSelector tier=web/);
    expect((await cloud(world, 'tree')).out).not.toContain('Secret');
    expect((await cloud(world, 'tree --secrets')).out).toContain('Secret team-a/root');
    expect((await cloud(world, 'tree -o dot')).out).toContain('"CloudFirewall team-a/edge" -> "CloudInstance team-a/web"');
    expect((await cloud(world, 'tree -o mermaid')).out).toMatch(/^graph TD\n/);
  });
});

describe('tree of one object', () => {
  const other = 'CloudVolume team-a/other';
  beforeEach(async () => {
    await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '192.0.2.1' });
    await world.apply('CloudVolume', 'other', { ...volume, volumeRef: { name: 'gone' } });
    await world.ready('CloudDomainRecord', 'www');
  });
  it('names, draws and lists what its text shows, in each form', async () => {
    expect((await cloud(world, 'tree cdom/zone -o name')).out).toBe(
      'clouddomain.cloudhosting.dev/zone\nclouddomainrecord.cloudhosting.dev/www\n',
    );
    expect((await cloud(world, 'tree clouddomainrecord/www --up -o name')).out.split('\n').toSorted()).toEqual([
      '',
      'cloudaccount.cloudhosting.dev/default',
      'clouddomain.cloudhosting.dev/zone',
      'clouddomainrecord.cloudhosting.dev/www',
    ]);
    for (const form of ['dot', 'mermaid', 'json', 'yaml']) {
      const { out } = await cloud(world, `tree cdom/zone -o ${form}`);
      expect.soft(out).toContain('CloudDomainRecord team-a/www');
      expect.soft(out).not.toContain(other);
    }
    for (const form of ['name', 'dot', 'json']) expect.soft((await cloud(world, `tree cdom/none -o ${form}`)).exit).toBe(4);
  });
  it('names nothing that is not there', async () => {
    const names = (await cloud(world, 'tree -o name')).out;
    expect(names).toContain('cloudvolume.cloudhosting.dev/other\n');
    expect(names).not.toContain('gone');
    expect((await cloud(world, 'tree cvol/other --up -o name')).out).toBe('cloudvolume.cloudhosting.dev/other\n');
  });
  it('says so where there is nothing of that kind', async () => {
    expect(await cloud(world, 'tree cbkt')).toMatchObject({ exit: 0, out: expect.stringContaining('There is nothing of') as string });
    expect((await cloud(world, 'tree cbkt -o name')).out).toBe('');
  });
});

describe('tree --watch', () => {
  it('draws the tree, then tells each change once, by one watch for each kind, until Ctrl-C', async () => {
    await shop();
    expect((await cloud(world, 'tree --watch -o json')).exit).toBe(2);
    const typing = begin(world, 'tree -w');
    await world.clock.advance(10_000);
    world.server.ledger.clear();
    await world.apply('CloudVolume', 'more', volume);
    await world.ready('CloudVolume', 'more');
    await world.patch('CloudVolume', 'more', { spec: { instanceRef: { name: 'web' } } });
    await world.clock.advance(2 * minute);
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data');
    await world.clock.advance(5000);
    const lists = world.server.ledger.requests.filter(
      ({ path, userAgent }) => userAgent.startsWith('kubectl-cloud') && !path.includes('watch='),
    );
    expect(lists).toEqual([]);
    typing.interrupt();
    const { exit, out } = await typing.ended();
    const [drawing = '', ...lines] = out.split(/\n(?=\d\d:)/).map((line) => line.trimEnd());
    expect([exit, drawing.split('\n')[0]]).toEqual([130, expect.stringMatching(/^OBJECT +STATE/)]);
    const told = lines.map((line) => line.replace(/^\d\d:\d\d:\d\dZ {2}/, ''));
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^CloudVolume team-a\/more {2}new: /),
        'CloudVolume team-a/more  refers to CloudAccount team-a/default (spec.accountRef)',
        expect.stringMatching(/^CloudVolume team-a\/more {2}Creating -> /),
        'CloudVolume team-a/more  refers to CloudInstance team-a/web (spec.instanceRef)',
        'CloudVolume team-a/more  no longer refers to CloudAccount team-a/default (spec.accountRef)',
        expect.stringMatching(/^CloudVolume team-a\/data {2}gone \(was /),
      ]),
    );
    expect(told.filter((line) => line.includes('team-a/edge'))).toEqual([]);
  });
  it('goes on no longer than somebody reads it', async () => {
    let isRead = true;
    const typing = begin(world, 'tree -w', { isRead: () => isRead });
    await world.clock.advance(10_000);
    expect(typing.isOver()).toBe(false);
    isRead = false;
    expect((await typing.ended()).exit).toBe(0);
  });
  it('of an object tells what hangs on it and nothing else, and names the right that it lacks', async () => {
    await shop();
    const typing = begin(world, 'tree cinst/web --watch');
    await world.clock.advance(5000);
    await world.apply('CloudVolume', 'else', volume);
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.reason('CloudVolume', 'data', 'Paused');
    await world.clock.advance(5000);
    typing.interrupt();
    const { out } = await typing.ended();
    expect(out).toMatch(/Z {2}CloudVolume team-a\/data {2}Ready -> Paused ●/);
    expect(out).not.toContain('team-a/else');
    world.server.addUser('reader', { name: 'reader' });
    world.server.setGrants([{ to: 'reader', rules: [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list'] }] }]);
    expect(await cloud(world, 'tree --watch', { token: 'reader' })).toMatchObject({
      exit: 4,
      err: expect.stringMatching(/The right that is missing: list and watch/) as string,
    });
  });
});

describe('why', () => {
  it('follows what an object waits for down to the root, with the line to type', async () => {
    await world.apply('CloudInstance', 'web', { ...machine, type: 'g6-nanode-9' });
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
    await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    await world.clock.advance(2 * minute);
    const ran = await cloud(world, 'why cvol/data');
    expect(ran.exit).toBe(1);
    expect(ran.out).toMatch(
      /^CloudVolume team-a\/data is not Ready since .*ReferenceNotReady: spec\.instanceRef: CloudInstance web has no id yet/,
    );
    expect(ran.out).toMatch(/\n {2}CloudInstance team-a\/web, not as wanted since .*InvalidSpec: spec\.type/);
    expect(ran.out).toContain('\n  kubectl -n team-a edit cloudinstance web');
    expect(ran.out).toContain('Account team-a/default: Available, may write, not paused, no mass deletion is held.');
    const { objects } = dataOf(await cloud(world, 'why cvol/data -o json')) as { objects: { root: string; chain: { reason: string }[] }[] };
    expect(objects[0]).toMatchObject({
      root: 'CloudInstance team-a/web',
      chain: [{ reason: 'ReferenceNotReady' }, { reason: 'InvalidSpec' }],
    });
  });
  it('with --steps says who does what, from the root to the object, and how it is seen', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', { ...machine, ...rooted, type: 'g6-nanode-9' });
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
    await world.apply('CloudVolume', 'copy', { volumeRef: { name: 'data' }, sizeGiB: 20 });
    await world.reason('CloudVolume', 'copy', 'ReferenceNotReady');
    await world.clock.advance(2 * minute);
    const ran = await cloud(world, 'why cvol/copy --steps');
    expect([ran.exit, ran.out]).toEqual([1, expect.not.stringContaining('What to do:')]);
    expect(ran.out.split('\n').slice(3, -2)).toEqual([
      'Step by step:',
      '  1. you: CloudInstance team-a/web: Correct the field that the message names.',
      '       kubectl -n team-a edit cloudinstance web',
      '  2. operator: CloudVolume team-a/data: goes on by itself after that.',
      '  3. operator: CloudVolume team-a/copy: goes on by itself after that.',
      '  4. you: CloudVolume team-a/copy: See it done.',
      '       kubectl cloud wait -n team-a cvol/copy',
    ]);
    const { objects } = dataOf(await cloud(world, 'why cvol/copy --steps -o json')) as { objects: { steps: { by: string }[] }[] };
    expect(objects[0]?.steps.map(({ by }) => by)).toEqual(['you', 'operator', 'operator', 'you']);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-nanode-1' } });
    await world.ready('CloudVolume', 'copy');
    expect((await cloud(world, 'why cvol/copy --steps')).out).not.toContain('Step by step');
  });
  it('with --steps leaves to the operator what only takes time', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.reason('CloudVolume', 'data', 'Creating');
    const { out } = await cloud(world, 'why cvol/data --steps');
    expect(out).toMatch(/\n {2}1\. operator: CloudVolume team-a\/data: Wait\.\n/);
  });
  it('ends at what is not there', async () => {
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
    await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    expect((await cloud(world, 'why data')).out).toContain(
      'CloudInstance team-a/web: NotFound: it is not there\nWhat to do: Create it, or correct spec.instanceRef:\n  kubectl -n team-a edit cloudvolume data\n',
    );
  });
  it('ends at a Secret or a key of one that is not there, with the line that makes it', async () => {
    const scripts = [{ name: 'token', secretRef: { name: 'root', key: 'join-token' } }];
    await world.apply('CloudInstance', 'web', { ...machine, ...rooted, stackscriptId: 1, stackscriptData: scripts });
    await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
    const { out } = await cloud(world, 'why cinst/web');
    expect(out).toContain('\n  Secret team-a/root: NotFound: it is not there\nWhat to do: ');
    expect(out).toContain(
      '\n  kubectl -n team-a create secret generic root --from-literal=password="$PASSWORD" --from-literal=join-token="$JOIN_TOKEN"\n',
    );
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.clock.advance(2 * minute);
    const keyless = (await cloud(world, 'why cinst/web')).out;
    expect(keyless).toContain('\n  Secret team-a/root: KeyMissing: it is there, and has no key join-token\nWhat to do: ');
    expect(keyless).toContain('\n  kubectl create secret generic root --from-literal=join-token="$JOIN_TOKEN" --dry-run=client -o json | ');
    expect(keyless).toContain(' | kubectl -n team-a patch secret root --type=merge ');
  });
  it('of an account without its token, too', async () => {
    await world.apply('CloudAccount', 'broken', { endpoint: 'main', tokenSecretRef: { name: 'none', key: 'token' } });
    await world.apply('CloudVolume', 'data', { ...volume, accountRef: { name: 'broken' } });
    await world.reason('CloudVolume', 'data', 'AccountNotReady');
    const { out } = await cloud(world, 'why cvol/data');
    expect(out).toContain('\n    Secret team-a/none: NotFound: it is not there\n');
    expect(out).toContain('\n  kubectl -n team-a create secret generic none --from-literal=token="$TOKEN"\n');
  });
  it('leads from an object to its account, and to that of another namespace only as far as one may read', async () => {
    await world.secret('cloud-token', { token: 'token-unknown' }, 'cloud-operator');
    await world.apply('CloudAccount', 'broken', { endpoint: 'main', tokenSecretRef: { name: 'none', key: 'token' } });
    await world.apply('CloudVolume', 'data', { ...volume, accountRef: { name: 'broken' } });
    await world.reason('CloudVolume', 'data', 'AccountNotReady');
    expect((await cloud(world, 'why cvol/data')).out).toContain('CloudAccount team-a/broken, not as wanted since');
    world.server.addUser('dev', { name: 'dev' });
    const rules = [{ apiGroups: ['cloudhosting.dev'], resources: ['cloudvolumes'], verbs: ['get', 'list'] }];
    world.server.setGrants([{ to: 'dev', rules, namespace: 'team-a' }]);
    const dev = await cloud(world, 'why cvol/data', { token: 'dev' });
    expect(dev.out).toContain('you may not read it, so the chain ends here');
    expect(dev.exit).toBe(1);
  });
  it('says that no operator has looked, and that all is well', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    expect(await cloud(world, 'why cvol/data')).toMatchObject({
      exit: 0,
      out: expect.stringContaining('is Ready and as wanted') as string,
    });
    const silent = await World.create();
    await silent.apply('CloudVolume', 'data', volume);
    const { exit, out } = await cloud(silent, 'why cvol/data');
    expect(exit).toBe(1);
    expect(out).toContain('CloudAccount team-a/default: NotFound');
  });
  it.each([
    ['why cvol/dat', 4, 'CloudVolume team-a/dat is not found; name its namespace with -n\n'],
    ['why -n shop cvol/dat', 4, 'CloudVolume shop/dat is not found\n'],
    ['why cvols/data', 2, 'Did you mean'],
    ['plan', 2, 'plan what?'],
    ['why cvol/a/b', 2, 'names no object'],
  ])('%s is refused', async (line, exit, text) => {
    expect(await cloud(world, line)).toMatchObject({ exit, out: '', err: expect.stringContaining(text) as string });
  });
  it('without a word more is about all of the namespace at hand, as with -n', async () => {
    await shop();
    const [alone, named] = [await cloud(world, 'why'), await cloud(world, 'why -n team-a')];
    expect(alone.out).toContain('CloudVolume team-a/data');
    expect([alone.exit, alone.out]).toEqual([named.exit, named.out]);
  });
  it('takes kinds as kubectl does, and refuses a name that is several', async () => {
    await shop();
    for (const line of ['why cvol data', 'why cloudvolumes.cloudhosting.dev/data', 'why CloudVolume/data', 'why data', 'why cvol -A'])
      expect((await cloud(world, line)).out).toContain('CloudVolume team-a/data is Ready');
    await world.apply('CloudVolume', 'web', volume);
    const { exit, err } = await cloud(world, 'why web');
    expect(exit).toBe(2);
    expect(err).toContain('web is several: CloudInstance team-a/web, CloudVolume team-a/web');
  });
});

describe('status', () => {
  it('is calm where nothing needs a person, and counts objects by their state', async () => {
    await shop();
    const { exit, out } = await cloud(world, 'status');
    expect(exit).toBe(0);
    expect(out).toMatch(/team-a\/default +Ready +\S+ +Manage +3 Ready +0 +0/);
  });
  it('names who needs one, with the line that tells why', async () => {
    await shop();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const { exit, out } = await cloud(world, 'status -A');
    expect(exit).toBe(1);
    expect(out).toMatch(
      /CloudInstance team-a\/web, not as wanted since \S+ \(\d+ s\): ApprovalRequired\n {2}kubectl cloud why -n team-a cinst\/web/,
    );
    const { accounts } = dataOf(await cloud(world, 'status -o json')) as { accounts: unknown[] };
    expect(accounts).toMatchObject([
      { account: 'team-a/default', objects: { Ready: 2, ApprovalRequired: 1 }, needPerson: [{ reason: 'ApprovalRequired' }] },
    ]);
  });
  it('counts who waits for what is not there: a Secret, or an object; not who waits for what is under way', async () => {
    await world.apply('CloudInstance', 'web', { ...machine, ...rooted });
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
    await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'none' }, type: 'A', host: 'www', target: '192.0.2.1' });
    await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
    await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    const { exit, out } = await cloud(world, 'status');
    expect(exit).toBe(1);
    expect(out).toMatch(/3 ReferenceNotReady +0 +2\n/);
    expect(out).toMatch(
      /\nSecret team-a\/root: NotFound\n {2}holds up 2 objects: CloudInstance team-a\/web, CloudVolume team-a\/data\n {2}kubectl cloud why -n team-a cinst\/web\nCloudDomain team-a\/none: NotFound\n {2}holds up 1 object: CloudDomainRecord team-a\/www\n {2}kubectl cloud why -n team-a crec\/www\n/,
    );
  });
  it('of an account that is not there says so', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, accountRef: { name: 'none' } });
    const { exit, out } = await cloud(world, 'status');
    expect(exit).toBe(1);
    expect(out).toContain('team-a/none: NotFound: it is not there');
  });
});

describe('wait', () => {
  it('tells the steps and ends when the object is Ready', async () => {
    await world.apply('CloudInstance', 'web', off);
    const { exit, out, err } = await cloud(world, 'wait cinst/web', { limit: 10 * minute });
    expect({ exit, out }).toEqual({ exit: 0, out: 'CloudInstance team-a/web  Available\n' });
    expect(err).toMatch(/^\d\d:\d\d:\d\d CloudInstance team-a\/web {2}Creating: /m);
  });
  it('ends at once where a person is needed, with why', async () => {
    await world.apply('CloudInstance', 'web', off);
    await world.apply('CloudVolume', 'odd', { ...volume, volumeRef: { name: 'odd' } });
    const before = world.clock.now();
    const { exit, out } = await cloud(world, 'wait cvol/odd cinst/web', { limit: 10 * minute });
    expect(exit).toBe(1);
    expect(out).toMatch(/CloudVolume team-a\/odd needs a person: InvalidSpec: .*\n {2}kubectl cloud why -n team-a cvol\/odd/);
    expect(world.clock.now() - before).toBeLessThan(minute);
  });
  it('waits on for an approval when told to', async () => {
    await shop();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    expect((await cloud(world, 'wait cinst/web', { limit: minute })).exit).toBe(1);
    const patient = begin(world, 'wait cinst/web --on-approval=wait --timeout=1h');
    await world.clock.advance(minute);
    expect(patient.isOver()).toBe(false);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-nanode-1' } });
    expect((await patient.ended(10 * minute)).exit).toBe(0);
  });
  it('for what works while drift awaits approval is Ready, says so, and is not Synced', async () => {
    await shop();
    const { path } = (await world.get('CloudInstance', 'web')).status ?? {};
    await world.clock.advance(30 * minute);
    await new CloudUser(world).post(`${String(path)}/resize`, { type: 'g6-standard-1', allow_auto_disk_resize: false });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 120 * minute);
    // The service boots it again.
    await world.clock.advance(minute);
    const { exit, out } = await cloud(world, 'wait cinst/web', { limit: minute });
    expect({ exit, out }).toEqual({
      exit: 0,
      out: 'CloudInstance team-a/web  Available, and not as wanted: a change awaits approval, kubectl cloud why says which\n',
    });
    expect((await cloud(world, 'wait cinst/web --for=Synced', { limit: minute })).exit).toBe(1);
  });
  it('for Synced goes on while a machine that was deleted in the account is made anew', async () => {
    await world.secret('root', { password: 'Canary-Horse-9-Battery' });
    await world.apply('CloudInstance', 'web', { ...machine, ...rooted, lifecycle: { onMissing: 'Recreate' } });
    const first = (await world.ready('CloudInstance', 'web')).status?.['path'];
    await new CloudUser(world).delete(String(first));
    await world.clock.runUntil(async () => (await world.get('CloudInstance', 'web')).status?.['path'] !== first, 10 * minute);
    const waiting = begin(world, 'wait cinst/web --for=Synced');
    const { exit, out } = await waiting.ended(10 * minute);
    const { status } = await world.get('CloudInstance', 'web');
    expect([exit, out, status?.['state']]).toEqual([0, 'CloudInstance team-a/web  Available\n', 'running']);
  });
  it('counts the objects in one line where all were as asked from the first', async () => {
    await shop();
    const { out, err } = await cloud(world, 'wait cinst,cvol,cfw', { limit: minute });
    expect([out, err]).toEqual(['3 objects are Ready.\n', '']);
  });
  it('ends when the time is over, and with Ctrl-C', async () => {
    await world.apply('CloudVolume', 'data', { instanceRef: { name: 'none' }, sizeGiB: 20 });
    expect((await cloud(world, 'wait cvol/data --timeout=90s', { limit: 2 * minute })).exit).toBe(6);
    const stopped = begin(world, 'wait cvol/data');
    await world.clock.advance(minute);
    stopped.interrupt();
    expect((await stopped.ended()).exit).toBe(130);
  });
  it('for Deleted ends when it is gone', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const waiting = begin(world, 'wait cvol/data --for=Deleted -o json');
    await world.clock.advance(minute);
    await world.delete('CloudVolume', 'data');
    const ran = await waiting.ended(10 * minute);
    expect(dataOf(ran)).toMatchObject({ for: 'Deleted', objects: [{ state: 'reached' }] });
  });
  it('tells each step to a script on a line of its own', async () => {
    await world.apply('CloudInstance', 'web', off);
    const { out } = await cloud(world, 'wait cinst/web -o jsonl', { limit: 10 * minute });
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.at(-1)).toMatchObject({ kind: 'Wait', exitCode: 0 });
    for (const step of lines.slice(0, -1)) waitStep.strict().parse(step);
  });
  it('opens one watch for each kind, however many objects', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `v${n}`);
    for (const name of names) await world.apply('CloudVolume', name, volume);
    world.server.ledger.clear();
    const ran = await cloud(world, 'wait cvol --timeout=1h', { limit: 60 * minute });
    expect(ran.exit).toBe(0);
    const mine = world.server.ledger.requests.filter(({ userAgent }) => userAgent === 'kubectl-cloud/test');
    expect(mine.length).toBeLessThan(10);
  });
});
