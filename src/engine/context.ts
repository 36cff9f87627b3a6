import type { Clock, Millis } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import {
  type AnyCollection,
  type AnyIssued,
  type AnyKind,
  type AnyOperation,
  asCollection,
  asIssued,
  asOperation,
  type Call,
  type Sensitive,
} from '../resource/index.ts';
import type { Log } from '../telemetry/log.ts';
import type { AppliedBeforeMemory } from './memory/applied-before.ts';
import type { ChangeLedger } from './memory/change-ledger.ts';
import type { Claims } from './memory/claims.ts';
import type { Accounts } from './memory/connected-accounts.ts';
import type { DeletionCounter } from './memory/deletion-counter.ts';
import type { InstallationUse } from './memory/installation-use.ts';
import type { LossCounter } from './memory/loss-counter.ts';
import type { Memory } from './memory/memory.ts';
import type { ObjectMemory } from './memory/object-memory.ts';
import type { OpenCreateIndex } from './memory/open-create-index.ts';
import type { OutputWishes } from './outputs/wishes.ts';
import type { PermitQueue } from './memory/permit-queue.ts';
import type { RecentCreates } from './memory/recent-creates.ts';
import type { Recoveries } from './memory/recoveries.ts';
import type { ReferenceIndex } from './memory/reference-index.ts';
import type { ReadAccount } from './model/account.ts';
import type { InstallationKey, ObjectName } from './model/identity.ts';
import type { Registry } from './model/kind-registry.ts';
import { nameOf } from './model/object-id.ts';
import type { Outcome, StatusDraft } from './model/outcome.ts';
import type { BoundRemote, StepOf, UpdateStep } from './model/step.ts';
import type {
  AccountLeases,
  ChangeMonitor,
  ConfigMaps,
  Connector,
  Crds,
  CallOptions,
  DataRecord,
  Key,
  KeyUse,
  Lane,
  Leadership,
  Monitor,
  Objects,
  Patch,
  Permit,
  Recorder,
  Resource,
  Secrets,
  Transfers,
} from './ports/index.ts';

/** Bounds that the proofs scale (README: unknown outcome). */
export interface Settings {
  /** Latest time between a request's receipt and its commit, ms. Default 60,000. */
  readonly commitBound: Millis;
  /** Longest time after a write during which lists may not show it, ms. Default 60,000. */
  readonly listLag: Millis;
  readonly operatorNamespace: string;
  /** `namespace/name` of this installation's leader lease: what all its processes go by. */
  readonly release: string;
  /** Only CloudAccounts with these labels are served by this release; empty: all. */
  readonly accountSelector: Readonly<Record<string, string>>;
}

/** Secrets or ConfigMaps by name, from memory where they were read lately. */
export interface DataReader<Value> {
  record(key: Key, signal: AbortSignal, maxAge?: Millis): Promise<DataRecord<Value> | undefined>;
  /** It was written: what is known of it no longer counts. */
  forget(key: Key): void;
  /** Somebody asks for a look: neither does what is known of this namespace. */
  forgetIn(namespace: string): void;
}

/** What the engine is given: ports, clock and settings. */
export interface EngineDependencies {
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly configMaps: ConfigMaps;
  readonly recorder: Recorder;
  readonly leadership: Leadership;
  readonly accountLeases: AccountLeases;
  readonly connector: Connector;
  readonly transfers: Transfers;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly monitor: Monitor;
  readonly key: InstallationKey;
  readonly keyUse: KeyUse;
  /** uid of the namespace `kube-system`: the default installation. */
  readonly clusterUid: string;
  readonly settings: Settings;
  readonly crds: Crds;
  /** Told of each step that is decided for a remote that is there, before it is taken: who only shows what would be done. */
  readonly onStep?: (object: Resource, step: UpdateStep, present: BoundRemote) => void;
}

/** What the engine is made of; one per process. */
export interface Engine extends EngineDependencies {
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly claims: Claims;
  readonly installationUse: InstallationUse;
  readonly recoveries: Recoveries;
  readonly referenceIndex: ReferenceIndex;
  /** What is done once (dependants), by what it is done to. */
  readonly operationIndex: ReferenceIndex;
  readonly memory: Memory;
  readonly objectMemory: ObjectMemory;
  readonly recentCreates: RecentCreates;
  readonly appliedBefore: AppliedBeforeMemory;
  readonly secretCache: DataReader<Sensitive>;
  readonly configMapCache: DataReader<string>;
  readonly lossCounter: LossCounter;
  readonly deletionCounter: DeletionCounter;
  readonly ledger: ChangeLedger;
  readonly permitQueue: PermitQueue;
  readonly openCreateIndex: OpenCreateIndex;
  readonly outputWishes: OutputWishes;
  /** Paths to which something is being done once, from what is noted before it to its answer. */
  readonly operating: Set<string>;
  wake(kind: string, key: Key, options?: { after?: Millis; urgent?: boolean }): void;
}

/** What is known of any object, here and in the account's cache. */
type ObjectEngine = Pick<Engine, 'clock' | 'settings' | 'objectMemory'>;
type AccountEngine = ObjectEngine &
  Pick<Engine, 'registry' | 'claims' | 'recentCreates' | 'appliedBefore'> & { readonly objects: Pick<Objects, 'get'> };
/** What may be asked about others. */
export type ClusterEngine = AccountEngine &
  Pick<
    Engine,
    | 'clusterUid'
    | 'referenceIndex'
    | 'operationIndex'
    | 'openCreateIndex'
    | 'outputWishes'
    | 'lossCounter'
    | 'deletionCounter'
    | 'recoveries'
    | 'secretCache'
    | 'configMapCache'
    | 'wake'
  > & {
    readonly objects: Pick<Objects, 'get' | 'all' | 'annotated'>;
    readonly accounts: { get(key: Key): ReadAccount | undefined };
  };
type ReconcileEngine = ClusterEngine &
  Pick<
    Engine,
    'memory' | 'transfers' | 'operating' | 'installationUse' | 'ledger' | 'recorder' | 'log' | 'permitQueue' | 'crds' | 'onStep' | 'random'
  > & {
    readonly accountLeases: Pick<AccountLeases, 'held'>;
    readonly monitor: ChangeMonitor;
  };

/** This object, and what its status will say. `object` is replaced by what our own patches answer. */
export interface ObjectContext {
  readonly engine: ObjectEngine;
  readonly kind: AnyKind;
  object: Resource;
  readonly name: ObjectName;
  readonly key: InstallationKey;
  readonly status: StatusDraft;
  readonly signal: AbortSignal;
  /** Aborted as soon as the process is asked to stop: what was not begun by then is not begun. */
  readonly intake: AbortSignal;
  /** See {@link CallOptions.onWait}. */
  readonly onWait: (waits: boolean) => void;
}
/** May read its account. For identity and observe. */
export interface AccountContext extends ObjectContext {
  readonly engine: AccountEngine;
  readonly account: ReadAccount;
}
/** May read other objects and Secrets. For guard and resolve. */
export interface ClusterContext extends AccountContext {
  readonly engine: ClusterEngine;
  /** What it refers to is read now, although nothing says that it is another: something is made of it that nobody takes back. */
  readonly looksNow?: true;
}
/** One reconcile of one object. Those who decide hand it on; only `change` uses `effects`. */
export interface ReconcileContext extends ClusterContext {
  readonly engine: ReconcileEngine;
  readonly effects: Effects;
}
/** On the way to the account: there is none yet. */
export interface ConnectingContext extends Omit<ClusterContext, 'account'> {
  readonly engine: ReconcileEngine;
  readonly effects: ObjectEffects;
}

/** What can be done to the object itself. */
export interface ObjectEffects {
  /** Live, past the cache: before every destructive call. */
  fetch(): Promise<Resource | undefined>;
  patch(patch: Patch): Promise<Resource>;
  /** Takes it out of the cluster, where nobody needs it any more. */
  remove(): Promise<void>;
  /** True while the lease is surely ours. */
  leads(): boolean;
}
/** Everything that a reconcile can change outside of this process, but its status. */
export interface Effects extends ObjectEffects {
  /** See {@link Connection.permit}. */
  permit(call: Call, options: CallOptions): Promise<Permit>;
  readonly secrets: Secrets;
  readonly configMaps: ConfigMaps;
  /** Of the account's own object. */
  patchAccount(patch: Patch): Promise<Resource>;
  /** Of another object, to whose remote this one does something. */
  patchOther(other: Resource, patch: Patch): Promise<Resource>;
}

/** One reconcile of something that is made and unmade. */
export type CollectionContext = ReconcileContext & { readonly kind: AnyCollection };
export const isOfCollection = <Context extends Pick<ObjectContext, 'kind'>>(
  context: Context,
): context is Context & { readonly kind: AnyCollection } => asCollection(context.kind) !== undefined;

/** One reconcile of what has no remote, and is given out. */
export type IssuedContext = ReconcileContext & { readonly kind: AnyIssued };
/** One reconcile of what is done once. */
export type OperationContext = ReconcileContext & { readonly kind: AnyOperation };
export const isOfOperation = (context: ReconcileContext): context is OperationContext => asOperation(context.kind) !== undefined;
export const isOfIssued = (context: ReconcileContext): context is IssuedContext => asIssued(context.kind) !== undefined;

export const callOptions = ({ kind, object, account, signal, intake, onWait }: AccountContext, lane: Lane): CallOptions => ({
  lane,
  caller: kind.kind,
  tenant: object.metadata.namespace,
  account: nameOf(account.key),
  signal,
  intake,
  onWait,
});

/** Total: a step without a performer does not compile. `Rest`: what else each is given. */
export type Performers<Steps, Rest extends readonly unknown[] = [], Result = Outcome, Context = ReconcileContext> = {
  readonly [Do in keyof Steps]: (context: Context, step: StepOf<Steps, Do>, ...rest: Rest) => Result | Promise<Result>;
};
