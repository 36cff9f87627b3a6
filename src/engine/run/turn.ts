import type { Clock, Millis } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { AnyKind, Row } from '../../resource/index.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Account, Accounts } from '../account/accounts.ts';
import type { Claims } from '../identity/claims.ts';
import type { Departures } from '../hold/departures.ts';
import type { Evidence } from './evidence.ts';
import type { Releases } from '../hold/releases.ts';
import type { Links } from '../resolve/links.ts';
import type { InstallationKey, ObjectName } from '../identity/marks.ts';
import type { Connector, Crds, How, Key, Lane, Leadership, Monitor, Objects, Recorder, Resource, Secrets } from '../ports.ts';
import type { OpenCreates } from '../create/open-creates.ts';
import type { Refusals } from '../create/refusals.ts';
import type { Tickets } from '../create/tickets.ts';
import type { Registry } from './registry.ts';
import type { SecretCache } from '../resolve/secret-cache.ts';
import type { Vanishings } from '../hold/vanishings.ts';

/** Bounds that the proofs scale (design 4.4). */
export interface Settings {
  /** Latest time between a request's receipt and its commit, ms. Default 60,000. */
  readonly commitBound: Millis;
  /** Longest time after a write during which lists may not show it, ms. Default 60,000. */
  readonly listLag: Millis;
  readonly operatorNamespace: string;
  /** Only CloudAccounts with these labels are served by this release; empty: all. */
  readonly accountSelector: Readonly<Record<string, string>>;
}

/** What the engine is given: ports, clock and settings. */
export interface Surroundings {
  readonly objects: Objects;
  readonly secrets: Secrets;
  readonly recorder: Recorder;
  readonly leadership: Leadership;
  readonly connector: Connector;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly monitor: Monitor;
  readonly key: InstallationKey;
  /** uid of the namespace `kube-system`: the default installation. */
  readonly clusterUid: string;
  readonly settings: Settings;
  readonly crds: Crds;
}

/** What the engine is made of; one per process. */
export interface Engine extends Surroundings {
  readonly registry: Registry;
  readonly accounts: Accounts;
  readonly claims: Claims;
  readonly links: Links;
  readonly evidence: Evidence;
  readonly secretCache: SecretCache;
  readonly releases: Releases;
  readonly vanishings: Vanishings;
  readonly departures: Departures;
  readonly refusals: Refusals;
  readonly tickets: Tickets;
  readonly openCreates: OpenCreates;
  wake(kind: string, key: Key, options?: { after?: Millis; urgent?: boolean }): void;
}

/** What this turn learned and status will show, besides the conditions. Undefined clears a field; an absent one keeps it. */
export type Notes = { [field: string]: unknown };

/** One reconcile of one object. `object` is replaced by what our own patches answer. */
export interface Turn {
  readonly engine: Engine;
  readonly kind: AnyKind;
  object: Resource;
  readonly name: ObjectName;
  readonly account: Account;
  readonly signal: AbortSignal;
  /** Aborted as soon as the process is asked to stop: what was not begun by then is not begun. */
  readonly intake: AbortSignal;
  /** See {@link How.onWait}. */
  readonly onWait: (waits: boolean) => void;
  readonly notes: Notes;
}

export const keyOf = (object: Resource): Key => ({ namespace: object.metadata.namespace, name: object.metadata.name });
export const how = ({ object, signal, intake, onWait }: Turn, lane: Lane): How => ({
  lane,
  tenant: object.metadata.namespace,
  signal,
  intake,
  onWait,
});

/** A remote with the fields that this kind knows, or what is wrong with the answer. */
export function readRemote(kind: AnyKind, row: Row): { readonly remote: Row } | { readonly malformed: string } {
  const parsed = kind.remote.safeParse(row);
  if (parsed.success) return { remote: { ...parsed.data, ...partsOf(kind, row) } };
  const [issue] = parsed.error.issues;
  return { malformed: `field ${issue?.path.join('.') ?? '?'} of the API's answer cannot be read (${issue?.message ?? 'malformed'})` };
}
const partsOf = (kind: AnyKind, row: Row): Row =>
  Object.fromEntries(Object.keys(kind.parts ?? {}).flatMap((part) => (part in row ? [[part, row[part]]] : [])));
