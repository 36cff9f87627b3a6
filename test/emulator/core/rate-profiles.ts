import type { RateProfile } from '../contract/knobs.ts';
import type { RateClass } from '../contract/operation.ts';

export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
  /** Requests that may be in flight at once. */
  readonly concurrency?: number;
  /** A second, always sliding window. */
  readonly burst?: { readonly requests: number; readonly seconds: number };
}

type Table = Readonly<Partial<Record<RateClass, RateLimit>>> & { readonly default: RateLimit };

/** As published on 2026-09-17 (notes/reliability.md 0.1), per user. */
const published2026: Table = {
  default: { requests: 1600, seconds: 60 },
  list: { requests: 200, seconds: 60 },
  vm_create: { requests: 20, seconds: 15 },
  volume_create: { requests: 100, seconds: 60 },
  image_list: { requests: 20, seconds: 60 },
  stackscript_list: { requests: 60, seconds: 60 },
  stats: { requests: 50, seconds: 60 },
  object_write: { requests: 60, seconds: 60, concurrency: 2, burst: { requests: 5, seconds: 1 } },
  object: { requests: 1600, seconds: 60, concurrency: 1 },
  ticket: { requests: 2, seconds: 60 },
};

/** As recorded around release 4.147.0. */
const recorded2023: Table = {
  default: { requests: 800, seconds: 60 },
  vm_create: { requests: 10, seconds: 30 },
  stackscript_list: { requests: 20, seconds: 60 },
  stats: { requests: 100, seconds: 60 },
  ticket: { requests: 2, seconds: 60 },
};

const profiles: Readonly<Record<RateProfile, Table | undefined>> = {
  'published-2026': published2026,
  'recorded-2023': recorded2023,
  none: undefined,
};

/** The limit of a class and the class whose window it shares; undefined: no limit and no rate headers. */
export function limitOf(profile: RateProfile, rate: RateClass): { readonly limit: RateLimit; readonly shared: RateClass } | undefined {
  const table = profiles[profile];
  if (table === undefined) return undefined;
  const own = table[rate];
  return own === undefined ? { limit: table.default, shared: 'default' } : { limit: own, shared: rate };
}
