import { describe, expect, it } from 'vitest';
import { hasRemote, type LabelRule, nonceOf, type Row, unknownOwner, withNonce } from '../../src/resource/index.ts';
import { confirmAnnotation } from '../../src/engine/model/annotations.ts';
import type { PlanData } from '../../src/plugin/output/plan-shape.ts';
import { cloud, dataOf, endpoint } from '../support/plugin/cloud-cli.ts';
import { hold } from '../chaos/stage/beside.ts';
import { ImageSource } from '../support/world/image-source.ts';
import { canGo, wholeLifecycle } from '../support/samples/whole-lifecycle.ts';
import type { World } from '../support/world/world.ts';
import { type Case, named } from './case.ts';
import { type Begun, begin, edited, specOf } from './operated.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}
type Entry = PlanData['objects'][number];

/** A fixture's world in which somebody else than the operator plans. */
async function scene({ fixture }: Case, speed = 1): Promise<Begun> {
  const begun = await begin(fixture, { sources: { 'https://images.example.com': new ImageSource() }, speed });
  const { world } = begun;
  world.server.addUser('planner', { name: 'planner' });
  world.server.setGrants([{ to: 'planner', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }]);
  return begun;
}

/** What this object would be after the edit, as a file. */
const manifest = (kind: string, name: string, spec: Row): string =>
  JSON.stringify({ apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata: { name }, spec });

const planned = (world: World, kind: string, name: string, spec: Row): Promise<Entry> =>
  plannedAs(world, '-f edit.yaml', { 'edit.yaml': manifest(kind, name, spec) });

/** The one object of a plan, which was made without a change of anything. */
async function plannedAs(world: World, what: string, files: Readonly<Record<string, string>> = {}): Promise<Entry> {
  const before = world.emulator.control.requests().length;
  const asked = world.server.ledger.requests.length;
  const ran = await cloud(world, `plan ${what} --endpoint ${endpoint} -o json`, { files, token: 'planner', limit: 600_000 });
  const since = world.emulator.control.requests().slice(before);
  expect(since.filter(({ method }) => method !== 'GET')).toEqual([]);
  const mine = world.server.ledger.requests.slice(asked).filter(({ user, method }) => user === 'planner' && method !== 'GET');
  expect(mine.filter(({ path }) => !path.includes('dryRun=All'))).toEqual([]);
  expect(ran.err).not.toContain('Error:');
  const [entry] = (dataOf(ran) as unknown as PlanData).objects;
  if (entry === undefined) throw new Error(`no plan: ${ran.err}`);
  expect(ran.exit).toBe({ none: 0, refused: 4 }[entry.action as 'none'] ?? 1);
  return entry;
}

/** What the account took since, in order; bodies as far as they are JSON. What it refused, as a name is not free yet, is sent again. */
const sent = (world: World, since: number): readonly Sent[] =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method, status }) => method !== 'GET' && status < 400)
    .map(({ method, path, body }) => ({ method, path, body: body === '' ? undefined : (JSON.parse(body) as unknown) }));

/** What a plan does not know: the end of a derived label, and secrets. */
function shownAs(value: unknown, like: unknown): unknown {
  if (like === '[redacted]') return like;
  if (typeof value === 'string') return typeof like === 'string' && like.endsWith(unknownOwner) ? unowned(value) : value;
  if (Array.isArray(value)) return value.map((one, at) => shownAs(one, Array.isArray(like) ? like[at] : undefined));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shownAs(one, (like as Row | undefined)?.[name])]));
}
const unowned = (label: string): string => `${label.slice(0, -unknownOwner.length)}${unknownOwner}`;
const alike = (calls: readonly Sent[], entry: Entry): readonly Sent[] =>
  calls.map((call, at) => ({ ...call, body: shownAs(call.body, callsOf(entry)[at]?.body) }));
/** A label that was sent with a nonce is put right at an id that nobody knows before. */
const withoutRenames = ({ kind: { label: rule } }: Case, calls: readonly Sent[]): readonly Sent[] =>
  rule?.nonce === true ? calls.filter((call, at) => !takesNonceOff(rule, call, calls[at - 1])) : calls;
function takesNonceOff(rule: LabelRule, { method, body }: Sent, before: Sent | undefined): boolean {
  const [label, sentBefore] = [body, before?.body].map((one) => (one as Row | undefined)?.[rule.field]);
  return method === 'PUT' && typeof sentBefore === 'string' && withNonce(rule, String(label), nonceOf(sentBefore)) === sentBefore;
}
/** The ledger keeps no file. */
const callsOf = ({ calls }: Entry): readonly Sent[] =>
  calls.map(({ method, path, body }) => ({ method, path, body: /\/(attachments|thumbnail)$/.test(path) ? undefined : body }));

/** As a person who has read what is lost by it. */
async function confirmed(world: World, { kind: { kind, mode }, fixture }: Case): Promise<void> {
  if (mode !== 'operation') return;
  const { name } = fixture.sample;
  const challenge = async (): Promise<unknown> => (await world.get(kind, name)).status?.['challenge'];
  await world.clock.runUntil(async () => (await challenge()) !== undefined, 60_000);
  await world.patch(kind, name, { metadata: { annotations: { [confirmAnnotation]: await challenge() } } });
}

const made = named.filter(([, { kind }]) => kind.mode !== 'connection');

describe('a plan names the calls that the operator then sends', () => {
  it.each(made)('%s: of its sample and of each edit', { timeout: 120_000 }, async (kind, one) => {
    const { name } = one.fixture.sample;
    const { world } = await scene(one);
    for (const change of [specOf(one.fixture), ...edited(one)]) {
      // What is Ready may still be coming up below, and a plan says of that only that it waits.
      await world.clock.advance(120_000);
      const entry = await planned(world, kind, name, change);
      const before = world.emulator.control.requests().length;
      await world.apply(kind, name, change);
      await world.ready(kind, name);
      expect(entry).not.toMatchObject({ action: 'refused' });
      expect(alike(withoutRenames(one, sent(world, before)), entry)).toEqual(callsOf(entry));
      expect((await planned(world, kind, name, change)).calls).toEqual([]);
    }
  });
  const ways = made.flatMap(([kind, one]) =>
    Object.entries(one.fixture.ways ?? {}).map(([way, change]) => [kind, way, one, change] as const),
  );
  it.each(ways)('%s: of how it comes to be otherwise, by %s', { timeout: 120_000 }, async (kind, way, one, change) => {
    const { fixture } = one;
    const { name } = fixture.sample;
    const { world } = await scene(one);
    const needs = Object.entries(fixture.needs ?? {}).map(([need, { kind: of }]) => ({ kind: of, name: need }));
    await hold({ scenario: { holds: fixture.waysHold?.[way] ?? {}, needs } as never, world });
    await world.clock.advance(120_000);
    const spec = specOf(fixture, change);
    const entry = await planned(world, kind, name, spec);
    const before = world.emulator.control.requests().length;
    const known = world.emulator.control
      .requests()
      .map(({ path }) => path)
      .join(' ');
    await world.apply(kind, name, spec);
    await confirmed(world, one);
    await world.ready(kind, name);
    const [first, ...more] = sent(world, before);
    expect(alike(first === undefined ? [] : [first], entry)).toEqual(callsOf(entry));
    const asks = one.kind.mode === 'operation';
    expect([entry.needsApproval, entry.message?.startsWith('it asks first: ') ?? false]).toEqual([asks, asks]);
    // At an id that only the answer tells: that there are more is said.
    expect([more.length > 0, more.every(({ path }) => !known.includes(path))]).toEqual([
      entry.message?.includes('by further calls') ?? false,
      true,
    ]);
  });
  it('CloudAccount: of each edit of the account itself', { timeout: 120_000 }, async () => {
    const [, one] = named.find(([kind]) => kind === 'CloudAccount') ?? [];
    if (one === undefined) throw new Error('no fixture of CloudAccount');
    const { world } = await scene(one);
    await world.ready('CloudAccount', 'default');
    const { spec } = await world.get('CloudAccount', 'default');
    for (const { field, to, spec: written, with: more, refused } of one.fixture.edits) {
      const change = { ...spec, ...more, [field]: written ?? to };
      const entry = await planned(world, 'CloudAccount', 'default', change);
      expect([field, entry.action === 'refused']).toEqual([field, refused === true]);
      if (refused === true) continue;
      const before = world.emulator.control.requests().length;
      await world.apply('CloudAccount', 'default', change);
      await world.ready('CloudAccount', 'default');
      expect(alike(sent(world, before), entry)).toEqual(callsOf(entry));
    }
  });
  it.each(made)('%s: nothing of an edit that is refused', { timeout: 120_000 }, async (kind, one) => {
    const { name } = one.fixture.sample;
    const { world } = await scene(one);
    await world.apply(kind, name, specOf(one.fixture));
    await world.ready(kind, name);
    const refused = one.fixture.edits.filter((edit) => edit.refused === true);
    for (const { field, to, spec: written, with: more } of refused) {
      const entry = await planned(world, kind, name, specOf(one.fixture, { ...more, [field]: written ?? to }));
      expect({ field, action: entry.action, calls: entry.calls }).toEqual({ field, action: 'refused', calls: [] });
      expect(entry.refusal?.message).toContain(field);
    }
    expect((await planned(world, kind, name, specOf(one.fixture))).action).toBe('none');
  });
});

/** What has no remote leaves nothing. */
const leaving = ({ kind }: Case): Entry['action'] => {
  if (!hasRemote(kind)) return 'none';
  return canGo(kind) ? 'delete' : 'retain';
};

describe('a plan of what is deleted or replaced', () => {
  // What holds nothing in the account, and nothing up, is gone at once.
  const staying = made.filter(([, { kind }]) => kind.mode !== 'operation');
  it.each(staying)('%s: names the calls that take it away', { timeout: 120_000 }, async (kind, one) => {
    const { name } = one.fixture.sample;
    const { world, operator } = await scene(one);
    await world.apply(kind, name, specOf(one.fixture));
    await world.ready(kind, name);
    operator.kill();
    await world.delete(kind, name);
    const entry = await plannedAs(world, `${kind}/${name}`);
    expect(entry.action).toBe(leaving(one));
    const before = world.emulator.control.requests().length;
    await world.start();
    await world.gone(kind, name);
    expect(sent(world, before)).toEqual(callsOf(entry));
  });
  const frozen = made.flatMap(([kind, one]) =>
    one.kind.mode !== 'collection'
      ? []
      : one.fixture.edits
          .filter(
            ({ field, admissionOnly, to }) => one.kind.fields[field]?.immutable === true && admissionOnly !== true && to !== undefined,
          )
          .map((edit) => [kind, edit.field, { one, edit }] as const),
  );
  it.each(frozen)(
    '%s: names the calls of a replacement for %s',
    { timeout: 120_000 },
    async (kind, field, { one, edit: { to, spec: written, with: more } }) => {
      const { name, spec } = one.fixture.sample;
      const { world } = await scene(one, 30);
      const replacing = { ...wholeLifecycle(one.kind), replace: 'Allow' };
      await world.apply(kind, name, { ...spec, lifecycle: replacing });
      await world.ready(kind, name);
      await world.clock.advance(120_000);
      const change = { ...spec, lifecycle: replacing, ...more, [field]: written ?? to };
      const entry = await planned(world, kind, name, change);
      expect(entry.action).toBe('replace');
      const before = world.emulator.control.requests().length;
      await world.apply(kind, name, change);
      await world.ready(kind, name);
      expect(alike(withoutRenames(one, sent(world, before)), entry)).toEqual(callsOf(entry));
    },
  );
});
