import type { AccountLeases, Key, Leadership, Resource } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { Log } from '../../telemetry/log.ts';
import { group, version } from '../api-group.ts';
import type { KubeClient } from '../http/client.ts';
import { unlessLeading } from './leading.ts';
import { LeaseLock } from './lease-lock.ts';

export interface KubeAccountLeasesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** `namespace/name` of the release's own lease: its replicas hold an account together, so that a new leader need not wait. */
  readonly release: string;
  /** Of the release's own lease. That of an account is longer: only another release waits for it to run out. */
  readonly leaseDuration: Millis;
  /** An account lease counts only while the leader lease is held. */
  readonly leadership: Leadership;
}
/** What a metric shows of one account. */
export interface AccountLeaseFigures extends Key {
  readonly held: boolean;
}

interface Entry {
  readonly uid: string;
  readonly lock: LeaseLock;
  /** The release that its status names. */
  servedBy: unknown;
  /** What works on the account now, and would write down what it did. */
  work: number;
  /** It is being given back: nothing new begins. */
  leaving?: Promise<void>;
  idle: () => void;
}

/** How much longer than the leader lease: an account's is renewed the more rarely, because a cluster may have hundreds. */
const longer = 4;
/** What is under way when an account is given away may write down for so long what it did. */
const patience: Millis = 20_000;
/** All leases of a stopping process are given back at once, and its successor waits meanwhile. */
const farewell: Millis = 1_500;

const idOf = ({ namespace, name }: Key): string => `${namespace}/${name}`;

/** One Lease per CloudAccount, in the account's namespace: of several releases that serve it the one that holds it works. */
export class KubeAccountLeases implements AccountLeases {
  readonly #options: KubeAccountLeasesOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: KubeAccountLeasesOptions) {
    this.#options = options;
  }

  request(account: Resource, changed: () => void): void {
    const { namespace, name, uid } = account.metadata;
    const id = idOf({ namespace, name });
    const known = this.#entries.get(id);
    const servedBy = account.status?.['servedBy'];
    if (known?.uid === uid) {
      known.servedBy = servedBy;
      if (known.leaving !== undefined) void known.leaving.then(changed);
      return;
    }
    if (known !== undefined) void known.lock.stop({ giveBack: false });
    const lock = this.#lock(account, changed);
    this.#entries.set(id, { uid, lock, servedBy, work: 0, idle: () => undefined });
    lock.start();
  }

  held(account: Key): boolean {
    const entry = this.#entries.get(idOf(account));
    return entry !== undefined && entry.leaving === undefined && entry.lock.held() && this.#options.leadership.held();
  }

  holder(account: Key): string | undefined {
    const holder = this.#entries.get(idOf(account))?.lock.holder ?? '';
    return holder === '' || holder === this.#options.release ? undefined : holder;
  }

  async during<T>(account: Key, work: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(idOf(account));
    if (entry === undefined) return work();
    entry.work += 1;
    try {
      return await work();
    } finally {
      entry.work -= 1;
      if (entry.work === 0) entry.idle();
    }
  }

  release(account: Key): Promise<void> {
    const entry = this.#entries.get(idOf(account));
    if (entry === undefined) return Promise.resolve();
    entry.leaving ??= this.#leave(idOf(account), entry);
    return entry.leaving;
  }

  /** The process ends: all at once, and only while they are surely its own. */
  async stop(): Promise<void> {
    const giveBack = this.#options.leadership.held();
    const all = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(all.map(({ lock }) => lock.stop({ giveBack })));
  }

  figures(): readonly AccountLeaseFigures[] {
    return [...this.#entries.keys()].map((id) => {
      const [namespace = '', name = ''] = id.split('/');
      return { namespace, name, held: this.held({ namespace, name }) };
    });
  }

  async #leave(id: string, entry: Entry): Promise<void> {
    const { clock, leadership } = this.#options;
    if (entry.work > 0) {
      const idle = new Promise<void>((resolve) => (entry.idle = resolve));
      const late = clock.after(patience, entry.idle);
      await idle;
      late.cancel();
    }
    await entry.lock.stop({ giveBack: leadership.held() });
    if (this.#entries.get(id) === entry) this.#entries.delete(id);
  }

  #lock({ kind, metadata }: Resource, changed: () => void): LeaseLock {
    const { client, clock, random, log, release, leadership } = this.#options;
    const { namespace, name, uid } = metadata;
    const duration = this.#options.leaseDuration * longer;
    const lease = `cloud-operator-${uid}`;
    return new LeaseLock({
      client,
      clock,
      random,
      log,
      namespace,
      name: lease,
      identity: release,
      duration,
      renewDeadline: duration * (2 / 3),
      retry: duration * (2 / 15),
      farewell,
      forGood: false,
      wasLast: () => this.#entries.get(idOf({ namespace, name }))?.servedBy === release,
      owner: { apiVersion: `${group}/${version}`, kind, name, uid },
      unless: unlessLeading(leadership),
      onAcquired: changed,
      onLost: changed,
      onHeldBy: changed,
    });
  }
}
