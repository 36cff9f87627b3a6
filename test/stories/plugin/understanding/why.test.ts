import { beforeEach, describe, expect, it } from 'vitest';
import { withoutDifferences } from '../../../../src/plugin/bundle/differences.ts';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const machine = { region: 'us-east', type: 'g6-nanode-1' };
const rooted = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-root', key: 'password' } };
const volume = { region: 'us-east', sizeGiB: 20 };
const record = { domainRef: { name: 'none' }, type: 'A', host: 'www', target: '192.0.2.1' };
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const why = async (line: string): Promise<string> => (await cloud(world, `why ${line}`, { limit: 10 * minute })).out;

describe('what cannot be found for a moment', () => {
  it('is waited for, and nobody is sent to the status page of the provider at once', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    const { status } = await world.get('CloudVolume', 'data');
    const hidden = { match: { method: 'GET', path: String(status?.['path']) }, effect: { kind: 'answer', status: 404 } } as const;
    world.emulator.control.addFault(hidden);
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 30 } });
    await world.reason('CloudVolume', 'data', 'Unreachable');
    const out = await why('cvol/data');
    expect(out).toContain('cannot be found in the account at the moment; this is checked twice before it counts as gone');
    expect(out).toContain('\nWhat to do: Wait: it is asked again by itself. If that lasts for minutes, see the status page');
  });
});

describe('what was missing and has come since', () => {
  it('is told as such: a Secret, with the line that has the operator look at once', async () => {
    await world.apply('CloudInstance', 'web', { ...machine, ...rooted });
    await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
    await world.secret('web-root', { password: 'Canary-Horse-9-Battery' });
    const out = await why('cinst/web');
    expect(out).toContain('\n  Secret team-a/web-root: ThereNow: it is there now, and the operator has not looked since\n');
    expect(out).toContain('\nWhat to do: Wait: the operator looks again by itself, mostly within a minute. To have it look at once:\n');
    expect(out).toContain('\n  kubectl cloud reconcile -n team-a cinst/web\n');
    expect(out).not.toContain('create secret');
    expect((await cloud(world, 'reconcile -n team-a cinst/web')).exit).toBe(0);
    await world.ready('CloudInstance', 'web');
  });
  it('a Secret of whose account the object waits, too', async () => {
    await world.apply('CloudAccount', 'broken', { endpoint: 'main', tokenSecretRef: { name: 'none', key: 'token' } });
    await world.apply('CloudVolume', 'data', { ...volume, accountRef: { name: 'broken' } });
    await world.reason('CloudVolume', 'data', 'AccountNotReady');
    await world.secret('none', { token: 'token-admin' });
    const out = await why('cvol/data');
    expect(out).toContain('    Secret team-a/none: ThereNow: it is there now');
    expect(out).toContain('\n  kubectl cloud reconcile -n team-a cacc/broken\n');
  });
  it('is told of an object, too', async () => {
    await world.apply('CloudDomainRecord', 'www', record);
    await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    const { status } = await world.get('CloudDomainRecord', 'www');
    await world.apply('CloudDomain', 'none', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
    await world.ready('CloudDomainRecord', 'www');
    // As it stood between the two: nobody can be quick enough.
    await world.admin('PUT', `${world.path('CloudDomainRecord', 'team-a', 'www')}/status`, {
      ...(await world.get('CloudDomainRecord', 'www')),
      status,
    });
    const out = await why('crec/www');
    expect(out).toContain('\n  CloudDomain team-a/none: ThereNow: it has its id now, and the operator has not looked since\n');
    expect(out).toContain('\n  kubectl cloud reconcile -n team-a crec/www\n');
  });
  it('is not asserted by who may not read Secrets', async () => {
    await world.apply('CloudInstance', 'web', { ...machine, ...rooted });
    await world.reason('CloudInstance', 'web', 'ReferenceNotReady');
    await world.secret('web-root', { password: 'Canary-Horse-9-Battery' });
    world.server.addUser('dev', { name: 'dev' });
    world.server.setGrants([{ to: 'dev', rules: [{ apiGroups: ['cloudhosting.dev'], resources: ['*'], verbs: ['get', 'list'] }] }]);
    const { out } = await cloud(world, 'why cinst/web', { token: 'dev' });
    expect(out).toContain('Secret team-a/web-root: NotFound: it is not there');
    expect(out).toContain('you may not read whether it has come since');
  });
});

describe('two things that are missing', () => {
  beforeEach(async () => {
    await world.apply('CloudInstance', 'web', { ...machine, ...rooted });
    await world.apply('CloudVolume', 'data', { ...volume, instanceRef: { name: 'web' }, volumeRef: { name: 'gone' } });
    await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
  });
  it('are both told, each below what waits for it, with what is to be done about each', async () => {
    const out = await why('cvol/data');
    expect(out).toContain('\n  CloudInstance team-a/web, not as wanted since ');
    expect(out).toContain(
      '\n    Secret team-a/web-root: NotFound: it is not there\n  CloudVolume team-a/gone: NotFound: it is not there\n',
    );
    expect(out).toContain('\nWhat to do, each of these 2:\n  Secret team-a/web-root: Create it');
    expect(out).toContain('\n  CloudVolume team-a/gone: Create it');
    const { objects } = dataOf(await cloud(world, 'why cvol/data -o json')) as {
      objects: { root: string; roots: { object: string }[]; commands: string[]; chain: { depth: number }[] }[];
    };
    expect(objects[0]?.roots.map(({ object }) => object)).toEqual(['Secret team-a/web-root', 'CloudVolume team-a/gone']);
    expect(objects[0]).toMatchObject({ root: 'Secret team-a/web-root', chain: [{ depth: 0 }, { depth: 1 }, { depth: 2 }, { depth: 1 }] });
    expect(objects[0]?.commands).toHaveLength(2);
  });
  it('are both steps, and what waits for both goes on once, after them', async () => {
    const lines = (await why('cvol/data --steps')).split('\n').filter((line) => /^ {2}\d/.test(line));
    expect(lines.map((line) => line.split(': ').slice(0, 2).join(': ').trim())).toEqual([
      '1. you: Secret team-a/web-root',
      '2. operator: CloudInstance team-a/web',
      '3. you: CloudVolume team-a/gone',
      '4. operator: CloudVolume team-a/data',
      '5. you: CloudVolume team-a/data',
    ]);
  });
  it('of many elements of a list some are named, and the rest counted', async () => {
    const names = Array.from({ length: 14 }, (_, n) => ({ name: `m${n}` }));
    await world.apply('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', instanceRefs: names });
    await world.reason('CloudFirewall', 'edge', 'ReferenceNotReady');
    const out = await why('cfw/edge');
    expect(out.match(/\n {2}CloudInstance team-a\/m\d+: NotFound/g)).toHaveLength(10);
    expect(out).toContain('\n  and 4 more\n');
  });
});

describe('a field that cannot be edited', () => {
  it('and names what is not there is no field to correct', async () => {
    await world.apply('CloudDomainRecord', 'www', record);
    await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    const out = await why('crec/www');
    expect(out).toContain(
      '\nWhat to do: Create it. Where another is meant: spec.domainRef cannot be changed in this object, and nothing was made for it: delete it, and apply the corrected one.\n  kubectl -n team-a delete clouddomainrecord www\n',
    );
  });
  it('that may be edited is', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, instanceRef: { name: 'none' } });
    await world.reason('CloudVolume', 'data', 'ReferenceNotReady');
    expect(await why('cvol/data')).toContain(
      '\nWhat to do: Create it, or correct spec.instanceRef:\n  kubectl -n team-a edit cloudvolume data\n',
    );
  });
  it('is accountRef, where the account is not there', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, accountRef: { name: 'none' } });
    await world.reason('CloudVolume', 'data', 'AccountNotReady');
    const out = await why('cvol/data');
    expect(out).toContain(
      'What to do: Create it. Where another account is meant, delete this object, and apply it with another spec.accountRef',
    );
    expect(out).toContain('\n  kubectl -n team-a delete cloudvolume data\n');
  });
  it('names one of another namespace that does not admit this one: its owner is told, and what to write', async () => {
    await world.namespace('dns');
    await world.account({}, 'dns');
    await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' }, 'dns');
    await world.ready('CloudDomain', 'zone', undefined, 'dns');
    await world.apply('CloudDomainRecord', 'www', { ...record, domainRef: { namespace: 'dns', name: 'zone' } });
    await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady');
    const out = await why('crec/www');
    expect(out).toContain('\n  CloudDomain dns/zone: NotAdmitted: its spec.allowedRefs does not admit namespace team-a\n');
    const [, patch = ''] = /\n {2}kubectl -n dns patch clouddomain zone --type=merge -p '(.*)'\n/.exec(out) ?? [];
    await world.patch('CloudDomain', 'zone', JSON.parse(patch) as object, 'dns');
    await world.ready('CloudDomainRecord', 'www');
  });
});

it('a limit of the own team is raised by the owner of the account, or room is made', async () => {
  await world.namespace('team-b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], maxObjects: 1 }] } });
  const accountRef = { namespace: 'team-a', name: 'default' };
  await world.apply('CloudVolume', 'one', { ...volume, accountRef }, 'team-b');
  await world.ready('CloudVolume', 'one', undefined, 'team-b');
  await world.apply('CloudVolume', 'two', { ...volume, accountRef }, 'team-b');
  await world.reason('CloudVolume', 'two', 'QuotaExceeded', undefined, 'team-b');
  const out = await why('-n team-b cvol/two');
  expect(out).toContain(
    '\nWhat to do: The owner of CloudAccount team-a/default may raise maxObjects for namespace team-b in its spec.access; or delete something else of this namespace that has its place in that account.',
  );
  expect(out).toContain('\n  kubectl -n team-a edit cloudaccount default\n  kubectl cloud tree -n team-b\n');
  expect(out).not.toContain('ask the provider');
});

const token = (value: string) =>
  world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: { token: Buffer.from(value).toString('base64') } });
it.each(['cacc/default', 'cvol/data'])('a token that is refused is replaced in its Secret by the line that why %s tells', async (name) => {
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
  await token('token-unknown');
  await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
  await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
  await world.reason('CloudVolume', 'data', 'AccountNotReady');
  const out = await why(name);
  expect(out).toContain(
    '\nWhat to do: Put a valid token into key token of Secret cloud-token: read it into the variable first (read -rs TOKEN). It is looked at every minute, no restart is needed, and what waits goes on by itself.\n',
  );
  expect(out).toContain(
    '\n  kubectl create secret generic cloud-token --from-literal=token="$TOKEN" --dry-run=client -o json | kubectl -n team-a patch secret cloud-token --type=merge --patch-file=/dev/stdin\n',
  );
  await token('token-admin');
  await world.ready('CloudVolume', 'data');
});

describe('an account that is paused', () => {
  it('is resumed by the line, whatever of its objects is asked about', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await world.ready('CloudVolume', 'data');
    await cloud(world, 'pause cacc/default --for 2h --reason audit');
    await world.clock.advance(minute);
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.reason('CloudVolume', 'data', 'ReadOnly');
    const out = await why('cvol/data');
    expect(out).toMatch(/\n {2}CloudAccount team-a\/default: Paused: nothing is changed in it, paused until 2026-\S+: "audit"\n/);
    expect(out).toContain('\n  kubectl cloud resume -n team-a cacc/default\n');
    expect(out).not.toContain('mode');
    await cloud(world, 'resume -n team-a cacc/default --yes');
    await world.ready('CloudVolume', 'data');
  });
});

it('what is protected is let go by one of two lines: with what it stands for, or without', async () => {
  await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { protect: true } });
  const { status } = await world.ready('CloudVolume', 'data');
  await world.delete('CloudVolume', 'data');
  await world.clock.advance(minute);
  const out = await why('cvol/data');
  const patches = [...out.matchAll(/\n {2}kubectl -n team-a patch cloudvolume data --type=merge -p '(.*)'/g)].map(([, one = '']) => one);
  expect(patches).toEqual([
    '{"spec":{"lifecycle":{"protect":false,"onDelete":"Retain"}}}',
    '{"spec":{"lifecycle":{"protect":false,"onDelete":"Delete"}}}',
  ]);
  await world.patch('CloudVolume', 'data', JSON.parse(patches[0] ?? '') as object);
  await world.gone('CloudVolume', 'data');
  expect(world.emulator.control.rows('volumes').map((row) => `/volumes/${(row as { id: number }).id}`)).toEqual([status?.['path']]);
});

it('a second object of one thing goes by the line, and takes nothing with it', async () => {
  const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' };
  await world.apply('CloudDomain', 'one', zone);
  await world.ready('CloudDomain', 'one');
  await world.apply('CloudDomain', 'two', zone);
  await world.reason('CloudDomain', 'two', 'AlreadyClaimed');
  expect(await why('cdom/two')).toContain('\n  kubectl -n team-a delete clouddomain two\n');
  await world.delete('CloudDomain', 'two');
  await world.gone('CloudDomain', 'two');
  expect(world.emulator.control.rows('domains')).toHaveLength(1);
});

it.each([
  ['Retain', 'its cloud resource stays in the account'],
  ['Delete', 'its cloud resource will be deleted'],
])(
  'of two objects for one thing, where nothing is handed over, it says what the end of the other one does under %s',
  async (onDelete, fate) => {
    await world.namespace('team-b');
    const access = [{ namespaces: ['team-b'], adopt: 'None' }];
    await world.patch('CloudAccount', 'default', { spec: { access } });
    const accountRef = { name: 'default', namespace: 'team-a' };
    const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', accountRef };
    await world.apply('CloudDomain', 'one', { ...zone, lifecycle: { onDelete } }, 'team-b');
    await world.ready('CloudDomain', 'one', 10 * minute, 'team-b');
    await world.apply('CloudDomain', 'two', zone, 'team-b');
    await world.reason('CloudDomain', 'two', 'AlreadyClaimed', 10 * minute, 'team-b');
    expect(await why('cdom/two -n team-b')).toContain(`Of the other one, CloudDomain team-b/one, once it is deleted: ${fate}`);
  },
);

it('what was deleted in the account is made anew, or its object goes: a line for each', async () => {
  await world.apply('CloudVolume', 'data', volume);
  const { status } = await world.ready('CloudVolume', 'data');
  await new CloudUser(world).delete(String(status?.['path']));
  await world.reason('CloudVolume', 'data', 'RemoteMissing', 60 * minute);
  const out = await why('cvol/data');
  expect(out).toContain(
    '\nWhat to do: The first line shows who deleted it. Have it made anew, empty, with the second, which asks before it does; or let its object go with the third.\n',
  );
  expect(out).toContain(
    '\n  kubectl cloud history -n team-a cvol/data\n  kubectl cloud recreate -n team-a cvol/data\n  kubectl -n team-a delete cloudvolume data\n',
  );
});

it('many deletions at once are let go, or kept from taking what they stand for: a line for each', async () => {
  const names = Array.from({ length: 14 }, (_, n) => `v${n}`);
  for (const name of names) await world.apply('CloudVolume', name, { ...volume, lifecycle: { onDelete: 'Delete' } });
  for (const name of names) await world.ready('CloudVolume', name);
  for (const name of names) await world.delete('CloudVolume', name);
  await world.reason('CloudVolume', 'v13', 'DeletionHeld');
  const out = await why('cvol/v13');
  expect(out).toContain(
    '\nWhat to do: The first line lists them, with what becomes of each and what went before they were held. If it was a mistake: ',
  );
  expect(out).toContain(
    '\n  kubectl cloud release --list -n team-a cacc/default\n  kubectl cloud release --keep -n team-a cacc/default --of team-a\n  kubectl cloud release -n team-a cacc/default --of team-a\n',
  );
  const keep = await cloud(world, 'release --keep -n team-a cacc/default');
  expect(keep.out).toContain('kubectl patch -n team-a cloudvolume/v13 --type merge ');
});

it('an operation on what is not there cannot be edited', async () => {
  await world.apply('CloudOperation', 'reboot', { action: 'RebootInstance', target: { name: 'none' }, notAfter: '2026-01-01T05:00:00Z' });
  await world.reason('CloudOperation', 'reboot', 'ReferenceNotReady');
  const out = await why('cop/reboot');
  expect(out).toContain('\n  CloudInstance team-a/none: NotFound: it is not there\nWhat to do: Create it. Where another is meant: ');
  expect(out).toContain('\n  kubectl -n team-a delete cloudoperation reboot\n');
});

it('a pause without an end is ended, in words of the line and not of an annotation', async () => {
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
  await cloud(world, 'pause cvol/data');
  await world.reason('CloudVolume', 'data', 'Paused');
  expect(await why('cvol/data')).toContain(
    '\nWhat to do: It is paused until somebody resumes it, as this line does:\n  kubectl cloud resume -n team-a cvol/data\n',
  );
});

it('a token that may not do this is replaced by one that may, by the line', async () => {
  world.emulator.control.setToken({ token: 'token-lesser', username: 'admin', scopes: 'account:read_only domains:read_write' });
  await token('token-lesser');
  await world.clock.advance(5 * minute);
  await world.apply('CloudVolume', 'data', volume);
  await world.reason('CloudVolume', 'data', 'Forbidden');
  const out = await why('cvol/data');
  expect(out).toContain(
    '\n  CloudAccount team-a/default: Forbidden: its token may not do this\nWhat to do: Put a token with the scopes that the message names into key token of Secret cloud-token',
  );
  expect(out).toContain(' | kubectl -n team-a patch secret cloud-token --type=merge ');
  await token('token-admin');
  await world.ready('CloudVolume', 'data');
});

describe('what only grows and was made greater in the account', () => {
  beforeEach(async () => {
    await world.apply('CloudVolume', 'data', volume);
    const { status } = await world.ready('CloudVolume', 'data');
    await world.clock.advance(10 * minute);
    await new CloudUser(world).post(`${String(status?.['path'])}/resize`, { size: 40 });
    await world.reason('CloudVolume', 'data', 'ImmutableField');
  });

  it('is told with the value to set, by its condition and as a line to type, which mends it', async () => {
    const { message } = await world.reason('CloudVolume', 'data', 'ImmutableField');
    expect(message).toContain('the account has 40. Set spec.sizeGiB back to 40, or set spec.lifecycle.replace: Allow');
    const out = await why('cvol/data');
    const line = `kubectl -n team-a patch cloudvolume data --type=merge -p '{"spec":{"sizeGiB":40}}'`;
    expect(out).toContain(
      'Set spec.sizeGiB to the 40 that the account has, as the first line does: in its manifest, too, where it comes from Git',
    );
    expect(out).toContain(`\n  ${line}\n  kubectl -n team-a edit cloudvolume data\n`);
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await world.ready('CloudVolume', 'data');
  });

  it('leaves neither value in what is sent to somebody', async () => {
    const { message } = await world.reason('CloudVolume', 'data', 'ImmutableField');
    const told = withoutDifferences(message, 'message', (value, field) => (value === '' ? '' : `<${field}>`));
    expect(told).toMatch(/^spec\.sizeGiB cannot become <sizeGiB>, because .* has <sizeGiB>\. Set spec\.sizeGiB back to <sizeGiB>, or set /);
  });
});
