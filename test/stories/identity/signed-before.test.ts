import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

/** A tenant in team-b keeps what the operator signed for an object of theirs, and writes it into a later one. The account is in `platform`. */
let world: World;
let operator: RunningOperator;
const accountRef = { name: 'default', namespace: 'platform' };
const remote = 'cloudhosting.dev/remote';
const intent = 'cloudhosting.dev/intent';
/** Every intent that was written, by path of the object: whoever watches an object sees it. */
const intents = new Map<string, string>();
beforeEach(async () => {
  intents.clear();
  world = await World.create({
    between: (server, backend) => ({
      ...(backend.travel && { travel: backend.travel.bind(backend) }),
      handle: (request) => {
        const told = server === 'kube' && request.method === 'PATCH' ? request.body.toString() : '';
        const found = /"cloudhosting\.dev\/intent":("(?:[^"\\]|\\.)*")/.exec(told)?.[1];
        if (found !== undefined) intents.set(request.path.replace(/\?.*/, ''), JSON.parse(found) as string);
        return backend.handle(request);
      },
    }),
  });
  for (const name of ['platform', 'team-b']) await world.namespace(name);
  await world.account({ access: [{ namespaces: ['team-a', 'team-b'] }] }, 'platform');
  operator = await world.start();
  await world.ready('CloudAccount', 'default', 60_000, 'platform');
});

const rows = (collection: string): readonly object[] => world.emulator.control.rows(collection);
const applied = (kind: string, spec: Record<string, unknown>, annotations: Record<string, string>): Promise<unknown> =>
  world.admin('POST', world.path(kind, 'team-b'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind,
    metadata: { name: 'mine', namespace: 'team-b', annotations },
    spec: { accountRef, ...spec },
  });
const synced = async (kind: string, name: string, namespace: string): Promise<string | undefined> =>
  (await world.condition(kind, name, 'Synced', namespace))?.reason;
async function made(kind: string, name: string, namespace: string, spec: Record<string, unknown>): Promise<string> {
  await world.apply(kind, name, { accountRef, ...spec }, namespace);
  const { metadata } = await world.ready(kind, name, 60_000, namespace);
  return metadata.annotations?.[remote] ?? '';
}
async function deleted(kind: string, name: string, namespace: string): Promise<void> {
  await world.delete(kind, name, namespace);
  await world.gone(kind, name, 600_000, namespace);
}

const bucket = { cluster: 'eu-central-1', label: 'shop-assets' };
const greedy = { ...bucket, acl: 'public-read-write', lifecycle: { onDelete: 'Delete' } };

describe('an identity that was signed for an earlier object', () => {
  it('gives nobody a bucket that another team made since under that name', async () => {
    const signed = await made('CloudBucket', 'mine', 'team-b', { ...bucket, lifecycle: { onDelete: 'Delete' } });
    await deleted('CloudBucket', 'mine', 'team-b');
    await made('CloudBucket', 'theirs', 'team-a', bucket);
    await deleted('CloudBucket', 'theirs', 'team-a');
    await applied('CloudBucket', greedy, { [remote]: signed });
    const { message } = await world.reason('CloudBucket', 'mine', 'IdentityConflict', 120_000, 'team-b');
    expect(message).toContain('earlier object of this name');
    expect(message).toContain('CloudAccount platform/default sets spec.recover: true');
    await deleted('CloudBucket', 'mine', 'team-b');
    expect(rows('buckets')).toMatchObject([{ acl: 'private' }]);
  });
  it('counts while the account recovers', async () => {
    const signed = await made('CloudDomain', 'mine', 'team-b', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' });
    await deleted('CloudDomain', 'mine', 'team-b');
    expect(rows('domains')).toHaveLength(1);
    await world.patch('CloudAccount', 'default', { spec: { recover: true } }, 'platform');
    await applied('CloudDomain', { domain: 'example.org', type: 'master', soaEmail: 'b@example.org' }, { [remote]: signed });
    await world.ready('CloudDomain', 'mine', 60_000, 'team-b');
    expect(rows('domains')).toMatchObject([{ soa_email: 'b@example.org' }]);
  });
  it('of an earlier remote of the same object pushes nobody aside', async () => {
    const signed = await made('CloudBucket', 'mine', 'team-b', { ...bucket, lifecycle: { onDelete: 'Delete' } });
    world.emulator.control.addFault({
      match: { method: 'POST', path: '/object-storage/buckets', username: 'admin' },
      times: 1,
      effect: { kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ field: 'label', reason: 'label is not valid' }] }) },
    });
    const lifecycle = { replace: 'Allow', approve: ['InPlace', 'Replace'], onDelete: 'Delete' };
    await world.patch('CloudBucket', 'mine', { spec: { label: 'refused', lifecycle } }, 'team-b');
    await world.clock.advance(60_000);
    expect(rows('buckets')).toEqual([]);
    await made('CloudBucket', 'theirs', 'team-a', bucket);
    const back = { metadata: { annotations: { [remote]: signed } }, spec: { label: bucket.label, acl: 'public-read-write' } };
    await world.patch('CloudBucket', 'mine', back, 'team-b');
    await world.clock.advance(300_000);
    expect(await synced('CloudBucket', 'theirs', 'team-a')).toBe('Available');
    await world.delete('CloudBucket', 'mine', 'team-b');
    await world.clock.advance(600_000);
    expect(rows('buckets')).toMatchObject([{ acl: 'private' }]);
  });
});

it('an object that has let go, and is kept by somebody else, holds no name after a restart', async () => {
  await made('CloudBucket', 'mine', 'team-b', { ...bucket, lifecycle: { onDelete: 'Delete' } });
  const { finalizers = [] } = (await world.get('CloudBucket', 'mine', 'team-b')).metadata;
  await world.patch('CloudBucket', 'mine', { metadata: { finalizers: [...finalizers, 'team-b.example/hold'] } }, 'team-b');
  await world.delete('CloudBucket', 'mine', 'team-b');
  await world.clock.advance(600_000);
  expect(rows('buckets')).toEqual([]);
  await made('CloudBucket', 'theirs', 'team-a', bucket);
  operator.kill();
  await world.start();
  await world.patch('CloudBucket', 'theirs', { spec: { corsEnabled: false } }, 'team-a');
  await world.clock.advance(300_000);
  expect(await synced('CloudBucket', 'theirs', 'team-a')).toBe('Available');
});

describe.each([
  ['CloudVolume', 'volumes', { region: 'eu-central', label: 'db-data' }],
  ['CloudDomain', 'domains', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' }],
] as const)('an intent that was signed for an earlier %s', (kind, collection, spec) => {
  const kept = async (): Promise<string> => {
    await made(kind, 'mine', 'team-b', { ...spec, lifecycle: { onDelete: 'Delete' } });
    const signed = intents.get(world.path(kind, 'team-b', 'mine')) ?? '';
    expect(signed).toContain('attempts');
    return signed;
  };
  it('gives nobody what another team made meanwhile and retained', async () => {
    const signed = await kept();
    await world.apply(kind, 'theirs', { accountRef, ...spec }, 'team-a');
    await deleted(kind, 'mine', 'team-b');
    await world.ready(kind, 'theirs', 60_000, 'team-a');
    await deleted(kind, 'theirs', 'team-a');
    await applied(kind, { ...spec, lifecycle: { onDelete: 'Delete' } }, { [intent]: signed });
    await world.reason(kind, 'mine', 'IdentityConflict', 60_000, 'team-b');
    await world.delete(kind, 'mine', 'team-b');
    await world.clock.advance(600_000);
    expect(rows(collection)).toHaveLength(1);
  });
  it('keeps nobody from the name while its object is paused', async () => {
    const signed = await kept();
    await deleted(kind, 'mine', 'team-b');
    await applied(kind, spec, { [intent]: signed, 'cloudhosting.dev/pause': 'true' });
    await made(kind, 'theirs', 'team-a', spec);
    expect(rows(collection)).toHaveLength(1);
  });
});

it('a status that was written for another object gives nothing to those that refer to it', async () => {
  await world.apply('CloudInstance', 'theirs', { accountRef, region: 'eu-central', type: 'g6-nanode-1' }, 'team-a');
  const { status } = await world.ready('CloudInstance', 'theirs', 120_000, 'team-a');
  await world.apply('CloudInstance', 'mine', { accountRef, region: 'eu-central', type: 'g6-nanode-1' }, 'team-b');
  operator.kill();
  const path = `${world.path('CloudInstance', 'team-b', 'mine')}/status`;
  await world.admin('PATCH', path, { status });
  await world.patch(
    'CloudInstance',
    'mine',
    { metadata: { annotations: { [remote]: 'E1AF/vm/instances/1#created.aaaaaaaaaaaaaaaa' } } },
    'team-b',
  );
  await world.start();
  await world.reason('CloudInstance', 'mine', 'IdentityConflict', 120_000, 'team-b');
  await world.apply('CloudVolume', 'data', { accountRef, region: 'eu-central', instanceRef: { name: 'mine' } }, 'team-b');
  const { message } = await world.reason('CloudVolume', 'data', 'ReferenceNotReady', 120_000, 'team-b');
  expect(message).toContain('a status that a backup put back');
  await world.patch('CloudInstance', 'mine', { metadata: { labels: { tier: 'web' } } }, 'team-b');
  const edge = { accountRef, inboundPolicy: 'ACCEPT', outboundPolicy: 'ACCEPT', instanceSelector: { matchLabels: { tier: 'web' } } };
  await world.apply('CloudFirewall', 'edge', edge, 'team-b');
  const { message: selected } = await world.reason('CloudFirewall', 'edge', 'ReferenceNotReady', 120_000, 'team-b');
  expect(selected).toContain('CloudInstance mine has a status that a backup put back');
  const wall = String((await world.get('CloudFirewall', 'edge', 'team-b')).status?.['path']);
  expect(await new CloudUser(world).list(`${wall}/devices`)).toEqual([]);
});

it('an object that lost its remote, and may not make it anew at once, is not taken for an earlier one', async () => {
  const zone = { domain: 'example.org', type: 'master', soaEmail: 'a@example.org' };
  await made('CloudDomain', 'zone', 'team-b', zone);
  await made('CloudDomainRecord', 'www', 'team-b', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '192.0.2.1' });
  await world.clock.advance(200_000);
  const user = new CloudUser(world);
  const { path } = (await world.get('CloudDomainRecord', 'www', 'team-b')).status ?? {};
  await user.delete(String(path));
  const records = String(path).replace(/\/[^/]+$/, '');
  const { id } = await user.post(records, { type: 'A', name: 'www', target: '192.0.2.1' });
  await world.reason('CloudDomainRecord', 'www', 'AlreadyExists', 3_600_000, 'team-b');
  await user.delete(`${records}/${String(id)}`);
  await world.ready('CloudDomainRecord', 'www', 3_600_000, 'team-b');
});
