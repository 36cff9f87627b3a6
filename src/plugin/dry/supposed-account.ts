import { CloudError, type Connection, type ConnectionLease, type Connector, type RemoteCache } from '../../engine/ports/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { type AnyKind, asConnection, asSingleton, type Row } from '../../resource/index.ts';
import { supposedRow } from './supposed-kinds.ts';

const nothing = (): undefined => undefined;

/** What is taken for an account: its id, as whom it is read, and its rows by path. */
export interface SupposedAccount {
  readonly id: string;
  readonly user: string;
  readonly rows: ReadonlyMap<string, Row>;
}
interface Options {
  readonly clock: Clock;
  readonly endpoints: readonly string[];
  /** By the name of the account's object, `shop/default`. */
  readonly accountOf: (name: string) => SupposedAccount;
}

/** Ways to accounts that nobody asks: what is known of them is what is supposed. */
export const supposedConnector = ({ clock, endpoints, accountOf }: Options): Connector => ({
  endpoints,
  open: ({ account }) => Promise.resolve(leaseOf(connectionTo(accountOf(account), clock))),
});

const leaseOf = (connection: Connection): ConnectionLease => ({
  connection,
  isRefused: () => false,
  rotate: () => Promise.resolve(true),
  shareUsedUp: nothing,
  tune: nothing,
  close: nothing,
});

function connectionTo({ id, user, rows }: SupposedAccount, clock: Clock): Connection {
  const identity = { account: id, user, restricted: false, scopes: ['*'] };
  return {
    identity,
    cache: cacheOf(rows, clock),
    // What would be sent is kept before it comes here; what must be read cannot be told.
    permit: ({ method, path }) => Promise.reject(new CloudError('Unavailable', `${method} ${path} would have to be asked of the account`)),
    // What nobody has an object for is not known.
    list: () => Promise.resolve({ rows: [], complete: true, requestedAt: clock.monotonic() }),
    // Whatever the service calls itself before its own images; those of an account begin with `private`.
    neutral: (one) => one.replace(/^(?!private\/)[a-z]+\//, 'vm/'),
    catalogue: nothing,
    catalogued: () => Promise.resolve(),
    offers: () => Promise.resolve(true),
    outage: nothing,
    confirm: () => Promise.resolve(identity),
    apiNow: () => clock.now(),
    report: () => ({}),
  };
}

/** What nobody makes. */
const alwaysThere = (path: string, kind: AnyKind): Row | undefined =>
  asSingleton(kind) === undefined && asConnection(kind) === undefined
    ? undefined
    : supposedRow({ path, want: undefined, status: {}, paid: {} });

/** Nothing is followed: it is looked at once. */
const unwatched = { track: nothing, untrack: nothing, uses: nothing, requestSweep: nothing, sweepSoon: nothing, expect: nothing };

function cacheOf(rows: ReadonlyMap<string, Row>, clock: Clock): RemoteCache {
  const shown = (remote: Row | undefined): ReturnType<RemoteCache['get']> =>
    remote && { remote, readAt: clock.monotonic(), source: 'item' };
  const get = (path: string): ReturnType<RemoteCache['get']> => shown(rows.get(path));
  return {
    get,
    shown: get,
    sweptAt: () => clock.monotonic(),
    owners: () => [],
    read: (path, kind) => Promise.resolve(shown(rows.get(path) ?? alwaysThere(path, kind))),
    readPart: () => Promise.resolve(),
    readNewParts: () => Promise.resolve(),
    readSecretPart: () => Promise.resolve(undefined),
    look: () => Promise.resolve(undefined),
    rereadParts: () => Promise.resolve(false),
    jobs: () => [],
    followed: () => [],
    creators: () => [],
    birth: () => undefined,
    deletedByEvent: () => false,
    eventsReadAt: () => Infinity,
    eventsFailing: nothing,
    writtenAt: () => -Infinity,
    partReadAt: nothing,
    lastJob: nothing,
    isOvertaken: nothing,
    lastNamed: nothing,
    lastEnd: nothing,
    actor: nothing,
    put: nothing,
    written: nothing,
    invalidate: nothing,
    renewed: nothing,
    ...unwatched,
  };
}
