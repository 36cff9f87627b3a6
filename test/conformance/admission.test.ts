import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/plugin/plan/targets/manifests.ts';
import { refusedOffline } from '../../src/plugin/plan/targets/offline-admission.ts';
import type { AnyKind, Row } from '../../src/resource/index.ts';
import type { AnyFixture } from './fixture.ts';
import { refusals, refusalsOfUpdate } from './admission.ts';
import { type Case, merged, named } from './case.ts';

const manifest = (kind: AnyKind, spec: Row): Manifest => ({
  file: '',
  apiVersion: 'cloudhosting.dev/v1alpha1',
  name: 'a',
  namespace: 'b',
  labels: {},
  annotations: {},
  beside: {},
  kind,
  spec,
});

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

  it('is told by a plan without a cluster as the API server tells it', () => {
    const all: readonly (readonly [Row, Row?])[] = [
      [spec],
      [spec, spec],
      ...Object.values(fixture.rejects).map(([fragment]) => [merged(spec, fragment)] as const),
      ...fixture.edits.map((edit) => [edited(one, edit), spec] as const),
    ];
    const differ = all.filter(
      ([now, before]) =>
        (refusedOffline(manifest(kind, now), before && manifest(kind, before)) === undefined) !==
        (refusals(kind, now, before).length === 0),
    );
    expect(differ).toEqual([]);
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
