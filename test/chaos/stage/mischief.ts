import * as z from 'zod';
import type { Millis } from '../../../src/lib/clock.ts';
import type { AnyKind, AnyRule, AnyWant, Row } from '../../../src/resource/index.ts';
import { fixtures } from '../../conformance/case.ts';
import type { AnyFixture } from '../../conformance/fixture.ts';
import type { Excuse } from '../oracles/oracle.ts';
import { asColleague, type Remote } from './remote.ts';
import { kindOf, type Scenario } from '../scenario/scenario.ts';
import { endOf } from '../evidence/standing.ts';
import type { Stage } from './stage.ts';

/** Something that a colleague or the provider does to a remote, derived from what its kind and fixture declare. */
export interface Mischief {
  readonly id: string;
  readonly happens: (stage: Stage, remote: Remote) => Promise<unknown>;
  readonly excuse: Excuse;
  /** An object that is at rest must stop being Ready. */
  readonly breaks: boolean;
  /** It can happen in the middle of an operation. */
  readonly inMotion: boolean;
  /** It shows only when something is to be done. */
  readonly needsWork: boolean;
}

const plainly = { breaks: false, inMotion: true, needsWork: false };
const corrected: Excuse = { corrected: true };
const lasts: Millis = 15 * 60_000;
/** A detach is done by then. */
const jobTime: Millis = 20_000;

export function mischiefsOf(scenario: Scenario): readonly Mischief[] {
  const { kind } = scenario;
  const fixture = fixtures.find((one) => kindOf(one).kind === kind.kind);
  if (fixture === undefined) return [];
  return [
    ...(kind.mode === 'collection' ? endsOf(scenario) : []),
    ...edits(fixture, scenario),
    ...marks(scenario),
    ...states(kind),
    locked,
  ];
}

function endsOf(scenario: Scenario): readonly Mischief[] {
  const { kind, operation } = scenario;
  const stalls = kind.defaults?.onMissing !== 'Recreate';
  const ends: Excuse = {
    corrected: true,
    rebirths: 2,
    stalls: ['RemoteMissing', 'ReferenceNotReady', 'AlreadyExists'],
    ...(stalls && operation.is !== 'delete' && { otherEnd: true }),
    // What the spec no longer names stays as it was, but not with one that is made anew.
    ...(forgets(scenario) && { otherEnd: true }),
    // Without it, it would still be there to read.
    ...(kind.deletion?.ended !== undefined && { otherEnd: true }),
    // What was attached when the provider took it away may still be named where it was attached.
    ...(kind.deletion?.release !== undefined && { leftovers: true, otherEnd: true }),
  };
  return [
    { ...plainly, id: 'deleted', breaks: stalls, excuse: ends, happens: (stage, remote) => destroy(stage, kind, remote) },
    {
      ...plainly,
      id: 'recreated',
      // The other one may hold what only one can have.
      excuse: { ...ends, stalls: [...(ends.stalls ?? []), 'Rejected'], leftovers: true, otherEnd: true },
      happens: (stage, remote) => destroy(stage, kind, remote, () => again(stage, kind, remote)),
    },
  ];
}

const forgets = ({ subject, operation }: Scenario): boolean =>
  operation.is === 'update' && Object.keys(operation.spec).some((field) => namesMore(subject.spec[field], operation.spec[field]));

/** By its label as it was seen: what is new for each attempt was off again. */
function again(stage: Stage, kind: AnyKind, { born: { path, body } }: Remote): Promise<unknown> {
  const sent = kind.label?.nonce === true ? body.replace(/("label":"[^"]*)-[a-z2-7]{8}"/, '$1"') : body;
  return asColleague(stage, 'POST', path, sent === '' ? undefined : JSON.parse(sent));
}

/** Through the API where it lets a person do so now, else as the provider. */
async function destroy(stage: Stage, kind: AnyKind, { path, life }: Remote, then: () => Promise<unknown> = nothing): Promise<void> {
  const release = kind.deletion?.release?.(life.row as Row);
  if (release !== undefined) await asColleague(stage, release.method, release.path, release.body);
  const by = endOf(kind, path, life);
  const end = async (): Promise<void> => {
    if ((await asColleague(stage, 'DELETE', by.method === 'DELETE' ? by.path : path)) !== 200) {
      stage.wire.mark('the provider removes it');
      stage.world.emulator.control.edit({ collection: life.collection, key: life.key });
    }
    await then();
  };
  if (release === undefined) await end();
  else stage.world.clock.after(jobTime, () => void end());
}
const nothing = (): Promise<void> => Promise.resolve();

/** Every edit that the fixture shows, made by the calls that the operator would make. */
const edits = (fixture: AnyFixture, scenario: Scenario): readonly Mischief[] =>
  fixture.edits.flatMap(({ field, calls = [], body, refused }, index) => {
    const [call = ''] = calls;
    return refused === true || !isPlain(call, body) || addsMember(fixture, field, call)
      ? []
      : [byCall(scenario, field, { id: `${field}-changed-${index}`, call, body, keys: keysOf(fixture) })];
  });

/** It names nothing that another run calls otherwise. */
const isPlain = (call: string, body: unknown): boolean => call !== '' && !call.includes('*') && !JSON.stringify(body ?? {}).includes('"$');
/** A member that a colleague adds is not the object's, and its deletion waits for a person: stories tell of it. */
const addsMember = (fixture: AnyFixture, field: string, call: string): boolean =>
  kindOf(fixture).fields[field]?.members !== undefined && call.startsWith('POST');

/** With which the fixture's want marks what is its own. */
const keysOf = ({ want }: AnyFixture): readonly string[] => (want as AnyWant).marks?.keys ?? [];

interface ByCall {
  readonly id: string;
  readonly call: string;
  readonly body: unknown;
  readonly keys?: readonly string[];
}
function byCall(scenario: Scenario, field: string, { id, call, body, keys = [] }: ByCall): Mischief {
  const [method = '', path = ''] = call.split(' ');
  return {
    ...plainly,
    id,
    excuse: { ...excuseFor(scenario, field, body), ...(method === 'POST' && { rebirths: 1, additions: 1 }) },
    happens: (stage, remote) => asColleague(stage, method, path.replace('{item}', remote.path), withItsMarks(body, keys, remote)),
  };
}

/** Who changes the tags of a thing leaves its mark as the create wrote it. */
function withItsMarks(body: unknown, keys: readonly string[], { born }: Remote): unknown {
  if (keys.length === 0 || body === undefined) return body;
  const marked = new RegExp(`"([^"]*-)(?:${keys.join('|')})"`, 'g');
  const sent = [...born.body.matchAll(/"([^"]*-)[a-z2-7]{8}"/g)];
  const own = (mark: string): string | undefined => sent.find(([, text]) => text === mark)?.[0];
  return JSON.parse(JSON.stringify(body).replaceAll(marked, (text, mark: string) => own(mark) ?? text));
}

/** What the spec does not name, or leaves to the service, is left as it is found; what only grows needs a person. */
function excuseFor({ kind, subject, operation }: Scenario, field: string, body: unknown): Excuse {
  const wanted = operation.is === 'update' ? operation.spec : subject.spec;
  const rule = kind.fields[field];
  const grows = rule?.only === 'grows';
  const stays = grows || isLeftAlone(rule, wanted, { field, body }) || isLeftToTheService(rule, wanted, { field, body });
  return {
    ...corrected,
    ...(field === kind.tags && { untagged: true }),
    ...(grows && { stalls: ['ImmutableField'] }),
    ...(stays && operation.is !== 'delete' && { otherEnd: true }),
    ...endsFor(kind),
  };
}

interface Changed {
  readonly field: string;
  readonly body: unknown;
}

/** The whole of it, or a part of it that was given a value. */
const isLeftAlone = (rule: AnyRule | undefined, wanted: Row, { field, body }: Changed): boolean =>
  rule?.unset !== 'clear' && (wanted[field] === undefined || namesMore((body as Row | undefined)?.[field], wanted[field]));

/** One is an object with a part that the other does not name. */
const namesMore = (one: unknown, other: unknown): boolean =>
  isPlainObject(one) &&
  isPlainObject(other) &&
  Object.keys(one).some((part) => (one[part] ?? undefined) !== undefined && other[part] === undefined);
const isPlainObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The number of nodes while an autoscaler rules it: whatever the remote shows counts as what is wanted. */
function isLeftToTheService(rule: AnyRule | undefined, wanted: Row, changed: Changed): boolean {
  const { [changed.field]: value } = wanted;
  const row = (changed.body ?? {}) as Row;
  if (typeof value !== 'number' || typeof row[changed.field] !== 'number' || row[changed.field] === value) return false;
  return rule?.read?.(row, { name: '', ...wanted }) === value;
}

/** Whoever ends it ends what could be added; and what was added to it stays with it. */
const endsFor = ({ deletion }: AnyKind): Excuse =>
  deletion?.ended === undefined ? {} : { stalls: ['ImmutableField', 'Rejected'], otherEnd: true };

/** What tells whose a remote is. */
function marks(scenario: Scenario): readonly Mischief[] {
  const { label, tags, mode } = scenario.kind;
  const call = 'PUT {item}';
  return [
    ...(label === undefined || mode !== 'collection'
      ? []
      : [byCall(scenario, label.field, { id: 'label-renamed', call, body: { [label.field]: 'renamed-by-hand' } })]),
    ...(tags === undefined ? [] : [byCall(scenario, tags, { id: 'tags-removed', call, body: { tags: [] } })]),
  ];
}

/** Every state of the remote in which it is not well, for a quarter of an hour. */
function states(kind: AnyKind): readonly Mischief[] {
  const status: unknown = kind.remote.shape['status'];
  const inner: unknown = status instanceof z.ZodCatch ? status.unwrap() : status;
  const values = inner instanceof z.ZodEnum ? inner.options.map(String).filter((value) => value !== 'unknown') : [];
  return values
    .filter((value) => isIll(kind, value))
    .map((value) => ({
      ...plainly,
      id: `state-${value}`,
      excuse: corrected,
      breaks: true,
      inMotion: false,
      happens: (stage, remote) => Promise.resolve(inState(stage, remote, value)),
    }));
}

function inState(stage: Stage, { life }: Remote, value: string): void {
  const { control } = stage.world.emulator;
  const was = (life.row as Row)['status'];
  control.edit({ collection: life.collection, key: life.key, row: { status: value } });
  stage.world.clock.after(lasts, () => {
    if ((life.row as Row)['status'] === value) control.edit({ collection: life.collection, key: life.key, row: { status: was } });
  });
}

/** Kinds whose health looks at more than the status have no such state here. */
function isIll(kind: AnyKind, status: string): boolean {
  try {
    return kind.health({ status }, { name: '' }).state !== 'Ready';
  } catch {
    return false;
  }
}

/** The service refuses every change of the remote for a quarter of an hour. */
const locked: Mischief = {
  ...plainly,
  id: 'locked',
  needsWork: true,
  excuse: { corrected: true, stalls: ['Forbidden'], otherEnd: true },
  happens: (stage, { path }) => {
    const { control } = stage.world.emulator;
    const ids = ['PUT', 'POST', 'DELETE'].map((method) =>
      control.addFault({ match: { method, path }, effect: { kind: 'answer', status: 403, body: '{"errors":[{"reason":"Locked"}]}' } }),
    );
    stage.world.clock.after(lasts, () => ids.forEach((id) => void control.removeFault(id)));
    return Promise.resolve();
  },
};
