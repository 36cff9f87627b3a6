import {
  type AccountChange,
  CloudError,
  type Connection,
  type ConnectionLease,
  type Connector,
  type Permit,
  type RemoteCache,
} from '../../../engine/ports/index.ts';
import { kinds } from '../../../generated/kinds.ts';
import { type AnyKind, type Call, collectionOfItem, nonceOf, type Row, unknownOwner } from '../../../resource/index.ts';

/** Thrown where a change would have been sent: it ends the turn of its object. */
export class WouldSend extends Error {
  override readonly name = 'WouldSend';
  readonly call: Call;
  /** What the engine says of it. */
  readonly change: AccountChange;
  constructor(call: Call, change: AccountChange) {
    super(`${call.method} ${call.path}`);
    this.call = call;
    this.change = change;
  }
}

/** What remotes would be after the calls that were captured, by path. `gone`: deleted. */
export class Expected {
  readonly rows = new Map<string, Row>();
  readonly gone = new Set<string>();
  /** Uids of objects whose create is answered as if the name were taken, so that it is looked for. */
  readonly taken = new Set<string>();
  /** Set in the same tick as the send that it tells of. */
  changing: AccountChange | undefined;
}

/** The way to accounts, on which reads go out and nothing else does. */
export const capturing = (connector: Connector, expected: Expected, look: readonly AnyKind[]): Connector => ({
  endpoints: connector.endpoints,
  open: async (options, signal) => {
    const lease = await connector.open({ ...options, look }, signal);
    return leaseOf(lease, connectionOf(lease.connection, { expected, look }));
  },
});

const leaseOf = (lease: ConnectionLease, connection: Connection): ConnectionLease => ({
  connection,
  isRefused: () => lease.isRefused(),
  rotate: (token, signal) => lease.rotate(token, signal),
  shareUsedUp: () => undefined,
  tune: () => undefined,
  close: () => lease.close(),
});

interface Looking {
  readonly expected: Expected;
  readonly look: readonly AnyKind[];
}
function connectionOf(real: Connection, { expected, look }: Looking): Connection {
  const cache = cacheOf(real.cache, { expected, look });
  return over(real, {
    cache,
    permit: (call, how) => (call.method === 'GET' ? real.permit(call, how) : Promise.resolve(captured(call, expected))),
    list: async (path, how) => {
      const listing = await real.list(path, how);
      return { ...listing, rows: listing.rows.filter((row) => !expected.gone.has(`${path}/${String(row['id'])}`)) };
    },
  });
}

const captured = (call: Call, expected: Expected): Permit => ({
  call,
  send: async (gate) => {
    const objection = gate();
    if (objection !== undefined) throw new CloudError('Abandoned', objection);
    const change = expected.changing;
    if (change === undefined) throw new Error(`${call.method} ${call.path} was to be sent, and nobody said what for`);
    const taken = change.effect === 'Create' && expected.taken.has(change.uid);
    return Promise.reject(taken ? new CloudError('NotUnique', 'the name is taken') : new WouldSend(withoutNonce(call, change), change));
  },
  for: (other) => captured(other, expected),
  release: () => undefined,
});

/** Nobody knows before what the label of the next attempt will end in. */
function withoutNonce(call: Call, { kind, effect }: AccountChange): Call {
  const rule = kinds.find((one) => one.kind === kind)?.label;
  const label = effect === 'Create' && rule?.nonce === true ? call.body?.[rule.field] : undefined;
  if (rule === undefined || typeof label !== 'string') return call;
  return { ...call, body: { ...call.body, [rule.field]: label.slice(0, -nonceOf(label).length) + unknownOwner } };
}

/** What stands beside an account, or another thing that nobody looks at, is shown by its status alone. */
const unlooked = ({ parts = {}, ...kind }: AnyKind): AnyKind => ({
  ...kind,
  parts: Object.fromEntries(Object.entries(parts).filter(([, part]) => part.for !== 'status')),
});

function cacheOf(real: RemoteCache, { expected: { rows, gone }, look }: Looking): RemoteCache {
  const seen = <T extends { readonly remote: Row } | undefined>(path: string, known: T): T | undefined => {
    if (gone.has(path)) return undefined;
    const row = rows.get(path);
    return known === undefined || row === undefined ? known : { ...known, remote: row };
  };
  const kindRead = new Map<string, AnyKind>();
  const isLookedAt = (kind: string): boolean => look.some((one) => one.kind === kind);
  return over(real, {
    track: (path, owner) => real.track(path, isLookedAt(owner.kind.kind) ? owner : { ...owner, kind: unlooked(owner.kind) }),
    get: (path) => seen(path, real.get(path)),
    shown: (path, collection) => seen(path, real.shown(path, collection)),
    read: async (path, kind, how) => {
      kindRead.set(path, kind);
      return gone.has(path) ? undefined : seen(path, await real.read(path, kind, how));
    },
    readPart: async (path, part, how) => {
      const kind = kindRead.get(path);
      // The target of an operation has no turn of its own here, so nobody has said yet that its parts are read.
      if (kind?.parts?.[part] !== undefined)
        real.track(path, { kind, key: { namespace: '', name: path }, collection: collectionOfItem(kind, path), wants: [part] });
      return real.readPart(path, part, how);
    },
    // Nothing is given out in a dry run.
    readSecretPart: () => Promise.resolve(undefined),
    deletedByEvent: (path) => gone.has(path) || real.deletedByEvent(path),
  });
}

/** `real` with some of its members replaced; the others are called on it, as it keeps things of its own. */
function over<T extends object>(real: T, own: Partial<T>): T {
  return new Proxy(real, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in own ? own : target, name);
      return typeof value === 'function' && !(name in own) ? (value.bind(target) as unknown) : value;
    },
  });
}
