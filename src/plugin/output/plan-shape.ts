import * as z from 'zod';

const effect = z.enum(['InPlace', 'Reboot', 'Rebuild', 'Replace', 'Never']);

export const plan = z.object({
  objects: z.array(
    z.object({
      kind: z.string(),
      namespace: z.string(),
      name: z.string(),
      action: z.enum(['none', 'create', 'adopt', 'change', 'replace', 'delete', 'retain', 'wait', 'refused']),
      effect: effect.optional(),
      needsApproval: z.boolean(),
      changes: z.array(
        z.object({
          field: z.string(),
          from: z.unknown(),
          to: z.unknown(),
          effect,
          secret: z.boolean(),
          /** Of a record or a list of them, in words: each field or record that is added (+), removed (-) or changed (~). */
          elements: z.array(z.string()).optional(),
          /** Not sent before the approval. Absent where one is needed: sent at once, without it. */
          afterApproval: z.literal(true).optional(),
        }),
      ),
      /** In order; paths in neutral words. `afterApproval`: as of changes. */
      calls: z.array(
        z.object({ method: z.string(), path: z.string(), body: z.unknown().optional(), afterApproval: z.literal(true).optional() }),
      ),
      /** Objects that must be made before it. */
      after: z.array(z.string()),
      /**
       * What it costs a month, in US dollars; absent where nobody tells. Of what is paid for and does not stay as it is.
       * `untilApproved`: what it costs while the approval is waited for, where a part is sent before that.
       */
      monthlyUSD: z
        .object({
          before: z.number().optional(),
          untilApproved: z.number().optional(),
          after: z.number().optional(),
          basis: z.string(),
        })
        .optional(),
      approval: z.object({ annotation: z.string(), value: z.string() }).optional(),
      refusal: z.object({ reason: z.string(), message: z.string(), field: z.string().optional() }).optional(),
      message: z.string().optional(),
      /** Until when it is paused, and why: nothing is sent before, and the rest is what happens then. */
      paused: z.string().optional(),
      /** What it was told by: `account`, `status of TIME`, or `manifests`. */
      basis: z.string().optional(),
      /** The account does not have it: it is lost, or counts as lost once that was proven. */
      missing: z.literal(true).optional(),
      /** What cannot be told by that, in words. */
      unknown: z.array(z.string()).optional(),
    }),
  ),
  /** How many objects there are of each action. */
  summary: z.record(z.string(), z.int()),
  /** Deletions that are too many at once, so that a person would have to let them go. */
  brake: z.object({ wouldHold: z.int() }),
  accounts: z.array(z.object({ account: z.string(), id: z.string(), user: z.string(), endpoint: z.string(), readAt: z.string() })),
  /** Accounts to which nothing is sent now; what is told is what would happen once that is over. */
  notWritable: z.array(z.object({ account: z.string(), because: z.string(), until: z.string() })).optional(),
  wroteNothing: z.literal(true),
});
export type PlanData = z.infer<typeof plan>;
