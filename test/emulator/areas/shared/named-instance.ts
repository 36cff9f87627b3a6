import type { Context } from '../../contract/context.ts';
import type { GrantLevel } from '../../contract/grants.ts';
import { refusal } from '../../contract/refusal.ts';
import type { Instance } from '../../records/instances.ts';
import { instances } from '../../records/instances.ts';

/** The instance that a body names. Somebody else's answers 403 with the field; the text for none at all is assumed. */
export function namedInstance(ctx: Context<unknown>, id: number, field = 'vm_id', need: GrantLevel = 'read_write'): Instance {
  const found = ctx.store(instances).get(id);
  if (found !== undefined && ctx.may('vm', id, need)) return found;
  const elsewhere = ctx.everywhere(instances).some((collection) => collection.get(id) !== undefined);
  if (found !== undefined || elsewhere) throw refusal(403, 'You do not have permission to access this Linode', field);
  throw refusal(400, 'A valid Linode by that ID was not found', field);
}
