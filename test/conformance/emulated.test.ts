import { describe, expect, it } from 'vitest';
import { covers } from '../../src/engine/model/values.ts';
import { type AnyKind, type AnyWant, hasRemote } from '../../src/resource/index.ts';
import { type Case, merged, named, placed } from './case.ts';
import { EmulatedAccount } from './emulated-account.ts';
import type { Knobs } from '../emulator/contract/knobs.ts';
import { canGo } from '../support/samples/whole-lifecycle.ts';
import type { AnyFixture, Law } from './fixture.ts';

/** What is not established about the service, the other way round. */
const otherCorner: Partial<Knobs> = { volumeLabelsUnique: true, firewallLabelBeginsWithLetter: false, resizeBootsAgain: false };

/** A fresh account in which everything is that the fixture needs. */
async function begin(fixture: AnyFixture, knobs: Partial<Knobs> = {}): Promise<{ account: EmulatedAccount; one: Case }> {
  const account = new EmulatedAccount(knobs);
  return { account, one: await account.prepare(fixture) };
}
const wantNamed = (one: Case, name: string): AnyWant => one.wants.find(([known]) => known === name)?.[1] ?? one.want;
const editedWant = (one: Case, { field, to, with: more }: AnyFixture['edits'][number]): AnyWant =>
  placed(merged(one.fixture.want, { ...more, [field]: to }), one.ids, (secret) => secret) as AnyWant;
const exempt = ({ exempt = {} }: AnyFixture, law: Law): boolean => exempt[law] !== undefined;

/** What has no remote is compared with nothing. */
const compared = named.filter(([, { kind }]) => hasRemote(kind) || kind.mode === 'connection');
const collections = named.filter(([, { kind }]) => kind.mode === 'collection');
const wantsOf = (list: typeof named) => list.flatMap(([kind, { fixture, wants }]) => wants.map(([name]) => [kind, name, fixture] as const));

describe('in the emulated account', () => {
  it.each(wantsOf(compared))('%s, %s: converges from nothing', async (_kind, name, fixture) => {
    const { account, one } = await begin(fixture);
    const item = await account.converge(one, wantNamed(one, name));
    expect(await account.next(one, wantNamed(one, name), item)).toEqual({ do: 'nothing' });
  });

  const whole = wantsOf(collections).filter(([, name, fixture]) => !exempt(fixture, `complete after one POST: ${name}`));
  it.each(whole)('%s, %s: is complete after one POST', async (_kind, name, fixture) => {
    const { account, one } = await begin(fixture);
    const item = await account.create(one, wantNamed(one, name));
    await account.converge(one, wantNamed(one, name), item);
    expect(account.calls.length).toBe(1);
  });

  const parts = wantsOf(collections).filter(([, name, fixture]) => exempt(fixture, `complete after one POST: ${name}`));
  it.each(parts)('%s, %s: is rightly exempt, because it takes more than one call', async (_kind, name, fixture) => {
    const { account, one } = await begin(fixture);
    await account.converge(one, wantNamed(one, name));
    expect(account.calls.length).toBeGreaterThan(1);
  });

  it.each(wantsOf(collections))('%s, %s: is found by its key, and once', async (_kind, name, fixture) => {
    const { account, one } = await begin(fixture);
    const want = wantNamed(one, name);
    await account.create(one, want);
    const rows = await account.rows(one.kind, want);
    expect(rows.filter((row) => covers(one.kind.key?.of(want), one.kind.key?.row?.(row, want) ?? row))).toHaveLength(1);
  });

  const leaving = named.filter(([, { kind }]) => canGo(kind));
  it.each(leaving.map(([kind, { fixture }]) => [kind, fixture] as const))('%s: is deleted in few steps', async (_kind, fixture) => {
    const { account, one } = await begin(fixture);
    const item = await account.converge(one, one.want);
    expect(await account.remove(one, item)).toBeLessThanOrEqual(3);
  });

  const edits = compared.flatMap(([, { fixture }]) => {
    const open = fixture.edits.filter(({ field, refused }) => !refused && !exempt(fixture, `edited in the account: ${field}`));
    return open.map(
      (edit) => [`${(fixture.kind as AnyKind).kind}.${edit.field} -> ${JSON.stringify(edit.to)}`, { fixture, edit }] as const,
    );
  });
  it.each(edits)('%s takes exactly the calls that are needed', async (_, { fixture, edit }) => {
    const { account, one } = await begin(fixture);
    const item = await account.converge(one, one.want);
    account.calls.length = 0;
    await account.converge(one, editedWant(one, edit), item);
    const expected = (edit.calls ?? []).map((call) => call.replace('{item}', item).replaceAll('*', '[^/]+'));
    expect(account.calls.join('\n')).toMatch(new RegExp(`^${expected.join('\n')}$`));
  });

  const reversible = edits.filter(([, { fixture, edit }]) => (fixture.kind as AnyKind).fields[edit.field]?.only !== 'grows');
  it.each(reversible)('%s, made by somebody else, is set back', async (_, { fixture, edit }) => {
    const { account, one } = await begin(fixture, otherCorner);
    const item = await account.converge(one, one.want);
    await account.converge(one, editedWant(one, edit), item);
    await account.converge(one, one.want, item);
    expect(await account.next(one, one.want, item)).toEqual({ do: 'nothing' });
  });
});
