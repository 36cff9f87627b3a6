import { beforeEach, describe, expect, it } from 'vitest';
import type { UninstallData } from '../../../../src/plugin/output/shapes.ts';
import { type Backend, ConnectionLost } from '../../../support/virtual/backend.ts';
import { scene } from '../../../support/plugin/cli-scene.ts';
import { cloud, type CliOptions, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
let files: Record<string, string>;
beforeEach(() => (files = {}));
const typed = (line: string, options: CliOptions = {}) => cloud(world, line, { files, limit: 5 * minute, ...options });
const changes = (since: number): readonly string[] =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);

const steps = async (): Promise<UninstallData['steps']> => (dataOf(await typed('uninstall -o json')) as unknown as UninstallData).steps;
const done = async (): Promise<readonly boolean[]> => (await steps()).map((step) => step.done);

it('uninstall shows the steps in their order, and each is done once its commands are', async () => {
  world = await World.create();
  await world.account();
  const running = await world.start();
  const volume = { region: 'us-east', sizeGiB: 20 };
  await world.apply('CloudVolume', 'data', { ...volume, lifecycle: { onDelete: 'Delete' } });
  await world.apply('CloudVolume', 'kept', volume);
  for (const name of ['data', 'kept']) await world.ready('CloudVolume', name);
  const since = world.emulator.control.requests().length;
  expect((await steps())[0]?.commands).toEqual([
    `kubectl patch -n team-a cvol/data --type=merge -p '{"spec":{"lifecycle":{"onDelete":"Retain"}}}'`,
  ]);
  await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.clock.advance(minute);
  expect((await done()).slice(0, 3)).toEqual([true, false, false]);
  expect((await steps())[1]?.commands).toEqual(['kubectl delete cloudvolumes.cloudhosting.dev --all --all-namespaces']);
  for (const name of ['data', 'kept']) await world.delete('CloudVolume', name);
  for (const name of ['data', 'kept']) await world.gone('CloudVolume', name);
  expect((await steps())[2]?.commands).toEqual(['kubectl delete cloudaccounts.cloudhosting.dev --all --all-namespaces']);
  await world.delete('CloudAccount', 'default');
  await world.gone('CloudAccount', 'default');
  // It runs outside of the cluster: there is no Deployment of it, and yet it lives.
  expect(await done()).toEqual([true, true, true, false, false]);
  expect((await steps())[3]?.seen).toMatch(
    /^no Deployment of it is to be seen, and lease cloud-operator\/cloud-operator is renewed by \S+: end that process$/,
  );
  await running.operator.stop();
  await world.clock.advance(minute);
  expect(await done()).toEqual([true, true, true, true, false]);
  const { out, exit } = await typed('uninstall');
  expect(exit).toBe(1);
  expect(out).toMatch(/^next {2}5\. Remove the CRDs/m);
  expect(changes(since)).toEqual([]);
});

it('objects of all kinds are deleted by one line, so that none waits in vain for what is of another kind', async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudVolume', 'data', { region: 'us-east', sizeGiB: 20 });
  await world.apply('CloudTag', 'shop', { label: 'shop' });
  for (const [kind, name] of [
    ['CloudVolume', 'data'],
    ['CloudTag', 'shop'],
  ] as const)
    await world.ready(kind, name);
  const [, second] = await steps();
  expect(second?.seen).toBe('2 objects of 2 kinds');
  expect(second?.commands).toEqual([
    expect.stringMatching(/^kubectl delete (cloud(tags|volumes)\.cloudhosting\.dev,?){2} --all --all-namespaces$/),
  ]);
});

it('uninstall --plan says what uninstall alone says, and ops --list what ops says', async () => {
  const world = await World.create();
  await world.account();
  for (const [line, named, exit] of [
    ['uninstall', 'uninstall --plan', 1],
    ['ops', 'ops --list', 0],
  ] as const) {
    const told = await cloud(world, line);
    expect([told.exit, await cloud(world, named)]).toEqual([exit, told]);
  }
  for (const line of ['uninstall --plan --strip', 'ops --list --prune']) expect((await cloud(world, line)).exit).toBe(2);
});

it('uninstall names what is protected, and the line with which it goes and what it stands for stays', async () => {
  world = await World.create();
  await world.account();
  await world.start();
  const volume = { region: 'us-east', sizeGiB: 20 };
  await world.apply('CloudVolume', 'held', { ...volume, lifecycle: { protect: true } });
  await world.apply('CloudVolume', 'kept', { ...volume, lifecycle: { protect: true, onDelete: 'Retain' } });
  for (const name of ['held', 'kept']) await world.ready('CloudVolume', name);
  const [first] = await steps();
  expect(first).toMatchObject({
    done: false,
    seen: 'CloudVolume team-a/held, kept would not go while spec.lifecycle.protect is true: the line takes that off and keeps what is in the account',
    commands: ['held', 'kept'].map(
      (name) => `kubectl patch -n team-a cvol/${name} --type=merge -p '{"spec":{"lifecycle":{"protect":false,"onDelete":"Retain"}}}'`,
    ),
  });
  const lifecycle = { protect: false, onDelete: 'Retain' };
  for (const name of ['held', 'kept']) await world.patch('CloudVolume', name, { spec: { lifecycle } });
  await world.clock.advance(minute);
  expect((await done())[0]).toBe(true);
  for (const name of ['held', 'kept']) await world.delete('CloudVolume', name);
  for (const name of ['held', 'kept']) await world.gone('CloudVolume', name);
  expect(
    world.emulator.control.objects().filter(({ collection, diedOrigin }) => collection === 'volumes' && diedOrigin === undefined),
  ).toHaveLength(2);
});

/** Lists of this path have this one alone. */
const listing =
  (path: string, item: object) =>
  (server: Backend): Backend => ({
    handle: (request) =>
      request.path.startsWith(path)
        ? Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ items: [item] }) })
        : server.handle(request),
  });
/** Answers with a lease of this name, renewed so long ago; `at`: the clock of the machine that holds it. */
const withLease =
  (name: string, holder: string, renewTime: () => number, namespace = 'cloud-system') =>
  (server: Backend): Backend => ({
    handle: (request) =>
      listing('/apis/coordination.k8s.io/v1/leases', {
        metadata: { name, namespace },
        spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime: new Date(renewTime()).toISOString() },
      })(bound('cloud-system')(server)).handle(request),
  });

const withDeployment = (metadata: object) => (server: Backend) =>
  listing('/apis/apps/v1/deployments', {
    metadata: { name: 'cloud-operator', namespace: 'ops', ...metadata },
    spec: { template: { spec: { containers: [] } } },
  })(bound('ops')(server));
/** By its ClusterRoleBinding, which no tenant makes. */
const bound = (namespace: string) =>
  listing('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    subjects: [{ kind: 'ServiceAccount', name: 'cloud-operator', namespace }],
  });

/** Whose rights do not show where operators are. */
const forbidden = (server: Backend): Backend => ({
  handle: (request) =>
    request.path.includes('/clusterrolebindings')
      ? Promise.resolve({ status: 403, headers: { 'content-type': 'application/json' }, body: '{"kind":"Status","code":403}' })
      : server.handle(request),
});

/** None of the bindings bears the label of the chart. */
const unlabelled = (server: Backend): Backend => ({
  handle: (request) =>
    request.path.includes('/clusterrolebindings')
      ? Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"items":[]}' })
      : server.handle(request),
});

/** Beside what bears the label of the chart there is another binding, which only a list of all shows. */
const beside =
  (role: string, subject: object) =>
  (server: Backend): Backend => ({
    handle: (request) =>
      request.path.includes('/clusterrolebindings') && !request.path.includes('labelSelector')
        ? listing('/apis/rbac', { roleRef: { kind: 'ClusterRole', name: role }, subjects: [subject] })(server).handle(request)
        : server.handle(request),
  });

describe('the operator goes as it came', () => {
  const label = { 'app.kubernetes.io/name': 'cloud-operator' };
  const chart = { ...label, 'app.kubernetes.io/managed-by': 'Helm' };
  it.each([
    [
      'of Helm',
      { labels: chart, annotations: { 'meta.helm.sh/release-name': 'cloud' } },
      ['helm uninstall cloud --namespace ops'],
      'ops/cloud-operator',
    ],
    [
      'of a tool that renders the chart',
      { labels: chart },
      [],
      'ops/cloud-operator, of the chart, by a tool such as Argo CD: take it out there',
    ],
    [
      'of kustomize',
      { labels: label },
      [
        expect.stringMatching(
          /^kubectl delete --namespace ops deployments,.* --selector 'app\.kubernetes\.io\/name=cloud-operator,!app\.kubernetes\.io\/managed-by'$/,
        ),
        expect.stringMatching(/^kubectl delete clusterroles,/),
      ],
      'ops/cloud-operator',
    ],
  ])('%s', async (_, metadata, commands, seen) => {
    world = await World.create();
    const ran = await typed('uninstall -o json', { between: withDeployment(metadata) });
    expect((dataOf(ran) as unknown as UninstallData).steps[3]).toMatchObject({ done: false, seen, commands });
  });
});

it('the leases of accounts, in the namespaces of teams, are no unknown operators', async () => {
  world = await World.create();
  await world.account();
  const running = await world.start();
  await world.ready('CloudAccount', 'default');
  const { uid } = (await world.get('CloudAccount', 'default')).metadata;
  const held = world.server.objects('coordination.k8s.io/leases').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  expect(held).toContain(`team-a/cloud-operator-${uid}`);
  const between = bound('cloud-operator');
  const seen = async () => (dataOf(await typed('uninstall -o json', { between })) as unknown as UninstallData).steps[3]?.seen;
  expect(await seen()).toMatch(
    /^no Deployment of it is to be seen, and lease cloud-operator\/cloud-operator is renewed by \S+: end that process$/,
  );
  expect((await typed('uninstall --strip --dry-run', { between })).err).not.toContain('not counted');
  await running.operator.stop();
  await world.clock.advance(5 * minute);
  expect(await seen()).toBe('none is to be seen');
});

describe('uninstall --strip', () => {
  beforeEach(async () => void (world = await scene()));
  const line = 'uninstall --strip --confirm 2';

  it('lets go of what is being deleted, and first writes what that leaves behind', async () => {
    const dry = await typed('uninstall --strip --dry-run');
    expect(dry).toMatchObject({ exit: 0, out: expect.stringMatching(/\/volumes\/3 stays in the account\n[^]*Nothing was written\.\n$/) });
    expect(dry.err).not.toContain('stays in the account');
    const ran = await typed(line);
    expect(ran.exit).toBe(0);
    const left = JSON.parse(files['left-behind.json'] ?? '') as readonly { object: string; path: string }[];
    expect(left.map(({ object, path }) => `${object} ${path}`).toSorted()).toEqual([
      'CloudVolume team-a/held /volumes/3',
      'CloudVolume team-a/unseen /volumes/2',
    ]);
    expect((await typed(line)).out).toContain('Nothing here is being deleted');
    expect((await typed('uninstall --strip')).exit).toBe(0);
  });

  it.each([
    ['is held', 'cloud-operator', 'somebody', () => world.clock.now()],
    ['is renewed while it looks, by a clock that is behind', 'cloud-operator', 'somebody', () => world.clock.now() - 10 * minute],
    ['of an account is held', 'cloud-operator-1f2e', 'somebody', () => world.clock.now()],
  ])('refuses while a lease %s', async (_, name, holder, renewTime) => {
    const { exit, err } = await typed(line, { between: withLease(name, holder, renewTime) });
    expect(err).toContain(`an operator lives: lease cloud-system/${name} is held, or was renewed just now`);
    expect(exit).toBe(3);
    expect(files).toEqual({});
    expect((await world.get('CloudVolume', 'unseen')).metadata.finalizers).toHaveLength(1);
  });
  it('goes on where a tenant holds a lease of the name in his own namespace, and not where nobody may say where operators are', async () => {
    const tenants = withLease('cloud-operator', 'tenant', () => world.clock.now(), 'team-b');
    const unknown = await typed(line, { between: (server) => forbidden(tenants(server)) });
    expect([unknown.exit, unknown.err]).toEqual([3, expect.stringContaining('an operator lives: lease team-b/cloud-operator is held')]);
    expect((await typed(line, { between: tenants })).exit).toBe(0);
  });
  it('takes no empty list of bindings for all of them, as who brings his own rights need not label those', async () => {
    const living = withLease('cloud-operator', 'somebody', () => world.clock.now(), 'infra');
    const { exit, err } = await typed(line, { between: (server) => unlabelled(living(server)) });
    expect([exit, err]).toEqual([3, expect.stringContaining('an operator lives: lease infra/cloud-operator is held')]);
  });
  it('refuses where rights that somebody made himself are beside those of the chart, also of a whole namespace', async () => {
    const living = withLease('cloud-operator', 'somebody', () => world.clock.now(), 'infra');
    for (const subject of [
      { kind: 'ServiceAccount', name: 'own', namespace: 'infra' },
      { kind: 'Group', name: 'system:serviceaccounts:infra' },
    ]) {
      const { exit, err } = await typed(line, { between: (server) => beside('own-rights', subject)(living(server)) });
      expect([exit, err]).toEqual([3, expect.stringContaining('an operator lives: lease infra/cloud-operator is held')]);
    }
  });
  it('names before it asks which lease and Deployment it does not count', async () => {
    const viewer = beside('view', { kind: 'ServiceAccount', name: 'reader', namespace: 'team-b' });
    const lease = withLease('cloud-operator', 'tenant', () => world.clock.now(), 'team-b');
    const deployment = listing('/apis/apps/v1/deployments', {
      metadata: { name: 'looks-like-one', namespace: 'team-b' },
      spec: { template: { spec: { containers: [] } } },
      status: { readyReplicas: 1 },
    });
    const between = (server: Backend): Backend => viewer(deployment(lease(server)));
    const named =
      'not counted: lease team-b/cloud-operator, called like that of an operator, but in a namespace where, as far as you may see, no operator serves an account or is bound to a ClusterRole. If one works there, end it first';
    const asked = await typed('uninstall --strip', { between, answers: ['no'] });
    expect(asked.exit).toBe(3);
    expect(asked.err).toContain(`${named}\n`);
    expect(asked.err).toContain('not counted: team-b/looks-like-one, with the labels of an operator,');
    expect((await typed('uninstall --strip --dry-run', { between })).err).toContain(named);
    const step = (dataOf(await typed('uninstall -o json', { between })) as unknown as UninstallData).steps[3];
    expect(step?.seen).toContain(named);
    expect((await typed(line, { between })).exit).toBe(0);
  });
  it('goes on where a lease has run out long ago, and is not renewed', async () => {
    const long = world.clock.now() - 10 * minute;
    expect((await typed(line, { between: withLease('cloud-operator', 'dead', () => long) })).exit).toBe(0);
  });

  it('killed at any request, the same line once more ends in the same state, and what is left behind is in the file', async () => {
    for (let nth = 1; nth <= 2; nth += 1)
      for (const isLost of [true, false]) {
        world = await scene();
        files = {};
        let seen = 0;
        const between = (server: Backend): Backend => ({
          handle: async (request) => {
            if (request.method !== 'PATCH' || (seen += 1) !== nth) return server.handle(request);
            if (isLost) await server.handle(request);
            throw new ConnectionLost();
          },
        });
        expect((await typed(line, { between })).exit).not.toBe(0);
        const left = isLost && nth === 2 ? 0 : 1 + Number(nth === 1 && !isLost);
        await typed(`uninstall --strip --confirm ${left}`);
        for (const name of ['unseen', 'held']) await expect(world.get('CloudVolume', name)).rejects.toThrow('is not there');
        expect(JSON.parse(files['left-behind.json'] ?? '')).toHaveLength(2);
      }
  });

  it("overwrites no file that is somebody else's, and asks for the number", async () => {
    files['left-behind.json'] = '{"mine": true}';
    expect(await typed(line)).toMatchObject({ exit: 3 });
    expect(await typed(`${line} --left-behind other.json --confirm 3`)).toMatchObject({ exit: 3 });
    expect(Object.keys(files)).toEqual(['left-behind.json']);
  });
});
