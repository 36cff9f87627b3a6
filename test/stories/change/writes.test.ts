import { plural } from '../../../src/generate/names.ts';
import { describe, expect, it } from 'vitest';
import { fixtures, merged } from '../../conformance/case.ts';
import type { AnyFixture, Need } from '../../conformance/fixture.ts';
import { type AnyKind, asCollection, type Row } from '../../../src/resource/index.ts';
import { asMade } from '../../support/samples/as-made.ts';
import { planted } from '../../support/samples/planted.ts';
import { World } from '../../support/world/world.ts';

const kindOf = ({ kind }: AnyFixture): AnyKind => kind as AnyKind;
const collections = fixtures.filter((one) => kindOf(one).mode === 'collection').map((one) => [kindOf(one).kind, one] as const);
const fixtureOf = ({ kind }: Need): AnyFixture => fixtures.find((one) => kindOf(one).kind === kind) as AnyFixture;

/** An operator at work, and the Secrets that the fixture names. */
async function begin(fixture: AnyFixture): Promise<World> {
  const world = await World.create({ emulator: { speed: 10, knobs: planted } });
  await world.account();
  for (const one of [fixture, ...Object.values(fixture.needs ?? {}).map(fixtureOf)]) await world.provide(one);
  await world.start();
  await world.ready('CloudAccount', 'default');
  return world;
}

/** What the sample refers to, until it is Ready. */
async function furnish(world: World, { needs = {} }: AnyFixture): Promise<void> {
  for (const [name, need] of Object.entries(needs))
    await world.apply(need.kind, name, merged(fixtureOf(need).sample.spec, need.spec ?? {}));
  for (const [name, need] of Object.entries(needs)) await world.ready(need.kind, name);
}

const applySample = (world: World, { kind }: AnyKind, { sample }: AnyFixture) => world.apply(kind, sample.name, { ...sample.spec });

/** The operator's writes to the sample, first to last: what each changed. */
const writesTo = (world: World, { kind }: AnyKind, { sample }: AnyFixture): readonly string[] =>
  world.server.ledger.writes
    .filter(({ resource, name, verb }) => resource === plural(kind) && name === sample.name && verb === 'patch')
    .map(({ changed }) => changed.join(' '));

/**
 * A job, or the service in its own time, finished what the create began or what the service made below it, or something that is
 * read beside it was not there yet.
 */
async function isReadyLater(world: World, { sample, kind: given }: AnyFixture): Promise<boolean> {
  const kind = given as AnyKind;
  const [above = '', id = ''] = String((await world.get(kind.kind, sample.name)).status?.['path'])
    .split('/')
    .slice(-2);
  const isOfIt = (row: Row): boolean =>
    String(row['label']).startsWith(String(sample.spec['label'] ?? sample.name)) || String(row[`${above.replace(/s$/, '')}_id`]) === id;
  return (
    Object.values(kind.parts ?? {}).some(
      ({ notYet = [], rereadWhileProgressing }) => rereadWhileProgressing === true && notYet.length > 0,
    ) ||
    world.emulator.control
      .objects()
      .filter(({ collection, row }) => asMade(collection, row as Row) === row && isOfIt(row as Row))
      .some(({ changes }) => changes.some(({ origin, fields }) => /^(job|timer)/.test(origin) && fields.includes('status')))
  );
}

/** What was sent of Secrets and cannot be read back is noted at once, before the rest of the status: else a crash would send it again. */
const secretsNoted = ({ kind, sample }: AnyFixture): number =>
  Object.entries((kind as AnyKind).fields).some(([field, { applied }]) => applied === true && Object.hasOwn(sample.spec, field)) ? 1 : 0;

/** What is made before all that it refers to is there is changed once it is: under way, and done; and noted before, where the service wants time between two. */
async function changedOnceAllIsThere(world: World, kind: AnyKind, { sample }: AnyFixture): Promise<number> {
  const path = String((await world.get(kind.kind, sample.name)).status?.['path']);
  return (
    (asCollection(kind)?.changesApart === undefined ? 2 : 3) *
    world.emulator.control.requests().filter((request) => request.method === 'PUT' && request.path.endsWith(path)).length
  );
}

/** A create that is refused as busy: its note is taken back, what it waits for is said, and it is noted again. */
const refusedBefore = (world: World): number =>
  3 *
  world.emulator.control.requests().filter(({ method, status, username }) => method === 'POST' && username === 'admin' && status >= 400)
    .length;

/** A label that was sent with a nonce is put right, and shown as it is then. */
const putRight = ({ kind }: AnyFixture): number => ((kind as AnyKind).label?.nonce === true ? 1 : 0);

/** Where the answer does not tell what it made, that the service makes it is noted and shown; and what it waits for before that. */
const appearsLater = ({ kind }: AnyFixture): number => (asCollection(kind as AnyKind)?.appears === undefined ? 0 : 2);

const minute = 60_000;

/** Intent, identity, status; once more when a job ends, and after a wait for a reference. A Secret is an object of its own. */
describe('a create is written so often, parts included', () => {
  it.each(collections)('%s', { timeout: 120_000 }, async (_, fixture) => {
    const kind = kindOf(fixture);
    const world = await begin(fixture);
    await furnish(world, fixture);
    await applySample(world, kind, fixture);
    await world.ready(kind.kind, fixture.sample.name);
    await world.clock.advance(minute);
    const writes = writesTo(world, kind, fixture);
    expect(writes).toHaveLength(
      ((await isReadyLater(world, fixture)) ? 4 : 3) + secretsNoted(fixture) + putRight(fixture) + appearsLater(fixture),
    );
    // In between the service may do something by itself: it renders a zone after two minutes.
    await world.clock.advance(10 * minute);
    const settled = writesTo(world, kind, fixture).length;
    await world.clock.advance(30 * minute);
    expect(writesTo(world, kind, fixture).slice(settled)).toEqual([]);
  });

  const dependent = collections.filter(([, { needs }]) => needs !== undefined);
  it.each(dependent)('%s, applied before what it refers to', { timeout: 120_000 }, async (_, fixture) => {
    const kind = kindOf(fixture);
    const world = await begin(fixture);
    await applySample(world, kind, fixture);
    await world.clock.advance(minute);
    await furnish(world, fixture);
    await world.ready(kind.kind, fixture.sample.name);
    await world.clock.advance(minute);
    const writes = writesTo(world, kind, fixture);
    const most =
      ((await isReadyLater(world, fixture)) ? 5 : 4) +
      secretsNoted(fixture) +
      appearsLater(fixture) * 1.5 +
      refusedBefore(world) +
      (await changedOnceAllIsThere(world, kind, fixture));
    expect(writes.slice(most)).toEqual([]);
  });
});

it('what is made while others have used up the window of lists is shown once, when all of it was read', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  const spec = { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
  for (let n = 0; n < 300; n += 1) await world.apply('CloudFirewall', `before-${n}`, spec);
  await world.clock.advance(20_000);
  const names = ['a', 'b', 'c'];
  for (const name of names) await world.apply('CloudFirewall', name, spec);
  for (const name of names) await world.ready('CloudFirewall', name);
  await world.clock.advance(120_000);
  const writes = world.server.ledger.writes.filter(({ resource, verb }) => resource === 'cloudfirewalls' && verb === 'patch');
  for (const name of names) {
    const changed = writes.filter((one) => one.name === name).map((one) => one.changed.join(' '));
    expect(changed).toEqual([
      'metadata.annotations metadata.finalizers',
      expect.stringContaining('metadata.annotations.cloudhosting.dev/remote'),
      expect.stringMatching(/status\.conditions status\.id status\.instances/),
    ]);
    expect((await world.get('CloudFirewall', name)).status).toMatchObject({ origin: 'Created', state: 'enabled', instances: 0 });
  }
});
