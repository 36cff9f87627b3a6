import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { atOnce } from './places.ts';
import { closed, type Sources } from './sources.ts';

/** The connection would have led where nothing may be read. */
export class ClosedAddress extends Error {
  override readonly name = 'ClosedAddress';
  constructor() {
    super(closed);
  }
}

type Resolve = (
  hostname: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/**
 * Sockets to hosts that tenants name. Names are resolved once and connected to by those very addresses, and the address of the
 * socket is looked at again before anything is written to it: a name that leads elsewhere by then (DNS rebinding) gains nothing.
 * No proxy: it would resolve the name itself.
 */
export function createSourceAgent(sources: Sources, resolve: Resolve = lookup): Dispatcher {
  return new Agent({ allowH2: false, connections: atOnce, pipelining: 1, connect: connectorFor(sources, resolve) });
}

function connectorFor(sources: Sources, resolve: Resolve): buildConnector.connector {
  return (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = Number(options.port === '' ? (options.protocol === 'http:' ? 80 : 443) : options.port);
    const admits = (address: string): boolean => sources.admits(host, port, address);
    if (isIP(host) !== 0 && !admits(host)) return done(new ClosedAddress(), null);
    const connect = buildConnector({ allowH2: false, lookup: guarded(resolve, admits) });
    connect(options, (...answer) => {
      const [error, socket] = answer;
      if (error !== null) return done(error, null);
      if (admits(socket.remoteAddress ?? '')) return done(null, socket);
      socket.destroy();
      done(new ClosedAddress(), null);
    });
  };
}

/** One that is closed closes the whole name: who mixes them is not to be trusted with the rest. */
function guarded(resolve: Resolve, admits: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, done) => {
    resolve(hostname, { all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) return done(error, '');
      if (first === undefined || !addresses.every(({ address }) => admits(address))) return done(new ClosedAddress(), '');
      if (all === true) return done(null, [...addresses]);
      done(null, first.address, first.family);
    });
  };
}
