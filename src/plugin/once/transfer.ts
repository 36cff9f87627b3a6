import { del, path, post, type Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Call, Verb } from '../command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { on } from '../flag.ts';
import type { AccountChange } from './account-change.ts';
import { claimants } from './claimants.ts';
import { obstacles } from './obstacles.ts';
import { once } from './transaction.ts';
import { dollars, numberIn } from './words.ts';

const usage = 'write: kubectl cloud transfer create ID ..., or accept TOKEN, or cancel TOKEN';
const columns = ['token', 'status', 'is_sender', 'created', 'expiry'];

/** `transfer create ID ...`, `accept TOKEN`, `cancel TOKEN`. */
export const transfer: Verb = (call) => {
  const [does, first, ...more] = call.args;
  if (first === undefined) throw new CliError(2, usage);
  if (does === 'create') return once(call, 'transfer', (account) => create(call, account, [first, ...more]));
  const change = does === 'accept' ? accept : does === 'cancel' ? cancel : undefined;
  if (change === undefined || more.length > 0) throw new CliError(2, usage);
  return once(call, 'transfer', (account) => change(call, account, first));
};

/** The service has two interfaces to the same offers. */
const isDeprecated = ({ flags }: Call): boolean => on(flags, 'deprecatedApi');
const interfaceOf = (call: Call): string => (isDeprecated(call) ? 'entity-transfers' : 'service-transfers');
const offers = (call: Call): string => path`/account/${interfaceOf(call)}`;
const offer = (call: Call, token: string): string => path`/account/${interfaceOf(call)}/${token}`;

async function create(call: Call, account: AccountReader, ids: readonly string[]): Promise<AccountChange> {
  const numbers = ids.map((id) => {
    if (!/^[1-9]\d*$/.test(id)) throw new CliError(2, `${id} is no id of an instance: kubectl cloud get instances shows them`);
    return Number(id);
  });
  const paths = numbers.map((id) => path`/vm/instances/${id}`);
  const instances = await Promise.all(paths.map((at) => account.record(at)));
  await refuse(call, account, paths);
  return {
    what: `offer instances ${ids.join(', ')} to another account`,
    facts: [
      ...instances.map(
        (row) => `${String(row['label'])} (${String(row['id'])}) goes, with its disks, backups and addresses, to whoever accepts`,
      ),
      'Whoever has the token may accept, for 24 hours. Until then it can be cancelled; afterwards only the other account can give it back.',
    ],
    level: 'C3',
    expected: ids.join(','),
    call: post(offers(call), { entities: { vms: numbers } }),
    look: { path: offers(call), since: 'created', columns },
    refuseRepeat: true,
    done: (answer) =>
      `Offered until ${String(answer['expiry'])}. The other account accepts with: kubectl cloud transfer accept ${String(answer['token'])}${isDeprecated(call) ? ' --deprecated-api' : ''}`,
  };
}

/** All that stands in the way, at once. */
async function refuse(call: Call, account: AccountReader, paths: readonly string[]): Promise<void> {
  const owed = numberIn(await account.record('/account'), 'balance');
  const objects = await claimants(call.session, account.shown.id);
  const problems = [
    ...(owed > 0 ? [`the account owes ${dollars(owed)}: kubectl cloud pay`] : []),
    ...(await Promise.all(paths.map((at) => obstacles(account, at)))).flat(),
    ...objects
      .filter(({ status }) => paths.includes(String(status?.['path'])))
      .map(
        (object) =>
          `${shownName(object)} manages ${String(object.status?.['path'])} and would create a replacement after the transfer. First set spec.lifecycle.onDelete: Retain on it, then: kubectl delete ${typed(object)}`,
      ),
  ];
  if (problems.length > 0) throw new CliError(3, ['nothing was sent, because:', ...problems.map((one) => `  ${one}`)]);
}

async function accept(call: Call, account: AccountReader, token: string): Promise<AccountChange> {
  const offered = await account.record(offer(call, token));
  if (offered['is_sender'] === true) throw new CliError(3, 'this account made the offer itself, and cannot accept it');
  return {
    what: `accept transfer ${token}`,
    facts: [
      `Instances ${idsIn(offered)} come into this account within three hours, and it is charged for them from then on`,
      'It cannot be undone from here: only a new offer gives them back.',
    ],
    level: 'C3',
    expected: token,
    call: post(`${offer(call, token)}/accept`),
    look: { path: offers(call), columns },
    done: () => `Accepted. When they have come, bring them under the operator: kubectl cloud orphans --kinds cinst`,
  };
}

async function cancel(call: Call, account: AccountReader, token: string): Promise<AccountChange> {
  const at = offer(call, token);
  const offered = await account.record(at);
  if (offered['is_sender'] !== true) throw new CliError(3, 'this account did not make the offer, and only who made it may cancel it');
  return {
    what: `cancel transfer ${token}`,
    facts: [`Instances ${idsIn(offered)} stay in this account; the token is worth nothing afterwards`],
    level: 'C3',
    expected: token,
    call: del(at),
    look: { path: offers(call), columns },
    done: () => 'Cancelled.',
  };
}

function idsIn({ entities }: Row): string {
  const vms = (entities as Row | undefined)?.['vms'];
  return Array.isArray(vms) ? vms.join(', ') : 'that it names';
}
