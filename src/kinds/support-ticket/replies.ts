import type * as z from 'zod';
import type { Replies, Ticket } from './remote.ts';

/** A text may come back with other ends of lines than YAML has. */
export const plain = (text: unknown): string => String(text).replaceAll('\r\n', '\n').trim();

interface Reply {
  readonly id: string;
  readonly text: string;
}
export interface Recalled {
  readonly recalled?: {
    readonly replies?: readonly string[] | undefined;
    readonly attachments?: readonly string[] | undefined;
    readonly closed?: boolean | undefined;
  };
}

/** Those that the service lists, each for one of ours, and those of which we know that they were taken. */
export function sent(wanted: readonly Reply[], { replies = [] }: Ticket, { recalled }: Recalled): readonly Reply[] {
  const listed = replies.filter(({ from_vm }) => !from_vm).map(({ description }) => plain(description));
  return wanted.filter(({ id, text }) => {
    const at = listed.indexOf(plain(text));
    if (at >= 0) listed.splice(at, 1);
    return at >= 0 || recalled?.replies?.includes(id) === true;
  });
}
export const firstUnsent = (wanted: readonly Reply[], ticket: Ticket, all: Recalled): Reply | undefined => {
  const known = sent(wanted, ticket, all);
  return wanted.find((one) => !known.includes(one));
};

/** Without its text, which is to be read in the account. */
export function lastOf(replies: z.output<typeof Replies>): { at: string; by: string; fromProvider: boolean } | null {
  const last = replies.toSorted((a, b) => (a.created < b.created ? -1 : 1)).at(-1);
  return last === undefined ? null : { at: `${last.created}Z`, by: last.created_by, fromProvider: last.from_vm };
}
