import { readFile } from 'node:fs/promises';
import { type ConnectorOptions, createConnector, createDialect } from '../../../cloud/index.ts';
import type { Endpoint } from '../../../flag-values.ts';
import { kinds } from '../../../generated/kinds.ts';
import { systemClock } from '../../../lib/clock.ts';
import { systemRandom } from '../../../lib/random.ts';
import { silent } from './silent.ts';
import { CliError } from '../../exit.ts';
import { Slots } from '../../../lib/slots.ts';
import type { OpenCloud, Telling, Told } from '../../host.ts';

interface Opening {
  readonly endpoints: readonly Endpoint[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly telling?: Telling | undefined;
}

/** All pages of a list, in one reading, as the operator reads them. */
export { readWholeAnySize } from '../../../cloud/index.ts';

/** As one line for each; ids are left out of paths. */
const callsTo =
  (told: Told): NonNullable<ConnectorOptions['onCall']> =>
  ({ method, template, status }) =>
    told(`${method} ${template} ${status === 0 ? '<error>' : status}`);

/** An operator works with the same account: a look takes no more of its attention than this. */
const atOnce = 4;

/** How a line asks of which somebody waits for the end. */
export const asking = ({ requests, waits = () => undefined }: Telling = {}): Pick<ConnectorOptions, 'onCall' | 'patience'> => ({
  patience: { slots: new Slots(atOnce), onWait: waits },
  ...(requests && { onCall: callsTo(requests) }),
});

/** The operator's own client of the account's API, under another name, behind the proxy that `env` names. */
export async function openCloud({ endpoints, env, userAgent, telling }: Opening): Promise<OpenCloud> {
  return createConnector({
    endpoints: await Promise.all(endpoints.map(withAuthority)),
    clock: systemClock,
    random: systemRandom,
    log: silent,
    kinds,
    listLag: 60_000,
    proxy: proxyIn(env),
    userAgent: () => userAgent,
    ...asking(telling),
  });
}

/** Paths as the service has them, in whichever words they are given. */
export function spellingAt(endpoint: Endpoint | undefined): (path: string) => string {
  const dialect = createDialect(endpoint?.word ?? 'vm');
  return (path) => dialect.path(path);
}

/** As the operator reads them, too. */
export function proxyIn(env: Opening['env']): { readonly http: string; readonly https: string; readonly noProxy: string } {
  const [http = '', https = '', noProxy = ''] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] ?? env[name.toUpperCase()],
  );
  return { http, https, noProxy };
}

/** With the text of its authority in place of the file. */
export async function withAuthority({ ca, ...endpoint }: Endpoint): Promise<Endpoint> {
  if (ca === undefined) return endpoint;
  const text = await readFile(ca, 'utf8').catch((error: Error) => {
    throw new CliError(2, `--endpoint ${endpoint.name}: its ca file cannot be read: ${error.message}`);
  });
  return { ...endpoint, ca: text };
}
