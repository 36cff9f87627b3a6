import * as z from 'zod';

/** As whom which account was asked. */
const accountShown = z.object({ account: z.string(), id: z.string(), user: z.string(), endpoint: z.string() });

export const rows = z.object({
  account: accountShown,
  /** As the service sends them; secrets are `***`. */
  rows: z.array(z.record(z.string(), z.unknown())),
});
export type RowsData = z.infer<typeof rows>;

const unreadLists = z.array(z.object({ kind: z.string(), path: z.string(), why: z.string() }));
export type UnreadList = z.infer<typeof unreadLists>[number];

export const orphans = z.object({
  account: accountShown,
  /** What no object stands for, of the classes that were asked for. */
  orphans: z.array(
    z.object({
      class: z.enum(['unmanaged', 'retained', 'lost', 'foreign']),
      kind: z.string(),
      id: z.union([z.string(), z.number()]),
      label: z.string(),
      region: z.string().optional(),
      created: z.string().optional(),
      path: z.string(),
      /** The object from whose name its label looks derived. */
      like: z.string().optional(),
      /** An object whose annotation names it, and whose status, which only the operator writes, does not. */
      claimedBy: z.string().optional(),
      /** Of what lies below something else: the object that has that. */
      in: z.string().optional(),
      /** The line of a manifest's spec that brings it in. */
      adopt: z.string(),
      /** The line to type for its manifest. */
      export: z.string(),
      /** US dollars, with --cost; absent where nobody says it. */
      monthly: z.number().optional(),
    }),
  ),
  /** With --cost: of those that are listed, without those of which nobody says the price. */
  monthly: z.object({ usd: z.number(), unknown: z.int() }).optional(),
  /** Objects whose remote is not there; `reason` is the operator's own. */
  missing: z.array(z.object({ object: z.string(), path: z.string(), reason: z.string().optional() })),
  /** Lists that the service did not give, and what it said; what stands in them is not told, and whether it is missing neither. */
  unread: unreadLists.optional(),
  /** How many there are of each, those that were not asked for included. */
  counts: z.object({ unmanaged: z.int(), retained: z.int(), lost: z.int(), foreign: z.int(), missing: z.int() }),
});
export type OrphansData = z.infer<typeof orphans>;

export const history = z.object({
  /** Absent where it was not asked, or could not be. */
  account: accountShown.optional(),
  object: z.string(),
  /** Path of the remote that it has now. */
  remote: z.string().optional(),
  /** From the oldest. */
  entries: z.array(
    z.object({
      at: z.string(),
      /** `kubernetes`: Events and field managers; `audit`: the operator's audit log. */
      source: z.enum(['account', 'status', 'kubernetes', 'audit']),
      /** Action of an event, or what status tells. */
      what: z.string(),
      /** `parent`: the event names only what the remote lies below, and may be of another there. */
      about: z.enum(['itself', 'parent']),
      by: z.string().optional(),
      state: z.string().optional(),
      message: z.string().optional(),
      /** Id of the event. */
      event: z.int().optional(),
    }),
  ),
  /** What its conditions say as they stand, whenever they turned. */
  now: z.array(z.object({ conditions: z.array(z.string()), reason: z.string(), message: z.string() })).optional(),
  /** Why what the account tells is missing, and what to do. */
  unread: z.string().optional(),
});
export type HistoryData = z.infer<typeof history>;

const neededSecret = z.object({
  namespace: z.string(),
  name: z.string(),
  key: z.string(),
  /** The field that names it. */ for: z.string(),
});
export const exportShape = z.object({
  account: accountShown.optional(),
  to: z.string(),
  files: z.array(z.string()),
  kinds: z.array(z.object({ kind: z.string(), found: z.int(), written: z.int() })),
  /** Not written, and what the operator would do with it, or the API server say to it. */
  unproven: z.array(z.object({ kind: z.string(), id: z.union([z.string(), z.number()]), path: z.string(), why: z.string() })),
  /** `object`: it has it, or names it in its spec. `claimedBy`: an object whose annotation names it, and whose status does not. */
  skipped: z.array(
    z.object({
      kind: z.string(),
      id: z.union([z.string(), z.number()]),
      path: z.string(),
      why: z.string(),
      object: z.string().optional(),
      claimedBy: z.string().optional(),
    }),
  ),
  /** Lists that the service did not give, and what it said; what stands in them is not written. */
  unread: unreadLists.optional(),
  /** What is sent for a written one once it is managed, though nothing differs. */
  marking: z.array(z.object({ kind: z.string(), path: z.string(), why: z.string() })).optional(),
  /** Fields that a manifest leaves alone, as they change with something else. */
  leftAlone: z.array(z.object({ kind: z.string(), path: z.string(), field: z.string(), why: z.string() })).optional(),
  /** Files of an earlier export for what another file is for now. */
  before: z.array(z.object({ file: z.string(), what: z.string(), by: z.string() })).optional(),
  /** Kinds that are written only where they are named. */
  unasked: z.array(z.object({ kind: z.string(), why: z.string() })).optional(),
  /** Keys of Secrets that somebody has to make. */
  secrets: z.array(neededSecret).optional(),
  /** Secrets that the operator writes for what is written, as `namespace/name`, also while it only observes. */
  givenOut: z.array(z.object({ object: z.string(), secret: z.string() })).optional(),
  /** Namespaces that the CloudAccount does not admit yet, or not with so many objects. */
  access: z
    .array(z.object({ namespace: z.string(), adopt: z.boolean(), count: z.int().optional(), maxObjects: z.int().optional() }))
    .optional(),
  /** What is written costs so many US dollars a month, without those of which nobody says the price. */
  monthly: z.object({ usd: z.number(), unknown: z.int() }).optional(),
});
export type ExportData = z.infer<typeof exportShape>;

const told = z.object({ address: z.string(), type: z.string(), why: z.string() });
export const importShape = z.object({
  state: z.object({
    lineage: z.string(),
    serial: z.int(),
    terraform: z.string(),
    /** Of the provider; those of `others` are not looked at. */
    instances: z.int(),
    others: z.int(),
    /** Written by terraform show, which tells no lineage. */
    isShown: z.boolean().optional(),
  }),
  /** Those that were asked; none with --verify=none. */
  accounts: z.array(accountShown),
  to: z.string(),
  files: z.array(z.string()),
  written: z.array(
    z.object({
      addresses: z.array(z.string()),
      kind: z.string(),
      id: z.union([z.string(), z.number()]),
      name: z.string(),
      namespace: z.string(),
      proven: z.boolean(),
      /** What the operator would do if the state were right. */
      differs: z.string().optional(),
    }),
  ),
  /** What stays in Terraform. */
  left: z.array(told),
  /** What is written and yet wants to be known. */
  notes: z.array(told),
  /** Held back, by their names. */
  secrets: z.array(z.object({ address: z.string(), attribute: z.string() })),
  /** What the state has in clear and opens something. */
  rotate: z.array(z.string()),
  /** Keys of Secrets that somebody has to make. */
  needed: z.array(neededSecret),
});
export type ImportData = z.infer<typeof importShape>;

export const mappingShape = z.object({
  mapping: z.array(z.object({ type: z.string(), attribute: z.string(), becomes: z.string() })),
});

const money = { monthly: z.number(), /** How many have no known price; the sum is without them. */ unknown: z.int() };
export const cost = z.object({
  account: accountShown,
  month: z.string().optional(),
  lines: z.array(
    z.object({
      kind: z.string(),
      /** Absent where no object of this kind stands for it. */
      object: z.string().optional(),
      /** The object of another kind in whose spec it stands, as a pool in that of its cluster. */
      of: z.string().optional(),
      namespace: z.string().optional(),
      account: z.string().optional(),
      labels: z.record(z.string(), z.string()),
      id: z.union([z.string(), z.number()]).optional(),
      label: z.string(),
      /** US dollars; absent where nobody says it. */
      monthly: z.number().optional(),
      basis: z.string(),
    }),
  ),
  groups: z.array(z.object({ group: z.string(), count: z.int(), ...money })),
  ...money,
  /** Invoiced, and for none of the lines. */
  rest: z.number().optional(),
  /** What the account has for its next invoice. */
  uninvoiced: z.number().optional(),
  /** Lists that the service did not give, and what it said; what stands in them is in no sum. */
  unread: unreadLists.optional(),
  /** Objects of other accounts. */
  elsewhere: z.int(),
});
export type CostData = z.infer<typeof cost>;

export const once = z.object({
  account: accountShown,
  what: z.string(),
  state: z.enum(['DryRun', 'Answered', 'Resolved', 'NotSent']),
  /** Under which it stands in the journal. */
  nonce: z.string().optional(),
  /** What must be done first, in this order, where nothing was sent. */
  steps: z.array(z.object({ does: z.string(), commands: z.array(z.string()) })).optional(),
  /** What else stands in the way then. */
  obstacles: z.array(z.string()).optional(),
  /** What would be sent, without its body. */
  request: z.string().optional(),
  /** The service's answer; secrets are `***`. */
  result: z.record(z.string(), z.unknown()).optional(),
  /** Of a payment: what the account owed before and owes now, in US dollars. */
  balance: z.object({ before: z.number(), after: z.number() }).optional(),
});
export type OnceData = z.infer<typeof once>;

/** `gone`: deleted by the operator before the others were held; `goneNames`: their objects, as far as the account tells. */
export const heldShape = z.object({
  of: z.string(),
  count: z.int(),
  message: z.string(),
  gone: z.int().optional(),
  goneNames: z.array(z.string()).optional(),
});
