import { plural } from '../../../src/generate/names.ts';
import { expect, it } from 'vitest';
import { toldOfLabel } from '../../../src/engine/model/annotations.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { asOperation, isToldOnce } from '../../../src/resource/index.ts';
import { plain } from '../../chaos/scenario/corner.ts';
import { fixturesOf, type Manifest, scenariosOf } from '../../chaos/scenario/scenario.ts';
import { planted } from '../../support/samples/planted.ts';
import { type KubeObject, type RunningOperator, World } from '../../support/world/world.ts';

/** One object of every kind with what it needs, by the fixtures: kinds that are added later join by existing. */
const manifests: readonly Manifest[] = [
  ...new Map(
    fixturesOf(undefined)
      .flatMap((fixture) => scenariosOf(fixture, plain).slice(0, 1))
      // What is issued has no remote that could be taken up: a rebuilt cluster has it issued anew.
      .filter(({ kind }) => kind.mode !== 'connection' && kind.mode !== 'issued')
      .flatMap(({ needs, subject }) => [...needs, subject])
      .map((manifest) => [`${manifest.kind}/${manifest.name}`, manifest]),
  ).values(),
];
const installation = 'prod';
const limit = 30 * 60_000;

async function secretsOf(world: World): Promise<void> {
  for (const manifest of manifests) await world.provide(manifest);
}

/** A cluster in which everything is Ready. */
async function settled(): Promise<{ readonly world: World; readonly operator: RunningOperator }> {
  const world = await World.create({ emulator: { speed: 10, knobs: planted } });
  await world.account({ installation });
  await secretsOf(world);
  for (const { kind, name, spec } of manifests) await world.apply(kind, name, spec);
  const operator = await world.start();
  await allReady(world);
  return { world, operator };
}
/** `untold`: kinds whose Secrets were told once, and are not there. */
async function allReady(world: World, untold: ReadonlySet<string> = new Set()): Promise<void> {
  for (const { kind, name } of manifests)
    if (doneOnce.has(kind)) await world.clock.runUntil(async () => endsOnce.has((await world.get(kind, name)).status?.['phase']), limit);
    else if (!untold.has(kind)) await world.ready(kind, name, limit);
    else await world.clock.runUntil(async () => (await world.condition(kind, name, 'Ready'))?.reason === 'RemoteFailed', limit);
}
const doneOnce: ReadonlySet<string> = new Set(kinds.filter((kind) => asOperation(kind) !== undefined).map(({ kind }) => kind));
/** It is done in the first cluster. In the next it was done before, or asks whether it was. */
const endsOnce: ReadonlySet<unknown> = new Set(['Succeeded', 'Expired', 'AwaitingConfirmation']);
const kindOf = (name: string) => kinds.filter(({ kind }) => kind === name);
const toldOnce: ReadonlySet<string> = new Set(
  manifests.filter(({ kind, spec }) => kindOf(kind).some((one) => isToldOnce(one, spec))).map(({ kind }) => kind),
);

/** What a backup without status holds, or Git, where `annotations` is false. */
function exported(world: World, annotations: boolean): readonly KubeObject[] {
  const tables = world.kinds.map(({ kind }) => `cloudhosting.dev/${plural(kind)}`);
  return tables
    .flatMap((table) => world.server.objects(table) as unknown as KubeObject[])
    .filter(({ kind }) => kind !== 'CloudAccount')
    .map(({ kind, metadata, spec }) => ({
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind,
      metadata: { name: metadata.name, namespace: metadata.namespace, ...(annotations && { annotations: metadata.annotations }) },
      spec,
    })) as unknown as readonly KubeObject[];
}

/** The old cluster burns down; a new one is built on the same account. */
async function rebuilt(old: World, objects: readonly KubeObject[], account: Record<string, unknown>, key: boolean): Promise<World> {
  const world = await World.create({ beside: old });
  if (key) {
    const secret = old.server.objects('/secrets').find(({ metadata }) => metadata.name === 'cloud-operator-key') as unknown as {
      data: Record<string, string>;
    };
    await world.admin('POST', '/api/v1/namespaces/cloud-operator/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cloud-operator-key', namespace: 'cloud-operator' },
      data: secret.data,
    });
  }
  await world.account(account);
  await secretsOf(world);
  if (key) await takeToldOnce(old, world);
  for (const object of objects) await world.admin('POST', world.path(object.kind), object);
  return world;
}

/** A backup has Secrets too, with their labels: what was told once is in one of them and nowhere else. */
async function takeToldOnce(old: World, world: World): Promise<void> {
  const secrets = old.server.objects('/secrets') as unknown as readonly Record<
    'metadata' | 'data',
    Record<string, Record<string, string>>
  >[];
  for (const { metadata, data } of secrets.filter((one) => one.metadata['labels']?.[toldOfLabel] !== undefined))
    await world.admin('POST', '/api/v1/namespaces/team-a/secrets', {
      metadata: { name: metadata['name'], labels: metadata['labels'] },
      data,
    });
}

/** Calls that changed something in the account since `seq`. */
const changesSince = (world: World, seq: number): readonly string[] =>
  world.emulator.control
    .requests(seq)
    .filter(({ method, status }) => method !== 'GET' && status < 300)
    .map(({ method, path, body }) => `${method} ${path} ${body}`);
const lastRequest = (world: World): number => Math.max(...world.emulator.control.requests().map(({ seq }) => seq));

for (const [name, annotations, account] of [
  ["from a backup, with annotations and the operator's key", true, { installation }],
  ['bare, as from Git, with recover', false, { installation, recover: true }],
] as const)
  it(`a cluster restored ${name} takes everything up again and makes and deletes nothing`, { timeout: 180_000 }, async () => {
    const { world: old, operator } = await settled();
    const objects = exported(old, annotations);
    operator.kill();
    const seq = lastRequest(old);
    const world = await rebuilt(old, objects, account, annotations);
    await world.start();
    const untold = annotations ? undefined : toldOnce;
    await allReady(world, untold);
    await world.clock.advance(20 * 60_000);
    await allReady(world, untold);
    expect(changesSince(world, seq)).toEqual([]);
    expect(world.panics).toEqual([]);
  });

it(
  'a second cluster with another installation takes nothing, and forged identities get nobody anything',
  { timeout: 180_000 },
  async () => {
    const { world: first } = await settled();
    const stolen = exported(first, true);
    const seq = lastRequest(first);
    const second = await rebuilt(first, stolen, { installation: 'other' }, false);
    await second.start();
    await second.clock.advance(20 * 60_000);
    // What is always there in the account belongs to whoever has its token; that it is not changed is seen below.
    const alwaysThere = new Set(
      second.kinds.filter(({ mode, parent }) => mode === 'singleton' && parent === undefined).map(({ kind }) => kind),
    );
    for (const { kind, metadata } of stolen.filter((one) => !alwaysThere.has(one.kind))) {
      const object = await second.get(kind, metadata.name);
      expect(object.status?.conditions?.find(({ type }) => type === 'Ready')?.status, `${kind} ${metadata.name}`).not.toBe('True');
      expect(object.status?.['path'], `${kind} ${metadata.name}`).toBeUndefined();
    }
    for (const { kind, metadata } of stolen) await second.delete(kind, metadata.name);
    await second.clock.advance(30 * 60_000);
    expect(changesSince(second, seq)).toEqual([]);
    await allReady(first);
    expect(second.panics).toEqual([]);
  },
);
