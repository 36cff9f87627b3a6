import type { Area } from '../contract/area.ts';
import { collectionNamed } from '../contract/collection.ts';
import type { GrantEntity } from '../contract/grants.ts';
import type { Knobs } from '../contract/knobs.ts';
import { createRng } from '../contract/rng.ts';
import { accountRows } from '../records/account.ts';
import { AccountWorld } from './account-world.ts';
import type { AccountSpec } from './accounts.ts';
import { Accounts } from './accounts.ts';
import type { Emulation } from './emulation.ts';
import { EventFeed } from './events.ts';
import { Faults } from './faults.ts';
import { Jobs } from './jobs.ts';
import { Ledger } from './ledger.ts';
import type { Outage } from './outage.ts';
import { Platform } from './platform.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { SkewedClock } from './skewed-clock.ts';

export interface StateOptions {
  readonly clock: SkewedClock;
  readonly areas: readonly Area[];
  readonly seed: number;
  readonly speed: number;
  readonly accounts: readonly AccountSpec[];
  readonly knobs: Knobs;
  readonly spillFile: string | undefined;
  readonly origin: () => string;
  readonly outage: Outage;
}

/** Everything that a reset makes anew. */
export interface State {
  readonly emulation: Emulation;
  readonly platform: Platform;
  readonly accounts: Accounts;
  readonly knobs: Knobs;
  readonly faults: Faults;
  readonly limiter: RateLimiter;
  readonly ledger: Ledger;
  readonly outage: Outage;
  world(euuid: string, username?: string): AccountWorld;
}

/** A restricted user may read and write what they create. */
function grantToCreator(platform: Platform): void {
  platform.listen((cause, change) => {
    const entity: GrantEntity | undefined = change.definition.grant;
    if (entity === undefined || cause.actor?.grants === undefined || change.before !== undefined) return;
    cause.actor.grants.objects.set(`${entity}:${change.key}`, 'read_write');
  });
}

function plant(world: AccountWorld, platform: Platform, act: (() => void) | undefined): void {
  if (act !== undefined) platform.run({ euuid: world.euuid, actor: undefined, world, origin: 'seed', changes: [] }, act);
}

function plantRows(world: AccountWorld, rows: NonNullable<AccountSpec['rows']>): void {
  for (const [name, given] of Object.entries(rows)) {
    const definition = collectionNamed(name);
    if (definition === undefined) throw new RangeError(`account ${world.euuid}: no collection is called ${name}`);
    for (const row of given) world.store(definition).insert((id) => ({ id, ...row }));
  }
}

function seed(state: State): void {
  const { platform } = state;
  const { areas } = platform.parts;
  const nowhere = state.world('');
  for (const area of areas) plant(nowhere, platform, area.seedPlatform && (() => area.seedPlatform?.(nowhere)));
  for (const { euuid, record, rows } of state.accounts.specs) {
    const world = state.world(euuid);
    for (const area of areas) plant(world, platform, area.seedAccount && (() => area.seedAccount?.(world)));
    const row = world.store(accountRows).get(euuid);
    if (row !== undefined && record !== undefined) plant(world, platform, () => void world.store(accountRows).update(row, record));
    plant(world, platform, rows && (() => plantRows(world, rows)));
  }
}

export function createState(options: StateOptions): State {
  const { clock, outage } = options;
  const rng = createRng(options.seed);
  const knobs = { ...options.knobs };
  const accounts = new Accounts(options.accounts);
  const faults = new Faults(createRng(options.seed + 1));
  const platform = new Platform({ clock, rng, knobs, areas: options.areas, speed: options.speed });
  const feed = new EventFeed(faults);
  const ledger = new Ledger(() => clock.now(), options.spillFile);
  platform.listen((cause, change) => ledger.note(cause, change));
  grantToCreator(platform);
  const emulation: Emulation = {
    platform,
    clock,
    euuids: accounts.specs.map((account) => account.euuid),
    events: feed,
    jobs: new Jobs(platform, feed, faults),
    origin: options.origin,
  };
  const world = (euuid: string, username?: string): AccountWorld =>
    new AccountWorld(emulation, euuid, username === undefined ? undefined : accounts.user(euuid, username));
  const state: State = { emulation, platform, accounts, knobs, faults, limiter: new RateLimiter(clock, knobs), ledger, outage, world };
  seed(state);
  return state;
}
