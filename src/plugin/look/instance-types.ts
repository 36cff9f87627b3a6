import { closest } from '../../lib/closest.ts';
import type { Row } from '../../resource/index.ts';
import { withAccount } from '../account/account-reader.ts';
import type { Verb } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { filterOf } from './filter.ts';
import { looking } from './get.ts';
import { nouns } from './nouns.ts';
import { ofRows } from './shown.ts';

/** What a region must be able to do for plans of a class; those of the others are offered wherever there are instances. */
const needs: Readonly<Record<string, RegExp>> = { gpu: /\bGPU\b/i, metal: /\bBare Metal\b/i, premium: /\bPremium\b/i };

/** Plans of instances, of one region where that is asked for. */
export const types: Verb = (call) => {
  const region = text(call.flags, 'region');
  if (region === undefined) return looking('types', () => 'types')(call);
  if (call.args.length > 0) throw new CliError(2, 'name either a plan, or with --region those of a region');
  return withAccount(call, 'types', async (account) => {
    const [regions, rows] = await Promise.all([account.rows('/regions'), account.rows('/vm/types')]);
    const ids = regions.map(({ id }) => String(id));
    const found = regions.find(({ id }) => id === region);
    if (found === undefined)
      throw new CliError(
        2,
        `--region ${region} is none of the account's: did you mean ${closest(region, ids).join(', ')}? kubectl cloud regions lists all`,
      );
    const isWanted = filterOf(call);
    return ofRows(
      account,
      nouns['types']?.columns ?? [],
      rows.filter((row) => isOffered(row, found) && isWanted(row)),
    );
  });
};

const isOffered = ({ class: of }: Row, { capabilities }: Row): boolean => {
  const need = needs[String(of)];
  return need === undefined || (Array.isArray(capabilities) && capabilities.some((one) => need.test(String(one))));
};
