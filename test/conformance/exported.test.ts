import { describe, expect, it } from 'vitest';
import { disagreement } from '../../src/plugin/dry/agrees.ts';
import { commonOf, proved } from '../../src/plugin/export/files/manifest.ts';
import { draftOf } from '../../src/plugin/export/spec-of.ts';
import type { AnyKind, Row } from '../../src/resource/index.ts';
import { refusals } from './admission.ts';
import { type Case, merged, named, parsed } from './case.ts';

const style = { namespace: 'shop', management: 'Observe', strict: false } as const;
const now = Date.parse('2023-03-06T10:00:30Z');

/** What the remote lies below, as its path says it. */
const aboveOf = ({ kind, want }: Case): Row => (kind.parent === undefined ? {} : { [kind.parent.ref]: want[kind.parent.ref] });
const refTo = (_: unknown, id: string | number): Row => ({ external: id });
const idOf = (kind: AnyKind, row: Row): string | number => kind.id?.(row) ?? (typeof row['id'] === 'string' ? row['id'] : 4711);
const collections = named.filter(([, { kind }]) => kind.mode === 'collection');

const unmanaged = ({ kind, remote, fixture }: Case): Row => parsed(kind, merged(remote, fixture.unmanaged ?? {}));

/** The row as a read of the item and of its parts gives it. */
const exported = (one: Case, row: Row, strict: boolean) =>
  proved({ kind: one.kind, row, now }, draftOf(one.kind, row, aboveOf(one), refTo), commonOf(one.kind, idOf(one.kind, row), style), strict);

describe.each(collections)('%s, exported', (_, one) => {
  it.each([
    ['without what says nothing', false],
    ['whole', true],
  ])('%s: the API server takes it, and the operator would do nothing', (_name, strict) => {
    const proof = exported(one, unmanaged(one), strict);
    expect(proof).toEqual({ spec: expect.anything() as unknown });
    const { spec } = proof as { spec: Row };
    expect(refusals(one.kind, spec)).toEqual([]);
    expect(JSON.stringify(spec)).not.toContain('canary');
    expect(spec).toMatchObject({ adopt: {}, lifecycle: { management: 'Observe' } });
  });

  it('says more than what it must', () => {
    const { spec } = exported(one, unmanaged(one), false) as { spec: Row };
    const readable = Object.entries(one.kind.fields).filter(([field, rule]) => rule.read !== undefined && one.want[field] !== undefined);
    const told = Object.keys(spec).filter((field) => field in one.kind.fields);
    expect(told.length).toBeGreaterThan(readable.length / 3);
  });

  it('is held against the account: what the operator would change is not proven', () => {
    const edits = one.fixture.edits.filter(({ refused, calls = [] }) => refused !== true && calls.length > 0);
    const held = edits.map((edit) =>
      disagreement({ kind: one.kind, row: one.remote, now }, { ...one.want, ...edit.with, [edit.field]: edit.to }),
    );
    expect(held.filter((why) => why === undefined)).toEqual([]);
  });
});
