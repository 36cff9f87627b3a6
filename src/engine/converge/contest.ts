import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';
import type { Turn } from '../run/turn.ts';

const hour: Millis = 3_600_000;
const most = 3;

/** How often a field was put right lately, as `status.corrections` keeps it: in status, so that a restart forgets no quarrel. */
interface Corrections {
  readonly field: string;
  /** RFC 3339, the newest last; never more than count. */
  readonly at: readonly string[];
}

const known = ({ notes, object }: Turn): readonly Corrections[] =>
  (('corrections' in notes ? notes['corrections'] : object.status?.['corrections']) ?? []) as readonly Corrections[];

const lately = ({ engine }: Turn, { at }: Corrections): readonly string[] =>
  at.filter((time) => engine.clock.now() - Date.parse(time) < hour).slice(-most);

/** Notes that these fields were put right again. Times of other fields that no longer count go with the same write. */
export function noteCorrected(turn: Turn, fields: readonly string[]): void {
  const now = new Date(turn.engine.clock.now()).toISOString();
  const old = known(turn).filter(({ field }) => !fields.includes(field));
  const kept = old.map((one) => ({ ...one, at: lately(turn, one) })).filter(({ at }) => at.length > 0);
  const added = fields.map((field) => {
    const before = known(turn).find((one) => one.field === field);
    return { field, at: [...(before === undefined ? [] : lately(turn, before)), now].slice(-most) };
  });
  turn.notes['corrections'] = [...kept, ...added] satisfies readonly Row[];
}

/** Fields that were put right three times within the last hour, so that somebody else keeps rewriting them (design 5.7). */
export const contestedFields = (turn: Turn): readonly string[] =>
  known(turn).flatMap((one) => (lately(turn, one).length >= most ? [one.field] : []));

/** A person has looked: what was held against others begins anew. */
export function endContest({ notes, object }: Turn): void {
  if (object.status?.['corrections'] !== undefined) notes['corrections'] = undefined;
}
