import { expect } from 'vitest';
import type { TestAccount } from '../test-account.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Group and fact, how it is asked for, and what it says (of an object: at least these fields). */
export type Fact = readonly [fact: string, ask: (api: TestAccount) => Promise<unknown>, wanted: unknown];

export const admin = { authorization: 'Bearer token-admin' };

/** A record may have more fields than the fact names; every one that it names is as it says. */
export const atLeast = (wanted: unknown): unknown =>
  typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) ? expect.objectContaining(wanted as Row) : wanted;
