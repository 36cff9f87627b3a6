import { describe, expect, it } from 'vitest';
import { planDelete } from '../../src/engine/plan/plan-delete.ts';
import { maintenanceOf, noticeOf } from '../../src/kinds/account/notices.ts';
import { inside } from '../../src/kinds/for-plugin/inside.ts';
import { type Acted, type AnyWant, asCollection, type Given, type Row } from '../../src/resource/index.ts';
import { type Case, contextFor, merged, named, nextOf, parsed, placed } from './case.ts';
import type { World } from '../support/world/world.ts';
import { begin, edited, specOf } from './operated.ts';
import { asWritten, saysIt, sentence, sentencesIn, Strangers } from './others-words.ts';

const hasIt = (text: string): boolean => text.includes('evil');
const among = (texts: Iterable<string>): readonly string[] => [...texts].filter(saysIt);

it('the sentence is seen where it stands outside of quotes, and nowhere else', () => {
  expect(among([sentence, `x (${sentence})`, JSON.stringify(sentence)])).toEqual([sentence, `x (${sentence})`]);
});

/** The rows that the fixture shows, as if people had called everything in them so, each with what its object wants. */
function rowsOf(one: Case): readonly (readonly [remote: Row, want: AnyWant])[] {
  const { kind, fixture, ids } = one;
  const row = (change: Row): Row => parsed(kind, merged(placed(fixture.remote, ids) as Row, placed(change, ids) as Row));
  const want = (change: Row): AnyWant => placed(merged(fixture.want, change), ids) as AnyWant;
  const all = [{}, ...fixture.plans].map(
    (plan: { readonly remote?: Row | null; readonly want?: Row }) => [row(plan.remote ?? {}), want(plan.want ?? {})] as const,
  );
  const called = (name: Row): Row => (kind.label === undefined ? {} : { [kind.label.field]: name[kind.label.field] });
  return all.flatMap(([remote, wanted]) => {
    const there = asWritten(remote) as Row;
    return [
      [there, wanted],
      [there, { ...wanted, ...called(there) }],
    ] as const;
  });
}

const quietly = (ask: () => unknown): unknown => {
  try {
    return ask();
  } catch {
    return undefined;
  }
};
/** What a kind says of a row by itself. */
function words({ kind, item }: Case, remote: Row, want: AnyWant): readonly unknown[] {
  const { noRoom, conflictsWith } = asCollection(kind) ?? {};
  return [
    kind.health(remote, want),
    kind.notices?.(remote),
    planDelete(kind, item, remote, want),
    nextOf(kind, want, remote, contextFor(kind)),
    noRoom?.([1, 2, 3, 4].map((id) => ({ ...remote, id }))),
    conflictsWith?.says(want, remote),
    inside[kind.kind]?.shows?.(kind.observe(remote, want), () => false),
    ...Object.values(kind.fields).map(({ members }) => members?.hidden?.(remote)?.why),
    ...Object.values(kind.fields).flatMap(({ room, catalogue }) =>
      [0, 1, 1e9].map((size) =>
        quietly(() => [room?.against(size, remote, want), catalogue?.fits?.against({ id: 'small', disk: size }, remote, want)]),
      ),
    ),
  ];
}
const givensOf = ({ ipv4 }: Row): readonly Given[] =>
  [12, true, [{ address: Array.isArray(ipv4) ? (ipv4[0] as string) : '203.0.113.7', instanceRef: 12 }]].map(
    (value) => new Proxy({}, { get: () => value }),
  );
/** What it says of what is done to it. */
function wordsOfActions({ kind, item }: Case, row: Row, want: AnyWant): readonly unknown[] {
  const inner = { id: 12, type: 'snapshot', label: sentence, created: '2026-01-01T00:00:00' };
  const all = [row['status'], 'offline', 'running', 'active', 'failed'].flatMap((status): Acted<Row, AnyWant>[] => {
    const at = { path: item, name: `${kind.kind} web`, remote: { ...row, status }, want };
    return [at, { ...at, inner }, { ...at, inner, onto: { ...at, path: `${item}0`, name: 'another' } }];
  });
  return Object.values(kind.actions ?? {}).flatMap(({ loses, against }) =>
    all.flatMap((acted) => givensOf(row).map((given) => quietly(() => [loses?.(acted, given), against?.(acted, given)]))),
  );
}

it('of what everybody calls things the kinds speak in quotes', () => {
  const texts = named.flatMap(([, one]) =>
    rowsOf(one).flatMap(([remote, want]) =>
      [...words(one, remote, want), ...wordsOfActions(one, remote, want)].flatMap((said) => sentencesIn(said, 'says')),
    ),
  );
  expect(among(texts)).toEqual([]);
  // What they say so is that, and not nothing.
  for (const part of ['MB', 'snapshot', 'are erased', 'leaves instance', 'is lost', 'bears the mark', 'the service keeps no more'])
    expect
      .soft(
        texts.find((text) => text.includes(part) && hasIt(text)),
        part,
      )
      .toBeDefined();
});

it('of what the provider announces it speaks in quotes', () => {
  const announced = { type: sentence, status: sentence, reason: sentence, when: '2026-02-01T00:00:00' };
  const [notice] = maintenanceOf({ ...announced, entity: { type: 'vm', id: 1, label: sentence } });
  const { about } = noticeOf({ ...announced, entity: { type: 'vm', id: 1, label: sentence } });
  expect([notice?.message, about].map((text = '') => [hasIt(text), saysIt(text)])).toEqual([
    [true, false],
    [true, false],
  ]);
});

/** An id of another form. */
function refusedByAdmission(error: unknown): void {
  expect(String(error)).toContain('spec.adopt');
}
const minute = 60_000;
const withRemote = named.filter(([, { kind }]) => kind.mode !== 'connection');

describe.each(withRemote)('under a whole operator, %s', { timeout: 120_000 }, (kind, one) => {
  const { name } = one.fixture.sample;
  /** It is looked at at once. */
  async function applied(world: World, spec: Record<string, unknown>, called = name): Promise<void> {
    await world.apply(kind, called, spec);
    await world.patch(kind, called, { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': String(world.clock.now()) } } });
    await world.clock.advance(minute);
  }

  it('repeats in quotes what it is refused with', async () => {
    const strangers = new Strangers();
    const { world } = await begin(one.fixture, { between: strangers.between });
    for (const status of [400, 403, 404]) {
      strangers.refuse = status;
      await applied(world, specOf(one.fixture));
    }
    strangers.refuse = undefined;
    await applied(world, specOf(one.fixture));
    await world.clock.advance(35 * minute);
    strangers.refuse = 400;
    for (const spec of edited(one)) await applied(world, spec);
    strangers.refuse = 500;
    await world.delete(kind, name);
    await world.clock.advance(5 * minute);
    expect(among(strangers.said)).toEqual([]);
    expect([...strangers.said].some(hasIt)).toBe(true);
  });

  it('speaks in quotes of what everything around it is called', async () => {
    const strangers = new Strangers();
    const { world } = await begin(one.fixture, { between: strangers.between });
    await applied(world, specOf(one.fixture));
    await world.ready(kind, name);
    strangers.areHere = true;
    await world.clock.advance(10 * minute);
    const { lifecycle: _, ...spec } = specOf(one.fixture);
    // One that takes over what is not there is told what is.
    const adopts = { ...spec, adopt: { id: one.kind.ids === undefined ? 4711 : one.item.slice(one.item.lastIndexOf('/') + 1) } };
    if (asCollection(one.kind) !== undefined) await applied(world, adopts, 'newcomer').catch(refusedByAdmission);
    for (const { lifecycle: _any, ...edit } of edited(one)) await applied(world, edit);
    await world.delete(kind, name);
    await world.clock.advance(10 * minute);
    expect(among(strangers.said)).toEqual([]);
  });
});
