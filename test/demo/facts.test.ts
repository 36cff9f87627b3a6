import { expect, it } from 'vitest';
import { sleep } from '../../src/lib/clock.ts';
import { VirtualClock } from '../support/virtual/virtual-clock.ts';
import { Narrator } from './facts.ts';

function watched() {
  const clock = new VirtualClock();
  const lines: string[] = [];
  const narrator = new Narrator({ clock, write: (text) => void lines.push(...text.trimEnd().split('\n')) });
  /** Without the time in front. */
  const told = (): readonly string[] => lines.map((line) => line.replace(/^ *[\d.]+ s {2}/, ''));
  return { clock, narrator, told };
}

it('what is waited for is told while it is, and again, and no more once it is there', async () => {
  const { clock, narrator, told } = watched();
  const built = narrator.during('the build', sleep(clock, 25_000));
  await clock.advance(500);
  expect(told()).toEqual([]);
  await clock.advance(23_500);
  expect(told()).toEqual(['... waits for the build', '... still waits for the build (11 s)', '... still waits for the build (21 s)']);
  await clock.advance(60_000);
  await built;
  expect(told()).toHaveLength(3);
});

it('what fails is told by who waits, and nothing after it', async () => {
  const { clock, narrator, told } = watched();
  await expect(narrator.during('the build', Promise.reject(new Error('no')))).rejects.toThrow('no');
  await clock.advance(60_000);
  expect(told()).toEqual([]);
});

it('a fact says what it looks for until it sees it', async () => {
  const { clock, narrator, told } = watched();
  const fact = narrator.fact('it is corrected', () => Promise.resolve(clock.monotonic() > 3000 ? 'after 3 s' : undefined));
  await clock.advance(4000);
  await fact;
  expect(told()).toEqual(['... waits to see that it is corrected', '✓ it is corrected: after 3 s']);
  const never = narrator.fact('it is there', () => Promise.resolve(undefined), 2000).catch((error: unknown) => String(error));
  await clock.advance(5000);
  expect(await never).toContain('not seen within 2 s: it is there');
});
