import type { Resource } from '../../engine/ports/kubernetes.ts';
import { CloudError, type Connection, type ConnectionLease, type Filtered, type Reply } from '../../engine/ports/index.ts';
import { type Call as ApiCall, get, holdsScope, type Row, type Sensitive } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import { shownName } from '../cluster/naming.ts';
import { nearest } from '../cluster/nearest.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import type { Session } from '../session.ts';
import { accountToken } from './account-token.ts';
import { accountAlone } from './alone.ts';
import { endpointsOf } from './endpoints.ts';
import { namedEndpoint } from './named-endpoint.ts';
import { ownToken } from './own-token.ts';
import { lacksText, PathRefused, told, tokenOf, type Whose } from './told.ts';
import { tellingOfWaits } from './waiting.ts';

const changedText = (path: string): string =>
  `GET ${path}: the list changed each of three times that it was read, so rows may be missing. Try again`;

/** Namespace that the account's windows are shared by; the operator's own calls are another process. */
const tenant = 'kubectl-cloud';

interface At extends Pick<AccountReader, 'shown' | 'spelled'> {
  readonly whose: Whose;
  /** Told when a list is read anew because it changed meanwhile. */
  readonly again: (path: string) => void;
}

/** One account of the service. */
export class AccountReader {
  /** `CloudAccount shop/default`, as whom, at which endpoint. */
  readonly shown: { readonly account: string; readonly id: string; readonly user: string; readonly endpoint: string };
  /** A path in the words of the service, in whichever words it is given. */
  readonly spelled: (path: string) => string;
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #whose: Whose;
  readonly #again: (path: string) => void;

  constructor(at: At, connection: Connection, signal: AbortSignal) {
    this.shown = at.shown;
    this.spelled = at.spelled;
    this.#whose = at.whose;
    this.#again = at.again;
    this.#connection = connection;
    this.#signal = signal;
  }

  /** Its user sees only what was granted. */
  get isRestricted(): boolean {
    return this.#connection.identity.restricted;
  }

  /** Before anything is asked of a person that the service would then refuse. */
  refuseWithout(scope: string): void {
    if (!holdsScope(this.#connection.identity.scopes, scope)) throw new CliError(4, lacksText(this.#whose, scope));
  }

  /** One record. */
  async record(path: string): Promise<Row> {
    return this.answer(get(path));
  }

  /** The same of what may not be there. */
  found(path: string): Promise<Row | undefined> {
    return told(
      this.send(get(path)).catch((error: unknown) => {
        if (error instanceof CloudError && error.fault === 'NotFound') return undefined;
        throw error;
      }),
      this.#whose,
    );
  }

  /** The same of any read, in words for the person where it fails. */
  async answer(call: ApiCall & Filtered): Promise<Row> {
    return told(this.send(call), this.#whose);
  }

  /** Once, never again by itself; rejects with {@link CloudError}. */
  async send(call: ApiCall & Filtered): Promise<Row> {
    return (await this.#reply(call)).body as Row;
  }

  /** All rows of all pages. */
  async rows(path: string): Promise<readonly Row[]> {
    const { rows, complete } = await told(
      this.#connection.list(path, { lane: 'wait', tenant, signal: this.#signal, notBefore: -Infinity }),
      this.#whose,
    );
    if (!complete) throw new PathRefused(4, changedText(path));
    return rows;
  }

  /** What the service offers under this path, as it was read when the account was opened; else read now. */
  async catalogue(path: string): Promise<readonly Row[]> {
    const known = this.#connection.catalogue(path) ?? [];
    return known.length > 0 ? known : this.rows(path);
  }

  /** The same without the filter under which the operator lists what can be an object's. */
  everybodys(path: string): Promise<readonly Row[]> {
    return this.pages(get(path));
  }

  /** All rows of all pages of a read, as it is asked: without the filter of the operator, which has no use for what is everybody's. */
  async pages(call: ApiCall & Filtered): Promise<readonly Row[]> {
    const { readWholeAnySize } = await import('../dry/ports/open-cloud.ts');
    const ask = async ({ path }: ApiCall): Promise<Reply> => {
      const reply = await this.#reply({ ...call, path });
      if (!Array.isArray((reply.body as Row)['data'])) throw new CliError(2, `GET ${call.path} has no pages: leave out --paginate`);
      return reply;
    };
    const { rows, complete } = await told(readWholeAnySize(ask, call.path, { onAgain: () => this.#again(call.path) }), this.#whose);
    if (!complete) throw new PathRefused(4, changedText(call.path));
    return rows;
  }

  async #reply(call: ApiCall & Filtered): Promise<Reply> {
    const permit = await this.#connection.permit(call, { lane: 'wait', tenant, signal: this.#signal });
    return permit.send(() => undefined);
  }
}

/** Opens the account that the line names, gives it to `use`, and closes it. */
export const withAccount = <T>(call: Call, verb: string, use: (account: AccountReader) => Promise<T>): Promise<T> =>
  ownToken(call).then((own) => opened(call, { verb, why: 'reading', own }, use));

/** The same to change something: as the person, unless the line says that the operator's user is to have done it. */
export async function withOwnAccount<T>(call: Call, verb: string, use: (account: AccountReader) => Promise<T>): Promise<T> {
  const own = on(call.flags, 'asAccount') ? undefined : await ownToken(call);
  if (own === undefined && !on(call.flags, 'asAccount'))
    throw new CliError(
      2,
      "this changes the account, and takes your own token for it: put it into CLOUD_TOKEN, or name its file with --token-file. With --as-account that of the CloudAccount is used, and the account's events will name the operator's user",
    );
  return opened(call, { verb, why: 'acting', own }, use);
}

interface Opening {
  readonly verb: string;
  readonly why: 'reading' | 'acting';
  /** Absent: that of the CloudAccount. */
  readonly own: Sensitive | undefined;
}
async function opened<T>(call: Call, { verb, why, own }: Opening, use: (account: AccountReader) => Promise<T>): Promise<T> {
  const { session, flags } = call;
  const endpoints = await endpointsOf(call);
  const account = session.isAlone ? await accountAlone(call, endpoints, own !== undefined) : await named(session, text(flags, 'account'));
  const connector = await session.host.openCloud(endpoints, verb);
  let lease: ConnectionLease | undefined;
  try {
    const endpoint = namedEndpoint(account, connector.endpoints);
    const token = own ?? (await accountToken(session, account));
    const { name } = account.metadata;
    const options = { endpoint, account: name, token, wake: () => undefined, changed: () => undefined };
    const whose = tokenOf(own === undefined ? account : undefined);
    lease = await told(connector.open(options, session.host.signal), whose);
    const { identity } = lease.connection;
    refuseAnother(account, identity.account);
    session.say(`${why} as user ${identity.user} with ${own === undefined ? `the token of ${shownName(account)}` : 'your own token'}`);
    const shown = { account: shownName(account), id: identity.account, user: identity.user, endpoint };
    const { spellingAt } = await import('../dry/ports/open-cloud.ts');
    const again = (list: string): void => session.warn(`${list} became another list while it was read: it is read again`);
    const at = { whose, again, shown, spelled: spellingAt(endpoints.find((one) => one.name === endpoint)) };
    const reader = new AccountReader(at, lease.connection, session.host.signal);
    return await tellingOfWaits(session, connector, () => use(reader));
  } finally {
    lease?.close();
    connector.close();
  }
}

async function named(session: Session, words = 'default'): Promise<Resource> {
  const [first = '', second, ...more] = words.split('/');
  if (first === '' || second === '' || more.length > 0) throw new CliError(2, `--account ${words}: write NAMESPACE/NAME, or a name alone`);
  const key = second === undefined ? { namespace: await session.namespace(), name: first } : { namespace: first, name: second };
  const kind = registry.connection;
  const reader = await session.reader();
  const found = await reader.get(kind, key);
  if (found !== undefined) return found;
  const near = (await nearest(reader, kind, key)) ?? '.';
  throw new CliError(
    4,
    `${shownName({ kind: kind.kind, metadata: key })} is not found${near} Name the account with --account NAMESPACE/NAME`,
  );
}

/** A token of another account would show what is not meant. */
function refuseAnother(account: Resource, id: string): void {
  const known = account.status?.['account'];
  if (typeof known !== 'string' || known === id) return;
  throw new CliError(4, `${shownName(account)} is account ${known}, and the token leads to account ${id}. Use a token of the right one`);
}
