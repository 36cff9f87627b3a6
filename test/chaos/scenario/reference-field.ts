import { Registry } from '../../../src/engine/model/kind-registry.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import type { ReferenceSite, Row } from '../../../src/resource/index.ts';
import { refusals } from '../../conformance/admission.ts';
import { fixtures } from '../../conformance/case.ts';
import type { AnyFixture } from '../../conformance/fixture.ts';
import { plain } from './corner.ts';
import { kindOf, type Manifest, manifestOf, needsOf, type Reference, type Scenario } from './scenario.ts';

const registry = new Registry(kinds);
const labels = { chaos: 'target' };

/** A create for each field in which the kind names another object, with that field set: in the sample, else in a way that names one there. */
export function referenceScenariosOf(fixture: AnyFixture): readonly Scenario[] {
  const known = fromBase(fixture, {});
  const fields = new Set(known.map(({ reference }) => reference?.field));
  const ways = Object.keys(fixture.ways ?? {}).flatMap((way) => fromWay(fixture, way));
  return [...known, ...ways.filter(({ reference }) => !fields.has(reference?.field))];
}

/** The same of what a way names by a field that the sample has no use for. */
function fromWay(fixture: AnyFixture, way: string): readonly Scenario[] {
  const change = fixture.ways?.[way] ?? {};
  const named = Object.entries(change).flatMap(([field, value]) => {
    const { name } = (value ?? {}) as { readonly name?: string };
    return name !== undefined && fixture.needs?.[name] !== undefined ? [[field, name] as const] : [];
  });
  return named.flatMap(([field, name]) => {
    const needs = Object.entries(fixture.needs ?? {}).toSorted(([a], [b]) => Number(b === name) - Number(a === name));
    const based = {
      ...fixture,
      needs: Object.fromEntries(needs),
      sample: { ...fixture.sample, spec: { ...fixture.sample.spec, ...change } },
    };
    const holds = fixture.waysHold?.[way] ?? {};
    return fromBase(based, { holds }).filter(({ reference }) => reference?.field === field);
  });
}

function fromBase(fixture: AnyFixture, more: Pick<Scenario, 'holds'>): readonly Scenario[] {
  const kind = kindOf(fixture);
  return registry.sites(kind.kind).flatMap((site): readonly Scenario[] => {
    const found = targetOf(fixture, site);
    const reference = found === undefined ? undefined : referenceAt(fixture, site, found);
    if (found === undefined || reference === undefined) return [];
    const subject = manifestOf(fixture, fixture.sample.name, {});
    const spec = reference.naming({ name: found.target.name });
    const others = needsOf(fixture, spec).filter(({ name }) => name !== found.target.name);
    return [
      {
        kind,
        subject: { ...subject, spec },
        needs: [...others, ...found.needs, found.target],
        operation: { id: `create.${reference.field}`, is: 'create' },
        corner: plain,
        only: 'F12',
        reference,
        ...more,
      },
    ];
  });
}

interface Found {
  readonly target: Manifest;
  /** What the target itself refers to. */
  readonly needs: readonly Manifest[];
  readonly shared: boolean;
}

function targetKind(what: ReferenceSite['what']): string | undefined {
  if (what.is === 'ref') return what.target.kind;
  return 'kind' in what ? what.kind : undefined;
}

/** The object of `needs` that has the field's kind, or the sample of that kind. */
function targetOf(fixture: AnyFixture, { what }: ReferenceSite): Found | undefined {
  const known = fixtures.find((one) => kindOf(one).kind === targetKind(what));
  if (known === undefined || kindOf(known).mode !== 'collection') return undefined;
  const [[name, need] = ['target', undefined]] = Object.entries(fixture.needs ?? {}).filter(([, one]) => one.kind === targetKind(what));
  const target = manifestOf(known, name, need?.spec ?? {});
  return {
    target: what.is === 'selector' ? { ...target, labels } : target,
    needs: needsOf(known, target.spec),
    shared: what.is === 'ref' && what.target.shared,
  };
}

function referenceAt(fixture: AnyFixture, site: ReferenceSite, { target, needs, shared }: Found): Reference | undefined {
  const subject = manifestOf(fixture, fixture.sample.name, {});
  const named = (reference: Row): Row => withValue(subject.spec, site, reference);
  const removed = lackingFor(fixture, named({ name: target.name }));
  if (removed === undefined) return undefined;
  return {
    field: site.at.filter((step) => step !== '*').join('.'),
    target,
    targetNeeds: needs,
    shared,
    same: kindOf(fixture).kind === target.kind,
    naming: (reference) => without(named(reference), removed),
  };
}

/** The fewest other fields that have to go so that admission takes the spec. */
function lackingFor(fixture: AnyFixture, spec: Row): readonly string[] | undefined {
  const others = Object.keys(fixture.sample.spec).filter((field) => field !== 'lifecycle');
  const candidates = [[], ...others.map((field) => [field])];
  return candidates.find((fields) => {
    const { lifecycle: _lifecycle, ...own } = without(spec, fields);
    return JSON.stringify(own).includes('"name"') && refusals(kindOf(fixture), own).length === 0;
  });
}
const without = (spec: Row, fields: readonly string[]): Row =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !fields.includes(field)));

/** `spec` with the reference at the site; of a list, in its first element. */
function withValue(spec: Row, { at, what }: ReferenceSite, reference: Row): Row {
  const value =
    what.is === 'selector'
      ? { matchLabels: labels }
      : what.is === 'output'
        ? { [what.output.ref]: reference, [what.output.selector]: Object.keys(what.output.fields)[0] }
        : reference;
  return placed(spec, at, value) as Row;
}
function placed(holder: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (step === '*') return [placed((holder as readonly unknown[] | undefined)?.[0], rest, value)];
  const row = (holder ?? {}) as Row;
  return { ...row, [step]: placed(row[step], rest, value) };
}
