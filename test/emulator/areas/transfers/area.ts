import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { array, integer, object, required } from '../../contract/fields.ts';
import type { Operation } from '../../contract/operation.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { Transfer } from '../../records/transfers.ts';
import { transferOrigins, transfers } from '../../records/transfers.ts';
import { namedInstance } from '../shared/named-instance.ts';
import { requireNoDebt } from '../shared/debt.ts';
import { accept, setStatus } from './accept.ts';
import { obstacleItems } from './conditions.ts';

const read = { method: 'GET', scopes: ['account:read_only'], grant: [{ unrestricted: true }] } as const;
const write = { scopes: ['account:read_write'], grant: [{ unrestricted: true }] } as const;

/** A pending transfer that nobody accepts goes stale after 24 hours. */
const staleSeconds = 86_400;

function shown(ctx: Context<unknown>): (transfer: Transfer) => object {
  return ({ sender, receiver: _receiver, ...row }) => ({ ...row, is_sender: sender === ctx.euuid });
}

const concerns = (ctx: Context<unknown>) => (row: Transfer) => row.sender === ctx.euuid || row.receiver === ctx.euuid;

/** While it is pending anybody who knows the token may look; later only the two accounts. */
function visible(ctx: Context<unknown>): Transfer {
  const row = ctx.store(transfers).get(ctx.params['token'] ?? '');
  if (row === undefined || (row.status !== 'pending' && !concerns(ctx)(row))) throw notFound();
  return row;
}

function create(ctx: Context<unknown>, ids: readonly number[]): object {
  const vms = [...new Set(ids)];
  vms.forEach((id, index) => namedInstance(ctx, id, `entities.vms[${index}]`));
  requireNoDebt(ctx, 'transferring services');
  ctx.refuseIfAny(obstacleItems(ctx, vms));
  const [token, now] = [ctx.rng.uuid().toUpperCase(), ctx.timestamp()];
  const times = { created: now, updated: now, expiry: ctx.timestamp(staleSeconds) };
  const row = { token, status: 'pending', ...times, entities: { vms }, sender: ctx.euuid, receiver: null } as const;
  ctx.store(transfers).insert(() => row);
  ctx.store(transferOrigins).insert(() => ({ token, world: ctx }));
  ctx.emit({ action: 'entity_transfer_create' });
  ctx.after(staleSeconds, (world) => {
    if (world.store(transfers).get(token)?.status !== 'pending') return;
    setStatus(world, token, 'stale');
    world.emit({ action: 'entity_transfer_stale' });
  });
  return shown(ctx)(row);
}

/** By the sender, while it is pending; the texts are assumed. */
function cancel(ctx: Context<unknown>): void {
  const transfer = visible(ctx);
  if (transfer.sender !== ctx.euuid) throw refusal(403, 'Unauthorized');
  if (transfer.status !== 'pending') throw refusal(400, `This transfer is ${transfer.status}.`);
  setStatus(ctx, transfer.token, 'cancelled');
  ctx.emit({ action: 'entity_transfer_cancel' });
}

/** The same five operations under both names. */
function operationsUnder(base: string): readonly Operation[] {
  return [
    operation({
      ...read,
      path: base,
      filterable: ['status', 'is_sender'],
      handler: (ctx) => ctx.page(transfers, { where: concerns(ctx), view: shown(ctx), columns: shown(ctx) }),
    }),
    operation({
      ...write,
      method: 'POST',
      path: base,
      body: { entities: required(object({ vms: required(array(integer(), { min: 1 })) })) },
      handler: (ctx) => create(ctx, ctx.body.entities.vms),
    }),
    operation({ ...read, path: `${base}/{token}`, handler: (ctx) => shown(ctx)(visible(ctx)) }),
    operation({ ...write, method: 'DELETE', path: `${base}/{token}`, handler: cancel }),
    operation({
      ...write,
      method: 'POST',
      path: `${base}/{token}/accept`,
      rate: 'ticket',
      handler: (ctx) => accept(ctx, visible(ctx)),
    }),
  ];
}

export const transfersArea: Area = {
  name: 'transfers',
  operations: [...operationsUnder('/account/service-transfers'), ...operationsUnder('/account/entity-transfers')],
};
