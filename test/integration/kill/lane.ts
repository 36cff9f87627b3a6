import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { LedgerObject } from '../../support/emulator-program.ts';
import { Stage } from '../../support/stage.ts';
import { Crossing, type Passage, type Point } from './crossing.ts';
import type { Manifest, Subject } from './operations.ts';
import { keysOf, pictureOf, type Picture } from './picture.ts';
import { callText, counts, type Step } from './step.ts';

export interface Call {
  readonly call: string;
  readonly occurrence: number;
}
/** What an operation came to. */
export interface Performed {
  readonly calls: readonly Call[];
  readonly picture: Picture;
  /** False when the step at which the operator was to be killed never came. */
  readonly struck: boolean;
}

/** Scaled like the bounds of the emulator, which commits at once: a case takes seconds. */
const flags = ['--commit-bound=1s', '--list-lag=1s', '--lease-duration=5s'];
/** Longest that an operation may take, whoever is killed meanwhile. */
const limit = 90_000;
/** Without a call that counts for so long, nothing more belongs to the operation. */
const quiet = 700;

/** The loader takes plain HTTP only where it is told not to check certificates. */
const kubeconfigOf = (server: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'crossing',
    contexts: [{ name: 'crossing', context: { cluster: 'crossing', user: 'operator' } }],
    clusters: [{ name: 'crossing', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'operator', user: { token } }],
  });

/** A stage with a crossing on each side of the operator, on which one kind after the other is made, changed and deleted. */
export class Lane {
  readonly #stage: Stage;
  readonly #kubeconfig: string;
  readonly #crossings: readonly Crossing[];
  readonly #watch: Watch;
  #closing = false;

  private constructor(stage: Stage, watch: Watch, crossings: readonly Crossing[], kubeconfig: string) {
    this.#stage = stage;
    this.#watch = watch;
    this.#crossings = crossings;
    this.#kubeconfig = kubeconfig;
  }

  static async open(): Promise<Lane> {
    const watch = new Watch();
    const crossings: Crossing[] = [];
    const between = async (apiUrl: string): Promise<string> => {
      const { origin, pathname } = new URL(apiUrl);
      const crossing = await Crossing.open({ name: 'cloud', target: origin, guard: watch.guard });
      crossings.push(crossing);
      return `${crossing.origin}${pathname}`;
    };
    const stage = await Stage.open({ emulator: ['--speed', '50'], flags, start: false, between });
    const { cluster, installed, folder } = stage;
    const kube = await Crossing.open({ name: 'kube', target: cluster.url, ca: cluster.ca, guard: watch.guard });
    const token = await cluster.serviceAccountToken(installed.release.namespace, installed.release.name);
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(kube.origin, token), { mode: 0o600 });
    const lane = new Lane(stage, watch, [...crossings, kube], kubeconfig);
    await lane.#start();
    return lane;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#stage.close();
    await Promise.all(this.#crossings.map((crossing) => crossing.close()));
  }

  /** What the subject needs, and nothing of what the one before needed. */
  async prepare({ kind, name, needs, secrets }: Subject): Promise<void> {
    await this.#stage.cluster.kubectl(['delete', this.#stage.resources, '--all', '--timeout=100s', '-n', this.#stage.namespace]);
    for (const [secret, data] of Object.entries(secrets)) await this.#stage.secret(secret, data);
    await this.#stage.secret('cloud', { token: 'token-admin' });
    if (kind !== 'CloudAccount') await this.#stage.account('default', { tokenSecretRef: { name: 'cloud', key: 'token' } });
    for (const need of needs.filter((one) => one.name !== name || one.kind !== kind)) {
      await this.#apply(need);
      await this.#stage.ready(need.kind, need.name, limit);
    }
  }

  create(subject: Manifest, strike?: Step): Promise<Performed> {
    return this.#perform(
      () => this.#apply(subject),
      () => this.#stage.ready(subject.kind, subject.name, limit),
      strike,
    );
  }
  update({ kind, name }: Manifest, spec: object, strike?: Step): Promise<Performed> {
    return this.#perform(
      () => this.#replace(kind, name, spec),
      () => this.#stage.ready(kind, name, limit),
      strike,
    );
  }
  delete({ kind, name }: Manifest, strike?: Step): Promise<Performed> {
    const path = this.#stage.path(kind, name);
    return this.#perform(
      () => this.#must(this.#stage.cluster.request('DELETE', path)),
      () => this.#stage.gone(kind, name, limit),
      strike,
    );
  }

  async #perform(begin: () => Promise<unknown>, done: () => Promise<unknown>, strike: Step | undefined): Promise<Performed> {
    await this.#watch.silence();
    const before = keysOf(await this.#objects());
    const killed = this.#watch.arm(strike, () => this.#stage.operator.program.signal('SIGKILL'));
    await begin();
    const ended = done();
    // Its rejection is awaited below, whatever happens first.
    ended.catch(() => undefined);
    const struck = await Promise.race([killed.then(() => true), ended.then(() => this.#watch.silence()).then(() => false)]);
    if (struck) {
      await this.#stage.operator.program.ended;
      await this.#start();
    }
    await ended;
    await this.#watch.silence();
    return { calls: this.#watch.disarm(), picture: pictureOf(await this.#objects(), before), struck };
  }

  /** Like the kubelet, it starts the operator again whenever it ends, for example because a busy machine cost it the lease. */
  async #start(): Promise<void> {
    const { program } = await this.#stage.start([], { KUBECONFIG: this.#kubeconfig });
    void this.#keep(program.ended);
  }
  async #keep(ended: Promise<number | string>): Promise<void> {
    const code = await ended;
    if (!this.#closing && code !== 'SIGKILL') await this.#start();
  }
  #objects(): Promise<readonly LedgerObject[]> {
    return this.#stage.emulator.control('GET', '/ledger/objects');
  }
  async #apply({ kind, name, spec }: Manifest): Promise<void> {
    await this.#must(this.#stage.cluster.request('POST', this.#stage.path(kind), { body: this.#stage.manifest(kind, name, spec) }));
  }
  async #replace(kind: string, name: string, spec: object): Promise<void> {
    const object = await this.#stage.find(kind, name);
    await this.#must(this.#stage.cluster.request('PUT', this.#stage.path(kind, name), { body: { ...object, spec } }));
  }
  async #must(answer: Promise<{ readonly status: number; readonly body: Record<string, unknown> }>): Promise<void> {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`${status}: ${String(body['message'])}`);
  }
}

/** Counts what passes while an operation is under way, and kills at one step of it. */
class Watch {
  #counts = new Map<string, number>();
  #calls: Call[] = [];
  #occurrences = new WeakMap<Passage, number>();
  #strike: Step | undefined;
  #kill: () => void = () => undefined;
  #lastAt = systemClock.monotonic();

  readonly guard = (passage: Passage, point: Point): boolean => {
    if (!counts(passage)) return false;
    const call = callText(passage);
    if (point === 'before') this.#count(passage, call);
    const strike = this.#strike;
    if (strike?.call !== call || strike.point !== point || strike.occurrence !== this.#occurrences.get(passage)) return false;
    this.#strike = undefined;
    this.#kill();
    return true;
  };

  /** Resolves when the strike has fallen; never without one. */
  arm(strike: Step | undefined, kill: () => void): Promise<void> {
    this.#counts = new Map();
    this.#calls = [];
    this.#strike = strike;
    return new Promise((resolve) => {
      this.#kill = () => {
        kill();
        resolve();
      };
    });
  }
  disarm(): readonly Call[] {
    this.#strike = undefined;
    return this.#calls;
  }

  /** Until nothing has passed for a while but what passes all the time: polls and the lease. */
  async silence(): Promise<void> {
    this.#lastAt = systemClock.monotonic();
    while (systemClock.monotonic() < this.#lastAt + quiet) await sleep(systemClock, 50);
  }

  #count(passage: Passage, call: string): void {
    const occurrence = (this.#counts.get(call) ?? 0) + 1;
    this.#counts.set(call, occurrence);
    this.#occurrences.set(passage, occurrence);
    this.#calls.push({ call, occurrence });
    const always = passage.method === 'GET' || call.includes('/leases/');
    if (!always) this.#lastAt = systemClock.monotonic();
  }
}
