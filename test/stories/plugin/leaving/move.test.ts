import { beforeEach, describe, expect, it } from 'vitest';
import { type Backend, ConnectionLost } from '../../../support/virtual/backend.ts';
import { cloud, type CliOptions, contexts, dataOf, type Ran } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
const line = 'move cdom/zone crec/www cvol/data --to-context there --confirm 3';
let world: World;
let there: World;

/** Two clusters with an operator each, of two installations, on one account. */
async function open(): Promise<void> {
  world = await World.create();
  await world.account({ installation: 'old' });
  there = await World.create({ beside: world });
  await there.account({ installation: 'new' });
  contexts.set(world, { there: () => Promise.resolve(there) });
  for (const one of [world, there]) await one.start();
  await there.ready('CloudAccount', 'default');
  await world.apply('CloudDomain', 'zone', {
    domain: 'example.org',
    type: 'master',
    soaEmail: 'a@example.org',
    lifecycle: { protect: true },
  });
  await world.apply('CloudDomainRecord', 'www', { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' });
  await world.apply('CloudVolume', 'data', {
    region: 'us-east',
    sizeGiB: 20,
    tags: ['mine'],
    lifecycle: { onDelete: 'Delete', drift: 'Report' },
  });
  for (const [kind, name] of names) await world.ready(kind, name);
}
const names = [
  ['CloudDomain', 'zone'],
  ['CloudDomainRecord', 'www'],
  ['CloudVolume', 'data'],
] as const;
const typed = (text: string, options: CliOptions = {}): Promise<Ran> => cloud(world, text, { limit: 30 * minute, ...options });
/** What the account was asked to change, tags of the new installation apart. */
const changesSince = (since: number): readonly string[] =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => `${method} ${path} ${body}`);
const requests = (): number => world.emulator.control.requests().length;
const pathsIn = async (one: World): Promise<readonly unknown[]> =>
  Promise.all(names.map(async ([kind, name]) => (await one.find(kind, name))?.status?.['path']));

beforeEach(open);

describe('a move', () => {
  it('leaves each object there with the resource that it had here, and asks the account for nothing', async () => {
    const since = requests();
    const before = await pathsIn(world);
    const ran = await typed(`${line} -o json`);
    expect({ exit: ran.exit, err: ran.err }).toMatchObject({ exit: 0 });
    expect(dataOf(ran)).toMatchObject({ dryRun: false, objects: names.map(([kind, name]) => ({ kind, name })) });
    expect(await pathsIn(world)).toEqual([undefined, undefined, undefined]);
    expect(await pathsIn(there)).toEqual(before);
    const { metadata, spec } = await there.get('CloudVolume', 'data');
    expect(spec).toMatchObject({ sizeGiB: 20, lifecycle: { onDelete: 'Delete', drift: 'Report' } });
    expect(spec['lifecycle']).not.toHaveProperty('management');
    expect(JSON.stringify(metadata)).not.toContain('moved-from');
    expect((await there.get('CloudDomain', 'zone')).spec['lifecycle']).toEqual({ protect: true });
    expect(changesSince(since)).toEqual([]);
    expect((await typed(line)).out).toBe('Nothing is left to move.\n');
    await there.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } });
    await there.clock.runUntil(async () => (await there.get('CloudVolume', 'data')).status?.['sizeGiB'] === 40, 10 * minute);
  });
  it('says of labels that nothing here has them', async () => {
    const { exit, out } = await typed(line.replace(/move .*? --to/, 'move -l app=nothing --to'));
    expect([exit, out]).toEqual([0, 'No object here that could be moved has labels app=nothing: nothing is left to move.\n']);
  });
  it('asks first, and shows what it would do without doing it', async () => {
    expect((await typed(line.replace(' --confirm 3', ''))).exit).toBe(3);
    expect((await typed(`${line} --dry-run`)).out).toBe('Nothing was written.\n');
    expect(await pathsIn(there)).toEqual([undefined, undefined, undefined]);
  });
  it('stops where the account differs from the spec by then, with everything managed here as before', async () => {
    const { id } = (await world.get('CloudVolume', 'data')).status as { id: string };
    const meddle = { username: 'colleague', method: 'PUT', path: `/v4/volumes/${id}`, body: { tags: ['theirs'] } };
    const betweenThere = (server: Backend): Backend => ({
      handle: async (request) => {
        if (request.method === 'POST' && request.path.includes('cloudvolumes')) await world.emulator.control.actAs(meddle);
        return server.handle(request);
      },
    });
    const { exit, err } = await typed(line, { betweenThere });
    expect([exit, err]).toEqual([1, expect.stringContaining('the account differs in spec.tags')]);
    for (const [kind, name] of names) expect((await world.get(kind, name)).metadata.deletionTimestamp).toBeUndefined();
    expect((await world.get('CloudVolume', 'data')).spec['lifecycle']).toEqual({ onDelete: 'Delete', drift: 'Report' });
    expect((await there.get('CloudVolume', 'data')).spec['lifecycle']).toMatchObject({ management: 'Observe' });
  });
});

describe('what stands in the way', () => {
  it.each([
    ['move cdom/zone --to-context there', 'CloudDomainRecord team-a/www refers to CloudDomain team-a/zone: move it too'],
    ['move crec/www --to-context there', 'CloudDomain zone is neither moved with it nor there with the same resource'],
    ['move cacc/default --to-context there', 'is of a kind that is not adopted'],
    ['move cvol/data --to-context there --to-namespace team-b', 'CloudAccount team-b/default is not there'],
  ])('%s: %s', async (text, said) => {
    const since = requests();
    expect(await typed(text)).toMatchObject({ exit: 3, err: expect.stringContaining(said) as string });
    expect(await pathsIn(there)).toEqual([undefined, undefined, undefined]);
    expect(changesSince(since)).toEqual([]);
  });
  it.each([
    ['move cvol/data', 'move where?'],
    ['move --to-context there', 'move what?'],
    ['move data --to-context there', 'write KIND/NAME'],
    ['move cvol/data --to-context here', 'both are the same cluster'],
  ])('%s is no line: %s', async (text, said) => {
    contexts.set(world, { there: () => Promise.resolve(there) });
    expect(await typed(text)).toMatchObject({ exit: 2, err: expect.stringContaining(said) as string });
  });
  it('is told of what is paused, comes from Git, or has a namesake there', async () => {
    await world.patch('CloudVolume', 'data', { metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' } } });
    expect((await typed('move cvol/data --to-context there')).err).toContain('is applied by Flux');
    await world.patch('CloudVolume', 'data', { metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': null } } });
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'shop' } } });
    expect((await typed('move cvol/data --to-context there')).err).toContain('is applied by Argo CD');
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': null } } });
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'meta.helm.sh/release-name': 'shop' } } });
    expect((await typed('move cvol/data --to-context there')).err).toContain('is applied by Helm');
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'meta.helm.sh/release-name': null } } });
    await there.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
    expect((await typed('move cvol/data --to-context there')).err).toContain('has a namesake there already');
    await world.patch('CloudDomainRecord', 'www', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    expect((await typed('move cdom/zone crec/www --to-context there')).err).toContain('is paused');
  });
});

// Argo CD that tracks by label leaves no mark of its own; its self-heal would set onDelete back between the patch and the deletion.
describe('what a tool applies', () => {
  it.each([
    ['argocd-controller', 'Argo CD'],
    ['argocd-application-controller', 'Argo CD'],
    ['kustomize-controller', 'Flux'],
    ['helm', 'Helm'],
  ])('is told by its field manager %s', async (manager, tool) => {
    const between = (server: Backend): Backend => ({
      handle: async (request) => {
        const answer = await server.handle(request);
        if (request.method !== 'GET' || !request.path.endsWith('/cloudvolumes/data')) return answer;
        const object = JSON.parse(String(answer.body)) as { readonly metadata: object };
        return { ...answer, body: JSON.stringify({ ...object, metadata: { ...object.metadata, managedFields: [{ manager }] } }) };
      },
    });
    const { exit, err } = await typed('move cvol/data --to-context there --confirm data', { between });
    expect([exit, err]).toEqual([3, expect.stringContaining(`is applied by ${tool}, which would make it again`)]);
  });
  it('is not deleted where its policy was set back meanwhile, and the same line goes on once that is over', async () => {
    const since = requests();
    let healing = true;
    const between = (server: Backend): Backend => ({
      handle: async (request) => {
        const answer = await server.handle(request);
        if (healing && request.method === 'PATCH' && request.path.includes('/cloudvolumes/data'))
          await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Delete' } } });
        return answer;
      },
    });
    const { exit, err } = await typed('move cvol/data --to-context there --confirm data', { between });
    expect([exit, err]).toEqual([3, expect.stringContaining('somebody has set spec.lifecycle of CloudVolume team-a/data back meanwhile')]);
    await world.clock.advance(5 * minute);
    expect((await world.get('CloudVolume', 'data')).metadata.deletionTimestamp).toBeUndefined();
    healing = false;
    expect((await typed('move cvol/data --to-context there --confirm data', { between })).exit).toBe(0);
    expect(changesSince(since)).toEqual([]);
  });
});

const grants = (verbs: readonly string[]) => [{ to: 'mover', rules: [{ apiGroups: ['*'], resources: ['*'], verbs }] }];
describe('with rights of one kind less', () => {
  it.each([
    ['create', 'there'],
    ['patch', 'here'],
    ['delete', 'here'],
    ['watch', 'there'],
    ['patch', 'there'],
  ] as const)('%s %s it ends with the name of that right, and goes on with it', async (verb, side) => {
    const since = requests();
    const whole = ['get', 'list', 'watch', 'patch', 'delete', 'create'];
    for (const one of [world, there]) {
      one.server.addUser('Mover', { name: 'mover' });
      one.server.setGrants(grants((one === world) === (side === 'here') ? whole.filter((other) => other !== verb) : whole));
    }
    const { exit, err } = await typed(line, { token: 'Mover' });
    expect([exit, err]).toEqual([4, expect.stringMatching(new RegExp(`The right that is missing: .*\\b${verb}\\b`))]);
    for (const one of [world, there]) one.server.setGrants(grants(whole));
    expect((await typed(line, { token: 'Mover' })).exit).toBe(0);
    expect(await pathsIn(world)).toEqual([undefined, undefined, undefined]);
    expect(changesSince(since)).toEqual([]);
  });
});

const failing =
  (nth: number, isLost: boolean) =>
  (server: Backend): Backend => {
    let seen = 0;
    return {
      handle: async (request) => {
        if (request.method === 'GET' || (seen += 1) !== nth) return server.handle(request);
        if (isLost) await server.handle(request);
        throw new ConnectionLost();
      },
    };
  };
describe('killed at any write, on either side', () => {
  it.each(
    (['between', 'betweenThere'] as const).flatMap((side) =>
      [1, 2, 4, 6].flatMap((nth) => [true, false].map((isLost) => ({ side, nth, isLost }))),
    ),
  )('$side, write $nth, answer lost: $isLost: the same line goes on to the same end', async ({ side, nth, isLost }) => {
    const since = requests();
    const before = await pathsIn(world);
    expect((await typed(line, { [side]: failing(nth, isLost) })).exit).not.toBe(0);
    await world.clock.advance(5 * minute);
    const second = await typed(line);
    expect({ exit: second.exit, err: second.err }).toMatchObject({ exit: 0 });
    expect(await pathsIn(world)).toEqual([undefined, undefined, undefined]);
    expect(await pathsIn(there)).toEqual(before);
    expect(changesSince(since)).toEqual([]);
  });
});
