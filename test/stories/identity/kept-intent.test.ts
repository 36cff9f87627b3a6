import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

// Whoever may write an object sees annotation `intent` of its creates, can keep it, and write it back once that create is over: it
// must name nothing then that somebody else has made meanwhile, and let nothing be sent that a first create would not be.
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const intent = 'cloudhosting.dev/intent';
const hour = 3_600_000;
const kept = new Map<string, string>();
let world: World;
/** How many statuses that tell of the last attempt the API server still refuses. */
let refusals = 0;

const rows = (collection: string) => world.emulator.control.rows(collection) as unknown as Record<string, unknown>[];
const keptOf = (kind: string, name: string): string => kept.get(world.path(kind, tenant, name)) ?? '';
const writeBack = (kind: string, name: string, text: string, spec: object) =>
  world.patch(kind, name, { metadata: { annotations: { [intent]: text } }, spec }, tenant);

beforeEach(async () => {
  kept.clear();
  refusals = 0;
  world = await World.create({
    between: (server, backend) => ({
      ...(backend.travel && { travel: backend.travel.bind(backend) }),
      handle: (request) => {
        const sent = server === 'kube' && request.method === 'PATCH' ? request.body.toString() : '';
        const found = /"cloudhosting\.dev\/intent":("(?:[^"\\]|\\.)*")/.exec(sent)?.[1];
        if (found !== undefined) kept.set(request.path.replace(/\?.*/, ''), JSON.parse(found) as string);
        if (refusals > 0 && sent.includes('/status/lastAttempt') && request.path.includes('/cloudvolumes/mine/')) {
          refusals -= 1;
          return Promise.resolve({ status: 500, headers: { 'content-type': 'application/json' }, body: '{}' });
        }
        return backend.handle(request);
      },
    }),
  });
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim] }, { namespaces: [tenant], maxObjects: 2 }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
});

const zone = { accountRef, domain: 'example.org', type: 'master', soaEmail: 'a@example.org' };
const volume = { accountRef, region: 'us-southeast', label: 'db-data' };

describe.each([
  [
    'CloudDomain',
    {
      collection: 'domains',
      refused: { ...zone, axfrIps: ['zz'] },
      mended: { axfrIps: null, lifecycle: { onDelete: 'Delete' } },
      theirs: zone,
    },
  ],
  [
    'CloudVolume',
    {
      collection: 'volumes',
      refused: { ...volume, sizeGiB: 99_999 },
      mended: { sizeGiB: 20, lifecycle: { onDelete: 'Delete' } },
      theirs: { ...volume, sizeGiB: 20 },
    },
  ],
] as const)('%s', (kind, { collection, refused, mended, theirs }) => {
  it('that another namespace let go is not taken by the intent of a create that was refused', async () => {
    await world.apply(kind, 'mine', refused, tenant);
    await world.clock.advance(10_000);
    const text = keptOf(kind, 'mine');
    expect(text).not.toBe('');
    await world.apply(kind, 'theirs', theirs, victim);
    await world.ready(kind, 'theirs', hour, victim);
    await world.clock.advance(hour);
    await world.delete(kind, 'theirs', victim);
    await world.gone(kind, 'theirs', hour, victim);
    await world.clock.advance(hour);
    await writeBack(kind, 'mine', text, mended);
    await world.clock.advance(hour);
    const { status } = await world.get(kind, 'mine', tenant);
    expect(status?.['path']).toBeUndefined();
    expect((await world.condition(kind, 'mine', 'Synced', tenant))?.reason).toBe('AlreadyExists');
    await world.delete(kind, 'mine', tenant);
    await world.gone(kind, 'mine', hour, tenant);
    expect(rows(collection)).toHaveLength(1);
  });
});

describe('the intent of a create that was refused, written back,', () => {
  it('makes no more than maxObjects', async () => {
    const names = ['v1', 'v2', 'v3', 'v4'];
    for (const name of names) {
      await world.apply('CloudVolume', name, { accountRef, region: 'us-southeast', sizeGiB: 99_999 }, tenant);
      await world.clock.advance(20_000);
    }
    await world.clock.advance(300_000);
    for (const name of names) await writeBack('CloudVolume', name, keptOf('CloudVolume', name), { sizeGiB: 20 });
    await world.clock.advance(hour);
    expect(rows('volumes').length).toBeLessThanOrEqual(2);
  });

  it('makes no zone in that of another namespace', async () => {
    await world.apply('CloudDomain', 'mine', { ...zone, domain: 'login.example.org', axfrIps: ['zz'] }, tenant);
    await world.clock.advance(20_000);
    await world.apply('CloudDomain', 'theirs', zone, victim);
    await world.ready('CloudDomain', 'theirs', hour, victim);
    await world.clock.advance(300_000);
    await writeBack('CloudDomain', 'mine', keptOf('CloudDomain', 'mine'), { axfrIps: null });
    await world.clock.advance(hour);
    expect(rows('domains').map(({ domain }) => domain)).toEqual(['example.org']);
  });

  it('holds no name of others while its object is paused', async () => {
    await world.apply('CloudDomain', 'mine', { ...zone, domain: 'login.example.org', axfrIps: ['zz'] }, tenant);
    await world.clock.advance(20_000);
    const paused = { annotations: { [intent]: keptOf('CloudDomain', 'mine'), 'cloudhosting.dev/pause': 'true' } };
    await world.patch('CloudDomain', 'mine', { metadata: paused }, tenant);
    await world.clock.advance(hour);
    await world.apply('CloudDomain', 'theirs', zone, victim);
    await world.ready('CloudDomain', 'theirs', hour, victim);
  });
});

describe('the intent of a create that came about, written back once what it made is gone,', () => {
  const mine = { ...volume, sizeGiB: 20, lifecycle: { onDelete: 'Delete', onMissing: 'Stall' } };
  const writtenBack = async (): Promise<void> => {
    await world.apply('CloudVolume', 'mine', mine, tenant);
    await world.ready('CloudVolume', 'mine', hour, tenant);
    const text = keptOf('CloudVolume', 'mine');
    const own = (await world.get('CloudVolume', 'mine', tenant)).status?.['id'];
    await new CloudUser(world).delete(`/volumes/${String(own)}`);
    await world.clock.advance(10_000);
    await world.apply('CloudVolume', 'theirs', { ...volume, sizeGiB: 20 }, victim);
    await world.ready('CloudVolume', 'theirs', hour, victim);
    await world.clock.advance(hour);
    await world.delete('CloudVolume', 'theirs', victim);
    await world.gone('CloudVolume', 'theirs', hour, victim);
    await world.clock.advance(hour);
    await world.patch('CloudVolume', 'mine', { metadata: { annotations: { [intent]: text, 'cloudhosting.dev/recreate': 'now' } } }, tenant);
    await world.clock.advance(hour);
    await world.delete('CloudVolume', 'mine', tenant);
    await world.gone('CloudVolume', 'mine', hour, tenant);
  };
  it('takes nothing that another namespace let go', async () => {
    await writtenBack();
    expect(rows('volumes')).toHaveLength(1);
  });
  it('nor where the first status that says so was refused by the API server', async () => {
    refusals = 1;
    await writtenBack();
    expect(refusals).toBe(0);
    expect(rows('volumes')).toHaveLength(1);
  });
});
