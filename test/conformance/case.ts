import { readdirSync } from 'node:fs';
import { unlisted, unlistedText } from '../../src/engine/plan/catalogue.ts';
import { planCreate } from '../../src/engine/plan/plan-create.ts';
import { plan } from '../../src/engine/plan/plan-update.ts';
import type { PlanContext } from '../../src/engine/plan/input.ts';
import type { UpdateStep } from '../../src/engine/model/step.ts';
import { type Policy, policyOf } from '../../src/engine/model/policy.ts';
import {
  type AnyKind,
  type AnyWant,
  asCollection,
  type Call,
  clusterAndLabel,
  collectionOf,
  erase,
  FileContent,
  itemOf,
  type Row,
  Sensitive,
} from '../../src/resource/index.ts';
import type { AnyFixture } from './fixture.ts';

/** A secret that nothing but the adapter at the socket may open; a kind that does fails its law. */
class Sealed extends Sensitive {
  constructor() {
    super('canary-7f3a');
  }
  override reveal(): string {
    throw new Error('a kind revealed a secret');
  }
}

export type Ids = Readonly<Record<string, number | string>>;

type SecretCover = (secret: Sensitive) => Sensitive;
const sealed: SecretCover = () => new Sealed();

/** `value` with every `'$name'` replaced by the id of that name, and every secret sealed unless told otherwise. */
export function placed(value: unknown, ids: Ids, cover: SecretCover = sealed): unknown {
  if (typeof value === 'string') return withId(value, ids);
  if (value instanceof Sensitive) return cover(value);
  if (Array.isArray(value)) return value.map((item) => placed(item, ids, cover));
  if (typeof value !== 'object' || value === null || value instanceof FileContent) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, placed(item, ids, cover)]));
}

/** `'$web'`, or behind its place: `'mysql/$shop'`. */
function withId(text: string, ids: Ids): number | string {
  if (text.startsWith('$')) return ids[text.slice(1)] ?? text;
  const [place = '', name] = text.split('/$');
  const id = name === undefined ? undefined : ids[name];
  return id === undefined ? text : `${place}/${id}`;
}

/** `change` over `base`; `undefined` takes a key away. */
export const merged = (base: Row, change: Row): Row =>
  Object.fromEntries(Object.entries({ ...base, ...change }).filter(([, value]) => value !== undefined));

/** A fixture with ids for what it needs: 101, 102, ... and of a bucket a cluster and a label. */
export interface Case {
  readonly kind: AnyKind;
  readonly fixture: AnyFixture;
  readonly ids: Ids;
  readonly want: AnyWant;
  /** `want` and all of `wants`, by name. */
  readonly wants: readonly (readonly [string, AnyWant])[];
  /** The quiet remote, as the engine would hold it. */
  readonly remote: Row;
  readonly item: string;
}

/** What the engine keeps of a row: the fields that the kind reads, and its parts. */
export function parsed(kind: AnyKind, row: Row): Row {
  const parts = Object.keys(kind.parts ?? {}).flatMap((part) => (part in row ? [[part, row[part]] as const] : []));
  return { ...kind.remote.parse(row), ...Object.fromEntries(parts) };
}

const numbered = ({ needs = {} }: AnyFixture): Ids =>
  Object.fromEntries(Object.entries(needs).map(([name, { kind }], i) => [name, inClusters(kind) ? `eu-central-1/${name}` : 101 + i]));
const inClusters = (kind: string): boolean =>
  fixtures.some((one) => erase(one.kind).kind === kind && erase(one.kind).ids === clusterAndLabel);

export function caseOf(fixture: AnyFixture, ids: Ids = numbered(fixture), cover: SecretCover = sealed): Case {
  const kind = erase(fixture.kind);
  const wanted = (change: Row): AnyWant => placed(merged(fixture.want, change), ids, cover) as AnyWant;
  const want = wanted({});
  const remote = parsed(kind, placed(fixture.remote, ids) as Row);
  const wants = Object.entries(fixture.wants ?? {}).map(([name, change]) => [name, wanted(change)] as const);
  return { kind, fixture, ids, want, wants: [['want', want], ...wants], remote, item: itemOf(kind, remote, collectionOf(kind, want)) };
}

const folder = new URL('../kinds/', import.meta.url);
export const fixtureFiles = readdirSync(folder)
  .filter((file) => /^cloud-[a-z0-9-]+\.ts$/.test(file))
  .toSorted();
export const fixtures = await Promise.all(
  fixtureFiles.map(async (file) => ((await import(new URL(file, folder).href)) as { default: AnyFixture }).default),
);
export const cases = fixtures.map((fixture) => caseOf(fixture));
/** For `describe.each`: the name first. */
export const named = cases.map((one) => [one.kind.kind, one] as const);

/** A plan's context in which everything is allowed that needs no question. */
export function contextFor(kind: AnyKind, change: Partial<PlanContext> = {}, policy: Partial<Policy> = {}): PlanContext {
  return {
    policy: { ...policyOf(kind, {}, { readOnly: false }, false), ...policy },
    pending: true,
    drift: [],
    applied: () => undefined,
    jobs: [],
    now: Date.parse('2023-03-06T10:00:30Z'),
    catalogue: () => undefined,
    contested: [],
    ...change,
  };
}

const everything = { approve: ['InPlace', 'Reboot', 'Rebuild', 'Replace'] } as const;

/** The next step towards `want`, with all effects approved. */
export const next = ({ kind }: Pick<Case, 'kind'>, want: AnyWant, remote: Row | undefined): Next =>
  nextOf(kind, want, remote, contextFor(kind, {}, everything));

/** Of what is not there the call that makes it, or why it is not made. */
export type Next = UpdateStep | { readonly do: 'create'; readonly call: Call };
export function nextOf(kind: AnyKind, want: AnyWant, remote: Row | undefined, context: PlanContext): Next {
  if (remote !== undefined) return plan(kind, want, remote, context);
  const made = asCollection(kind);
  if (made === undefined) return { do: 'nothing' };
  const message = unlistedText(unlisted(made, want, Object.keys(made.fields), context.catalogue));
  if (message !== undefined) return { do: 'refuse', reason: 'InvalidSpec', message, changes: [] };
  return { do: 'create', call: planCreate(made, want, { collection: collectionOf(made, want) }) };
}
