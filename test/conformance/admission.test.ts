import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/resource/index.ts';
import type { AnyFixture } from './fixture.ts';
import { refusals, refusalsOfUpdate } from './admission.ts';
import { type Case, merged, named } from './case.ts';

/** The sample's spec as a user would write the edit. */
const edited = ({ fixture }: Case, { field, to, spec, with: more }: AnyFixture['edits'][number]): Row =>
  merged(fixture.sample.spec, { ...more, [field]: spec ?? to });

describe.each(named)('admission of %s', (_, one) => {
  const { kind, fixture } = one;
  const { spec } = fixture.sample;

  it('accepts the sample', () => expect(refusals(kind, spec)).toEqual([]));
  it('accepts the sample again unchanged', () => expect(refusals(kind, spec, spec)).toEqual([]));
  it('has at least eight manifests to refuse', () => expect(Object.keys(fixture.rejects).length).toBeGreaterThanOrEqual(8));
  it.each(Object.entries(fixture.rejects))('refuses %s', (_, [fragment, says]) => {
    expect(refusals(kind, merged(spec, fragment)).join('\n')).toContain(says);
  });

  it('refuses exactly the edits that are to be refused', () => {
    const judged = fixture.edits.map((edit) => ({ edit, said: refusals(kind, edited(one, edit), spec) }));
    expect(judged.filter(({ edit, said }) => said.length > 0 !== (edit.refused === true))).toEqual([]);
  });

  it.each(Object.keys(kind.fields))('lets %s be changed, unset and set anew exactly when its rule is not immutable', (field) => {
    const { [field]: value = 'anything', ...without } = spec;
    const has = { ...without, [field]: value };
    const updates = kind.spec.shape[field]?.safeParse(undefined).success
      ? [refusalsOfUpdate(kind, without, has), refusalsOfUpdate(kind, has, without)]
      : [refusalsOfUpdate(kind, { ...without, [field]: 'other' }, has)];
    const frozen = kind.fields[field]?.immutable === true;
    for (const said of updates) expect(said.some((message) => message.startsWith(`${field} cannot be changed`))).toBe(frozen);
  });
});
