import type { Row } from '../../resource/index.ts';
import { path } from '../../resource/index.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { selected } from '../cluster/select.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { kindCalled } from '../command-line/kinds.ts';
import { answered, ofRows } from './shown.ts';

const write = 'write: kubectl cloud';

/** `zone cdom/NAME | DOMAIN | ID`: the zone as the name servers have it. */
export const zone: Verb = async (call) => {
  const word = theWord(call, 'zone DOMAIN, for example example.org or cdom/example-org');
  const known = await pathOf(call, word, '/domains/');
  return withAccount(call, 'zone', async (account) => {
    const at = known ?? (/^\d+$/.test(word) ? path`/domains/${word}` : await domainCalled(account, word));
    const { zone_file: lines } = await account.record(`${at}/zone-file`);
    const all = Array.isArray(lines) ? lines.map(String) : [];
    if (all.length === 0) call.session.warn(notRendered(await account.record(at)));
    // Between fields any white space will do, and a terminal is shown no tabs.
    const answer = answered(account, [{ zone_file: all }], () => all.map((line) => line.replaceAll('\t', ' ')));
    return all.length === 0 ? { ...answer, exit: 1 } : answer;
  });
};

/** Nothing is no zone: a script must not take it for one. */
function notRendered({ domain, status }: Row): string {
  const name = `the zone ${String(domain)}`;
  return status === 'active'
    ? `the service has not rendered ${name} yet: a new one takes some minutes. Ask again then`
    : `the service does not render ${name}, as it is ${String(status)}: with status active it does within some minutes (spec.enabled of its object)`;
}

async function domainCalled(account: AccountReader, name: string): Promise<string> {
  const found = (await account.rows('/domains')).find(({ domain }) => domain === name);
  if (found === undefined) throw new CliError(4, `the account has no domain ${name}; kubectl cloud get domains shows what it has`);
  return path`/domains/${String(found['id'])}`;
}

const columns = ['name', 'size', 'last_modified', 'owner'];

/** `objects cbkt/NAME | CLUSTER/LABEL`: what is in a bucket, page after page. */
export const objects: Verb = async (call) => {
  const word = theWord(call, 'objects CLUSTER/BUCKET, for example us-east-1/assets or cbkt/assets');
  const most = limitOf(call);
  const known = await pathOf(call, word, '/object-storage/buckets/');
  const [cluster = '', label = '', ...more] = word.split('/');
  if (known === undefined && (label === '' || more.length > 0)) throw new CliError(2, `${write} objects CLUSTER/BUCKET`);
  const at = `${known ?? path`/object-storage/buckets/${cluster}/${label}`}/object-list`;
  return withAccount(call, 'objects', async (account) => {
    const { rows, more: isMore } = await listed(account, at, { ...paramsOf(call), most });
    if (isMore) call.session.warn(`these are the first ${rows.length}; there are more: --limit or --prefix`);
    return ofRows(account, columns, rows);
  });
};

interface Listing {
  readonly params: Readonly<Record<string, string>>;
  readonly most: number;
}
const paramsOf = ({ flags }: Call): Pick<Listing, 'params'> => ({
  params: Object.fromEntries(
    ['prefix', 'delimiter'].flatMap((name) => (text(flags, name) === undefined ? [] : [[name, text(flags, name) ?? '']])),
  ),
});

/** The service's list goes on from a marker instead of by pages. */
async function listed(account: AccountReader, at: string, { params, most }: Listing): Promise<{ rows: readonly Row[]; more: boolean }> {
  const rows: Row[] = [];
  let marker: string | undefined;
  do {
    const query = new URLSearchParams({ ...params, ...(marker !== undefined && { marker }) }).toString();
    const page = await account.record(query === '' ? at : `${at}?${query}`);
    rows.push(...(Array.isArray(page['data']) ? (page['data'] as Row[]) : []));
    const next = page['next_marker'];
    marker = page['is_truncated'] === true && typeof next === 'string' && next !== '' ? next : undefined;
  } while (marker !== undefined && rows.length < most);
  return { rows: rows.slice(0, most), more: marker !== undefined || rows.length > most };
}

function limitOf({ flags }: Call): number {
  const given = text(flags, 'limit') ?? '1000';
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new CliError(2, `--limit=${given} is no number from 1 to 999999`);
  return Number(given);
}

function theWord({ args }: Call, how: string): string {
  const [word, another] = args;
  if (word === undefined || another !== undefined) throw new CliError(2, `${write} ${how}`);
  return word;
}

/** Where the remote of an object is, where the word names one, `cdom/example-org`; it is of those below `collection`. */
export async function pathOf(call: Call, word: string, collection: string): Promise<string | undefined> {
  const [first = '', name] = word.split('/');
  if (name === undefined || kindCalled(first) === undefined) return undefined;
  const [object] = await selected({ ...call, args: [word] });
  const at = object?.status?.['path'];
  if (typeof at !== 'string')
    throw new CliError(4, `${word} has nothing in the account yet; kubectl cloud why ${word} says what it waits for`);
  if (!at.startsWith(collection)) throw new CliError(2, `${word} is ${at}, which is not below ${collection}`);
  return at;
}
