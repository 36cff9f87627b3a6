import * as z from 'zod';

/** What verbs show that write into the cluster. */
export const gesture = z.object({
  dryRun: z.boolean(),
  /** Annotations by full name; null: taken away. */
  gestures: z.array(z.object({ object: z.string(), annotations: z.record(z.string(), z.string().nullable()) })),
});
export type GestureData = z.infer<typeof gesture>;

export const operation = z.object({
  dryRun: z.boolean(),
  operation: z.string(),
  action: z.string(),
  /** Of what is done once. */
  notAfter: z.string().optional(),
  /** Where it was waited for. */
  phase: z.string().optional(),
});
export type OperationData = z.infer<typeof operation>;

export const operations = z.object({
  dryRun: z.boolean(),
  operations: z.array(
    z.object({
      operation: z.string(),
      action: z.string(),
      target: z.string(),
      changes: z.string(),
      phase: z.string(),
      /** Of its condition, while it is not over. */
      reason: z.string().optional(),
      finishedAt: z.string().optional(),
      /** Made by this program, and not by Git or somebody else. */
      mine: z.boolean(),
      /** It went, or would go in a dry run. */
      pruned: z.boolean(),
    }),
  ),
});
export type OperationsData = z.infer<typeof operations>;

export const move = z.object({
  dryRun: z.boolean(),
  objects: z.array(z.object({ kind: z.string(), name: z.string(), /** In the account. */ path: z.string() })),
});
export type MoveData = z.infer<typeof move>;

export const approvals = z.object({
  approvals: z.array(
    z.object({
      object: z.string(),
      effect: z.string(),
      hash: z.string(),
      changes: z.array(z.string()),
      names: z.array(z.string()).optional(),
      since: z.string().optional(),
    }),
  ),
  /** Operations that wait for somebody to confirm what is lost by them. */
  confirmations: z.array(z.object({ object: z.string(), consequences: z.array(z.string()) })).optional(),
});
export type ApprovalsData = z.infer<typeof approvals>;

const told = z.array(z.object({ object: z.string(), /** Of its Event, while there is one. */ message: z.string().optional() }));
export const held = z.object({
  held: z.array(
    z.object({
      /** What `--of` takes. */
      of: z.string(),
      count: z.int(),
      message: z.string(),
      /** Each with what a release does to its remote; `more`: what goes with that, and who is left behind. */
      objects: z.array(z.object({ object: z.string(), fate: z.string(), more: z.array(z.string()) })),
      /** What went before these were held, as far as anything names it. */
      went: told,
      /** What went from the cluster and was left in the account, as Events of an hour tell it. */
      stayed: told,
    }),
  ),
});
export type HeldData = z.infer<typeof held>;

export const pauses = z.object({ pauses: z.array(z.object({ object: z.string(), paused: z.string() })) });
export type PausesData = z.infer<typeof pauses>;
