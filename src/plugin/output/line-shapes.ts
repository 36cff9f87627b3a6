import * as z from 'zod';

/** A line of `wait -o jsonl`, before the last, which is a whole `Wait`. */
export const waitStep = z.object({
  apiVersion: z.literal('cli.cloudhosting.dev/v1'),
  kind: z.literal('WaitStep'),
  at: z.string(),
  object: z.string(),
  state: z.enum(['reached', 'failed', 'waiting']),
  reason: z.string(),
  message: z.string(),
});

/** A line of `events --watch -o jsonl`: a row of the account's events, with what text shows beside it. */
export const accountEvent = z.object({
  apiVersion: z.literal('cli.cloudhosting.dev/v1'),
  kind: z.literal('AccountEvent'),
  event: z.looseObject({
    /** Objects that have what it is about; null: none that the caller may list. */
    object: z.string().nullable(),
    /** Whether its user is one whose token a CloudAccount has: the operator, or somebody else as that user. */
    operatorsUser: z.boolean(),
  }),
});
