import { describe, expect, it } from 'vitest';
import type { PlanData } from '../../../src/plugin/output/plan-shape.ts';
import { planLines, planMarkdown } from '../../../src/plugin/plan/render.ts';

type Entry = PlanData['objects'][number];
const account = { account: 'team-a/default', id: 'E1', user: 'ci', endpoint: 'main', readAt: '2026-01-01T00:00:00Z' };
const approval = { annotation: 'cloudhosting.dev/approve-change', value: `${'0'.repeat(16)}.2026-01-02T00:00:00Z` };

const entry = (name: string, more: Partial<Entry> = {}): Entry => ({
  kind: 'CloudVolume',
  namespace: 'team-a',
  name,
  action: 'change',
  needsApproval: false,
  changes: [],
  calls: [{ method: 'PUT', path: `/volumes/${name}` }],
  after: [],
  ...more,
});
const planOf = (objects: Entry[], wouldHold = 0): PlanData => ({
  objects,
  summary: { change: objects.length },
  brake: { wouldHold },
  accounts: [account],
  wroteNothing: true,
});
const many = (count: number, of: (name: string) => Entry): Entry[] => Array.from({ length: count }, (_, at) => of(`data-${at}`));
const shown = (objects: Entry[]): string => planMarkdown(planOf(objects)).join('\n');
const count = (text: string, what: RegExp): number => [...text.matchAll(what)].length;
const rows = /^\| CloudVolume .*\|$/gm;
const approvals = /^Approve with the change, .* cloudhosting\.dev\/approve-change: 0{16}\.2026-01-02T00:00:00Z$/gm;
const folds = /^<details>[^]*?^<\/details>$/gm;
const leftOut = (text: string, what: string): number =>
  Number(new RegExp(`^Left out: ${what} of (\\d+) objects?\\. `, 'm').exec(text)?.[1] ?? 0);

/** A comment may have 65,536 characters. */
const most = 65_536;

describe('a plan as a comment', () => {
  it.each([10, 500, 1270, 3000, 20_000])('of %i changes with approvals fits, in whole lines, and counts what is left out', (size) => {
    const text = shown(many(size, (name) => entry(name, { needsApproval: true, approval })));
    expect(text.length).toBeLessThan(most);
    expect(text).toContain('Nothing was written.');
    expect(count(text, /^\| Cloud/gm)).toBe(count(text, rows));
    expect(count(text, /^Approve with/gm)).toBe(count(text, approvals));
    expect(count(text, /^<details>/gm)).toBe(count(text, folds));
    expect(count(text, approvals)).toBeGreaterThan(9);
    expect(count(text, rows) + leftOut(text, 'rows')).toBe(size);
    expect(count(text, approvals) + leftOut(text, 'approvals')).toBe(size);
    expect(count(text, folds) + leftOut(text, 'details')).toBe(size);
  });

  it('shows every approval before the details of a plan that is too long for all', () => {
    const text = shown(
      many(500, (name) => entry(name, name === 'data-499' ? { needsApproval: true, approval } : { message: 'm'.repeat(300) })),
    );
    expect(count(text, rows)).toBe(500);
    expect(count(text, approvals)).toBe(1);
    expect(text.indexOf('Approve with')).toBeLessThan(text.indexOf('<details>'));
    expect(leftOut(text, 'details')).toBeGreaterThan(0);
  });

  it('leaves out one text that is too long, and not the short ones after it', () => {
    const text = shown([entry('long', { message: 'm'.repeat(70_000) }), entry('short')]);
    expect(text).toContain('/volumes/short');
    expect(leftOut(text, 'details')).toBe(1);
  });

  it('leaves nothing out of what fits', () => {
    expect(shown(many(100, (name) => entry(name)))).not.toContain('Left out');
  });
});

it('counts one deletion as one', () => {
  expect(planLines(planOf([entry('one')], 1), false).join('\n')).toContain(' 1 deletion would be held');
});
