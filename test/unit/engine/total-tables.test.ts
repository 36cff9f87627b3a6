import { describe, expect, it } from 'vitest';
import type { Performers } from '../../../src/engine/context.ts';
import type { ByEnding } from '../../../src/engine/model/outcome.ts';
import type { CreateSteps, DeleteSteps, RetentionSteps, UpdateSteps } from '../../../src/engine/model/step.ts';
import { updatePerformers } from '../../../src/engine/update/update.ts';
import type { Mode } from '../../../src/resource/index.ts';

const done = (): { readonly is: 'Deleted' } => ({ is: 'Deleted' });
const row = (): number => 1;

/** What counts is that these compile: `tsc` fails where an error that is expected does not come. */
describe('a table that lacks a row does not compile', () => {
  it('of steps and their performers', () => {
    const { nothing, ...rest } = updatePerformers;
    // @ts-expect-error -- nothing performs `nothing`
    const lacking: typeof updatePerformers = rest;
    expect(Object.keys(lacking)).not.toContain('nothing');
    expect(nothing).toBeTypeOf('function');
    // @ts-expect-error -- nor may it be of another step
    const others: Performers<UpdateSteps> = { ...rest, nothing: (...[, step]: [unknown, { readonly do: 'create' }]) => step && done() };
    // @ts-expect-error -- nothing performs `refuse`
    const removals: Performers<DeleteSteps> = { release: done, delete: done, wait: done };
    // @ts-expect-error -- nothing performs `retain`
    const retentions: Performers<RetentionSteps> = { release: done, releaseWithNotice: done, say: done };
    // @ts-expect-error -- nothing performs `lookUp`
    const creations: Performers<CreateSteps> = { adopt: done, create: done, hold: done };
    expect([others, removals, retentions, creations]).toHaveLength(4);
  });
  it('of outcomes and what follows from them', () => {
    const most = { Synced: row, Unsettled: row, Working: row, Waiting: row, Reported: row, Approval: row, Paused: row, Retrying: row };
    const all: ByEnding<number> = { ...most, Stalled: row, Quiet: row, Again: row, Deleted: row };
    // @ts-expect-error -- `Again` has no row
    const lacking: ByEnding<number> = { ...most, Stalled: row, Quiet: row, Deleted: row };
    expect(Object.keys(all)).toHaveLength(Object.keys(lacking).length + 1);
  });
  it('of modes', () => {
    // @ts-expect-error -- nobody looks after a connection
    const dispatchers: Readonly<Record<Mode, () => void>> = { collection: () => undefined, singleton: () => undefined };
    expect(Object.keys(dispatchers)).toHaveLength(2);
  });
});
