import { beforeEach, describe, expect, it } from 'vitest';
import { paidWants } from '../../../../src/kinds/for-plugin/paid-wants.ts';
import { isFree, pricing } from '../../../../src/kinds/for-plugin/prices.ts';
import type { PlanData } from '../../../../src/plugin/output/plan-shape.ts';
import { cloud, type CliOptions, dataOf, endpoint, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const prices = { 'prices.yaml': 'volumeGiB: 0.10\nhighAvailability: 60\nipAddress: 2\nbucket: 5\n' };
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

const kept = { lifecycle: { onDelete: 'Delete' } };
const volume = { region: 'eu-central', sizeGiB: 20, ...kept };
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const document = (kind: string, name: string, spec: object, metadata: object = {}) =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name, ...metadata }, spec });
const plan = (line: string, files: Record<string, string>, options: CliOptions = {}): Promise<Ran> =>
  cloud(world, `plan ${line} --endpoint ${endpoint}`, { limit: 300_000, files: Object.assign(files, prices), ...options });
const planned = async (line: string, files: Record<string, string>): Promise<PlanData & Pick<Ran, 'exit' | 'err'>> => {
  const ran = await plan(`${line} -o json`, files);
  return { ...(dataOf(ran) as unknown as PlanData), exit: ran.exit, err: ran.err };
};
const volumes = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) await world.apply('CloudVolume', name, volume);
  for (const name of names) await world.ready('CloudVolume', name);
};
const changing = () => world.emulator.control.requests().filter(({ method }) => method !== 'GET').length;

const head = () => ({ 'deploy/a.yaml': document('CloudVolume', 'a', volume) });
const web = (name: string) => document('CloudInstance', name, { ...machine, type: 'g6-standard-2' });

describe('what was there before', () => {
  it('is a folder, and what it names alone is planned as deleted, if it is there', async () => {
    await volumes('a', 'b');
    const old = {
      'old/a.yaml': document('CloudVolume', 'a', volume),
      'old/b.yaml': document('CloudVolume', 'b', volume),
      'old/c.yaml': document('CloudVolume', 'never-applied', volume),
      'old/account.yaml': document('CloudAccount', 'default', {}),
    };
    const { exit, objects, err } = await planned('-f deploy --base old', { ...head(), ...old });
    expect([exit, objects.map(({ name, action }) => `${name} ${action}`)]).toEqual([1, ['a none', 'b delete']]);
    expect(err).toContain('CloudAccount team-a/default is not among the manifests any more');
    expect((await planned('-f deploy', { ...head(), ...old })).exit).toBe(0);
  });
  it('or a commit of git, at the same paths', async () => {
    await volumes('a', 'b');
    const old = { 'origin/main:deploy/b.yaml': document('CloudVolume', 'b', volume) };
    const { objects } = await planned('-f deploy --base git:origin/main', { ...head(), ...old });
    expect(objects.map(({ name, action }) => `${name} ${action}`)).toEqual(['a none', 'b delete']);
  });
  it.each([
    ['-f - --base git:main', 'standard input has none'],
    [
      '-k deploy/prod --base git:origin/main',
      'git worktree add --detach ../before origin/main and write, at the top of the repository: -k deploy/prod --base ../before/deploy/prod',
    ],
    ['-k deploy -f deploy', 'not with both'],
    ['cvol/a --base old', '--base needs manifests'],
    ['cvol/a --approvals out.yaml', '--approvals needs manifests'],
  ])('%s is not understood', async (line, says) =>
    expect(await plan(line, head())).toMatchObject({ exit: 2, err: expect.stringContaining(says) as string }),
  );
});

describe('limits', () => {
  it('--max-deletes counts what would be deleted or replaced', async () => {
    await volumes('a', 'b');
    const files = { 'deploy/a.yaml': document('CloudVolume', 'a', volume), 'old/b.yaml': document('CloudVolume', 'b', volume) };
    expect((await plan('-f deploy --base old --max-deletes 1', files)).exit).toBe(1);
    const ran = await plan('-f deploy --base old --max-deletes 0', files);
    expect(ran).toMatchObject({ exit: 3, err: expect.stringContaining('--max-deletes allows 0: CloudVolume team-a/b') as string });
    expect((await plan('-f deploy --max-deletes none', files)).exit).toBe(2);
  });
  it('--max-deletes counts a replacement', async () => {
    const replaceable = { ...volume, lifecycle: { ...kept.lifecycle, replace: 'Allow' } };
    await world.apply('CloudVolume', 'a', replaceable);
    await world.ready('CloudVolume', 'a');
    const files = { 'a.yaml': document('CloudVolume', 'a', { ...replaceable, region: 'us-east' }) };
    expect((await plan('-f a.yaml --max-deletes 0', files)).exit).toBe(3);
  });
  it('--max-monthly holds what is added to a month, and what nobody knows is too much', async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.ready('CloudInstance', 'web');
    const files = {
      'web.yaml': document('CloudInstance', 'web', { ...machine, type: 'g6-standard-2' }),
      'vol.yaml': document('CloudVolume', 'v', volume),
    };
    const [entry] = (await planned('-f web.yaml', files)).objects;
    expect(entry?.monthlyUSD).toMatchObject({ before: 5, after: 20 });
    expect((await plan('-f web.yaml --max-monthly 15', files)).exit).toBe(1);
    expect(await plan('-f web.yaml --max-monthly 14.99', files)).toMatchObject({
      exit: 3,
      out: expect.stringContaining('+15.00 $/month') as string,
      err: expect.stringContaining('it adds 15.00 $ a month, and --max-monthly allows 14.99') as string,
    });
    expect(await plan('-f vol.yaml --max-monthly 1000', files)).toMatchObject({
      exit: 3,
      err: expect.stringContaining('CloudVolume team-a/v. Name the prices with --prices FILE') as string,
    });
    expect((await plan('-f vol.yaml --max-monthly 2 --prices prices.yaml', files)).exit).toBe(1);
    expect((await plan('-f vol.yaml --max-monthly 1.99 --prices prices.yaml', files)).exit).toBe(3);
  });
  it('what nobody knows the price of, and stays as it is paid, adds nothing', async () => {
    await volumes('a');
    const files = { 'tags.yaml': document('CloudVolume', 'a', { ...volume, tags: ['team-a'] }) };
    expect(await plan('-f tags.yaml --max-monthly 0', files)).toMatchObject({ exit: 1, out: expect.not.stringContaining('$') as string });
    const bigger = { 'tags.yaml': document('CloudVolume', 'a', { ...volume, tags: ['team-a'], sizeGiB: 100 }) };
    expect((await plan('-f tags.yaml --max-monthly 0', bigger)).exit).toBe(3);
  });
  it('what is deleted is no longer paid, and what is kept is', async () => {
    await volumes('a', 'b');
    await world.patch('CloudVolume', 'b', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.ready('CloudVolume', 'b');
    const files = {
      'deploy/x.yaml': document('CloudFirewall', 'edge', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' }),
      'old/all.yaml': [document('CloudVolume', 'a', volume), document('CloudVolume', 'b', volume)].join('\n---\n'),
    };
    const { objects } = await planned('-f deploy --base old --prices prices.yaml', files);
    expect(objects.map(({ action, monthlyUSD: of }) => [action, of?.before, of?.after])).toEqual([
      ['create', undefined, undefined],
      ['delete', 2, 0],
      ['retain', 2, 2],
    ]);
  });
  it('so many deletions at once that they would be held are told before the merge', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `v${at}`);
    await volumes(...names);
    const before = changing();
    const files = {
      'new.yaml': document('CloudVolume', 'young', volume),
      'old/all.yaml': names.map((name) => document('CloudVolume', name, volume)).join('\n---\n'),
    };
    const { exit, brake, err } = await planned('-f new.yaml --base old', files);
    expect([exit, brake.wouldHold]).toEqual([3, 12]);
    expect(err).toMatch(
      /12 deletions would be held, .*; but the first of them, up to 10, or a quarter of the namespace where that is more, may be gone from the account before\. What is held a person/,
    );
    expect(changing()).toBe(before);
  });
});

describe('--approvals', () => {
  it('writes a component of kustomize that approves exactly these changes', async () => {
    await world.apply('CloudInstance', 'web.1', machine);
    await world.ready('CloudInstance', 'web.1');
    const files: Record<string, string> = { 'web.yaml': web('web.1'), 'mine.yaml': 'theirs' };
    const ran = await plan('-f web.yaml --approvals out/kustomization.yaml', files);
    expect(ran).toMatchObject({ exit: 1, err: expect.stringContaining('out/kustomization.yaml approves 1 of 1 object. Its') as string });
    const written = files['out/kustomization.yaml'] ?? '';
    expect(written).toContain('kind: Component');
    expect(written).toContain('name: web\\.1');
    const [, value] = /"cloudhosting.dev\/approve-change":"([^"]+)"/.exec(written) ?? [];
    expect(ran.out).toContain(`cloudhosting.dev/approve-change: ${value}`);
    // Over its own file it writes again, over another it does not.
    expect((await plan('-f web.yaml --approvals out/kustomization.yaml', files)).exit).toBe(1);
    expect((await plan('-f web.yaml --approvals mine.yaml', files)).exit).toBe(3);
    expect(files['mine.yaml']).toBe('theirs');
  });
  it('hold as long as the operator says in its own question, unless the line says how long', async () => {
    await world.apply('CloudInstance', 'web', machine);
    await world.ready('CloudInstance', 'web');
    await world.clock.advance(5 * 3_600_000);
    await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1' } });
    const { message } = await world.reason('CloudInstance', 'web', 'ApprovalRequired');
    const [line = ''] = /approve-change: \S+Z/.exec(message) ?? [];
    const { out } = await plan('cinst/web', {});
    expect(line).toMatch(/T00:00:00Z$/);
    expect(out).toContain(`cloudhosting.dev/${line}\n`);
    const end = Date.parse(line.split('.')[1] ?? '');
    expect(end - world.clock.now()).toBeGreaterThanOrEqual(72 * 3_600_000);
    expect(end - world.clock.now()).toBeLessThan(96 * 3_600_000);
    expect((await plan('cinst/web --valid 2h', {})).out).not.toContain(line);
  });
  it('and an empty one where nothing needs a yes', async () => {
    const files: Record<string, string> = { 'v.yaml': document('CloudVolume', 'v', volume) };
    await plan('-f v.yaml --approvals out/kustomization.yaml', files);
    expect(files['out/kustomization.yaml']).toContain('patches: []');
  });
});

/** What a plan says that something will cost is what it costs. */
describe('a price before it is made', () => {
  it('is known of each kind that has one', () => {
    const paid = Object.keys(pricing).filter((kind) => !isFree(kind));
    expect(Object.keys(paidWants).toSorted()).toEqual(paid.toSorted());
  });
  const nodePools = [{ name: 'base', type: 'g6-standard-2', count: 3 }];
  /** The nodes of a cluster are paid with their pools, which the row of the cluster does not tell. */
  it.each([
    ['CloudInstance', { ...machine, backupsEnabled: true }, [7, 7]],
    ['CloudVolume', volume, [2, 2]],
    ['CloudDatabase', { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1' }, [20, 20]],
    ['CloudKubernetesCluster', { region: 'eu-central', k8sVersion: '1.24', highAvailability: true, nodePools }, [120, 60]],
  ])('%s', async (kind, spec, expected) => {
    const files = { 'one.yaml': document(kind, 'one', spec) };
    const [entry] = (await planned('-f one.yaml --prices prices.yaml', files)).objects;
    await world.apply(kind, 'one', spec);
    await world.ready(kind, 'one', 3_600_000);
    const ran = await cloud(world, `cost ${kind}/one --prices prices.yaml -o json --endpoint ${endpoint}`, { files, limit: 300_000 });
    const [line] = (dataOf(ran) as { lines: { monthly?: number }[] }).lines;
    expect([entry?.monthlyUSD?.after, line?.monthly]).toEqual(expected);
  });
});
