import type { ReconcileContext } from '../context.ts';
import { jobsOfBirth } from '../identity/birth.ts';
import { claimedBy } from '../identity/ownership.ts';
import type { Drift, PendingPlan } from '../model/outcome.ts';
import type { Policy } from '../model/policy.ts';
import type { BoundRemote } from '../model/step.ts';
import type { PlanContext } from '../plan/input.ts';
import { knowsWhose } from '../resolve/above.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { notOffered } from '../observe/offer.ts';
import { wasApplied, wasSent } from '../plan/applied-values.ts';
import { contestedFields } from './contest.ts';
import { leftAsFound } from './left-as-found.ts';

/** What is wanted of a remote, and under which rules. */
export interface Wished {
  readonly resolved: Resolved;
  readonly policy: Policy;
  readonly pending: boolean;
}

export function contextOf(
  context: ReconcileContext,
  { resolved, policy, pending }: Wished,
  { identity, remote, want }: BoundRemote,
): PlanContext {
  const { object, account, kind } = context;
  // What is taken in part tells by itself what it takes away of it.
  const waiting = resolved.partial.filter((field) => kind.fields[field]?.inPart !== true);
  const complete = waiting.filter((field) => holdsAll(kind.fields[field]?.read?.(remote, want), want[field]));
  const asked = object.status?.['plan'] as PendingPlan | undefined;
  return {
    policy: {
      ...policy,
      ignoreFields: [...policy.ignoreFields, ...resolved.unresolved, ...complete, ...leftAsFound(context, identity, want)],
    },
    pending,
    changed: account.connection.cache.writtenAt(identity.path) > -Infinity,
    drift: (object.status?.['drift'] as readonly Drift[] | undefined) ?? [],
    ...(asked !== undefined && { asked }),
    applied: (field, value) => {
      if (value === undefined) return wasSent(context, field, { identity, remote }) ? false : undefined;
      return wasApplied(context, field, value);
    },
    jobs: [...account.connection.cache.jobs(identity.path), ...jobsOfBirth(context, remote)],
    now: account.connection.apiNow(),
    catalogue: (path) => account.connection.catalogue(path),
    contested: contestedFields(context, { identity, remote, want }),
    standsFor: (path) => standsFor(context, path),
  };
}

/** What no list shows is asked for, and whose it is that is refused as another object's. */
export async function lookBeforeRefusal(
  context: ReconcileContext,
  changes: readonly { readonly field: string }[],
  { want, remote }: BoundRemote,
): Promise<void> {
  const fields = changes.map(({ field }) => field);
  await notOffered(context, want, fields);
  const others = fields.flatMap((field) => context.kind.fields[field]?.others?.(want[field], remote, want) ?? []);
  for (const path of others) await knowsWhose(context, path);
}

/** Who waits for that one to let go is woken then. */
function standsFor(context: ReconcileContext, path: string): string | undefined {
  const holder = claimedBy(context, path);
  if (holder !== undefined) context.engine.claims.refuse(context.account.connection.identity.account, path, context.object);
  return holder;
}

/** A list of which some elements are still awaited takes nothing away. */
const holdsAll = (have: unknown, want: unknown): boolean =>
  Array.isArray(have) && Array.isArray(want) && want.every((item) => have.includes(item));
