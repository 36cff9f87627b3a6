import type { AnyKind } from '../resource/index.ts';
import { Accounts } from './account/accounts.ts';
import { Claims } from './identity/claims.ts';
import { Connections } from './account/connect.ts';
import { Controller } from './run/controller.ts';
import { Departures } from './hold/departures.ts';
import { Evidence } from './run/evidence.ts';
import { Links, objectId, parseObjectId } from './resolve/links.ts';
import { type Change, notice } from './run/notice.ts';
import { WorkQueue } from './run/queue.ts';
import { OpenCreates } from './create/open-creates.ts';
import { Refusals } from './create/refusals.ts';
import { Tickets } from './create/tickets.ts';
import { Registry } from './run/registry.ts';
import { Releases } from './hold/releases.ts';
import { SecretCache } from './resolve/secret-cache.ts';
import type { Engine, Surroundings } from './run/turn.ts';
import { Vanishings } from './hold/vanishings.ts';

export interface EngineOptions extends Surroundings {
  readonly kinds: readonly AnyKind[];
}

export interface RunningEngine {
  /** Told of every change of the cache. */
  notice(change: Change): void;
  /** Starts work: call once the caches are filled and the lease is held. */
  start(): void;
  stop(grace: number): Promise<void>;
  readonly queue: WorkQueue;
}

export function createEngine(options: EngineOptions): RunningEngine {
  const { clock, random, monitor } = options;
  const queue = new WorkQueue({ clock, random, observe: (change, id, waited) => monitor.queued(parseObjectId(id).kind, change, waited) });
  const engine: Engine = {
    ...options,
    registry: new Registry(options.kinds),
    accounts: new Accounts(),
    claims: new Claims(),
    links: new Links(),
    evidence: new Evidence(),
    releases: new Releases(),
    vanishings: new Vanishings(),
    departures: new Departures(),
    refusals: new Refusals(),
    tickets: new Tickets(options),
    openCreates: new OpenCreates(),
    secretCache: new SecretCache(options.secrets, clock),
    wake: (kind, key, { after, urgent } = {}) =>
      queue.add(objectId(kind, key), { ...(after !== undefined && { after }), ...(urgent !== undefined && { urgent }) }),
  };
  const connections = new Connections(engine);
  const controller = new Controller(engine, queue, connections);
  return {
    queue,
    notice: (change) => notice(engine, change),
    start: () => void controller.run(),
    stop: async (grace) => {
      await controller.stop(grace);
      connections.closeAll();
    },
  };
}
