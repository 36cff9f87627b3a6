import { nameOf } from '../../../engine/model/object-id.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import { counted } from '../../../lib/counted.ts';
import { shownName, typed } from '../../cluster/naming.ts';
import { registry } from '../../command-line/kinds.ts';
import type { Call } from '../../command-line/command.ts';
import { CliError } from '../../exit.ts';
import { accountOf } from '../../objects/links.ts';
import { chosen } from '../chosen.ts';
import { holdsOf, ofHold } from '../held-set.ts';

/** The account that a release is of: `default`, unless it is named. */
export async function heldAccount(call: Call): Promise<Resource> {
  const [word = 'default', ...more] = call.args;
  if (more.length > 0) throw new CliError(2, 'one CloudAccount at a time');
  const args = [word.includes('/') ? word : `${registry.connection.shortName}/${word}`];
  const [account] = await chosen({ ...call, args }, 'release').catch(async (error: unknown) => {
    if (!(error instanceof CliError) || !/^CloudAccount \S+ is not found/.test(error.message)) throw error;
    throw new CliError(error.exit, [error.message, ...(await others(call))]);
  });
  if (account?.kind !== registry.connection.kind)
    throw new CliError(2, `${word} is no CloudAccount: what is held is released on the account`);
  return account;
}

const most = 5;
/** Those that are meant, most likely: of this namespace, or that its objects are in; else those that hold anything. */
async function others({ session }: Call): Promise<readonly string[]> {
  const namespace = await session.namespace();
  const reader = await session.reader();
  const listed = async (...where: readonly (string | undefined)[]): Promise<readonly Resource[]> => {
    for (const one of where)
      try {
        return await reader.list(registry.connection, one);
      } catch (error) {
        if (!(error instanceof CliError) || !error.isForbidden) throw error;
      }
    return [];
  };
  const all = await listed(undefined, namespace);
  const lists = await Promise.all(registry.kinds.map((kind) => reader.list(kind, namespace).catch(noneIfForbidden)));
  const used = new Set(
    lists
      .flat()
      .flatMap((object) => accountOf(object) ?? [])
      .map(nameOf),
  );
  const near = all.filter(({ metadata }) => metadata.namespace === namespace || used.has(nameOf(metadata)));
  const meant = (near.length > 0 ? near : all.filter((one) => holdsOf(one).length > 0)).toSorted((a, b) => heldIn(b) - heldIn(a));
  return [
    ...meant.slice(0, most).map((one) => `${shownName(one)} ${holding(one)}: kubectl cloud release --list ${typed(one)}`),
    ...(meant.length > most ? [`and ${meant.length - most} more: kubectl cloud status -A`] : []),
  ];
}
function noneIfForbidden(error: unknown): readonly Resource[] {
  if (error instanceof CliError && error.isForbidden) return [];
  throw error;
}

const heldIn = (account: Resource): number => holdsOf(account).reduce((sum, { count }) => sum + count, 0);
const holding = (account: Resource): string => {
  const holds = holdsOf(account).map((hold) => `${counted(hold.count, 'object')} of ${ofHold(hold)}`);
  return holds.length === 0 ? 'holds nothing' : `holds ${holds.join(', ')}`;
};
