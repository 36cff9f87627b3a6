import * as z from 'zod';
import type { Millis } from '../../lib/clock.ts';
import { type AnyIssued, type AnyWant, digest } from '../../resource/index.ts';
import type { Resource } from '../ports/index.ts';
import { hasStatusOfAnother } from '../model/annotations.ts';
import { canonical } from '../model/values.ts';

/** As status notes what was given out last. */
export interface Issued {
  /** On the service's clock. */
  readonly at: Millis;
  readonly until: Millis;
  /** Digest of what was asked for. */
  readonly for: string;
  /** Keyed digest of what was given out. */
  readonly as: string;
}

const time = z.iso.datetime().transform((text) => Date.parse(text));
const noted = z.object({ expires: time, issued: z.object({ at: time, for: z.string(), as: z.string() }) });

export function issuedOf({ status = {} }: Resource): Issued | undefined {
  const { data } = noted.safeParse(status);
  return data && { ...data.issued, until: data.expires };
}

/** Something was given out to this very object. */
export const isIssued = (object: Resource): boolean => issuedOf(object) !== undefined && !hasStatusOfAnother(object);

/** RFC 3339, to the second: what is left of it is rather told too short than too long. */
export const secondOf = (at: Millis): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** When a third of its time is left. */
export const renewalOf = ({ at, until }: Pick<Issued, 'at' | 'until'>): Millis => until - (until - at) / 3;

/** Tells what is asked for, and of which account, without saying it. */
export const askedFor = ({ issue }: AnyIssued, want: AnyWant, account: string): string =>
  digest(canonical([account, issue.call(want), issue.seconds(want)]));
