import * as z from 'zod';
import { effects, remoteId } from '../../resource/index.ts';

const anything = (what: string) => z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true, nullable: true }).describe(what);
const time = (what: string) => z.iso.datetime().describe(what);
const generation = (what: string) => z.int().describe(what);

const condition = z.object({
  type: z.string().max(316).describe('Ready, Synced, Reconciling or Stalled.'),
  status: z.enum(['True', 'False', 'Unknown']).describe('Whether it holds.'),
  reason: z.string().max(1024).describe('One word for machines; the reference lists them all.'),
  message: z.string().max(32_768).describe('What was seen, which field of the spec it concerns, and what to do.'),
  observedGeneration: generation('Generation of the spec that this condition speaks of.').optional(),
  lastTransitionTime: time('When status last changed.'),
});

const drift = z.object({
  field: z.string().describe('Field of the spec.'),
  was: anything('What the spec asks for.').optional(),
  now: anything('What the account has.').optional(),
  since: time('When the difference was first seen.').optional(),
  by: z.string().optional().describe("User who likely made it, from the account's events."),
});

const lastCorrection = z.object({
  fields: z.array(z.string()).describe('Fields of the spec.'),
  at: time('When it was set back.'),
  by: z.string().optional().describe("User who likely made the difference, from the account's events."),
});

const corrections = z.object({
  field: z.string().describe('Field of the spec.'),
  at: z.array(z.string()).describe('When it was set back, the three newest times within an hour.'),
});

const approved = z.object({
  at: time('When the operator accepted it.'),
  hash: z.string().describe('Value of the annotation that approved it.'),
  by: z.string().optional().describe('Field manager that wrote the annotation.'),
  reason: z.string().optional().describe('What annotation cloudhosting.dev/approve-reason says about it.'),
});

const plan = z.object({
  hash: z.string().describe('Value that annotation cloudhosting.dev/approve must have to let this change happen.'),
  content: z
    .string()
    .optional()
    .describe(
      'What annotation cloudhosting.dev/approve-change names, before its `.<until>`. Absent where the change is of a secret or of something that was not read.',
    ),
  effect: z.enum(effects).describe('The most that the change does to the cloud resource.'),
  changes: z.array(z.string()).describe('The changes, one per line.'),
  names: z
    .array(z.string())
    .optional()
    .describe('What ids in the changes are in the cluster: `<id> is <kind> <namespace>/<name>`. Absent where none is known.'),
  approved: approved
    .optional()
    .describe('Set once it is approved: from then on it is made to its end, whatever becomes of the annotation.'),
});

const paused = z.object({
  until: time('When it ends by itself.'),
  reason: z.string().optional().describe('Reason that the annotation gave.'),
  by: z.string().optional().describe('Field manager that wrote the annotation.'),
  at: time('When the operator accepted it.'),
});

const output = z.object({
  kind: z.enum(['Secret', 'ConfigMap']).describe('What it is.'),
  name: z.string().describe('Its name, in the namespace of this object.'),
  missing: z
    .array(z.string())
    .optional()
    .describe(
      'Keys that it does not get, because there is nothing to give out for them (a private address of an instance that has none), or not yet.',
    ),
});

const resumed = z.object({
  value: z.string().describe('Value of annotation cloudhosting.dev/resume that was last acted on.'),
  pause: z.string().optional().describe('The pause that it ended, while annotation cloudhosting.dev/pause still names it.'),
});

/** The part of a status that the engine writes for every kind, as zod describes it. */
export const commonStatus = z.object({
  observedGeneration: generation('Generation of the spec that was last looked at; -1 before the first look.'),
  conditions: z
    .array(condition)
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
    .describe(
      'Ready: usable as last Synced. Synced: the account has what the spec asks for. Reconciling: work is under way or awaited. Stalled: a person must act.',
    ),
  id: remoteId().describe('Id of the cloud resource.'),
  path: z.string().describe("Path of the cloud resource in the account's API."),
  account: z.string().describe("The account's own id."),
  origin: z.enum(['Created', 'Adopted']).describe('Whether the operator made the cloud resource or took it over.'),
  objectUid: z
    .string()
    .describe(
      'Uid of the object for which the cloud resource was noted: a status that a backup put back with another object proves nothing.',
    ),
  remotesBefore: z.int().min(0).describe('How many cloud resources it had before: an identity written for one of them proves nothing.'),
  adoptionSpent: z.string().describe('Uid, and the spec.adopt that is over: what it named had gone, and another one is made in its place.'),
  successorOf: z.array(z.string()).describe('Uid, and what had gone and in whose place another one is made: what was in it comes, too.'),
  leftAsFound: z
    .array(z.string())
    .describe('Fields of an adopted cloud resource that the spec never set: they stay as they were found until it sets them.'),
  keptFor: z.string().describe('Uid, and uid and name of who asks for what it has, and keeps that where it is deleted first.'),
  recreated: z.string().describe('Value of annotation cloudhosting.dev/recreate that was last acted on.'),
  policy: z
    .enum(['Delete', 'Retain', 'Protected', 'Observe'])
    .describe(
      'What deletion of this object does now: delete the cloud resource, keep it, is refused, or nothing because it is only observed.',
    ),
  drift: z.array(drift).describe('Fields that differ from the spec.'),
  lastCorrection: lastCorrection.describe('The last difference that the operator set back.'),
  corrections: z.array(corrections).describe('How often fields were set back lately; at three times within an hour a field is Contested.'),
  plan: plan.describe('A change that waits for approval, or was approved and is being made.'),
  approvals: z
    .array(z.string())
    .describe('Values of annotation cloudhosting.dev/approve-change that are spent, kept until their time is over; at most eight.'),
  paused: paused.describe('A pause with an end; it lasts until then, whatever becomes of its annotation.'),
  lastHandledReconcileAt: z
    .string()
    .describe('Value of annotation cloudhosting.dev/reconcile-at that was last acted on: what the conditions say was seen after that.'),
  resumed: resumed.describe('The last end of a pause before its time.'),
  outputs: z.array(output).describe('The Secrets and ConfigMaps that this object writes.'),
  waitingFor: z.array(z.string()).describe('What must happen first, for example objects that this one refers to.'),
  blockedBy: z.array(z.string()).describe('What runs on the cloud resource itself and must end first, for example a job of the account.'),
  progress: z
    .object({
      percent: z.int().min(0).max(100).describe('Percent done.'),
      message: z.string().optional().describe('What is being done.'),
    })
    .describe('The job that is under way in the account; written at most every five seconds.'),
  lastSyncTime: time('When the spec and the account were last found equal; written only together with another change.'),
  applied: z
    .record(z.string(), z.string())
    .describe(
      'Keyed hash of each value that cannot be read back, by field, to apply it again when it is rotated; `none` where the spec names none, to apply it once it does.',
    ),
  sending: z
    .string()
    .describe('A change that must not be made twice, as a keyed hash, and when it was about to be sent; there until its outcome is known.'),
  intent: anything('Copy of annotation cloudhosting.dev/intent while the outcome of a create is not known.'),
  lastAttempt: z
    .string()
    .describe(
      'Number up to which attempts to make it are over, and since when, signed: what annotation cloudhosting.dev/intent says of those counts no more.',
    ),
});

/** Beside these, of what is issued. */
export const issuedStatus = z.object({
  expires: time('Until when what was given out works; it is renewed when a third of its time is left.'),
  issued: z
    .object({
      at: time('When the account gave it out.'),
      for: z.string().describe('Hash of what was asked for: with another one it is issued anew.'),
      as: z.string().describe('Keyed hash of what was given out, to know it again.'),
    })
    .describe('What was given out last.'),
});

/** Beside these, of a kind to which something is done once. */
export const operatedStatus = z.object({
  operations: z
    .array(z.string())
    .max(200)
    .describe(
      'What was begun for objects that have something done once, as hash, uid, `spec.notAfter`, attempt and a hash of what its references lead to, until then: the same is not done again, whatever becomes of those objects. `taken`: the cloud resource was found or adopted, and operations ask until then. Also in annotation cloudhosting.dev/operations.',
    ),
});

/** Beside these, of what its name alone tells from others. */
export const namedStatus = z.object({
  bornAt: time('When the cloud resource was made: another one of its name is not this one.'),
});

/** Beside these, of what can be renewed. */
export const rotationStatus = z.object({
  renewedAt: time('When what is given out was made or renewed last; of what was taken over, when that was.'),
  rotatesAt: time('When it is renewed next.'),
  rotated: z.string().describe('Value of annotation cloudhosting.dev/rotate that was last accepted, or was there at the beginning.'),
  resetting: z.string().describe('When a reset of the secret was about to be sent; there until the new one is in its Secret.'),
  resetAt: time('When the secret that is in use was told by a reset: one in the Secret that is older is void.'),
  rotating: z.string().describe('Path of the cloud resource that a person wants renewed; there until it is.'),
  retiring: z
    .array(
      z.object({
        account: z.string().describe("The account's own id."),
        path: z.string().describe("Path in the account's API."),
        until: time('When it is deleted.'),
        mac: z.string().describe('Signature of the operator.'),
      }),
    )
    .describe('Cloud resources in whose place another one has come: what was given out of them works until they are deleted.'),
});

/** Beside these, of what waits for bytes after its create. */
export const transferStatus = z.object({
  madeAnew: z
    .array(z.string())
    .describe(
      'Cloud resources that were given up because nobody knew any more to which address their data goes; there until one is whole.',
    ),
});

/** Beside these, of what the service wants changed only so often. */
export const spacedStatus = z.object({
  nextChangeAt: time(
    'Before this no other change is sent: the service wants so much time between two. It is written before a change, and once more after it.',
  ),
});

/** Beside these, of what is done once. */
export const operationStatus = z.object({
  phase: z
    .enum(['Pending', 'AwaitingConfirmation', 'Waiting', 'Running', 'Succeeded', 'Failed', 'Unknown', 'Expired'])
    .describe(
      'Pending: what it needs is not there yet. AwaitingConfirmation: a person must confirm `challenge`. Waiting: something else runs first. Running: it was sent. The others are final: Unknown was sent, and nothing tells how it ended; Expired was not sent, because it came too late or was done before.',
    ),
  targetPath: z.string().describe('What it is done to, in the account.'),
  ontoPath: z.string().describe('What changes in its place, in the account, where the spec names another.'),
  consequences: z.array(z.string()).describe('What is lost by it, or cannot be told: why it asks first.'),
  names: z
    .array(z.string())
    .describe('What ids in the consequences are in the cluster: `<id> is <kind> <namespace>/<name>`. Absent where none is known.'),
  challenge: z.string().describe('What annotation cloudhosting.dev/confirm must repeat; another one when the consequences are others.'),
  confirmed: z
    .object({
      at: time('When it was accepted.'),
      challenge: z.string().describe('What was confirmed.'),
      by: z.string().describe('Field manager that wrote it.').optional(),
    })
    .describe('The confirmation that was accepted.'),
  sent: z
    .object({
      at: time('When it was about to be sent, by the clock of the service.'),
      after: z.int().describe('The newest event before it.'),
      accepted: z.boolean().describe('The service answered that it does it.').optional(),
      busy: z.boolean().describe('The service answered that it is busy, which may be with this very call.').optional(),
      replaced: z.array(z.string()).describe('Ids of what shall be gone when it is done.').optional(),
      renewed: z.string().describe('Keyed hash of the secret that shall be another when it is done.').optional(),
    })
    .describe('The one call.'),
  job: z.int().describe('The event of the account that tells how it goes.'),
  finishedAt: time('When its phase became final.'),
});
