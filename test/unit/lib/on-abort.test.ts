import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { base32 } from '../../../src/lib/base32.ts';
import { onAbort } from '../../../src/lib/on-abort.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

it('a thousand who wait on one signal are one listener, and none when all have left', () => {
  const { signal } = new AbortController();
  const leave = Array.from({ length: 1000 }, () => onAbort(signal, () => undefined));
  expect(listeners(signal)).toBe(1);
  for (const one of leave) one();
  for (const one of leave) one();
  expect(listeners(signal)).toBe(0);
});

it('everybody is told once, but those who left', () => {
  const controller = new AbortController();
  const told: string[] = [];
  const leaveEarly = onAbort(controller.signal, () => told.push('early'));
  onAbort(controller.signal, () => told.push('one'));
  onAbort(controller.signal, () => told.push('two'));
  leaveEarly();
  controller.abort();
  controller.abort();
  expect(told).toEqual(['one', 'two']);
  expect(listeners(controller.signal)).toBe(0);
});

it.each([
  ['', ''],
  ['f', 'my'],
  ['fo', 'mzxq'],
  ['foo', 'mzxw6'],
  ['foob', 'mzxw6yq'],
  ['fooba', 'mzxw6ytb'],
  ['foobar', 'mzxw6ytboi'],
])('base32 of %j is that of RFC 4648', (text, expected) => expect(base32(Buffer.from(text))).toBe(expected));
