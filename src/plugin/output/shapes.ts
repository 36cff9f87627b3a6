import * as z from 'zod';
import { plan } from './plan-shape.ts';
import { approvals, gesture, held, move, operation, operations, pauses } from './written-shapes.ts';
import { cost, exportShape, heldShape, importShape, mappingShape, history, once, orphans, rows } from './account-shapes.ts';

/**
 * What `-o json` shows in `data`, by the `kind` of the envelope. Fields are only ever added. The types of the verbs follow
 * from these, and the published JSON Schema.
 */
const crdState = z.object({
  kind: z.string(),
  name: z.string(),
  state: z.enum(['same', 'differs', 'leaving', 'unseen']),
});
export type CrdState = z.infer<typeof crdState>;

const version = z.object({
  plugin: z.object({ version: z.string(), node: z.string() }),
  /** Release of the account's API that operator and plugin are written after. */
  accountApi: z.string().optional(),
  crds: z.array(crdState).optional(),
  operators: z.array(z.object({ name: z.string(), version: z.string(), ready: z.string(), image: z.string() })).optional(),
  /** Of the API server. `supported`: this release is tried with it, or with an older one. */
  kubernetes: z.object({ version: z.string(), supported: z.boolean() }).optional(),
});
export type VersionData = z.infer<typeof version>;

const cause = z.object({ object: z.string(), reason: z.string(), message: z.string(), since: z.string().optional() });

const why = z.object({
  objects: z.array(
    z.object({
      object: z.string(),
      /** Ready and as wanted, for the spec that was applied last. */
      well: z.boolean(),
      ready: z.boolean(),
      /** From the object down to each root: what one waits for follows it, one deeper. */
      chain: z.array(cause.extend({ depth: z.int() })),
      /** The first of `roots`. */
      root: z.string().optional(),
      todo: z.string().optional(),
      /** Of all roots. */
      commands: z.array(z.string()),
      /** What nothing else stands in the way of; all of it must come about. */
      roots: z.array(z.object({ object: z.string(), todo: z.string(), commands: z.array(z.string()) })).optional(),
      /** With `--steps`: in this order, the last is to see it done. */
      steps: z
        .array(z.object({ by: z.enum(['you', 'operator']), object: z.string(), does: z.string(), commands: z.array(z.string()) }))
        .optional(),
      /** With `--against account`: what differs there, in words. */
      differs: z.array(z.string()).optional(),
      /** Objects of what goes with it, as disks with their instance, whose own part of the account is gone. */
      goneInside: z.array(z.string()).optional(),
      /** To which it gives something out, and which are not there now. */
      outputsGone: z.array(z.string()).optional(),
    }),
  ),
});
export type WhyData = z.infer<typeof why>;

const node = z.object({ id: z.string(), state: z.string(), well: z.boolean(), brief: z.string(), missing: z.literal(true).optional() });
const tree = z.object({
  nodes: z.array(node),
  edges: z.array(z.object({ from: z.string(), to: z.string(), field: z.string() })),
});
export type TreeData = z.infer<typeof tree>;

const status = z.object({
  accounts: z.array(
    z.object({
      account: z.string(),
      ready: z.boolean(),
      reason: z.string(),
      message: z.string(),
      user: z.string().optional(),
      /** Absent where the account is not there, or not to be read. */
      mode: z.enum(['Manage', 'ReadOnly']).optional(),
      installation: z.string().optional(),
      servedBy: z.string().optional(),
      balance: z.string().optional(),
      paused: z.string().optional(),
      /** How many objects there are of each reason. */
      objects: z.record(z.string(), z.int()),
      /** How many have fields that differ. */
      drift: z.int(),
      held: z.array(heldShape),
      maintenance: z.int(),
      /** What holds up or hides something in the whole account, in words. */
      notes: z.array(z.string()).optional(),
      needPerson: z.array(cause),
    }),
  ),
});
export type StatusData = z.infer<typeof status>;

const wait = z.object({
  for: z.string(),
  objects: z.array(
    z.object({ object: z.string(), state: z.enum(['reached', 'failed', 'waiting']), reason: z.string(), message: z.string() }),
  ),
});
export type WaitData = z.infer<typeof wait>;

const doctor = z.object({
  findings: z.array(
    z.object({
      id: z.string(),
      severity: z.enum(['ok', 'info', 'warn', 'fail', 'notChecked']),
      seen: z.string(),
      todo: z.string().optional(),
      /** All of them, where `seen` names a few. */
      objects: z.array(z.string()).optional(),
    }),
  ),
});
export type DoctorData = z.infer<typeof doctor>;

const diff = z.object({
  differences: z.array(
    z.object({
      object: z.string(),
      field: z.string(),
      want: z.unknown().optional(),
      have: z.unknown().optional(),
      /** When the operator saw it first, where it did. */
      since: z.string().optional(),
      /** Likely. */
      by: z.string().optional(),
      /** Value of `lifecycle.drift`. */
      policy: z.string(),
      /** What ids in these values are called: `1000 is CloudInstance shop/web`. */
      names: z.array(z.string()).optional(),
      /** Of what was never made: why, as its conditions say. */ reason: z.string().optional(),
      message: z.string().optional(),
      /** Of what is not there: with which object it went. */ with: z.string().optional(),
    }),
  ),
  /** Against the status: what no operator has looked at as it is now; against the account: what could not be read or compared, and why. */
  unknown: z.array(z.object({ object: z.string(), reason: z.string(), message: z.string().optional() })).optional(),
  /** Objects that are paused, and accounts in which nothing is changed: how, and what that lasts for. */
  held: z.array(z.object({ object: z.string(), because: z.string(), until: z.string() })).optional(),
});
export type DiffData = z.infer<typeof diff>;

/** Names and keys, never a value. */
const outputs = z.object({
  object: z.string(),
  outputs: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      keys: z.array(z.string()),
      missing: z.array(z.string()),
      /** Pods of the namespace that take it; absent where nobody knows. */
      usedBy: z.array(z.string()).optional(),
    }),
  ),
});
export type OutputsData = z.infer<typeof outputs>;

const fields = z.array(z.object({ path: z.string(), type: z.string(), limits: z.string(), change: z.string(), description: z.string() }));
const schema = z.object({
  kinds: z.array(
    z.object({
      kind: z.string(),
      shortName: z.string(),
      summary: z.string(),
      fields,
      /** What its spec has as that of other kinds, `lifecycle` for one. Absent where all kinds are listed, as what follows. */
      common: fields.optional(),
      outputs: z.array(z.object({ name: z.string(), secret: z.boolean(), description: z.string() })).optional(),
      /** Of its status what not every kind has. */
      status: fields.optional(),
    }),
  ),
});
export type SchemaData = z.infer<typeof schema>;

const bundle = z.object({
  to: z.string(),
  files: z.array(z.object({ name: z.string(), bytes: z.int() })),
  /** What could not be read. */
  missing: z.array(z.string()),
  /** Whether names are in it. */
  names: z.boolean(),
});
export type BundleData = z.infer<typeof bundle>;

const uninstall = z.object({
  /** In this order. */
  steps: z.array(z.object({ does: z.string(), done: z.boolean(), seen: z.string(), commands: z.array(z.string()) })),
  stripped: z.array(z.object({ object: z.string(), /** What stays in the account. */ path: z.string().optional() })),
});
export type UninstallData = z.infer<typeof uninstall>;

const script = z.object({ shell: z.string() });

const error = z.object({ verb: z.string(), message: z.string() });

export const shapes = {
  Version: version,
  Tree: tree,
  Why: why,
  Status: status,
  Wait: wait,
  Gesture: gesture,
  Operation: operation,
  Operations: operations,
  Move: move,
  Approvals: approvals,
  Pauses: pauses,
  Held: held,
  Doctor: doctor,
  Plan: plan,
  Rows: rows,
  Orphans: orphans,
  History: history,
  Export: exportShape,
  Import: importShape,
  Mapping: mappingShape,
  Cost: cost,
  Once: once,
  Diff: diff,
  Outputs: outputs,
  Schema: schema,
  Bundle: bundle,
  Uninstall: uninstall,
  Script: script,
  Error: error,
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type Kind = keyof typeof shapes;

const accountAsked = z.object({ id: z.string(), endpoint: z.string(), user: z.string(), readAt: z.string() });

/** The whole of what is written. */
export const envelopeOf = (kind: Kind) =>
  z.object({
    apiVersion: z.literal('cli.cloudhosting.dev/v1'),
    kind: z.literal(kind),
    exitCode: z.union([0, 1, 2, 3, 4, 5, 6, 130].map((code) => z.literal(code))),
    cluster: z.object({ server: z.string() }).optional(),
    /** The account that was asked; absent where none was. */
    account: accountAsked.optional(),
    /** In its place where several were. */
    accounts: z.array(accountAsked).optional(),
    warnings: z.array(z.string()),
    data: shapes[kind],
  });
