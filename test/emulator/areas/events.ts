import type { Area } from '../contract/area.ts';
import type { Context } from '../contract/context.ts';
import type { EventRow } from '../contract/event.ts';
import type { GrantEntity } from '../contract/grants.ts';
import { operation } from '../contract/operation.ts';
import { notFound } from '../contract/refusal.ts';
import type { EventMarks } from '../records/events.ts';
import { eventMarks, events } from '../records/events.ts';

const retention = 90 * 86_400;
const scopes = ['events:read_only'];
const grant = [{ account: 'read_only' }] as const;
const grantEntities: Readonly<Record<string, GrantEntity>> = {
  vm: 'vm',
  volume: 'volume',
  domain: 'domain',
  image: 'image',
  stackscript: 'stackscript',
  database: 'database',
  firewall: 'firewall',
  lkecluster: 'lkecluster',
  longview: 'longview',
  nodebalancer: 'nodebalancer',
};

function marks(ctx: Context): EventMarks {
  const username = ctx.actor?.username ?? '';
  return ctx.store(eventMarks).get(username) ?? ctx.store(eventMarks).insert(() => ({ username, seenUpTo: 0, read: new Set<number>() }));
}

/** A restricted user sees their own events and those of objects that they may read (document 1, Events 1). */
function concernsCaller(ctx: Context, row: EventRow): boolean {
  if (ctx.actor?.grants === undefined || row.username === ctx.actor.username) return true;
  const entity = grantEntities[row.entity?.type ?? ''];
  return entity !== undefined && row.entity !== null && ctx.may(entity, row.entity.id, 'read_only');
}

/** Keeps 90 days; a fault may hide an event for a while. */
function visible(ctx: Context): (row: EventRow) => boolean {
  const oldest = ctx.timestamp(-retention);
  const now = ctx.clock.monotonic();
  return (row) => row.created >= oldest && (row.hidden?.visibleFrom ?? 0) <= now && concernsCaller(ctx, row);
}

/** Percent and duration grow while the job runs. */
function progress(row: EventRow, now: number): Partial<EventRow> {
  const job = row.hidden?.job;
  if (row.status !== 'started' || job?.startedAt === undefined || job.whole === undefined) return {};
  const share = job.whole === 0 ? 1 : (now - job.startedAt) / job.whole;
  return { percent_complete: Math.min(99, Math.floor(99 * share)), duration: Math.round(now - job.createdAt) / 1000 };
}

function shown(ctx: Context, mark: EventMarks): (row: EventRow) => unknown {
  const now = ctx.clock.monotonic();
  return (row) => {
    const { hidden: _hidden, ...event } = row;
    return { ...event, ...progress(row, now), seen: row.id <= mark.seenUpTo, read: mark.read.has(row.id) };
  };
}

function list(ctx: Context): unknown {
  const mark = marks(ctx);
  const show = shown(ctx, mark);
  const columns = (row: EventRow): object => ({ seen: row.id <= mark.seenUpTo, read: mark.read.has(row.id) });
  const page = ctx.page(events, { where: visible(ctx), view: (row) => row, columns });
  const rows = page.data as readonly EventRow[];
  return { ...page, data: rows.flatMap((row) => (row.hidden?.doubled === true ? [show(row), show(row)] : [show(row)])) };
}

function load(ctx: Context): EventRow {
  const row = ctx.load(events, 'eventId');
  if (!visible(ctx)(row)) throw notFound();
  return row;
}

export const eventArea: Area = {
  name: 'events',
  operations: [
    operation({
      method: 'GET',
      path: '/account/events',
      scopes,
      grant,
      filterable: ['id', 'action', 'created', 'entity.id', 'entity.type', 'seen', 'read', 'status', 'username'],
      handler: list,
    }),
    operation({ method: 'GET', path: '/account/events/{eventId}', scopes, grant, handler: (ctx) => shown(ctx, marks(ctx))(load(ctx)) }),
    operation({
      method: 'POST',
      path: '/account/events/{eventId}/read',
      scopes,
      grant,
      handler: (ctx) => {
        const { id } = load(ctx);
        const mark = marks(ctx);
        ctx.store(eventMarks).update(mark, { read: new Set([...mark.read, id]) });
      },
    }),
    operation({
      method: 'POST',
      path: '/account/events/{eventId}/seen',
      scopes,
      grant: [{ account: 'read_write' }],
      handler: (ctx) => {
        const { id } = load(ctx);
        const mark = marks(ctx);
        ctx.store(eventMarks).update(mark, { seenUpTo: Math.max(mark.seenUpTo, id) });
      },
    }),
  ],
};
