import { areas as allAreas } from './areas.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import type { Area } from './contract/area.ts';
import type { Knobs } from './contract/knobs.ts';
import { defaultKnobs } from './contract/knobs.ts';
import type { World } from './contract/world.ts';
import type { AccountWorld } from './core/account-world.ts';
import type { AccountSpec } from './core/accounts.ts';
import { defaultAccounts } from './core/accounts.ts';
import { Control } from './core/control.ts';
import { createDialect } from './core/dialect.ts';
import type { ApiRequest, ApiResponse } from './core/http-message.ts';
import { Outage } from './core/outage.ts';
import { Receiver } from './core/reception.ts';
import { rateClass, Service } from './core/service.ts';
import { SkewedClock } from './core/skewed-clock.ts';
import type { State } from './core/state.ts';
import { createState } from './core/state.ts';

export interface EmulatorOptions {
  readonly clock?: Clock;
  /** Same seed and same requests: same answers. Default 1. */
  readonly seed?: number;
  /** Durations are divided by it; 0 = at once. Default 1. */
  readonly speed?: number;
  /** What the provider writes where the documents write `vm`. Default `vm`. */
  readonly providerWord?: string;
  /** Default: all of the API. */
  readonly areas?: readonly Area[];
  /** Default: two accounts, see `defaultAccounts`. */
  readonly accounts?: readonly AccountSpec[];
  readonly knobs?: Partial<Knobs>;
  /** Where the ledger's requests beyond 100,000 go, one JSON per line. Default: a file that goes with the process. */
  readonly spillFile?: string;
}

export interface Emulator {
  readonly clock: Clock;
  readonly control: Control;
  /** When connections are refused: for whoever puts a port around `handle`. */
  readonly outage: Outage;
  /** Paths begin with `/v4` or `/v4beta`. Rejects with `ConnectionClosed` where a fault breaks the connection, with `ConnectionRefused` while one refuses it. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Bytes that a body under this path may have; one byte more is enough to be refused. */
  maxBody(path: string): number;
  /** The account in the hands of one of its users; for tests of areas. */
  world(euuid: string, username: string): AccountWorld;
  /** Lets a test change rows and start jobs in such a world. */
  run<T>(world: World, act: () => T): T;
  /** The rate window that a request counts in; a path as in `handle`. */
  rateClass(request: Pick<ApiRequest, 'method' | 'path'>): string;
  /** Scheme, host and port under which it is reached, for absolute URLs in answers. */
  setOrigin(origin: string): void;
}

function receiverOf(areas: readonly Area[], word: string): Receiver {
  const operations = areas.flatMap((area) => area.operations);
  return new Receiver(operations, createDialect(word));
}

function settings({ seed = 1, speed = 1, accounts = defaultAccounts, knobs, spillFile }: EmulatorOptions) {
  return { seed, speed, accounts, knobs: { ...defaultKnobs, ...knobs }, spillFile };
}

export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const clock = new SkewedClock(options.clock ?? systemClock);
  const outage = new Outage(clock);
  const areas = options.areas ?? allAreas;
  const word = options.providerWord ?? 'vm';
  const receiver = receiverOf(areas, word);
  const neutral = word === 'vm' ? receiver : receiverOf(areas, 'vm');
  let origin = 'http://emulator.invalid';
  const fresh = (): State => createState({ ...settings(options), clock, areas, origin: () => origin, outage });
  let state = fresh();
  let service = new Service({ state, receiver, dialect: createDialect(word) });
  const control = new Control({
    clock,
    receiver: neutral,
    state: () => state,
    reset: () => {
      state = fresh();
      service = new Service({ state, receiver, dialect: createDialect(word) });
      clock.skew = 0;
      outage.end();
    },
  });
  return {
    clock,
    control,
    outage,
    handle: (request) => service.handle(request),
    maxBody: (path) => (/^\/v4(?:beta)?\//.test(path) ? state.knobs.requestBytes : state.knobs.imageUploadBytes),
    world: (euuid, username) => state.world(euuid, username),
    run: (world, act) => state.platform.run({ euuid: world.euuid, actor: world.actor, world, origin: 'test', changes: [] }, act),
    rateClass: (request) => {
      const { operation } = receiver.receive(request, () => undefined);
      return operation?.outside === true ? 'outside' : rateClass(operation);
    },
    setOrigin: (value) => void (origin = value),
  };
}
