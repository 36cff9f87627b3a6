import { expect, it } from 'vitest';
import { timelineOf } from './timeline.ts';
import type { Mark, Passage } from '../stage/wire.ts';

const passage = (at: number, change: Partial<Passage> = {}): Passage => ({
  at,
  by: 'operator-1',
  server: 'cloud',
  request: { method: 'GET', path: '/v4/volumes/1', headers: {}, body: Buffer.from(''), signal: new AbortController().signal },
  shape: `GET /at/${at}`,
  outcome: '200',
  struck: false,
  rate: 'general',
  nth: 1,
  ...change,
});
const mark = (at: number, text: string): Mark => ({ at, mark: text });
const calls = (from: number, count: number): readonly Passage[] => Array.from({ length: count }, (_, i) => passage(from + i));
const shown = (record: readonly (Passage | Mark)[]): string => timelineOf(record).join('\n');

it('shows what surrounds a struck request, however late it comes', () => {
  const record = [mark(0, 'the operation begins'), ...calls(1, 300), passage(301, { struck: true, outcome: '500' }), ...calls(302, 300)];
  const text = shown(record);
  expect(text).toContain('GET /at/301 #1 -> 500  <== FAULT');
  expect(text).toContain('GET /at/290 ');
  expect(text).toContain('GET /at/361 ');
  expect(text).not.toContain('GET /at/200 ');
  expect(text).toMatch(/\.\.\. \d+ more/);
});

it('shows what surrounds a mark of a fault that strikes no request', () => {
  const record = [mark(0, 'the operation begins'), ...calls(1, 300), mark(301, 'the CRD is of another version'), ...calls(302, 300)];
  const text = shown(record);
  expect(text).toContain('-- the CRD is of another version --');
  expect(text).toContain('GET /at/300 ');
  expect(text).toContain('GET /at/303 ');
});

it('takes no ordinary mark for a fault', () => {
  const record = [mark(0, 'the operation begins'), ...calls(1, 300), mark(301, 'operator-2 starts'), ...calls(302, 300)];
  expect(shown(record)).not.toContain('operator-2 starts');
});

it('shows a poll only where it is what was struck', () => {
  const poll = { request: { ...passage(1).request, path: '/v4/account/events' } };
  const text = shown([mark(0, 'the operation begins'), passage(1, poll), passage(2, { ...poll, struck: true, outcome: 'lost' })]);
  expect(text).not.toContain('/at/1 ');
  expect(text).toContain('/at/2 #1 -> lost  <== FAULT');
});

it('shows a fault that strikes everything where it begins and where it ends', () => {
  const struck = calls(1, 900).map((one) => ({ ...one, struck: true }));
  const text = shown([mark(0, 'the operation begins'), ...struck]);
  expect(text).toContain('/at/1 ');
  expect(text).toContain('/at/900 ');
  expect(text).not.toContain('/at/450 ');
});
