import type { Millis } from '../../lib/clock.ts';
import { minutes, type ReferenceSite, type Row } from '../../resource/index.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Update } from '../model/step.ts';
import { isEmpty } from '../model/values.ts';
import type { Resource } from '../ports/index.ts';
import { admittedTarget } from '../resolve/target.ts';

/** Lists are read every five minutes; what was seen before that, and not since, was not looked at: the account may have been away. */
const seenWithin: Millis = 360_000;

/**
 * What this remote is taken away from may need it, and the status of what it is moved to, or of what a value is taken from, is as old as an
 * operator's last look: that may be gone since. So it is looked at first, unless this process has seen it lately.
 */
export async function targetNotThere(context: ReconcileContext, { changes }: Update): Promise<Outcome | undefined> {
  for (const { field, have, want } of changes) {
    const target = isEmpty(have) || isEmpty(want) ? undefined : targetOf(context, field);
    if (target === undefined || (await isThere(context, target))) continue;
    const name = `${target.kind} ${target.metadata.name}`;
    // What becomes of it there wakes this one.
    return {
      is: 'Waiting',
      reason: 'ReferenceNotReady',
      message: `${name} was looked for in the account, and is not there: spec.${field} is left as it is`,
      on: [name],
      recheckAfter: minutes(1),
    };
  }
  return undefined;
}

/** Of a field that names one object, or takes one value from it. */
function targetOf(context: ReconcileContext, field: string): Resource | undefined {
  const { engine, kind, object } = context;
  const site = engine.registry.sites(kind.kind).find(({ at }) => at.length === 1 && at[0] === field);
  const named = site && referenceIn(site.what, object.spec[field] as Row | undefined);
  return named && admittedTarget(context, named.kind, named.reference);
}
function referenceIn(what: ReferenceSite['what'], value: Row | undefined): { readonly kind: string; readonly reference: Row } | undefined {
  if (value === undefined) return undefined;
  if (what.is === 'ref') return { kind: what.target.kind, reference: value };
  return what.is === 'output' ? { kind: what.kind, reference: value[what.output.ref] as Row } : undefined;
}

async function isThere(context: ReconcileContext, { kind, status }: Resource): Promise<boolean> {
  const { engine, account } = context;
  const { cache } = account.connection;
  const path = status?.['path'];
  if (typeof path !== 'string') return true;
  const seen = cache.get(path);
  if (seen !== undefined && engine.clock.monotonic() - seen.readAt < seenWithin) return true;
  return (await cache.read(path, engine.registry.kind(kind), callOptions(context, 'edit'))) !== undefined;
}
