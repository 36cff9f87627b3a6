import type { Context } from '../../contract/context.ts';
import type { BodyOf, Shape } from '../../contract/fields.ts';
import type { Operation, OperationSpec } from '../../contract/operation.ts';
import { operation } from '../../contract/operation.ts';
import { refusal } from '../../contract/refusal.ts';
import { accountSettings } from '../../records/account.ts';

export const read = { method: 'GET', scopes: ['account:read_only'] } as const;
export const write = { scopes: ['account:read_write'] } as const;

function requireManaged(ctx: Context<unknown>): void {
  if (!ctx.knobs.managedMustBeEnabled || ctx.store(accountSettings).get(ctx.euuid)?.managed === true) return;
  throw refusal(403, 'Managed is not enabled on this account.');
}

/** All of managed monitoring is for unrestricted users; whether it must be enabled first is a knob. */
export function managedOperation<const S extends Shape>(spec: OperationSpec<S>): Operation {
  const handler = (ctx: Context<BodyOf<S>>): unknown => {
    requireManaged(ctx);
    return spec.handler(ctx);
  };
  return operation({ ...spec, grant: [{ unrestricted: true }], handler });
}
