import type { Context } from '../../contract/context.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { paymentMethods } from '../../records/billing.ts';
import { instances } from '../../records/instances.ts';
import type { Transfer, TransferStatus } from '../../records/transfers.ts';
import { transferOrigins, transfers } from '../../records/transfers.ts';
import { owes, requireNoDebt } from '../shared/debt.ts';
import { obstacleItems } from './conditions.ts';
import type { Parcel } from './move.ts';
import { putIn, takeOut } from './move.ts';

/** An accepted transfer takes up to three hours. */
const moveSeconds = 1800;

export function setStatus(world: World, token: string, status: TransferStatus, receiver?: string): void {
  const row = world.store(transfers).get(token);
  if (row === undefined) return;
  world.store(transfers).update(row, { status, updated: world.timestamp(), ...(receiver === undefined ? {} : { receiver }) });
}

/** Takes the instances out of the sender's account; none when one is gone or held meanwhile. */
function depart(sender: World, { token, entities }: Transfer): readonly Parcel[] {
  const rows = entities.vms.map((id) => sender.store(instances).get(id)).filter((row) => row !== undefined);
  if (rows.length < entities.vms.length || obstacleItems(sender, entities.vms, token).length > 0) {
    setStatus(sender, token, 'failed');
    sender.emit({ action: 'entity_transfer_fail' });
    return [];
  }
  return rows.map((vm) => takeOut(sender, vm));
}

/** Each half runs as its own account, so that the ledger puts it down there. */
function schedule(sender: World, receiver: World, transfer: Transfer): void {
  let parcels: readonly Parcel[] = [];
  sender.after(moveSeconds, (world) => {
    parcels = depart(world, transfer);
  });
  receiver.after(moveSeconds, (world) => {
    if (parcels.length === 0) return;
    for (const parcel of parcels) putIn(world, parcel);
    setStatus(world, transfer.token, 'completed');
  });
}

/** Only pending ones, never by the sender; the conditions are looked at again. The texts are assumed. */
export function accept(ctx: Context<unknown>, transfer: Transfer): void {
  if (transfer.sender === ctx.euuid) throw refusal(400, 'A transfer cannot be accepted by the account that created it.');
  if (transfer.status !== 'pending') throw refusal(400, `This transfer is ${transfer.status}.`);
  requireNoDebt(ctx, 'transferring services');
  if (ctx.store(paymentMethods).size === 0) throw refusal(400, 'A payment method is required to accept a transfer.');
  const sender = ctx.store(transferOrigins).get(transfer.token)?.world;
  if (sender === undefined) throw notFound();
  if (owes(sender)) throw refusal(400, 'The account that created this transfer has an outstanding balance.');
  ctx.refuseIfAny(obstacleItems(sender, transfer.entities.vms, transfer.token));
  setStatus(ctx, transfer.token, 'accepted', ctx.euuid);
  ctx.emit({ action: 'entity_transfer_accept_recipient' });
  sender.emit({ action: 'entity_transfer_accept' });
  schedule(sender, ctx, transfer);
}
