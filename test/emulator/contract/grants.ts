/** Kinds of object that carry a grant per user. */
export type GrantEntity =
  | 'vm'
  | 'volume'
  | 'domain'
  | 'nodebalancer'
  | 'image'
  | 'longview'
  | 'stackscript'
  | 'database'
  | 'firewall'
  | 'lkecluster';

export type GrantLevel = 'read_only' | 'read_write';

export type GlobalGrant =
  | 'add_vms'
  | 'add_volumes'
  | 'add_domains'
  | 'add_nodebalancers'
  | 'add_images'
  | 'add_stackscripts'
  | 'add_longview'
  | 'add_databases'
  | 'add_firewalls'
  | 'add_clusters'
  | 'longview_subscription'
  | 'cancel_account';

/** What an operation asks of a restricted user; all rules of the list must hold. Unrestricted users pass. */
export type GrantRule =
  /** Unrestricted users only: 403 for the others. */
  | { readonly unrestricted: true }
  /** A global grant, for creates. */
  | { readonly global: GlobalGrant }
  | { readonly account: GrantLevel }
  /** A grant on the object whose id is in the path: none at all = 404, too little = 403. */
  | { readonly on: GrantEntity; readonly param: string; readonly need: GrantLevel };

/** The grants of one restricted user. */
export interface Grants {
  account_access: GrantLevel | null;
  readonly global: Set<GlobalGrant>;
  /** `vm:123` -> level. */
  readonly objects: Map<string, GrantLevel>;
}
