import type { Context } from '../../contract/context.ts';
import type { Operation } from '../../contract/operation.ts';
import { operation } from '../../contract/operation.ts';
import type { Database, DatabaseEngineName } from '../../records/databases.ts';
import { certificateAuthority } from '../shared/certificate-authority.ts';
import { databaseRef } from '../shared/entity-refs.ts';
import { newPassword } from './database-rows.ts';
import { setDatabase, updateSeconds } from './life.ts';
import { ownDatabase, requireActive } from './states.ts';

/** A reset can take several seconds (document 3). */
const resetSeconds = 5;

/** Unrestricted users only, whatever the scopes of the token (decision c). */
export const waived = { scopesWaivedForUnrestricted: true, grant: [{ unrestricted: true }] } as const;

function resetPassword(ctx: Context<unknown>, row: Database): void {
  ctx.emit({ action: 'database_credentials_reset', entity: databaseRef(row) });
  ctx.after(resetSeconds, (later) => setDatabase(later, row.id, { password: newPassword(later), resetAt: later.clock.now() }));
}

function patch(ctx: Context<unknown>, row: Database): void {
  setDatabase(ctx, row.id, { status: 'updating' });
  ctx.after(updateSeconds, (later) => setDatabase(later, row.id, { status: 'active' }));
}

const certificate = (row: Database): string => Buffer.from(certificateAuthority(`${row.engine} ${row.id} ca`)).toString('base64');

export function credentialOperations(engine: DatabaseEngineName): readonly Operation[] {
  const base = `/databases/${engine}/instances/{instanceId}`;
  const read = { scopes: ['databases:read_only'], grant: [{ on: 'database', param: 'instanceId', need: 'read_only' }] } as const;
  const write = { scopes: ['databases:read_write'], grant: [{ on: 'database', param: 'instanceId', need: 'read_write' }] } as const;
  const active = (ctx: Context<unknown>): Database => {
    const row = ownDatabase(ctx, engine);
    requireActive(row);
    return row;
  };
  return [
    operation({
      ...read,
      method: 'GET',
      path: `${base}/credentials`,
      handler: (ctx) => ({ username: 'linroot', password: active(ctx).password }),
    }),
    operation({
      ...write,
      ...(engine === 'mongodb' ? waived : {}),
      method: 'POST',
      path: `${base}/credentials/reset`,
      handler: (ctx) => resetPassword(ctx, active(ctx)),
    }),
    operation({ ...write, method: 'POST', path: `${base}/patch`, handler: (ctx) => patch(ctx, active(ctx)) }),
    operation({
      ...read,
      method: 'GET',
      path: `${base}/ssl`,
      ...(engine === 'mongodb' ? { acceptedScopes: 'databases:read_write' } : {}),
      handler: (ctx) => {
        const row = active(ctx);
        return { ca_certificate: row.ssl_connection ? certificate(row) : null };
      },
    }),
  ];
}
