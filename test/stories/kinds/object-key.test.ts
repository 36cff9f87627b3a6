import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type Blow, Striking } from '../../support/struck.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

interface Key {
  readonly id: number;
  readonly label: string;
  readonly access_key: string;
  readonly secret_key: string;
  readonly limited: boolean;
}
let world: World;
let operator: RunningOperator;
async function open(options: Parameters<typeof World.create>[0] = {}): Promise<void> {
  world = await World.create(options);
  await world.namespace('team-b');
  await world.account({ access: [{ namespaces: ['team-b'], adopt: 'Any' }] });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
  await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', lifecycle: { onDelete: 'Delete' } });
  await world.ready('CloudBucket', 'assets');
}
beforeEach(() => open());

const keys = (): readonly Key[] => world.emulator.control.rows('object keys') as never;
const everMade = (): number => world.emulator.control.objects().filter(({ collection }) => collection === 'object keys').length;
const spec = { label: 'uploads', bucketAccess: [{ bucketRef: { name: 'assets' }, permissions: 'read_write' }] };
const secretAt = '/api/v1/namespaces/team-a/secrets';
async function secret(name = 'uploads-cokey'): Promise<Readonly<Record<string, string>>> {
  const { data = {} } = (await world.admin('GET', `${secretAt}/${name}`)) as unknown as { data?: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
}
const pairOf = ({ access_key: AWS_ACCESS_KEY_ID, secret_key: AWS_SECRET_ACCESS_KEY }: Key) => ({
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
});
type Effect = Parameters<World['emulator']['control']['addFault']>[0]['effect'];
const spoil = (effect: Effect, times = 1): number =>
  world.emulator.control.addFault({ match: { method: 'POST', path: '/object-storage/keys', username: 'admin' }, times, effect });

/** Exactly one remains, and the Secret has it. */
async function oneIsKept(): Promise<void> {
  expect(keys()).toHaveLength(1);
  expect(await secret()).toMatchObject(pairOf(keys()[0] as Key));
  expect(keys()[0]?.label).toBe('uploads');
}

/** Everything that the operator wrote anywhere but into the Secrets that are meant to have it. */
function toldElsewhere(...meant: readonly string[]): string {
  const places = ['cloudobjectkeys', 'cloudaccounts', 'configmaps', 'events', 'leases', 'secrets'];
  const others = places.flatMap((plural) => world.server.objects(`/${plural}`)).filter(({ metadata }) => !meant.includes(metadata.name));
  return JSON.stringify([others, world.log, world.changes, world.outcomes]);
}

describe('an object key', () => {
  it.each(['created', 'adopted'])(
    'that was %s and deleted by hand is made anew, and its own label in the making is no drift',
    async (how) => {
      const lifecycle = { onMissing: 'Recreate', drift: 'Report' };
      const user = new CloudUser(world);
      const id =
        how === 'created' ? undefined : Number((await user.post('/object-storage/keys', { label: 'uploads', bucket_access: [] }))['id']);
      await world.apply('CloudObjectKey', 'uploads', { label: 'uploads', bucketAccess: [], lifecycle, ...(id && { adopt: { id } }) });
      const { status } = await world.ready('CloudObjectKey', 'uploads');
      await world.clock.advance(60_000);
      await user.delete(String(status?.['path']));
      const said: unknown[] = [];
      await world.clock.runUntil(async () => {
        const now = (await world.get('CloudObjectKey', 'uploads')).status;
        said.push(now?.['drift'], now?.['lastCorrection']);
        return now?.['path'] !== status?.['path'] && keys().every(({ label }) => label === 'uploads');
      }, 1_800_000);
      await world.ready('CloudObjectKey', 'uploads');
      await world.clock.advance(60_000);
      const now = (await world.get('CloudObjectKey', 'uploads')).status;
      expect([...said, now?.['drift'], now?.['lastCorrection']].filter((one) => one !== undefined)).toEqual([]);
      expect(JSON.stringify(world.server.objects('/events'))).not.toContain('Drifted');
    },
  );
  it('is told once: its secret is in its Secret, for as long as the key lives, and nowhere else', async () => {
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.ready('CloudObjectKey', 'uploads');
    await oneIsKept();
    const { hostname = '' } = (await world.get('CloudBucket', 'assets')).status as { hostname?: string };
    expect(await secret()).toMatchObject({ BUCKET_HOST: hostname, BUCKET_REGION: 'eu-central-1', BUCKET_NAME: hostname.split('.')[0] });
    await world.clock.advance(700_000);
    await world.patch('CloudObjectKey', 'uploads', { spec: { label: 'other' } });
    await world.ready('CloudObjectKey', 'uploads');
    expect(await secret()).toMatchObject(pairOf(keys()[0] as Key));
    const told = toldElsewhere('uploads-cokey');
    expect(told).toContain('/object-storage/keys/');
    for (const { secret_key: hidden } of keys()) {
      expect(told).not.toContain(hidden);
      expect(told).not.toContain(Buffer.from(hidden).toString('base64'));
    }
    expect(everMade()).toBe(1);
  });
  it('is finished without a question where every change needs an approval, and a later one is asked for', async () => {
    await world.apply('CloudObjectKey', 'uploads', { ...spec, lifecycle: { approve: [] } });
    await world.ready('CloudObjectKey', 'uploads');
    await oneIsKept();
    await world.patch('CloudObjectKey', 'uploads', { spec: { label: 'other' } });
    await world.reason('CloudObjectKey', 'uploads', 'ApprovalRequired');
    await world.clock.advance(600_000);
    await oneIsKept();
  });
  it.each([
    ['approves nothing', { approve: [] }],
    ['only reports what differs', { drift: 'Report' }],
  ])('loses what its label was sent with also where its lifecycle %s: that is the end of its create', async (_, lifecycle) => {
    await world.apply('CloudObjectKey', 'uploads', { ...spec, lifecycle: { onDelete: 'Delete', ...lifecycle } });
    await world.ready('CloudObjectKey', 'uploads');
    await oneIsKept();
    await new CloudUser(world).put(`/object-storage/keys/${keys()[0]?.id}`, { label: 'by-hand' });
    await world.clock.advance(900_000);
    expect(keys()).toMatchObject([{ label: 'by-hand' }]);
  });
  it('is not made a second time for another object of its label, which says whose it is', async () => {
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.ready('CloudObjectKey', 'uploads');
    await world.apply('CloudObjectKey', 'renamed', spec);
    expect((await world.reason('CloudObjectKey', 'renamed', 'AlreadyClaimed')).message).toContain('uploads');
    expect(everMade()).toBe(1);
  });
  it('is not Ready with another key in place of a lost one, while its Secret gives out the pair of that one, until it is renewed', async () => {
    await world.apply('CloudObjectKey', 'uploads', { ...spec, lifecycle: { onMissing: 'Stall' } });
    await world.ready('CloudObjectKey', 'uploads');
    const first = keys()[0] as Key;
    const colleague = new CloudUser(world);
    const other = await colleague.post('/object-storage/keys', {
      label: 'uploads',
      bucket_access: [
        {
          cluster: 'eu-central-1',
          bucket_name: String((await world.get('CloudBucket', 'assets')).status?.['hostname']).split('.')[0],
          permissions: 'read_write',
        },
      ],
    });
    await colleague.delete(`/object-storage/keys/${first.id}`);
    await world.reason('CloudObjectKey', 'uploads', 'RemoteMissing');
    await world.patch('CloudObjectKey', 'uploads', {
      spec: { adopt: { id: other['id'] } },
      metadata: { annotations: { 'cloudhosting.dev/recreate': '2026-01-01T00:00:00Z' } },
    });
    const condition = async (type: string) =>
      (
        (await world.get('CloudObjectKey', 'uploads')).status as {
          conditions: readonly { type: string; status: string; message: string }[];
        }
      ).conditions.find((one) => one.type === type);
    await world.clock.runUntil(
      async () => (await condition('Stalled'))?.message.includes('still has what was told of another') === true,
      60_000,
    );
    expect((await condition('Ready'))?.message).toContain(
      `Secret uploads-cokey still has what was told of another than /object-storage/keys/${String(other['id'])}, which this object has now`,
    );
    expect((await condition('Ready'))?.status).toBe('False');
    operator.process.kill();
    await world.start();
    await world.clock.advance(900_000);
    expect((await condition('Ready'))?.status).toBe('False');
    await world.patch('CloudObjectKey', 'uploads', { metadata: { annotations: { 'cloudhosting.dev/rotate': '2026-01-02T00:00:00Z' } } });
    await world.ready('CloudObjectKey', 'uploads');
    const made = keys().find(({ id }) => id !== other['id']) as Key;
    expect(await secret()).toMatchObject(pairOf(made));
  });
  it('follows its Secret to another name, and into texts', async () => {
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.ready('CloudObjectKey', 'uploads');
    const pair = pairOf(keys()[0] as Key);
    const outputs = [{ secretName: 'rclone', keys: { conf: 'secret={AWS_SECRET_ACCESS_KEY}' } }];
    await world.patch('CloudObjectKey', 'uploads', { spec: { secretName: 's3', outputs } });
    await world.ready('CloudObjectKey', 'uploads');
    await world.clock.advance(10_000);
    expect(await secret('s3')).toMatchObject(pair);
    expect(await secret('uploads-cokey')).toEqual({});
    expect(await secret('rclone')).toEqual({ conf: `secret=${pair.AWS_SECRET_ACCESS_KEY}` });
    expect(everMade()).toBe(1);
  });
  it("stays where it was told while the Secret that the spec names now is somebody else's", async () => {
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.ready('CloudObjectKey', 'uploads');
    await world.secret('s3', { own: 'x' });
    await world.patch('CloudObjectKey', 'uploads', { spec: { secretName: 's3' } });
    await world.reason('CloudObjectKey', 'uploads', 'AlreadyExists');
    expect(await secret('uploads-cokey')).toMatchObject(pairOf(keys()[0] as Key));
    expect(await secret('s3')).toEqual({ own: 'x' });
    await world.admin('DELETE', `${secretAt}/s3`);
    await world.ready('CloudObjectKey', 'uploads', 3_700_000);
    await world.clock.advance(10_000);
    expect(await secret('s3')).toMatchObject(pairOf(keys()[0] as Key));
    expect(everMade()).toBe(1);
  });
  it("is not made while its Secret is somebody else's", async () => {
    await world.secret('uploads-cokey', { own: 'x' });
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.reason('CloudObjectKey', 'uploads', 'AlreadyExists');
    await world.clock.advance(3_600_000);
    expect(everMade()).toBe(0);
    expect(await secret()).toEqual({ own: 'x' });
  });
  it('of which the answer was lost goes, and another one is made within 15 minutes', async () => {
    spoil({ kind: 'lose-answer' });
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.reason('CloudObjectKey', 'uploads', 'UnknownOutcome');
    expect(keys()).toHaveLength(1);
    await world.ready('CloudObjectKey', 'uploads', 900_000);
    await oneIsKept();
    expect(everMade()).toBe(2);
  });
  it('that was made almost a minute after it was sent is gone as well', async () => {
    spoil({ kind: 'commit-late', seconds: 55 });
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.ready('CloudObjectKey', 'uploads', 900_000);
    await world.clock.advance(1_000_000);
    await oneIsKept();
  });
  it('that a 500 hides, as the service does, is found and goes', async () => {
    spoil({ kind: 'lose-answer' }, 2);
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.ready('CloudObjectKey', 'uploads', 1_800_000);
    await oneIsKept();
    expect(everMade()).toBe(3);
  });
  it('whose Secret the cluster refuses goes, and is not made again and again', async () => {
    world.server.faults.add({
      match: { method: 'POST', path: /\/secrets(\?|$)/ },
      action: { kind: 'answer', status: 403 },
    });
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.clock.advance(900_000);
    expect(keys()).toHaveLength(0);
    expect(everMade()).toBe(1);
    expect((await world.condition('CloudObjectKey', 'uploads', 'Synced'))?.message).toContain('uploads-cokey');
    world.server.faults.clear();
    await world.ready('CloudObjectKey', 'uploads', 3_700_000);
    await oneIsKept();
  });
  it('goes while the answer to its create is still open, when its object does', async () => {
    spoil({ kind: 'commit-late', seconds: 30 });
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.reason('CloudObjectKey', 'uploads', 'UnknownOutcome');
    await world.delete('CloudObjectKey', 'uploads');
    await world.gone('CloudObjectKey', 'uploads', 1_200_000);
    expect(keys()).toEqual([]);
    expect(everMade()).toBe(1);
  });
  it('leaves what others made under its label alone, whatever they call it', async () => {
    const colleague = new CloudUser(world);
    for (const label of ['uploads-k3vq2m7a', 'uploads-2']) await colleague.post('/object-storage/keys', { label, bucket_access: [] });
    spoil({ kind: 'lose-answer' });
    await world.apply('CloudObjectKey', 'uploads', spec);
    await world.ready('CloudObjectKey', 'uploads', 900_000);
    await world.clock.advance(1_800_000);
    expect(keys().map(({ label }) => label)).toEqual(['uploads-k3vq2m7a', 'uploads-2', 'uploads']);
  });
});

const madeOnce = async (): Promise<void> => {
  await world.apply('CloudObjectKey', 'uploads', { ...spec, label: undefined, lifecycle: { onDelete: 'Delete' } });
  await world.ready('CloudObjectKey', 'uploads');
  await world.clock.advance(300_000);
};
const saysSo = async (): Promise<void> => {
  await world.clock.advance(900_000);
  for (const [type, status] of [
    ['Ready', 'False'],
    ['Stalled', 'True'],
  ] as const) {
    const said = { status, reason: 'RemoteFailed', message: expect.stringContaining('Secret uploads-cokey does not hold') };
    expect(await world.condition('CloudObjectKey', 'uploads', type)).toMatchObject(said);
  }
};

describe('an object key whose secret nobody has any more', () => {
  it('is not Ready when its Secret is lost, is again when that is restored, and makes way for another', async () => {
    await madeOnce();
    const kept = await world.admin('GET', `${secretAt}/uploads-cokey`);
    await world.admin('DELETE', `${secretAt}/uploads-cokey`);
    await saysSo();
    const { labels } = kept.metadata as { readonly labels?: Readonly<Record<string, string>> };
    const { data } = kept as unknown as { readonly data: Readonly<Record<string, string>> };
    await world.admin('POST', secretAt, { metadata: { name: 'uploads-cokey', labels }, data });
    await world.ready('CloudObjectKey', 'uploads');
    expect(await secret()).toMatchObject(pairOf(keys()[0] as Key));
    await world.admin('DELETE', `${secretAt}/uploads-cokey`);
    await saysSo();
    await world.delete('CloudObjectKey', 'uploads');
    await world.gone('CloudObjectKey', 'uploads');
    await madeOnce();
    expect(await secret()).toMatchObject(pairOf(keys()[0] as Key));
    expect(everMade()).toBe(2);
  });
  it('is not Ready when a cluster is restored from Git without its Secrets, and no second one is made', async () => {
    await madeOnce();
    operator.kill();
    await world.admin('PATCH', world.path('CloudObjectKey', undefined, 'uploads'), { metadata: { finalizers: null, annotations: null } });
    await world.server.as('admin', 'DELETE', world.path('CloudObjectKey', undefined, 'uploads'));
    await world.server.as('admin', 'DELETE', `${secretAt}/uploads-cokey`);
    await world.apply('CloudObjectKey', 'uploads', { ...spec, label: undefined });
    await world.start();
    await saysSo();
    expect(everMade()).toBe(1);
  });
});

async function refuseAnother(): Promise<void> {
  spoil({ kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ reason: 'not now' }] }) }, 1000);
  await world.reason('CloudObjectKey', 'uploads', 'Rejected', 3_600_000);
}
/** Of two, the one before is left. */
async function withoutNewer(): Promise<readonly Key[]> {
  await world.apply('CloudObjectKey', 'uploads', { ...spec, lifecycle: { onDelete: 'Delete' } });
  await world.ready('CloudObjectKey', 'uploads', 600_000);
  const [old] = keys();
  await world.patch('CloudObjectKey', 'uploads', { metadata: { annotations: { 'cloudhosting.dev/rotate': '2026-01-01T00:00:00Z' } } });
  await world.clock.runUntil(() => Promise.resolve(keys().length === 2), 600_000);
  await world.ready('CloudObjectKey', 'uploads', 600_000);
  await world.clock.advance(60_000);
  const made = keys().find(({ id }) => id !== old?.id);
  await new CloudUser(world).delete(`/object-storage/keys/${made?.id}`);
  return keys();
}

describe('an object key that was renewed, and is deleted by hand while the one before it still works,', () => {
  it('is made anew, and takes the one before it along when its object goes', async () => {
    const [old] = await withoutNewer();
    await world.clock.runUntil(() => Promise.resolve(keys().length === 2), 3_600_000);
    await world.ready('CloudObjectKey', 'uploads', 600_000);
    const now = keys().find(({ id }) => id !== old?.id);
    expect.soft(await secret()).toMatchObject(now === undefined ? {} : pairOf(now));
    await world.delete('CloudObjectKey', 'uploads');
    await world.gone('CloudObjectKey', 'uploads', 600_000);
    expect(keys()).toEqual([]);
  });

  it('leaves no key behind when its object goes before that', async () => {
    await withoutNewer();
    await refuseAnother();
    await world.delete('CloudObjectKey', 'uploads');
    await world.gone('CloudObjectKey', 'uploads', 3_600_000);
    expect(keys()).toEqual([]);
  });

  it('leaves it, and says so, where the policy is Retain', async () => {
    const left = await withoutNewer();
    await refuseAnother();
    await world.patch('CloudObjectKey', 'uploads', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.delete('CloudObjectKey', 'uploads');
    await world.gone('CloudObjectKey', 'uploads', 3_600_000);
    expect.soft(keys()).toEqual(left);
    expect(JSON.stringify(world.server.objects('/events'))).toContain(`/object-storage/keys/${left[0]?.id} (which was to be deleted at`);
  });

  it('deletes nothing while the account is only read', async () => {
    const left = await withoutNewer();
    await refuseAnother();
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.delete('CloudObjectKey', 'uploads');
    await world.clock.advance(600_000);
    expect.soft(keys()).toEqual(left);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.gone('CloudObjectKey', 'uploads', 3_600_000);
    expect(keys()).toEqual([]);
  });
});

describe('an object key of another namespace', () => {
  it('opens a bucket only where that admits it, and never the whole account', async () => {
    const far = { bucketAccess: [{ bucketRef: { name: 'assets', namespace: 'team-a' }, permissions: 'read_only' }] };
    const account = { accountRef: { name: 'default', namespace: 'team-a' } };
    await world.apply('CloudObjectKey', 'reader', { ...far, ...account }, 'team-b');
    await expect(world.apply('CloudObjectKey', 'all', { unlimited: true, ...account }, 'team-b')).rejects.toThrow(
      'an unlimited key is made in the namespace of its CloudAccount alone',
    );
    const refused = await world.reason('CloudObjectKey', 'reader', 'ReferenceNotReady', 600_000, 'team-b');
    expect(refused.message).toContain('is not found, or does not admit namespace team-b');
    expect(everMade()).toBe(0);
    await world.patch('CloudBucket', 'assets', { spec: { allowedRefs: { namespaces: ['team-b'] } } });
    await world.ready('CloudObjectKey', 'reader', 600_000, 'team-b');
    expect(keys()).toMatchObject([{ limited: true }]);
    await world.apply('CloudObjectKey', 'all', { unlimited: true });
    await world.ready('CloudObjectKey', 'all');
    expect(keys()).toMatchObject([{ limited: true }, { limited: false }]);
  });
});

it('the operator itself makes no key to everything for another namespace, should admission let it pass', async () => {
  const rules = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/x-kubernetes-validations';
  const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudobjectkeys.cloudhosting.dev';
  const { status } = await world.server.as('admin', 'PATCH', crd, [{ op: 'replace', path: rules, value: [] }]);
  expect(status).toBe(200);
  await world.apply('CloudObjectKey', 'all', { unlimited: true, accountRef: { name: 'default', namespace: 'team-a' } }, 'team-b');
  const { message } = await world.reason('CloudObjectKey', 'all', 'ReferenceNotReady', 600_000, 'team-b');
  expect(message).toContain('only objects in namespace team-a of CloudAccount default may ask for it');
  expect(everMade()).toBe(0);
});

async function create(striking: Striking): Promise<void> {
  await open({ between: striking.between });
  striking.arm(operator);
  await world.apply('CloudObjectKey', 'uploads', spec);
  if (striking.seen.length === 0) await world.clock.advance(30_000);
}

describe('killed at every step of a create', () => {
  it('the secret is in its Secret, or the key is gone within 15 minutes', { timeout: 240_000 }, async () => {
    const calm = new Striking();
    await create(calm);
    await world.ready('CloudObjectKey', 'uploads');
    expect(calm.seen.filter((one) => one.includes('object-storage/keys'))).toEqual([
      'POST /v4/object-storage/keys',
      expect.stringMatching(/^PUT \/v4\/object-storage\/keys\/\d+$/),
    ]);
    expect(calm.seen).toContain('POST /api/v1/namespaces/team-a/secrets');
    for (let nth = 1; nth <= calm.seen.length; nth += 1)
      for (const blow of ['before', 'after'] satisfies Blow[]) {
        const striking = new Striking(nth, blow);
        await create(striking);
        expect(striking.struck, `${blow} ${calm.seen[nth - 1]}`).toBe(true);
        await world.start();
        await world.clock.advance(900_000);
        await oneIsKept();
        await world.delete('CloudObjectKey', 'uploads');
        await world.gone('CloudObjectKey', 'uploads', 1_200_000);
        expect(keys()).toEqual([]);
      }
  });
});
