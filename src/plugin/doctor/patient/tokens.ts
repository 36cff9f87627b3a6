import { CloudError } from '../../../engine/ports/index.ts';
import type { Resource } from '../../../engine/ports/kubernetes.ts';
import type { Endpoint } from '../../../flag-values.ts';
import { Sensitive } from '../../../resource/index.ts';
import { ownToken } from '../../account/own-token.ts';
import type { Call } from '../../command-line/command.ts';
import { shownName } from '../../cluster/naming.ts';
import type { Session } from '../../session.ts';
import type { Asked } from './asked.ts';
import type { Way } from './ways.ts';

/** What a token leads to: that of an account, which the operator uses, or the caller's own. */
export interface TokenSeen {
  readonly account: string;
  readonly whose: keyof typeof words;
  readonly fault?: string | undefined;
  /** Why nobody tried it. */
  readonly unlooked?: string;
}

const words = { account: 'the token of its Secret', caller: 'your own token' };

interface Around {
  readonly asked: Asked;
  readonly endpoints: readonly Endpoint[];
  readonly ways: readonly Way[];
}
export async function tokensOf(
  call: Pick<Call, 'session' | 'flags'>,
  accounts: readonly Resource[],
  { asked, endpoints, ways }: Around,
): Promise<readonly TokenSeen[]> {
  const { session } = call;
  const own = await ownToken({ ...call, args: [] });
  const cloud = await session.host.openCloud(endpoints, 'doctor');
  try {
    const found: TokenSeen[] = [];
    for (const account of accounts) {
      const shut = barred(account, ways);
      const seen = async (whose: TokenSeen['whose'], token: Sensitive | string): Promise<TokenSeen> => {
        const whom = { account: shownName(account), whose };
        if (typeof token === 'string') return { ...whom, unlooked: token };
        const endpoint = String(account.spec['endpoint']);
        const options = { endpoint, account: account.metadata.name, token, wake: () => undefined, changed: () => undefined };
        return { ...whom, fault: await faultOf(account, words[whose], () => cloud.open(options, session.host.signal)) };
      };
      found.push(await seen('account', shut ?? (await tokenOf(asked, account))));
      if (own !== undefined && shut === undefined) found.push(await seen('caller', own));
    }
    return found;
  } finally {
    cloud.close();
  }
}

function barred(account: Resource, ways: readonly Way[]): string | undefined {
  const endpoint = String(account.spec['endpoint']);
  const way = ways.find((one) => one.endpoint === endpoint);
  if (way === undefined) return `where endpoint ${endpoint} of ${shownName(account)} is, is not known: --endpoint ${endpoint}=URL`;
  return way.fault === undefined ? undefined : `the way to endpoint ${endpoint}, and so to ${shownName(account)}, is barred`;
}

/** Or why there is none. */
async function tokenOf(asked: Asked, account: Resource): Promise<Sensitive | string> {
  const { name, key } = account.spec['tokenSecretRef'] as { readonly name: string; readonly key: string };
  const { namespace } = account.metadata;
  const right = `get secrets in namespace ${namespace}`;
  const secret = (await asked.get(`/api/v1/namespaces/${namespace}/secrets/${name}`, right)) as
    | { readonly data?: Readonly<Record<string, string>> }
    | undefined;
  const text = secret?.data?.[key];
  if (text !== undefined) return new Sensitive(Buffer.from(text, 'base64').toString());
  return asked.forbidden.has(right) ? `you may not ${right}` : `Secret ${namespace}/${name} has no token under ${key}`;
}

type Opening = () => ReturnType<Awaited<ReturnType<Session['host']['openCloud']>>['open']>;
async function faultOf({ status }: Resource, token: string, open: Opening): Promise<string | undefined> {
  try {
    const lease = await open();
    const { account } = lease.connection.identity;
    lease.close();
    const pinned = status?.['account'];
    return typeof pinned === 'string' && pinned !== account
      ? `it is account ${pinned}, and ${token} leads to account ${account}`
      : undefined;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return `${token} cannot be used: ${error.message}`;
  }
}
