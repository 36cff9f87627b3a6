import type { Millis } from '../lib/clock.ts';
import { type AnyKind, textSize } from '../resource/index.ts';
import { AccountReconciler } from './account/account-reconciler.ts';
import type { Engine, EngineDependencies } from './context.ts';
import { Controller } from './controller/controller.ts';
import { type WatchEvent, onWatchEvent } from './controller/watch-handler.ts';
import { type QueueChange, WorkQueue } from './controller/work-queue.ts';
import { AppliedBeforeMemory } from './memory/applied-before.ts';
import { ChangeLedger } from './memory/change-ledger.ts';
import { Claims } from './memory/claims.ts';
import { Accounts } from './memory/connected-accounts.ts';
import { DeletionCounter } from './memory/deletion-counter.ts';
import { InstallationUse } from './memory/installation-use.ts';
import { LossCounter } from './memory/loss-counter.ts';
import { Memory } from './memory/memory.ts';
import { ObjectMemory } from './memory/object-memory.ts';
import { OpenCreateIndex } from './memory/open-create-index.ts';
import { OutputWishes } from './outputs/wishes.ts';
import { PermitQueue } from './memory/permit-queue.ts';
import { RecentCreates } from './memory/recent-creates.ts';
import { Recoveries } from './memory/recoveries.ts';
import { ReferenceIndex } from './memory/reference-index.ts';
import { Registry } from './model/kind-registry.ts';
import { objectId, parseObjectId } from './model/object-id.ts';
import { DataCache } from './resolve/data-cache.ts';

export interface EngineOptions extends EngineDependencies {
  readonly kinds: readonly AnyKind[];
  /** Reconciles at once, those that wait for a rate window among them. */
  readonly turns?: number | undefined;
}

/** Bounds memory when thousands wait. */
const most = 10_000;

export interface RunningEngine {
  /** Told of every change of the cache. */
  onWatchEvent(change: WatchEvent): void;
  /** Starts work: call once the caches are filled and the lease is held. */
  start(): void;
  stop(grace: number): Promise<void>;
  readonly queue: WorkQueue;
  /** Uids and ids of objects of which something is known, by store. */
  remembered(): ReadonlyMap<string, readonly string[]>;
}

/** What the engine is made of, without what decides whose turn it is. */
export function assemble(options: EngineOptions, memory: Memory, wake: Engine['wake']): Engine {
  const { clock } = options;
  return {
    ...options,
    registry: new Registry(options.kinds),
    accounts: new Accounts(),
    memory,
    claims: memory.keep(
      'claims',
      'uid',
      new Claims(
        ({ kind, key }) => wake(kind, key),
        () => clock.monotonic(),
      ),
    ),
    installationUse: memory.keep('installations', 'uid', new InstallationUse()),
    recoveries: memory.keep('recoveries', 'uid', new Recoveries()),
    referenceIndex: memory.keep('references', 'id', new ReferenceIndex()),
    operationIndex: memory.keep('operations', 'id', new ReferenceIndex()),
    recentCreates: new RecentCreates(),
    appliedBefore: new AppliedBeforeMemory(),
    objectMemory: memory.keep('objects', 'uid', new ObjectMemory()),
    lossCounter: memory.keep('losses', 'uid', new LossCounter()),
    deletionCounter: new DeletionCounter(),
    ledger: memory.keep('ledger', 'uid', new ChangeLedger(options.random)),
    permitQueue: memory.keep('permits', 'uid', new PermitQueue(options)),
    openCreateIndex: memory.keep('open creates', 'id', new OpenCreateIndex()),
    outputWishes: memory.keep('output wishes', 'uid', new OutputWishes(({ kind, ...key }) => wake(kind, key))),
    transfers: memory.keep('transfers', 'uid', options.transfers),
    operating: new Set(),
    secretCache: new DataCache(options.secrets, clock, ({ size }) => size),
    configMapCache: new DataCache(options.configMaps, clock, textSize),
    wake,
  };
}

export function createEngine(options: EngineOptions): RunningEngine {
  const { clock, random, monitor, turns = most } = options;
  const observe = (change: QueueChange, id: string, waited: Millis): void => monitor.queued(parseObjectId(id).kind, change, waited);
  const queue = new WorkQueue({ clock, random, turns, observe });
  const memory = new Memory();
  memory.keep('failures', 'id', queue);
  const engine = assemble(options, memory, (kind, key, { after, urgent } = {}) =>
    queue.add(objectId(kind, key), { ...(after !== undefined && { after }), ...(urgent !== undefined && { urgent }) }),
  );
  const accounts = new AccountReconciler(engine);
  const controller = new Controller(engine, queue, accounts);
  return {
    queue,
    remembered: () => new Map([...memory.known(), ['remote cache', ownersIn(engine.accounts)]]),
    onWatchEvent: (change) => onWatchEvent(engine, change),
    start: () => void controller.run(),
    stop: async (grace) => {
      options.transfers.stop();
      await controller.stop(grace);
      accounts.closeAll();
    },
  };
}

const ownersIn = (accounts: Accounts): readonly string[] =>
  [...accounts.all()].flatMap(({ connection }) => [...connection.cache.owners()].map(({ kind, key }) => objectId(kind.kind, key)));
