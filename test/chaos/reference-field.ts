import { Registry } from '../../src/engine/model/kind-registry.ts';
import { kinds } from '../../src/generated/kinds.ts';
import type { ReferenceSite, Row } from '../../src/resource/index.ts';
import { refusals } from '../conformance/admission.ts';
import { fixtures } from '../conformance/case.ts';
import type { AnyFixture } from '../conformance/fixture.ts';
import { plain } from './corner.ts';
import { kindOf, type Manifest, manifestOf, needsOf, type Reference, type Scenario } from './scenario.ts';

const registry = new Registry(kinds);
const labels = { chaos: 'target' };

/** A create for each field in which the kind names another object, with that field set. */
export function referenceScenariosOf(fixture: AnyFixture): readonly Scenario[] {
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
