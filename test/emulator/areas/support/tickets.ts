import { createHash } from 'node:crypto';
import type { Context } from '../../contract/context.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { accountSettings } from '../../records/account.ts';
import { configs } from '../../records/configs.ts';
import { instances } from '../../records/instances.ts';
import type { Ticket } from '../../records/support.ts';
import { tickets } from '../../records/support.ts';
import { ticketRef } from '../shared/account-refs.ts';
import type { SubjectIds } from './subject.ts';
import { mayOnSubject, subjectOf, subjectProblems } from './subject.ts';

export interface NewTicket extends SubjectIds {
  readonly summary: string;
  readonly description: string;
  readonly managed_issue?: boolean | null;
  readonly vlan?: string | null;
  readonly region?: string | null;
}

export function gravatarOf(ctx: Context<unknown>): string {
  return createHash('md5')
    .update(`${ctx.actor?.username ?? ''}@example.org`)
    .digest('hex');
}

function hasVlan(world: World, label: string, region: string): boolean {
  return [...world.store(configs).values()].some(
    (config) =>
      world.store(instances).get(config.vm_id)?.region === region &&
      config.interfaces.some((one) => one.purpose === 'vlan' && one.label === label),
  );
}

/** A region belongs to a VLAN and a VLAN to a region (document 2, Ticket rules). */
function vlanProblems(world: World, { vlan, region }: NewTicket): readonly ErrorItem[] {
  const [named, placed] = [typeof vlan === 'string', typeof region === 'string'];
  if (!named) return placed ? [{ reason: 'Region is only allowed when submitting a VLAN ticket.', field: 'region' }] : [];
  if (!placed) return [{ reason: 'region is required', field: 'region' }];
  return hasVlan(world, vlan ?? '', region ?? '') ? [] : [{ reason: 'vlan is not valid', field: 'vlan' }];
}

/** A managed issue names nothing else and needs managed monitoring; the texts are assumed. */
function managedProblems(world: World, body: NewTicket): readonly ErrorItem[] {
  if (body.managed_issue !== true) return [];
  const field = 'managed_issue';
  const named = Object.entries(body).some(([name, value]) => (name.endsWith('_id') || name === 'vlan') && value !== null);
  const enabled = world.store(accountSettings).get(world.euuid)?.managed === true;
  return [
    ...(named ? [{ reason: 'A managed issue cannot name another entity.', field }] : []),
    ...(enabled ? [] : [{ reason: 'Managed is not enabled on this account.', field }]),
  ];
}

export function createTicket(ctx: Context<unknown>, body: NewTicket): Ticket {
  ctx.refuseIfAny([...subjectProblems(body), ...managedProblems(ctx, body), ...vlanProblems(ctx, body)]);
  const entity = subjectOf(ctx, body);
  const now = ctx.timestamp();
  const ticket = ctx.store(tickets).insert((id) => ({
    id,
    summary: body.summary,
    description: body.description,
    status: 'new',
    closable: true,
    entity,
    attachments: [],
    gravatar_id: gravatarOf(ctx),
    opened: now,
    opened_by: ctx.actor?.username ?? '',
    closed: null,
    updated: now,
    updated_by: null,
  }));
  ctx.emit({ action: 'ticket_create', entity: ticketRef(ticket) });
  return ticket;
}

/** A restricted user sees their own tickets and those about what they may see. */
export function visibleTicket(ctx: Context<unknown>, need: 'read_only' | 'read_write' = 'read_only'): (ticket: Ticket) => boolean {
  const username = ctx.actor?.username;
  return ({ opened_by, entity }) =>
    ctx.actor?.grants === undefined || opened_by === username || (entity !== null && mayOnSubject(ctx, entity, need));
}

export function loadTicket(ctx: Context<unknown>): Ticket {
  const ticket = ctx.load(tickets, 'ticketId');
  if (!visibleTicket(ctx)(ticket)) throw notFound();
  return ticket;
}

/** The ticket, for somebody who may write to it. */
export function writableTicket(ctx: Context<unknown>): Ticket {
  const ticket = loadTicket(ctx);
  if (!visibleTicket(ctx, 'read_write')(ticket)) throw refusal(403, 'Unauthorized');
  return ticket;
}

/** Closed tickets take nothing more; the text is assumed. */
export function openTicket(ctx: Context<unknown>): Ticket {
  const ticket = writableTicket(ctx);
  if (ticket.status === 'closed') throw refusal(400, 'This ticket is closed.');
  return ticket;
}

export function touch(ctx: Context<unknown>, ticket: Ticket, change: Partial<Ticket>): void {
  ctx.store(tickets).update(ticket, { ...change, updated: ctx.timestamp(), updated_by: ctx.actor?.username ?? null });
}

/** Open ones first, the newest of each first. */
export function openFirst(left: Ticket, right: Ticket): number {
  return Number(left.status === 'closed') - Number(right.status === 'closed') || right.id - left.id;
}
