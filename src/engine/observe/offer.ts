import type { AnyWant } from '../../resource/index.ts';
import { callOptions, type AccountContext } from '../context.ts';
import { fixedIn } from '../model/policy.ts';
import { unlisted, unlistedText } from '../plan/catalogue.ts';

/** Why the service will refuse one of these fields. The lists of what it offers are up to an hour old, so that what they lack is asked for by its id. */
export async function notOffered(context: AccountContext, want: AnyWant, fields: readonly string[]): Promise<string | undefined> {
  const { connection } = context.account;
  const missing = unlisted(context.kind, want, fields, (path) => connection.catalogue(path));
  const offered = await Promise.all(missing.map(({ path, value }) => connection.offers(path, value, callOptions(context, 'wait'))));
  return unlistedText(
    missing.filter((_, index) => offered[index] !== true),
    fixedIn(context, fields),
  );
}
