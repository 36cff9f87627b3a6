import type { Millis } from '../../lib/clock.ts';
import { minutes, type Row } from '../../resource/index.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Update } from '../model/step.ts';
import { isEmpty } from '../model/values.ts';
import type { Resource } from '../ports/index.ts';
import { admittedTarget } from '../resolve/target.ts';

/** Lists are read every five minutes; what was seen before that, and not since, was not looked at: the account may have been away. */
const seenWithin: Millis = 360_000;

/**
 * What this remote is taken away from may need it, and the status of what it is moved to is as old as an operator's last look: that may be
 * gone since. So it is looked at first, unless this process has seen it lately.
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
      message: `${name} was looked for in the account, and is not there; nothing is moved to it`,
      on: [name],
      recheckAfter: minutes(1),
    };
  }
  return undefined;
}

function targetOf(context: ReconcileContext, field: string): Resource | undefined {
  const { engine, kind, object } = context;
  const site = engine.registry.sites(kind.kind).find(({ at, what }) => at.length === 1 && at[0] === field && what.is === 'ref');
  const reference = object.spec[field] as Row | undefined;
  return site?.what.is !== 'ref' || reference === undefined ? undefined : admittedTarget(context, site.what.target.kind, reference);
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
