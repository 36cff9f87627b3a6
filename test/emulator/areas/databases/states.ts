import type { Context } from '../../contract/context.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { Database, DatabaseEngineName, DatabaseStatus } from '../../records/databases.ts';
import { databases } from '../../records/databases.ts';

export function ownDatabase(ctx: Context<unknown>, engine: DatabaseEngineName): Database {
  const row = ctx.load(databases, 'instanceId');
  if (row.engine !== engine) throw notFound();
  return row;
}

const provisioning = 'Your database is provisioning; please wait until provisioning is complete to perform this operation.';

/** The text for a provisioning one is recorded, the others are assumed after it. */
function wrongState(status: DatabaseStatus): Error {
  return refusal(
    400,
    status === 'provisioning' ? provisioning : `Your database is ${status}; please wait until it is active to perform this operation.`,
  );
}

/** Most operations need an active database (document 3, Database rules 2). */
export function requireActive(row: Database): void {
  if (row.status !== 'active') throw wrongState(row.status);
}

export function requireProvisioned(row: Database): void {
  if (row.status === 'provisioning') throw wrongState(row.status);
}

export function requireDeletable(row: Database): void {
  if (!['active', 'failed', 'degraded'].includes(row.status)) throw wrongState(row.status);
}
