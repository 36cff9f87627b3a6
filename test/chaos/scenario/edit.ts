import type { Structural } from '../../../src/generate/schema/structural-schema.ts';
import type { AnyKind, Row } from '../../../src/resource/index.ts';
import { refusals, refusalsOfUpdate, specSchema } from '../../conformance/admission.ts';
import { fixtures } from '../../conformance/case.ts';
import type { AnyFixture } from '../../conformance/fixture.ts';
import { plain } from './corner.ts';
import { kindOf, type Manifest, manifestOf, needsOf, type Scenario, updatesOf } from './scenario.ts';

/** An edit of one field, out of the fixture or out of the schema. */
export interface Edit {
  readonly id: string;
  readonly is: 'change' | 'unset' | 'boundary' | 'invalid';
  readonly field: string;
  /** All fields that differ. */
  readonly fields: readonly string[];
  readonly spec: Row;
  /** It needs a call. */
  readonly calls: boolean;
}

/** The create from which all edits of the kind start, with everything that any of them names. */
export function editScenarioOf(fixture: AnyFixture): Scenario {
  const subject = manifestOf(fixture, fixture.sample.name, {});
  const specs = updatesOf(fixture, subject).map(({ spec }) => spec);
  return {
    kind: kindOf(fixture),
    subject,
    needs: needsOf(fixture, subject.spec, ...specs),
    operation: { id: 'create.edits', is: 'create' },
    corner: plain,
    only: 'F14',
  };
}

export function editsOf({ kind, subject }: Scenario): readonly Edit[] {
  const fixture = fixtures.find((one) => kindOf(one).kind === kind.kind);
  if (fixture === undefined) return [];
  const mutable = Object.keys(kind.fields).filter((field) => kind.fields[field]?.immutable !== true);
  return [
    ...changes(fixture, subject),
    ...mutable.flatMap((field) => [...unset(fixture, subject, field), ...bySchema(fixture, subject, field)]),
  ];
}

const differing = (a: Row, b: Row): readonly string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => JSON.stringify(a[field]) !== JSON.stringify(b[field]));

function changes(fixture: AnyFixture, subject: Manifest): readonly Edit[] {
  const calls = fixture.edits.filter((edit) => edit.refused !== true && edit.admissionOnly !== true);
  return updatesOf(fixture, subject).map(({ id, spec }, index) => ({
    id: id.replace('update.', ''),
    is: 'change',
    field: calls[index]?.field ?? '',
    fields: differing(subject.spec, spec),
    spec,
    calls: (calls[index]?.calls ?? []).length > 0,
  }));
}

/** Admission takes the edit. */
export function admits(kind: AnyKind, before: Row, spec: Row): boolean {
  const own = (all: Row): Row => Object.fromEntries(Object.entries(all).filter(([field]) => field in kind.fields));
  return refusals(kind, own(spec)).length === 0 && refusalsOfUpdate(kind, own(spec), own(before)).length === 0;
}
const isAdmitted = (fixture: AnyFixture, { spec: before }: Manifest, spec: Row): boolean => admits(kindOf(fixture), before, spec);

function unset(fixture: AnyFixture, subject: Manifest, field: string): readonly Edit[] {
  const { [field]: value, ...spec } = subject.spec;
  if (value === undefined || !isAdmitted(fixture, subject, spec)) return [];
  return [{ id: `${field}-unset`, is: 'unset', field, fields: [field], spec, calls: false }];
}

/** Values at the bounds of the field's schema, and just beyond them. */
function bySchema(fixture: AnyFixture, subject: Manifest, field: string): readonly Edit[] {
  const schema = specSchema(kindOf(fixture)).properties?.[field];
  if (schema === undefined) return [];
  const at = (is: Edit['is'], values: readonly unknown[]): readonly Edit[] =>
    values.map((value, index) => ({
      id: `${field}-${is}-${index}`,
      is,
      field,
      fields: [field],
      spec: { ...subject.spec, [field]: value },
      calls: false,
    }));
  const bounds = at('boundary', boundsOf(schema)).filter(({ spec }) => isAdmitted(fixture, subject, spec));
  const beyond = at('invalid', beyondOf(schema)).filter(({ spec }) => !isAdmitted(fixture, subject, spec));
  return [...bounds, ...beyond];
}

const defined = (values: readonly unknown[]): readonly unknown[] => values.filter((value) => value !== undefined);
const times = (length: number | undefined): string | undefined => (length === undefined || length > 5000 ? undefined : 'a'.repeat(length));

function boundsOf(schema: Structural): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum;
  switch (schema.type) {
    case 'integer':
      return defined([schema.minimum, schema.maximum]);
    case 'string':
      return defined([times(schema.minLength), times(schema.maxLength)]);
    case 'boolean':
      return [true, false];
    case 'array':
      return schema.minItems === undefined ? [[]] : [];
    default:
      return [];
  }
}

function beyondOf(schema: Structural): readonly unknown[] {
  if (schema.enum !== undefined) return ['no-such-value'];
  switch (schema.type) {
    case 'integer':
      return defined([
        schema.minimum === undefined ? undefined : schema.minimum - 1,
        schema.maximum === undefined ? undefined : schema.maximum + 1,
        'seven',
      ]);
    case 'string':
      return defined([times(schema.maxLength === undefined ? undefined : schema.maxLength + 1), 7]);
    case 'boolean':
      return ['yes'];
    case 'array':
      return ['no list'];
    default:
      return ['no object'];
  }
}
