import * as z from 'zod';
import { minutes } from '../../resource/index.ts';
import { Backup } from './backups.ts';
import type { Database } from './remote.ts';

const Credentials = z.object({ username: z.string(), password: z.string() });
const Ssl = z.object({ ca_certificate: z.string().nullable() });

/** Both are refused of a database that is not active. */
const isActive = ({ status }: Database): boolean => status === 'active';
/** One that does not has no certificate, and that cannot be changed later. */
const takesTls = ({ ssl_connection: takes }: Database): boolean => takes !== false;

/** What clients need besides the address, and what there is to be restored. */
export const parts = {
  credentials: {
    path: (item: string) => `${item}/credentials`,
    schema: Credentials,
    paged: false,
    for: 'status',
    when: isActive,
    secret: { every: minutes(360) },
  },
  backups: {
    path: (item: string) => `${item}/backups`,
    schema: z.array(Backup),
    paged: true,
    for: 'status',
    when: ({ status }: Database) => status !== 'provisioning',
    rereadWhileProgressing: true,
  },
  // No secret, but it belongs to the password: one Secret has all that a client needs, from the first moment.
  ssl: {
    path: (item: string) => `${item}/ssl`,
    schema: Ssl,
    paged: false,
    for: 'status',
    when: (database: Database) => isActive(database) && takesTls(database),
    secret: { every: minutes(360) },
  },
} as const;

interface Whole extends Database {
  readonly credentials?: z.output<typeof Credentials>;
  readonly ssl?: z.output<typeof Ssl>;
}
const hostOf = ({ hosts }: Database): string | undefined => hosts?.primary ?? undefined;
const portOf = ({ port }: Database): string | undefined => (typeof port === 'number' ? String(port) : undefined);

const schemes: Readonly<Record<string, string>> = { mysql: 'mysql', postgresql: 'postgresql', mongodb: 'mongodb' };

/** As clients of the engine take it, without the name of a database in it. */
function uriOf(database: Whole): string | undefined {
  const { credentials } = database;
  const [scheme, host, port] = [schemes[database.engine], hostOf(database), portOf(database)];
  if (credentials === undefined || host === undefined || port === undefined) return undefined;
  if (scheme === undefined) return undefined;
  const { username, password } = credentials;
  return `${scheme}://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}:${port}`;
}

/** The service tells it in base64, and nothing where clients may connect without TLS. */
function certificateOf(database: Whole): string | null | undefined {
  const { ssl } = database;
  if (!takesTls(database)) return null;
  if (ssl === undefined) return undefined;
  return ssl.ca_certificate === null ? null : Buffer.from(ssl.ca_certificate, 'base64').toString('utf8');
}

export const outputs = {
  type: { says: 'Engine, for example mysql.', of: ({ engine }: Whole) => engine },
  host: { says: 'Name of the host to connect to.', of: hostOf },
  'host-secondary': {
    says: 'A second name of it, within the private network of the provider.',
    of: (database: Whole) => (hostOf(database) === undefined ? undefined : (database.hosts?.secondary ?? null)),
  },
  port: { says: 'Port to connect to.', of: portOf },
  username: {
    says: 'User that may do everything in the database.',
    secret: true,
    part: 'credentials',
    of: ({ credentials }: Whole) => credentials?.username,
  },
  password: { says: 'Password of that user.', secret: true, part: 'credentials', of: ({ credentials }: Whole) => credentials?.password },
  'ca.crt': {
    says: 'Certificate of the authority that clients check the database against, in PEM.',
    secret: true,
    part: 'ssl',
    of: certificateOf,
  },
  uri: { says: 'All of it in one address, for example mysql://user:password@host:3306.', secret: true, part: 'credentials', of: uriOf },
} as const;
