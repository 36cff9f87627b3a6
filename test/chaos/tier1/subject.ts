import { type AnyKind, type Row, transferOf } from '../../../src/resource/index.ts';
import { fixtures } from '../../conformance/case.ts';
import type { AnyFixture } from '../../conformance/fixture.ts';
import { inTime } from '../../support/samples/in-time.ts';
import { neededBy } from '../../support/samples/needed.ts';
import { wholeLifecycle } from '../../support/samples/whole-lifecycle.ts';

export interface Manifest {
  readonly kind: string;
  readonly name: string;
  readonly spec: Row;
}
/** What is done to one kind's sample, and what must stand before. */
export interface Subject extends Manifest {
  readonly needs: readonly Manifest[];
  readonly secrets: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly configMaps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** How it comes to be, where not as its sample does. */
  readonly way?: string;
  /** What the account holds besides: by collection one row, in which `'$web'` is the id of that need. */
  readonly holds?: Readonly<Record<string, Row>>;
  /** Spec after each edit that a call of its own brings about, by name. */
  readonly edits: Readonly<Record<string, Row>>;
}

const kindOf = (fixture: AnyFixture): AnyKind => fixture.kind as AnyKind;

function manifestOf(fixture: AnyFixture, name: string, change: Row): Manifest {
  const { kind, mode } = kindOf(fixture);
  const lifecycle = wholeLifecycle(kindOf(fixture));
  const spec = inTime({ ...fixture.sample.spec, ...change });
  return mode === 'connection' ? { kind, name, spec } : { kind, name, spec: known({ ...spec, lifecycle }) };
}
const known = (spec: Row): Row => Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));

/** What must stand before, parents first, as the fixture lists them. */
function needsOf(fixture: AnyFixture, specs: readonly Row[]): readonly Manifest[] {
  const all = Object.entries(fixture.needs ?? {}).flatMap(([name, { kind, spec = {} }]) => {
    const parent = fixtures.find((one) => kindOf(one).kind === kind);
    return parent === undefined ? [] : [manifestOf(parent, name, spec)];
  });
  return neededBy(all, specs);
}

/** One edit for each different series of calls: the same calls are the same steps. */
function editsOf(fixture: AnyFixture, base: Row): Readonly<Record<string, Row>> {
  const byCalls = new Map<string, readonly [string, Row]>();
  for (const { field, to, spec, with: more, calls = [], refused } of fixture.edits) {
    const key = calls.join(', ');
    if (refused === true || key === '' || byCalls.has(key)) continue;
    byCalls.set(key, [field, known({ ...base, ...more, [field]: spec ?? to })]);
  }
  return Object.fromEntries(byCalls.values());
}

export const subjectOf = (fixture: AnyFixture): Subject => {
  const manifest = manifestOf(fixture, fixture.sample.name, {});
  return withNeeds(fixture, manifest, editsOf(fixture, manifest.spec));
};

function withNeeds(fixture: AnyFixture, manifest: Manifest, edits: Subject['edits']): Subject {
  const needs = needsOf(fixture, [manifest.spec, ...Object.values(edits)]);
  const needed = fixtures.filter((one) => needs.some(({ kind }) => kind === kindOf(one).kind));
  const secrets = Object.assign({}, ...[fixture, ...needed].map((one) => one.secrets ?? {})) as Subject['secrets'];
  const configMaps = Object.assign({}, ...[fixture, ...needed].map((one) => one.configMaps ?? {})) as Subject['configMaps'];
  return { ...manifest, needs, secrets, configMaps, edits };
}

/** Further ways in which one comes to be, of which the create alone is played. */
function waysOf(fixture: AnyFixture): readonly Subject[] {
  return Object.entries(fixture.ways ?? {}).flatMap(([way, change]) => {
    const subject = withNeeds(fixture, manifestOf(fixture, fixture.sample.name, change), {});
    // What it brings over is read from a server of somebody else, with a certificate, and none is there.
    if (transferOf(kindOf(fixture), subject.spec) !== undefined) return [];
    return [{ ...subject, way, holds: fixture.waysHold?.[way] ?? {} }];
  });
}

export const subjects: readonly Subject[] = fixtures.map(subjectOf);
export const ways: readonly Subject[] = fixtures.flatMap(waysOf);

const isSubject = ({ kind, name }: Manifest): boolean => subjects.some((one) => one.kind === kind && one.name === name);
/** What a sample needs and no other sample is, to apply all of them together. */
export const companions: readonly Manifest[] = subjects.flatMap(({ needs }) => needs.filter((need) => !isSubject(need)));
