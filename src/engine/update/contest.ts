import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { BoundRemote } from '../model/step.ts';
import { howManyDiffer } from '../plan/diff.ts';

const hour: Millis = 3_600_000;
const most = 3;

/** How often a field was put right lately, as `status.corrections` keeps it: in status, so that a restart forgets no quarrel. */
interface Corrections {
  readonly field: string;
  /** RFC 3339, the newest last; never more than count. */
  readonly at: readonly string[];
}

const known = ({ status, object }: ReconcileContext): readonly Corrections[] =>
  (('corrections' in status ? status['corrections'] : object.status?.['corrections']) ?? []) as readonly Corrections[];

const lately = ({ engine }: ReconcileContext, { at }: Corrections): readonly string[] =>
  at.filter((time) => engine.clock.now() - Date.parse(time) < hour).slice(-most);

/** Notes that these fields were put right again. Times of other fields that no longer count go with the same write. */
export function noteCorrected(context: ReconcileContext, all: readonly string[], present: BoundRemote): void {
  const { engine, object, kind } = context;
  const fields = all.filter((field) => !goesOn(context, field, present));
  for (const field of all)
    engine.objectMemory.correcting(object.metadata.uid, field, howManyDiffer(kind, field, present.want, present.remote));
  const now = new Date(context.engine.clock.now()).toISOString();
  const old = known(context).filter(({ field }) => !fields.includes(field));
  const kept = old.map((one) => ({ ...one, at: lately(context, one) })).filter(({ at }) => at.length > 0);
  const added = fields.map((field) => {
    const before = known(context).find((one) => one.field === field);
    return { field, at: [...(before === undefined ? [] : lately(context, before)), now].slice(-most) };
  });
  context.status['corrections'] = [...kept, ...added] satisfies readonly Row[];
}

/**
 * One field may take several calls to be put right. As long as each finds it nearer to the wish than the last did, they are one
 * correction, which is brought to its end.
 */
export function goesOn({ engine, object, kind }: ReconcileContext, field: string, { want, remote }: BoundRemote): boolean {
  const before = engine.objectMemory.leftToCorrect(object.metadata.uid, field);
  return before !== undefined && howManyDiffer(kind, field, want, remote) < before;
}

/** Fields that were put right three times within the last hour, so that somebody else keeps rewriting them (README: drift). */
export const contestedFields = (context: ReconcileContext, present: BoundRemote): readonly string[] =>
  known(context).flatMap((one) => (lately(context, one).length >= most && !goesOn(context, one.field, present) ? [one.field] : []));

/** A person has looked: what was held against others begins anew. */
export function endContest({ status, object }: ReconcileContext): void {
  if (object.status?.['corrections'] !== undefined) status['corrections'] = undefined;
}
