import { readFile } from 'node:fs/promises';
import { type ConnectorOptions, createConnector, createDialect } from '../../../cloud/index.ts';
import type { Endpoint } from '../../../flag-values.ts';
import { kinds } from '../../../generated/kinds.ts';
import { systemClock } from '../../../lib/clock.ts';
import { systemRandom } from '../../../lib/random.ts';
import { silent } from './silent.ts';
import { CliError } from '../../exit.ts';
import type { OpenCloud, Told } from '../../host.ts';

interface Opening {
  readonly endpoints: readonly Endpoint[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userAgent: string;
  readonly told?: Told | undefined;
}

/** As one line for each; ids are left out of paths. */
export const callsTo =
  (told: Told): NonNullable<ConnectorOptions['onCall']> =>
  ({ method, template, status }) =>
    told(`${method} ${template} ${status === 0 ? '<error>' : status}`);

/** The operator's own client of the account's API, under another name, behind the proxy that `env` names. */
export async function openCloud({ endpoints, env, userAgent, told }: Opening): Promise<OpenCloud> {
  return createConnector({
    endpoints: await Promise.all(endpoints.map(withAuthority)),
    clock: systemClock,
    random: systemRandom,
    log: silent,
    kinds,
    listLag: 60_000,
    proxy: proxyIn(env),
    userAgent: () => userAgent,
    ...(told && { onCall: callsTo(told) }),
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
