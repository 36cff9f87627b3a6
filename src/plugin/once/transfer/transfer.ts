import { del, path, post, type Row } from '../../../resource/index.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { AccountReader } from '../../account/account-reader.ts';
import { whereabouts } from '../../account/typed-again.ts';
import type { Answer, Call, Verb } from '../../command-line/command.ts';
import { shownName, typed } from '../../cluster/naming.ts';
import { CliError } from '../../exit.ts';
import { on, text } from '../../command-line/flag.ts';
import type { OnceData } from '../../output/account-shapes.ts';
import type { AccountChange } from '../journal/account-change.ts';
import { claimants } from '../claimants.ts';
import { lettingGo, stepLines } from './letting-go.ts';
import { obstacles } from './obstacles.ts';
import { havingAny, offered } from './offered.ts';
import { once } from '../journal/transaction.ts';
import { dollars, numberIn } from '../words.ts';

const usage = 'write: kubectl cloud transfer create cinst/NAME|ID ..., or accept TOKEN, or cancel TOKEN';
const scope = 'account:read_write';
const columns = ['token', 'status', 'is_sender', 'created', 'expiry'];

/** `transfer create cinst/NAME|ID ...`, `accept TOKEN`, `cancel TOKEN`. */
export const transfer: Verb = (call) => {
  const [does, ...words] = call.args;
  const named = text(call.flags, 'instance')?.split('\n') ?? [];
  if (does === 'create') return offering(call, [...words, ...named]);
  if (named.length > 0 || on(call.flags, 'andAbandon')) throw new CliError(2, '--instance and --and-abandon go with create');
  const change = does === 'accept' ? accept : does === 'cancel' ? cancel : undefined;
  if (change === undefined) throw new CliError(2, usage);
  const token = theOnly(words);
  return once(call, 'transfer', (account) => change(call, account, token), scope);
};

function offering(call: Call, words: readonly string[]): Promise<Answer> {
  if (words.length === 0) throw new CliError(2, usage);
  return once(call, 'transfer', (account) => create(call, account, words), scope);
}

function theOnly([word, another]: readonly string[]): string {
  if (word === undefined || another !== undefined) throw new CliError(2, usage);
  return word;
}

/** The service has two interfaces to the same offers. */
const isDeprecated = ({ flags }: Call): boolean => on(flags, 'deprecatedApi');
const interfaceOf = (call: Call): string => (isDeprecated(call) ? 'entity-transfers' : 'service-transfers');
const offers = (call: Call): string => path`/account/${interfaceOf(call)}`;
const offer = (call: Call, token: string): string => path`/account/${interfaceOf(call)}/${token}`;

async function create(call: Call, account: AccountReader, words: readonly string[]): Promise<AccountChange | Answer> {
  const ids = await offered(call, account, words);
  const paths = ids.map((id) => path`/vm/instances/${id}`);
  const instances = await Promise.all(paths.map((at) => account.record(at)));
  const objects = havingAny(await claimants(call.session, account.shown.id), paths);
  const problems = await problemsOf(call, account, paths);
  if (objects.length > 0 && on(call.flags, 'andAbandon')) return instead(call, account, { ids, objects, problems });
  refuse(problems, objects);
  return {
    what: offerOf(ids),
    facts: [
      ...instances.map(
        (row) => `${String(row['label'])} (${String(row['id'])}) goes, with its disks, backups and addresses, to whoever accepts`,
      ),
      'Whoever has the token may accept, for 24 hours. Until then it can be cancelled; afterwards only the other account can give it back.',
    ],
    level: 'C3',
    expected: ids.join(','),
    call: post(offers(call), { entities: { vms: [...ids] } }),
    look: { path: offers(call), since: 'created', columns },
    refuseRepeat: true,
    done: (answer) =>
      `Offered until ${String(answer['expiry'])}. The other account accepts with: kubectl cloud transfer accept ${String(answer['token'])}${isDeprecated(call) ? ' --deprecated-api' : ''}`,
  };
}

/** What the service would say to it, all at once. */
async function problemsOf({ flags }: Call, account: AccountReader, paths: readonly string[]): Promise<readonly string[]> {
  const owed = numberIn(await account.record('/account'), 'balance');
  const debt = `the account owes ${dollars(owed)}: kubectl cloud pay --usd ${owed.toFixed(2)}${whereabouts(flags)}`;
  return [...(owed > 0 ? [debt] : []), ...(await obstacles(account, paths))];
}

function refuse(problems: readonly string[], objects: readonly Resource[]): void {
  if (problems.length + objects.length === 0) return;
  throw new CliError(3, [
    'nothing was sent, because:',
    ...problems.map((one) => `  ${one}`),
    ...objects.map(
      (object) =>
        `  ${shownName(object)} manages ${String(object.status?.['path'])} and would create a replacement after the transfer. First set spec.lifecycle.onDelete: Retain on it, then: kubectl delete ${typed(object)}`,
    ),
    ...(objects.length > 0 ? ['To see step by step how the objects go and the instances stay: the same line with --and-abandon'] : []),
  ]);
}

interface Managed {
  readonly ids: readonly number[];
  readonly objects: readonly Resource[];
  readonly problems: readonly string[];
}
/** `--and-abandon`: the steps, none of which is done here. */
function instead({ session, flags }: Call, account: AccountReader, { ids, objects, ...other }: Managed): Answer {
  const how = ['deprecatedApi', 'asAccount'].filter((name) => on(flags, name));
  const again = [`kubectl cloud transfer create ${ids.join(' ')}`, ...how.map((name) => ` --${kebab(name)}`), whereabouts(flags)].join('');
  const last = { does: 'Offer what they have left, once they are gone', commands: [again] };
  const steps = lettingGo(objects, last).map((step) => ({ ...step, commands: step.commands.map((line) => session.lineToType(line)) }));
  const problems = other.problems.map((one) => session.lineToType(one));
  const others =
    problems.length === 0 ? [] : ['Beside that the service would refuse it as things are, because:', ...problems.map((one) => `  ${one}`)];
  return {
    exit: 3,
    kind: 'Once',
    data: {
      account: account.shown,
      what: offerOf(ids),
      state: 'NotSent',
      steps,
      ...(problems.length > 0 && { obstacles: [...problems] }),
    } satisfies OnceData,
    lines: ['Nothing was sent. First, in this order:', ...stepLines(steps), ...others],
  };
}
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const offerOf = (ids: readonly number[]): string => `offer instances ${ids.join(', ')} to another account`;

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
    done: () => {
      const next = call.session.lineToType(`kubectl cloud orphans --kinds cinst${whereabouts(call.flags)}`);
      return `Accepted. When they have come, bring them under the operator: ${next}`;
    },
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
