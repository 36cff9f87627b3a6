import { describe, expect, it } from 'vitest';
import type { OrphansData } from '../../../../src/plugin/output/account-shapes.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { World } from '../../../support/world/world.ts';

const shared = { name: 'default', namespace: 'team-a' };
const volume = { region: 'eu-central', sizeGiB: 20 };
const byHand = { region: 'eu-central', size: 20 };
const minute = 60_000;

/** A cluster with an operator on the account; `beside`: another one on the same account. */
async function begin(account: Record<string, unknown> = {}, beside?: World): Promise<World> {
  const world = await World.create(beside && { beside });
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-b'] }], ...account });
  await world.start();
  await world.ready('CloudAccount', 'default');
  return world;
}
async function made(world: World, ...names: readonly string[]): Promise<void> {
  for (const name of names) await world.apply('CloudVolume', name, { ...volume, accountRef: shared });
  for (const name of names) await world.ready('CloudVolume', name);
}
const asked = (world: World, line = '', options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `orphans --endpoint ${endpoint} ${line}`.trim(), { limit: 30 * minute, ...options });
async function seen(world: World, line = '', options: CliOptions = {}): Promise<OrphansData> {
  return dataOf(await asked(world, `-o json ${line}`.trim(), options)) as unknown as OrphansData;
}
const classesOf = ({ orphans }: OrphansData): Readonly<Record<string, string>> =>
  Object.fromEntries(orphans.map((one) => [one.label.replace(/-[a-z2-7]{8}$/, ''), one.class]));
const sent = (world: World) => world.emulator.control.requests().filter(({ userAgent }) => userAgent === 'kubectl-cloud/test (orphans)');

describe('what no object stands for', () => {
  it('is not the key that another one has taken the place of, as long as its object ends it', async () => {
    const world = await begin();
    const keys = () =>
      world.emulator.control.rows('object keys').map((row) => `/object-storage/keys/${String((row as { id?: number }).id)}`);
    const listed = async () => (await seen(world)).orphans.map(({ path }) => path).filter((path) => keys().includes(path));
    await world.apply('CloudObjectKey', 'uploads', { bucketAccess: [], lifecycle: { onDelete: 'Retain' } });
    await world.ready('CloudObjectKey', 'uploads');
    await world.patch('CloudObjectKey', 'uploads', { metadata: { annotations: { 'cloudhosting.dev/rotate': '1' } } });
    await world.clock.advance(minute);
    expect(keys()).toHaveLength(2);
    expect(await listed()).toEqual([]);
    await world.delete('CloudObjectKey', 'uploads');
    await world.gone('CloudObjectKey', 'uploads');
    expect(await listed()).toEqual(keys());
  });
  it('is told by class: made by hand, kept, of another installation; what a namespace has beside this one counts', async () => {
    const world = await begin();
    await made(world, 'data', 'kept');
    await world.apply('CloudVolume', 'other', { ...volume, accountRef: shared }, 'team-b');
    await world.ready('CloudVolume', 'other', undefined, 'team-b');
    await world.patch('CloudVolume', 'kept', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.delete('CloudVolume', 'kept');
    await world.gone('CloudVolume', 'kept');
    await new CloudUser(world).post('/volumes', { ...byHand, label: 'by-hand' });
    const elsewhere = await begin({ installation: 'elsewhere' }, world);
    // The same manifests in another cluster are no rebuild of this one.
    await made(elsewhere, 'data', 'theirs');

    const data = await seen(world, '--all');
    expect(classesOf(data)).toEqual({ 'by-hand': 'unmanaged', kept: 'retained', data: 'foreign', theirs: 'foreign' });
    expect(data.counts).toEqual({ unmanaged: 1, retained: 1, lost: 0, foreign: 2, missing: 0 });
    const [kept] = data.orphans.filter((one) => one.class === 'retained');
    expect(kept).toMatchObject({
      kind: 'CloudVolume',
      region: 'eu-central',
      adopt: `adopt: {id: ${kept?.id}}`,
      path: `/volumes/${kept?.id}`,
    });
    expect(data.orphans.find((one) => one.class === 'foreign')?.adopt).toMatch(/^adopt: \{id: \d+, force: true\}$/);

    const usual = await asked(world);
    expect(usual.exit).toBe(0);
    expect(usual.out).toMatch(/^KIND +ID +LABEL +REGION +CREATED +CLASS +TO BRING IT IN\n/);
    expect(usual.out).toMatch(
      /CloudVolume +\d+ +by-hand +eu-central +2026-01-01T\S+Z +unmanaged +kubectl cloud export --to - --id cvol\/\d+ --endpoint 'main=\S+'\n/,
    );
    expect(usual.out).toContain(
      '4 without an object: 1 unmanaged, 1 retained, 2 foreign. 2 not shown: --all. What lies below others is not looked at: --kinds ',
    );
    expect(usual.out).toMatch(
      /\n\nTo bring in at once all that no other installation has: kubectl cloud export --to fleet\/ --endpoint 'main=\S+'\n$/,
    );
    expect((await asked(world, '--unmanaged')).out).not.toContain('at once');
    expect((await asked(world, '--kinds cvol')).out).not.toContain('at once');
    expect(Object.keys(classesOf(await seen(world, '--foreign --retained')))).toEqual(expect.arrayContaining(['kept', 'theirs']));
    expect((await asked(world, '--fail')).exit).toBe(1);
    expect(await asked(world, '--fail --lost')).toMatchObject({ exit: 0 });
  });

  it('is brought in by its line', async () => {
    const world = await begin();
    await new CloudUser(world).post('/volumes', { ...byHand, label: 'by-hand' });
    const [row] = (await seen(world)).orphans;
    const id = Number(/^adopt: \{id: (\d+)\}$/.exec(row?.adopt ?? '')?.[1]);
    await world.apply('CloudVolume', 'mine', { ...volume, label: 'by-hand', adopt: { id } });
    await world.ready('CloudVolume', 'mine');
    expect(await seen(world)).toMatchObject({ orphans: [], missing: [] });
    expect((await asked(world)).out).toMatch(
      /^Nothing is without an object\. What lies below others is not looked at: --kinds [a-z,]*\bcrec\b[a-z,]*\. Nor is what comes and goes with others: --kinds ctag\. What is set at others has no id of its own, and is never listed: .*CloudIPShare.*\.\n$/,
    );
  });

  it('is lost where a cluster was rebuilt without its key', async () => {
    const world = await begin();
    await made(world, 'data', 'cache');
    await world.apply('CloudBucket', 'assets', { cluster: 'us-east-1' });
    await world.ready('CloudBucket', 'assets');
    const rebuilt = await begin({}, world);
    await rebuilt.apply('CloudVolume', 'data', volume);
    await rebuilt.apply('CloudBucket', 'assets', { cluster: 'us-east-1' });
    await rebuilt.clock.advance(5 * minute);
    const data = await seen(rebuilt);
    expect(classesOf(data)).toEqual({ data: 'lost', assets: 'lost', cache: 'retained' });
    const [lost] = data.orphans.filter(({ kind, class: is }) => kind === 'CloudVolume' && is === 'lost');
    expect(lost).toMatchObject({ like: 'CloudVolume team-a/data', adopt: `adopt: {id: ${lost?.id}}` });
  });

  it('is lost where a cluster was rebuilt that named no installation, and is taken over by force', async () => {
    const world = await begin({ installation: undefined });
    await made(world, 'data');
    const rebuilt = await begin({ installation: undefined }, world);
    await rebuilt.apply('CloudVolume', 'data', volume);
    await rebuilt.reason('CloudVolume', 'data', 'AlreadyExists');
    const [lost] = (await seen(rebuilt, '--lost')).orphans;
    expect(lost).toMatchObject({ class: 'lost', like: 'CloudVolume team-a/data' });
    expect(lost?.adopt).toMatch(/force: true/);
  });

  it('is nothing that an object is making, or asks to adopt', async () => {
    const world = await World.create();
    await world.account();
    const operator = await world.start();
    await world.ready('CloudAccount', 'default');
    world.emulator.control.addFault({ match: { method: 'POST', template: '/volumes' }, times: 1, effect: { kind: 'lose-answer' } });
    await world.apply('CloudVolume', 'data', volume);
    await world.clock.runUntil(() => Promise.resolve(world.emulator.control.rows('volumes').length === 1), minute);
    operator.kill();
    expect((await world.get('CloudVolume', 'data')).status?.['path']).toBeUndefined();
    expect((await seen(world, '--all')).orphans).toEqual([]);
    const { id } = await new CloudUser(world).post('/volumes', { ...byHand, label: 'by-hand' });
    expect(classesOf(await seen(world))).toEqual({ 'by-hand': 'unmanaged' });
    await world.apply('CloudVolume', 'mine', { ...volume, adopt: { id } });
    expect((await seen(world)).orphans).toEqual([]);
  });

  it('can be chosen by kind and by age; records of domains are looked at when they are named', async () => {
    const world = await World.create();
    await world.account();
    const person = new CloudUser(world);
    const { id } = await person.post('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    await person.post(`/domains/${String(id)}/records`, { type: 'A', name: 'www', target: '192.0.2.1' });
    await world.clock.advance(48 * 60 * minute);
    await person.post('/volumes', { ...byHand, label: 'young' });
    expect(classesOf(await seen(world))).toEqual({ 'example.org': 'unmanaged', young: 'unmanaged' });
    expect(classesOf(await seen(world, '--older-than 1d'))).toEqual({ 'example.org': 'unmanaged' });
    expect(classesOf(await seen(world, '--kinds cvol'))).toEqual({ young: 'unmanaged' });
    const [record] = (await seen(world, '--kinds CloudDomainRecord')).orphans;
    expect(record).toMatchObject({ kind: 'CloudDomainRecord', label: 'www' });
    expect(record?.path).toMatch(new RegExp(`^/domains/${String(id)}/records/\\d+$`));
  });
});

it('what nobody has an object for is told with what it costs, and with the line that brings it in', async () => {
  const world = await begin();
  const user = new CloudUser(world);
  await user.post('/volumes', { ...byHand, label: 'by-hand' });
  await user.post('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
  await user.post('/volumes', { ...byHand, label: 'theirs', tags: ['co-zzzzzzzz'] });
  const files = { 'prices.yaml': 'volumeGiB: 0.10\n' };
  const { orphans, monthly } = await seen(world, '--cost --all --prices prices.yaml', { files });
  const [volume] = orphans.filter(({ label }) => label === 'by-hand');
  expect(volume).toMatchObject({
    monthly: 2,
    export: `kubectl cloud export --to - --id cvol/${String(volume?.id)} --endpoint '${endpoint}'`,
  });
  expect(orphans.find(({ label }) => label === 'theirs')?.export).toContain('--include-foreign');
  expect(orphans.find(({ label }) => label === 'example.org')?.monthly).toBe(0);
  expect(monthly).toEqual({ usd: 4, unknown: 0 });
  const { out } = await asked(world, '--cost');
  expect(out).toMatch(/CLASS +\$\/MONTH +TO BRING IT IN/);
  expect(out).toContain('What is listed costs at least 0.00 $ a month; of 1 nobody says the price.');
  const [line = ''] = orphans.filter(({ label }) => label === 'by-hand').map((one) => one.export);
  const brought = await cloud(world, line.replace('kubectl cloud ', '').replaceAll("'", ''), { limit: 30 * minute });
  expect([brought.exit, brought.out]).toEqual([0, expect.stringContaining('sizeGiB: 20')]);
  expect((await seen(world)).monthly).toBeUndefined();
});

it('the line that brings in what somebody else called so is one command, whatever a shell would read in it', async () => {
  const world = await begin();
  const user = new CloudUser(world);
  for (const label of ['x; $(touch /tmp/x) | id', "it's", 'plain']) await user.post('/tags', { label });
  const { orphans } = await seen(world, '--kinds ctag');
  expect(orphans.map((one) => one.export).toSorted()).toEqual(
    [`"ctag/it's"`, "'ctag/x; $(touch /tmp/x) | id'", 'ctag/plain'].map(
      (word) => `kubectl cloud export --to - --id ${word} --endpoint '${endpoint}'`,
    ),
  );
});

it('an object whose remote is not there is told, with what the operator says of it', async () => {
  const world = await begin();
  await made(world, 'data', 'other');
  const path = String((await world.get('CloudVolume', 'data')).status?.['path']);
  await new CloudUser(world).delete(path);
  await world.clock.advance(10 * minute);
  const data = await seen(world);
  expect(data.missing).toEqual([{ object: 'CloudVolume team-a/data', path, reason: 'RemoteMissing' }]);
  const { out, exit } = await asked(world, '--missing --fail');
  expect(exit).toBe(1);
  expect(out).toMatch(/OBJECT +REMOTE THAT IS NOT THERE +REASON\nCloudVolume team-a\/data +\/volumes\/\d+ +RemoteMissing\n/);
  expect(out).toContain('Nothing is without an object. 1 object lacks its remote.');
});

it('nodes of a cluster, which the service makes and deletes by itself, are no orphans', async () => {
  const world = await begin();
  const colleague = new CloudUser(world);
  const cluster = { label: 'prod', region: 'eu-central', k8s_version: '1.24', node_pools: [{ type: 'g6-standard-2', count: 3 }] };
  await colleague.post('/lke/clusters', cluster);
  await colleague.post('/vm/instances', { region: 'eu-central', type: 'g6-nanode-1', label: 'lke-web' });
  await world.clock.advance(10 * minute);
  expect(await colleague.list('/vm/instances')).toHaveLength(4);
  const { orphans } = await seen(world, '--all --kinds cinst');
  expect(orphans.map(({ label }) => label)).toEqual(['lke-web']);
});

it('what lies in something that an object has is told with that: an image brings disks and a configuration', async () => {
  const world = await begin();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
  await world.apply('CloudInstance', 'web', {
    region: 'us-east',
    type: 'g6-standard-1',
    image: 'vm/debian11',
    rootPasswordSecretRef: { name: 'web-root', key: 'password' },
  });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(minute);
  const { out } = await asked(world, '--kinds cdisk,ccfg');
  expect(out).toMatch(/^KIND +ID +LABEL +REGION +CREATED +CLASS +IN +TO BRING IT IN\n/);
  expect(out).toMatch(/\nCloudDisk +1000 +Debian 11 Disk .* unmanaged +CloudInstance team-a\/web +kubectl cloud export /);
  expect(out).toContain('it needs no object of its own.');
});

describe('the account', () => {
  it('is read by pages, and never written; what is secret is not shown', async () => {
    const world = await begin();
    await made(world, ...Array.from({ length: 12 }, (_, n) => `v${n}`));
    await new CloudUser(world, 'token-admin').post('/longview/clients', { label: 'probe' });
    const { out, err } = await asked(world, '--all -o json');
    expect(JSON.parse(out)).toMatchObject({ data: { orphans: [{ kind: 'CloudLongviewClient', class: 'unmanaged' }] } });
    const [client] = world.emulator.control.rows('longview clients') as readonly { readonly api_key?: string }[];
    expect(String(client?.api_key).length).toBeGreaterThan(10);
    for (const secret of [String(client?.api_key), 'token-admin']) expect(out + err).not.toContain(secret);
    const requests = sent(world);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(requests.filter(({ path }) => /\/\d+/.test(path))).toEqual([]);
    // Each list and catalogue once, however many things are in it.
    const lists = requests.map(({ path, filter }) => `${path} ${filter}`);
    expect(lists).toEqual([...new Set(lists)]);
  });

  it('that cannot be read to the last page has no list', async () => {
    const world = await begin();
    for (let n = 0; n < 501; n += 1)
      await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: '/v4/domains', body: domain(n) });
    expect((await seen(world, '--kinds cdom')).orphans).toHaveLength(501);
    const effect = { kind: 'answer', status: 500, body: '{"errors":[{"reason":"broken"}]}' } as const;
    world.emulator.control.addFault({ match: { method: 'GET', template: '/domains', username: 'colleague' }, skip: 1, effect });
    const ran = await asked(world, '--kinds cdom -o json', { cloudToken: 'token-colleague' });
    expect(ran.exit).toBe(4);
    expect(ran.out).not.toContain('example');
    expect(ran.err).toContain('/domains');
  });

  it('is shown to a restricted user in part, and that is said', async () => {
    const world = await begin();
    await made(world, 'data');
    const ran = await asked(world, '', { cloudToken: 'token-limited' });
    expect(ran.err).toContain('user limited is restricted');
    expect(ran.out).not.toContain('REMOTE THAT IS NOT THERE');
  });

  it('has a profile for each user, and that of another is not compared', async () => {
    const world = await begin();
    const { err, exit } = await asked(world, '', { cloudToken: 'token-colleague' });
    expect(err).toContain('CloudSSHKey is left out');
    expect(exit).toBe(0);
  });
});
const domain = (n: number) => ({ domain: `n${n}.example`, type: 'master', soa_email: 'a@example.org' });

describe('refused is', () => {
  it.each([
    ['web', 2, 'too many arguments'],
    ['--kinds CloudIPShare', 2, 'it is a setting at a CloudInstance and has no id of its own, so no object can be missing for it'],
    ['--kinds volume', 2, 'Did you mean'],
    ['--all --lost', 2, 'exclude each other'],
    ['--older-than soon', 2, '--older-than soon is no duration'],
  ])('%s', async (line, exit, says) => {
    const ran = await asked(await begin(), line);
    expect(ran.err).toContain(says);
    expect(ran.exit).toBe(exit);
  });

  it('a caller who may not list all namespaces, as each object that is not seen would make an orphan', async () => {
    const world = await begin();
    world.server.addUser('narrow', { name: 'caller' });
    const all = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    world.server.setGrants([{ to: 'caller', rules: all, namespace: 'team-a' }]);
    const ran = await asked(world, '', { token: 'narrow' });
    expect(ran.exit).toBe(4);
    expect(ran.err).toMatch(/The right that is missing: list cloud\w+\.cloudhosting\.dev in all namespaces/);
  });
});
