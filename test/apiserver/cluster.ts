import type { Clock, Millis } from '../../src/lib/clock.ts';
import { admissionResources } from './resources/admission-policy.ts';
import { Authorizer } from './requests/authorization.ts';
import type { Grant, User } from './requests/authorization.ts';
import { builtinResources } from './resources/builtin-resources.ts';
import { customResourceDefinitions } from './resources/custom-resource-definition.ts';
import { Faults } from './faults/faults.ts';
import { Identifiers } from './storage/identifiers.ts';
import { Ledger } from './storage/ledger.ts';
import { Registry } from './resources/registry.ts';
import { Store } from './storage/store.ts';
import { Writer } from './storage/writer.ts';

export interface ClusterOptions {
  readonly clock: Clock;
  /** Bearer tokens. `admin` (group `system:masters`) is always there. */
  readonly users?: Readonly<Record<string, User>>;
  readonly grants?: readonly Grant[];
  /** Uids and generated names follow from it. */
  readonly seed?: string;
  readonly compactionInterval?: Millis;
  /** Reaction time of garbage collection and namespace deletion. Default: 100 ms. `Infinity`: there is no controller manager. */
  readonly controllerDelay?: Millis;
  /** Between accepting a CRD and serving it. Default: at once. */
  readonly establishDelay?: Millis;
}

/** The state that all API servers of one cluster share. */
export class Cluster {
  readonly clock: Clock;
  readonly store: Store;
  readonly registry = new Registry([...builtinResources, ...admissionResources, customResourceDefinitions]);
  readonly ledger = new Ledger();
  readonly faults = new Faults();
  readonly identifiers: Identifiers;
  readonly writer: Writer;
  readonly authorizer: Authorizer;
  readonly users = new Map<string, User>([['admin', { name: 'admin', groups: ['system:masters'] }]]);
  /** May be replaced while the cluster runs. */
  grants: Grant[];

  constructor(options: ClusterOptions) {
    this.clock = options.clock;
    this.store = new Store({
      clock: options.clock,
      ...(options.compactionInterval === undefined ? {} : { compactionInterval: options.compactionInterval }),
    });
    this.identifiers = new Identifiers(options.seed ?? 'cluster');
    this.writer = new Writer({ store: this.store, clock: this.clock, ledger: this.ledger, identifiers: this.identifiers });
    this.grants = [...(options.grants ?? [])];
    this.authorizer = new Authorizer(() => this.grants);
    for (const [token, user] of Object.entries(options.users ?? {})) this.users.set(token, user);
  }
}
