import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const shared = { name: 'default', namespace: 'team-a' };
const intent = 'cloudhosting.dev/intent';
const volume = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  accountRef: shared,
  region: 'eu-central',
  lifecycle: { onDelete: 'Delete' },
  ...more,
});
interface Row {
  readonly id: number;
  readonly created: string;
  readonly tags: readonly string[];
  readonly label: string;
}
const rows = (collection: string): readonly Row[] => world.emulator.control.rows(collection) as never;
const writes = (): readonly string[] => changesOf(world);
async function somebodyMakes(path: string, body: Record<string, unknown>): Promise<Row> {
  const answer = await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: `/v4${path}`, body });
  return JSON.parse(String(answer.body)) as Row;
}
beforeEach(async () => {
  world = await World.create();
  await world.namespace('team-b');
});
async function begin(account: Record<string, unknown> = {}): Promise<void> {
  await world.account({ access: [{ namespaces: ['team-b'] }], ...account });
  await world.start();
  await world.ready('CloudAccount', 'default');
}
/** Applied by the tenant with annotations from the start, as Git would. */
const applied = (kind: string, spec: Record<string, unknown>, annotations: Record<string, string>): Promise<unknown> =>
  world.admin('POST', world.path(kind, 'team-b'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind,
    metadata: { name: 'forged', namespace: 'team-b', annotations },
    spec,
  });
const account = async (): Promise<string> => String((await world.get('CloudAccount', 'default')).status?.['account']);

describe('an intent that somebody wrote by hand', () => {
  it.each([
    ['CloudVolume', '/volumes', { label: 'theirs', region: 'eu-central', size: 20 }, volume()],
    [
      'CloudDomain',
      '/domains',
      { domain: 'example.com', type: 'master', soa_email: 'a@example.com' },
      { accountRef: shared, domain: 'example.org', type: 'master', soaEmail: 'a@example.org', lifecycle: { onDelete: 'Delete' } },
    ],
  ] as const)('gets a %s of somebody else neither taken nor deleted', async (kind, path, body, spec) => {
    await begin();
    const { id, created } = await somebodyMakes(path, body);
    const at = `${created ?? new Date(world.clock.now()).toISOString().slice(0, 19)}Z`;
    const forged = JSON.stringify({ attempts: [{ at, n: 1 }], before: [], key: { in: path, is: { id } } });
    await applied(kind, spec, { [intent]: forged });
    const { message } = await world.reason(kind, 'forged', 'IdentityConflict', 60_000, 'team-b');
    expect(message).toContain(intent);
    await world.patch(kind, 'forged', { metadata: { finalizers: ['cloudhosting.dev/remote'] } }, 'team-b');
    await world.delete(kind, 'forged', 'team-b');
    await world.clock.advance(600_000);
    expect(rows(path.slice(1))).toHaveLength(1);
    expect(writes()).toEqual([]);
    await world.patch(kind, 'forged', { metadata: { annotations: { [intent]: null } } }, 'team-b');
    await world.gone(kind, 'forged', 60_000, 'team-b');
    expect(rows(path.slice(1))).toHaveLength(1);
  });
  it('is not believed because it was genuine for another object', async () => {
    await begin();
    const spoil = { match: { method: 'POST', path: '/volumes', username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } } as const;
    world.emulator.control.addFault(spoil);
    await world.apply('CloudVolume', 'data', volume());
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    const copied = (await world.get('CloudVolume', 'data')).metadata.annotations?.[intent] ?? '';
    await applied('CloudVolume', volume(), { [intent]: copied });
    await world.reason('CloudVolume', 'forged', 'IdentityConflict', 60_000, 'team-b');
    await world.ready('CloudVolume', 'data');
  });
});

/** What an object of the owner made and left behind. */
async function retained(): Promise<Record<string, unknown> | undefined> {
  await begin();
  await world.apply('CloudVolume', 'theirs', volume({ accountRef: { name: 'default' }, lifecycle: { onDelete: 'Retain' } }));
  const { status } = await world.ready('CloudVolume', 'theirs');
  await world.delete('CloudVolume', 'theirs');
  await world.gone('CloudVolume', 'theirs');
  await world.patch('CloudAccount', 'default', { spec: { recover: true } });
  return status;
}

describe('while an account recovers', () => {
  it('a remote of our installation is taken by its name only, not by an annotation', async () => {
    const status = await retained();
    const before = rows('volumes');
    await applied('CloudVolume', volume(), {
      'cloudhosting.dev/remote': `${await account()}${String(status?.['path'])}#created.aaaaaaaaaaaaaaaa`,
    });
    await world.reason('CloudVolume', 'forged', 'IdentityConflict', 60_000, 'team-b');
    await world.delete('CloudVolume', 'forged', 'team-b');
    await world.clock.advance(600_000);
    expect(rows('volumes')).toEqual(before);
  });
  it('nothing is adopted where nothing may be', async () => {
    const status = await retained();
    await world.apply('CloudVolume', 'taken', volume({ adopt: { id: Number(status?.['id']) } }), 'team-b');
    await world.reason('CloudVolume', 'taken', 'Forbidden', 60_000, 'team-b');
    await world.delete('CloudVolume', 'taken', 'team-b');
    await world.clock.advance(600_000);
    expect(rows('volumes')).toHaveLength(1);
  });
  it('nor a bucket of another name', async () => {
    await begin({ recover: true });
    const { label } = await somebodyMakes('/object-storage/buckets', { label: 'theirs-of-old', cluster: 'eu-central-1' });
    expect(label).toBe('theirs-of-old');
    const path = `/object-storage/buckets/eu-central-1/${label}`;
    const spec = { accountRef: shared, cluster: 'eu-central-1', lifecycle: { onDelete: 'Delete' } };
    await applied('CloudBucket', spec, { 'cloudhosting.dev/remote': `${await account()}${path}#created.aaaaaaaaaaaaaaaa` });
    await world.reason('CloudBucket', 'forged', 'IdentityConflict', 60_000, 'team-b');
    expect(writes()).toEqual([]);
  });
});
