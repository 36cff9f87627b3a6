import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { describeObject } from '../../support/world/describe.ts';
import { World } from '../../support/world/world.ts';

interface Plan {
  readonly hash: string;
  readonly content?: string;
  readonly effect: string;
  readonly changes: readonly string[];
}
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const calls = (): readonly string[] => changesOf(world);
const plan = async (kind: string, name: string): Promise<Plan | undefined> =>
  (await world.get(kind, name)).status?.['plan'] as Plan | undefined;
const approve = (kind: string, name: string, hash: string): Promise<unknown> =>
  world.patch(kind, name, { metadata: { annotations: { 'cloudhosting.dev/approve': hash } } });
const instance = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
  ...more,
});
async function web(more: Record<string, unknown> = {}): Promise<void> {
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  await world.apply('CloudInstance', 'web', instance(more));
  await world.ready('CloudInstance', 'web');
}
const type = (): string => (world.emulator.control.rows('instances') as unknown as { type: string }[])[0]?.type ?? '';

/** The Event of an approval with this reason, of a change to another type. */
async function approving(reason: (hash: string) => string): Promise<string> {
  const { type: before } = (await world.get('CloudInstance', 'web')).spec;
  await world.patch('CloudInstance', 'web', { spec: { type: before === 'g6-standard-1' ? 'g6-standard-2' : 'g6-standard-1' } });
  await world.reason('CloudInstance', 'web', 'ApprovalRequired');
  const { hash = '' } = (await plan('CloudInstance', 'web')) ?? {};
  const annotations = { 'cloudhosting.dev/approve': hash, 'cloudhosting.dev/approve-reason': reason(hash) };
  await world.patch('CloudInstance', 'web', { metadata: { annotations } });
  await world.ready('CloudInstance', 'web');
  const events = (await describeObject(world, 'CloudInstance', 'web')).split('\n');
  return events.find((line) => line.includes(' approved') && line.includes(`has ${String(before)}`)) ?? '';
}

const volumes = (): { id: number; region: string; size: number }[] => world.emulator.control.rows('volumes') as never;

describe('a change that does more than the spec allows', () => {
  it('waits for exactly its hash, is made once, and a later one asks again', async () => {
    await web();
    const before = calls().length;
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const condition = await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const asked = await plan('CloudInstance', 'web');
    expect(asked).toMatchObject({ effect: 'Reboot', changes: ['spec.type: the account has g6-nanode-1, wanted g6-standard-1'] });
    expect(condition.message).toContain(`cloudhosting.dev/approve=${asked?.hash}`);
    await approve('CloudInstance', 'web', 'no-such-hash');
    await world.clock.advance(900_000);
    expect(calls()).toHaveLength(before);
    await approve('CloudInstance', 'web', asked?.hash ?? '');
    const done = await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-standard-1');
    expect(done.status?.['plan']).toBeUndefined();
    expect(calls().filter((call) => call.endsWith('/resize'))).toHaveLength(1);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-2' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    expect((await plan('CloudInstance', 'web'))?.hash).not.toBe(asked?.hash);
  });
  it('says what it does, and the two ways to allow it as they are typed', async () => {
    await web();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const { message } = await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const { hash, content } = (await plan('CloudInstance', 'web')) ?? {};
    const sentences = message.split('. ');
    expect(sentences).toEqual([
      'Reboot needs approval, which means that it is shut down and started again',
      'It is for spec.type: the account has g6-nanode-1, wanted g6-standard-1',
      `To allow it: kubectl -n team-a annotate cloudinstance web --overwrite cloudhosting.dev/approve=${hash}`,
      expect.stringMatching(
        new RegExp(`^To allow it from Git instead: annotation cloudhosting.dev/approve-change: ${content}.\\d{4}-\\d\\d-\\d\\dT00:00:00Z$`),
      ),
      'Its time, at most 14 days ahead, is when that ends',
      'To have it dropped: set the spec to what the account has',
    ]);
  });
  it('an approval is for what was seen: the same wish against another state asks again', async () => {
    await web();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const asked = await plan('CloudInstance', 'web');
    await approve('CloudInstance', 'web', asked?.hash ?? '');
    const { status } = await world.ready('CloudInstance', 'web');
    await world.clock.advance(300_000);
    await world.emulator.control.actAs({
      username: 'colleague',
      method: 'POST',
      path: `/v4/vm/instances/${String(status?.['id'])}/resize`,
      body: { type: 'g6-standard-2' },
    });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired', 900_000);
    expect(type()).toBe('g6-standard-2');
  });
  it('one approval covers all the changes that it lists, though they are made one after the other', async () => {
    await web({ backupsEnabled: true });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1', backupsEnabled: false } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const asked = await plan('CloudInstance', 'web');
    expect(asked?.changes).toHaveLength(2);
    expect(asked?.effect).toBe('Rebuild');
    await approve('CloudInstance', 'web', asked?.hash ?? '');
    await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-standard-1');
  });
  it('is told with its reason, and with none that was given for another one', async () => {
    await web();
    expect(await approving((hash) => `${hash} more memory\nfor the sale ${'!'.repeat(300)}`)).toMatch(
      /approved \("more memory for the sale !{175}"\): spec\.type/,
    );
    expect(await approving(() => 'abcdefghij for another one')).toMatch(/approved: spec\.type/);
    expect(await approving((hash) => hash)).toMatch(/approved: spec\.type/);
  });
  it('does not hold up the changes that are allowed', async () => {
    await web();
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1', tags: ['prod'] } });
    await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    expect(world.emulator.control.rows('instances')).toMatchObject([{ tags: expect.arrayContaining(['prod']) }]);
    expect(type()).toBe('g6-nanode-1');
  });
  it('needs no question where the spec approves its effect', async () => {
    await web({ lifecycle: { approve: ['InPlace', 'Reboot'] } });
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    await world.ready('CloudInstance', 'web');
    expect(type()).toBe('g6-standard-1');
  });
});

describe('replacement', () => {
  const volume = { region: 'eu-central', sizeGiB: 20, label: 'data' };

  it('is refused by admission without lifecycle.replace', async () => {
    await world.apply('CloudVolume', 'data', volume);
    await expect(world.patch('CloudVolume', 'data', { spec: { region: 'eu-west' } })).rejects.toThrow(/region/);
  });
  it('is made once it is approved: the old one goes, then the new one comes, whatever onMissing says', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { replace: 'Allow' } });
    const first = await world.ready('CloudVolume', 'data');
    await world.patch('CloudVolume', 'data', { spec: { region: 'eu-west' } });
    await world.reason('CloudVolume', 'data', 'ApprovalRequired');
    const asked = await plan('CloudVolume', 'data');
    expect(asked?.effect).toBe('Replace');
    expect(volumes()).toHaveLength(1);
    await approve('CloudVolume', 'data', asked?.hash ?? '');
    const second = await world.ready('CloudVolume', 'data');
    expect(second.status?.['id']).not.toBe(first.status?.['id']);
    expect(volumes()).toMatchObject([{ region: 'eu-west' }]);
    expect(calls().filter((call) => call === 'POST /volumes')).toHaveLength(2);
  });
  it('goes on after a crash between its two halves', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { replace: 'Allow', approve: ['InPlace', 'Replace'] } });
    await world.ready('CloudVolume', 'data');
    world.emulator.control.addFault({ match: { method: 'POST', path: '/volumes' }, times: 1, effect: { kind: 'hang' } });
    await world.patch('CloudVolume', 'data', { spec: { region: 'eu-west' } });
    await world.clock.runUntil(() => Promise.resolve(volumes().length === 0), 60_000);
    await world.ready('CloudVolume', 'data', 900_000);
    expect(volumes()).toMatchObject([{ region: 'eu-west' }]);
  });
});

describe('ignoreFields', () => {
  it('leaves the named fields alone, in edits and in drift, and no others', async () => {
    await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, tags: ['ours'], lifecycle: { ignoreFields: ['tags'] } });
    const { status } = await world.ready('CloudVolume', 'data');
    const path = `/v4/volumes/${String(status?.['id'])}`;
    await world.emulator.control.actAs({ username: 'colleague', method: 'PUT', path, body: { tags: ['theirs'] } });
    await world.clock.advance(600_000);
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 30 } });
    await world.ready('CloudVolume', 'data');
    expect(world.emulator.control.rows('volumes')).toMatchObject([{ tags: ['theirs'], size: 30 }]);
  });
});
