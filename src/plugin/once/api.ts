import type { Call as ApiCall, Body, Method, Row } from '../../resource/index.ts';
import type { Filtered } from '../../engine/ports/index.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import type { Answer, Call, Verb } from '../command-line/command.ts';
import { shownName, typed } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { answered } from '../look/shown.ts';
import { filterIn } from './api-header.ts';
import { claimants } from './claimants.ts';
import type { AccountChange } from './journal/account-change.ts';
import { once } from './journal/transaction.ts';

type Request = ApiCall & Filtered;

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'] satisfies readonly Method[];
const isMethod = (word: string): word is Method => methods.includes(word);

/** Changes that have a verb, which asks about what matters there. */
const verbs: readonly (readonly [RegExp, string])[] = [
  [/^\/account\/payments$/, 'pay'],
  [/^\/account\/(payment-methods|credit-card)/, 'payment-method'],
  [/^\/account\/promo-codes/, 'promo add'],
  [/^\/account\/(service|entity)-transfers/, 'transfer'],
  [/^\/account\/cancel/, 'account cancel'],
  [/^\/object-storage\/cancel/, 'object-storage cancel'],
];

/** `api METHOD PATH`: one request as it is. */
export const api: Verb = async (call) => {
  const [word = '', at = '', ...more] = call.args;
  const method = word.toUpperCase();
  if (!isMethod(method) || at === '' || more.length > 0)
    throw new CliError(2, 'write: kubectl cloud api METHOD PATH, for example api GET /volumes');
  if (!at.startsWith('/')) throw new CliError(2, `${at}: a path begins with a slash: kubectl cloud api ${method} /volumes`);
  const filter = filterIn(call.flags);
  const request = { ...requestOf(method, at), ...(filter && { filter }), ...(on(call.flags, 'raw') && { verbatim: true as const }) };
  if (method === 'GET') return withAccount(call, 'api', (account) => looked(call, account, request));
  refuseWrite(call, request);
  const body = await bodyOf(call);
  return once(call, 'api', (account) => written(call, account, { ...request, ...(body && { body }) }));
};

/** Their answer is a credential that is told once, and secrets are not shown. */
const toldOnce = /^\/profile\/tokens$/;

function refuseWrite({ flags }: Call, request: Request): void {
  if (!on(flags, 'write'))
    throw new CliError(3, `${request.method} changes the account: add --write. What an object manages is edited there`);
  if (request.filter !== undefined) throw new CliError(2, '-H says what of a list is asked for, and goes with GET alone');
  if (!isPlain(request.path))
    throw new CliError(
      2,
      `${request.path}: write it plainly, without query, empty pieces or needless escapes, so that what it leads to can be told`,
    );
  if (request.method === 'POST' && toldOnce.test(request.path))
    throw new CliError(3, 'nothing was sent: a token is told once, and no secret is shown here; make the token in the web console');
  const verb = verbs.find(([pattern]) => pattern.test(request.path))?.[1];
  if (verb !== undefined) throw new CliError(3, `nothing was sent: there is a verb that knows what this does: kubectl cloud ${verb}`);
}

/** The service takes one path in many spellings; what has a verb or an object is known by one of them. A slash within an id is `%2F`. */
const isPlain = (path: string): boolean => /^(\/([\w.~:-]|%2F)+)+$/.test(path);

/** A path may begin with the version, of which the account has two. */
function requestOf(method: Method, at: string): ApiCall {
  const [, version, path = at] = /^\/(v4beta|v4)(\/.*)$/.exec(at) ?? [];
  if (
    path
      .split('?')[0]
      ?.split('/')
      .some((piece) => piece === '.' || piece === '..')
  )
    throw new CliError(2, `${at} would lead elsewhere`);
  return { method, path, ...(version === 'v4beta' && { segment: version }) };
}

async function looked({ flags }: Call, account: AccountReader, request: Request): Promise<Answer> {
  const rows = on(flags, 'paginate') ? await account.pages(request) : [await account.answer(request)];
  return answered(account, rows, (shown) => JSON.stringify(on(flags, 'paginate') ? shown : shown[0], undefined, 2).split('\n'));
}

async function written(call: Call, account: AccountReader, request: Request): Promise<AccountChange> {
  const sent = account.spelled(request.path);
  const claimed = (await claimants(call.session, account.shown.id)).find(
    ({ status }) => typeof status?.['path'] === 'string' && isAtOrBelow(sent, account.spelled(status['path'])),
  );
  if (claimed !== undefined && !on(call.flags, 'behindTheOperator'))
    throw new CliError(
      3,
      `nothing was sent: ${shownName(claimed)} manages ${String(claimed.status?.['path'])}, so edit it there: kubectl edit ${typed(claimed)}. Or add --behind-the-operator, and the operator may undo it`,
    );
  return {
    what: `${request.method} ${request.path}`,
    facts: [`The service is sent ${request.method} ${request.path} as it is; what it does is not known here`],
    level: 'C2',
    expected: request.path,
    call: request,
    look: { path: '/account/events', since: 'created', columns: ['id', 'created', 'username', 'action', 'entity.label', 'status'] },
    done: (answer) => JSON.stringify(answer, undefined, 2).split('\n'),
  };
}

/** Objects say a slash within an id either way. */
const isAtOrBelow = (path: string, item: string): boolean => `${slashes(path)}/`.startsWith(`${slashes(item)}/`);
const slashes = (path: string): string => path.replaceAll('%2F', '/');

async function bodyOf({ session, flags }: Call): Promise<Body | undefined> {
  const given = text(flags, 'data');
  if (given === undefined) return undefined;
  const words = given === '-' ? ((await session.host.readFiles('-', false))[0]?.text ?? '') : given;
  try {
    const body = JSON.parse(words) as Row;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
  } catch {
    // Told below, without quoting what may be secret.
  }
  throw new CliError(2, '--data is no JSON object: write for example --data \'{"label": "web"}\', or - for standard input');
}
