import type { Context } from '../../contract/context.ts';
import { refusal } from '../../contract/refusal.ts';

/** Where the knob says so, fields that are filterable are refused all the same. */
export function refuseFilters(ctx: Pick<Context, 'knobs' | 'headers'>, fields: readonly string[]): void {
  const filter = ctx.headers['x-filter'];
  if (!ctx.knobs.refusedFilters || filter === undefined) return;
  if (fields.some((field) => filter.includes(`"${field}"`))) throw refusal(400, 'Could not apply filter', 'X-Filter');
}
