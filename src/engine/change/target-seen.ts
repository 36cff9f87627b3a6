import type { Millis } from '../../lib/clock.ts';
import { type Row, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Update } from '../model/step.ts';
import { isEmpty } from '../model/values.ts';
import { admittedTarget } from '../resolve/target.ts';

/** Lists are read every five minutes; what was seen before that, and not since, was not looked at: the account may have been away. */
const seenWithin: Millis = 360_000;

/**
 * What this remote is taken away from may need it, and the status of what it is moved to is as old as an operator's last look: that may be
 * gone since. So a process moves nothing to what it has not seen itself, and lately.
 */
export function targetNotSeen(context: ReconcileContext, { changes }: Update): Outcome | undefined {
  const [name] = changes.flatMap(({ field, have, want }) => (isEmpty(have) || isEmpty(want) ? [] : (unseenIn(context, field) ?? [])));
  if (name === undefined) return undefined;
  return {
    is: 'Waiting',
    reason: 'ReferenceNotReady',
    message: `${name} was not seen in the account lately; nothing is moved to it before`,
    on: [name],
    recheckAfter: seconds(5),
  };
}

function unseenIn(context: ReconcileContext, field: string): string | undefined {
  const { engine, kind, object } = context;
  const site = engine.registry.sites(kind.kind).find(({ at, what }) => at.length === 1 && at[0] === field && what.is === 'ref');
  const reference = object.spec[field] as Row | undefined;
  if (site?.what.is !== 'ref' || reference === undefined) return undefined;
  const target = admittedTarget(context, site.what.target.kind, reference);
  const path = target?.status?.['path'];
  return target === undefined || typeof path !== 'string' || wasSeen(context, path) ? undefined : `${target.kind} ${target.metadata.name}`;
}

function wasSeen({ engine, account }: ReconcileContext, path: string): boolean {
  const seen = account.connection.cache.get(path);
  return seen !== undefined && engine.clock.monotonic() - seen.readAt < seenWithin;
}
