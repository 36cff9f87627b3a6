/** Deterministic randomness: the same seed gives the same ids, addresses, secrets and faults. */
export interface Rng {
  /** 0 <= x < 1. */
  next(): number;
  /** Both bounds included. */
  integer(low: number, high: number): number;
  hex(digits: number): string;
  /** 8-4-4-4-12, lower case. */
  uuid(): string;
  pick<T>(choices: readonly T[]): T;
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function createRng(seed: number): Rng {
  const next = mulberry32(seed);
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const hex = (digits: number): string => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join('');
  return {
    next,
    integer,
    hex,
    uuid: () => [8, 4, 4, 4, 12].map((digits) => hex(digits)).join('-'),
    pick: <T>(choices: readonly T[]): T => {
      const chosen = choices[integer(0, choices.length - 1)];
      if (chosen === undefined) throw new RangeError('nothing to pick from');
      return chosen;
    },
  };
}
