import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/engine/model/conditions.ts';
import { conditionsOf } from '../../../src/engine/status/condition-table.ts';
import type { Outcome } from '../../../src/engine/model/outcome.ts';
import { failed, type Health, progressing, ready, seconds } from '../../../src/resource/index.ts';
import { kstatus } from '../../support/status/kstatus.ts';
import { statusRows } from '../../support/status/status-rows.ts';

const soon = seconds(5);
const now = '2026-11-21T10:00:00Z';

function known(status: 'True' | 'False', generation = 2): readonly Condition[] {
  const base = {
    reason: 'Available',
    message: 'before',
    observedGeneration: generation,
    lastTransitionTime: '2026-11-20T00:00:00Z',
  } as const;
  return [
    { type: 'Ready', status, ...base },
    { type: 'Synced', status: 'True', ...base },
    { type: 'Reconciling', status: 'False', ...base },
    { type: 'Stalled', status: 'False', ...base },
  ];
}
const person = (reason: 'Rejected' | 'AlreadyExists' | 'Ambiguous' | 'Contested'): Outcome => ({
  is: 'Stalled',
  reason,
  message: 'do this',
});

/** State -> the outcome that must lead to it. */
const outcomes: Readonly<Record<string, { outcome: Outcome; health?: Health; generation?: number }>> = {
  'waiting for a reference': { outcome: { is: 'Waiting', reason: 'ReferenceNotReady', message: 'm', on: ['x'], recheckAfter: soon } },
  'waiting for the account': { outcome: { is: 'Waiting', reason: 'AccountNotReady', message: 'm', on: ['x'], recheckAfter: soon } },
  creating: { outcome: { is: 'Working', reason: 'Creating', message: 'm', recheckAfter: soon } },
  changing: { outcome: { is: 'Working', reason: 'Updating', message: 'm', recheckAfter: soon } },
  correcting: { outcome: { is: 'Working', reason: 'Drifted', message: 'm', recheckAfter: soon } },
  'as wanted': { outcome: { is: 'Synced' }, health: ready },
  'as wanted, remote busy or down by itself': {
    outcome: { is: 'Unsettled', message: 'booting', recheckAfter: soon },
    health: progressing('booting', soon),
  },
  'differs, only reported, ready': { outcome: { is: 'Reported', differs: true, reason: 'DriftReported', message: 'm' }, health: ready },
  'differs, only reported, not ready': {
    outcome: { is: 'Reported', differs: true, reason: 'DriftReported', message: 'm' },
    health: failed('broken'),
  },
  'only observed, ready': { outcome: { is: 'Reported', differs: true, reason: 'Observed', message: 'm' }, health: ready },
  'the account is read-only, ready': { outcome: { is: 'Reported', differs: true, reason: 'ReadOnly', message: 'm' }, health: ready },
  'needs approval': { outcome: { is: 'Approval', message: 'm', plan: { hash: 'h', effect: 'Reboot', changes: [] } } },
  'paused, as last seen ready': { outcome: { is: 'Paused', message: 'm', recheckAfter: soon }, generation: 2 },
  'paused, as last seen not ready': { outcome: { is: 'Paused', message: 'm', recheckAfter: soon }, generation: 2 },
  'paused before the generation was applied': { outcome: { is: 'Paused', message: 'm', recheckAfter: soon } },
  'a person must act: Rejected': { outcome: person('Rejected') },
  'a person must act: AlreadyExists': { outcome: person('AlreadyExists') },
  'a person must act: Ambiguous': { outcome: person('Ambiguous') },
  'a person must act: Contested': { outcome: person('Contested') },
  'remote is broken by its own account': { outcome: { is: 'Stalled', reason: 'RemoteFailed', message: 'm' }, health: failed('broken') },
  'remote is broken by its own account, and not as its spec asks': {
    outcome: { is: 'Stalled', reason: 'RemoteFailed', message: 'm', differs: true },
    health: failed('broken'),
  },
  deleting: { outcome: { is: 'Working', reason: 'Deleting', message: 'm', recheckAfter: soon } },
  'deleting, held': { outcome: { is: 'Waiting', reason: 'DeletionHeld', message: 'm', on: ['x'], recheckAfter: soon } },
};
const split = / as last seen ready$|, not ready before$/;
const rows = statusRows.filter(
  ({ state }) => state in outcomes || state.replace(/,? as last seen ready$|, not ready before$/, '') in outcomes,
);

describe('the table of states', () => {
  it('has an outcome for every kind of row', () => {
    expect(rows.length).toBeGreaterThanOrEqual(30);
    expect(split.test('x, not ready before')).toBe(true);
  });

  it.each(rows.map((row) => [row.state, row] as const))('%s', (state, row) => {
    const {
      outcome,
      health,
      generation = 3,
    } = outcomes[state] ??
      outcomes[state.replace(/,? as last seen ready$|, not ready before$/, '')] ?? { outcome: { is: 'Quiet', recheckAfter: soon } };
    const conditions =
      conditionsOf({
        outcome,
        health,
        before: known(row.ready === 'True' ? 'True' : 'False'),
        generation,
        deleting: row.deleting === true,
        unbound: false,
        now,
      }) ?? [];
    const status = (type: string): string | undefined => conditions.find((one) => one.type === type)?.status;
    expect({ ready: status('Ready'), synced: status('Synced'), reconciling: status('Reconciling'), stalled: status('Stalled') }).toEqual({
      ready: row.ready,
      synced: row.synced,
      reconciling: row.reconciling,
      stalled: row.stalled,
    });
    const because = conditions.find(({ type }) => type === 'Synced')?.reason;
    expect(because).toBe(row.because ?? because);
    expect(
      kstatus({
        metadata: { generation, ...(row.deleting && { deletionTimestamp: now }) },
        status: { observedGeneration: generation, conditions },
      }),
    ).toBe(row.kstatus);
  });
});

const of = (outcome: Outcome, before: readonly Condition[], health?: Health, unbound = false) =>
  conditionsOf({ outcome, before, health, generation: 3, deleting: false, unbound, now }) ?? [];
const find = (all: readonly Condition[], type: string): Condition | undefined => all.find((one) => one.type === type);

describe('conditions', () => {
  it('Ready keeps the generation that was last synced while a newer one is pending', () => {
    const all = of({ is: 'Working', reason: 'Updating', message: 'm', recheckAfter: soon }, known('True', 2));
    expect(find(all, 'Ready')).toMatchObject({ status: 'True', observedGeneration: 2 });
    expect(find(all, 'Synced')).toMatchObject({ status: 'False', observedGeneration: 3 });
  });
  it('transition times change only with the status', () => {
    const all = of({ is: 'Synced' }, known('True', 2), ready);
    expect(find(all, 'Ready')?.lastTransitionTime).toBe('2026-11-20T00:00:00Z');
    expect(find(of({ is: 'Unsettled', message: 'x', recheckAfter: soon }, known('True')), 'Ready')?.lastTransitionTime).toBe(now);
  });
  it('is False before the first create, whatever is awaited', () => {
    expect(find(of({ is: 'Waiting', reason: 'ReferenceNotReady', message: 'm', on: [], recheckAfter: soon }, []), 'Ready')).toMatchObject({
      status: 'False',
      observedGeneration: 0,
    });
  });
  it('Ready names no generation below 0, not even that of an earlier release', () => {
    const outcome = { is: 'Working', reason: 'Creating', message: 'm', recheckAfter: soon } as const;
    expect(find(of(outcome, known('False', -1)), 'Ready')).toMatchObject({ status: 'False', observedGeneration: 0 });
    expect(find(of({ is: 'Stalled', reason: 'Ambiguous', message: 'm' }, known('True', -1), ready), 'Ready')?.status).toBe('False');
  });
  it('is False where there is no remote, whatever was seen last', () => {
    expect(find(of({ is: 'Retrying', reason: 'Rejected', message: 'm' }, known('True'), undefined, true), 'Ready')?.status).toBe('False');
    expect(find(of({ is: 'Stalled', reason: 'AlreadyExists', message: 'm' }, known('True'), undefined, true), 'Ready')?.status).toBe(
      'False',
    );
  });
  it("is False where the remote is another object's, or nothing tells which of several it is", () => {
    expect(find(of({ is: 'Stalled', reason: 'AlreadyClaimed', message: 'm' }, known('True')), 'Ready')?.status).toBe('False');
    expect(find(of({ is: 'Stalled', reason: 'Ambiguous', message: 'm' }, [], ready), 'Ready')?.status).toBe('False');
    expect(find(of({ is: 'Stalled', reason: 'Ambiguous', message: 'm' }, known('True'), ready), 'Ready')?.status).toBe('True');
  });
  it.each([{ is: 'Again' }, { is: 'Quiet', recheckAfter: soon }, { is: 'Deleted' }] as const)('says nothing for $is', (outcome) => {
    expect(conditionsOf({ outcome, before: [], health: undefined, generation: 1, deleting: false, unbound: false, now })).toBeUndefined();
  });
});
