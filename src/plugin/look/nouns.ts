/** Something of an account that can be looked at. */
export interface Noun {
  /** Below the versioned base, with a word in braces for each id that must be named: `/networking/firewalls/{FIREWALL}/devices`. */
  readonly list: string;
  /** Those of all that they lie below, where the service has one list of them. */
  readonly all?: string;
  /** Null: one alone, by one id more, cannot be asked for. */
  readonly item?: null;
  /** What the provider has for everybody too, which the operator never lists. */
  readonly everybodys?: true;
  /** Short name of the kind that these are of, where its own paths do not tell. */
  readonly kind?: string;
  /** Fields of a row, as the service calls them; `a.b` is a field of a field. */
  readonly columns: readonly string[];
}

const of = (list: string, columns: string, item?: null): Noun => ({
  list,
  columns: columns.split(' '),
  ...(item !== undefined && { item }),
});

/** What `get` knows, in the order of the alphabet. Rows that hold secrets are shown without them. */
export const nouns: Readonly<Record<string, Noun>> = {
  'api-endpoints': of('/lke/clusters/{CLUSTER}/api-endpoints', 'endpoint', null),
  buckets: {
    ...of('/object-storage/buckets/{CLUSTER}', 'label cluster hostname objects size created'),
    all: '/object-storage/buckets',
  },
  clusters: of('/lke/clusters', 'id label region k8s_version status tags'),
  configs: of('/vm/instances/{INSTANCE}/configs', 'id label kernel root_device run_level', null),
  databases: { ...of('/databases/instances', 'id label engine type region status', null), kind: 'cdb' },
  disks: of('/vm/instances/{INSTANCE}/disks', 'id label filesystem size status'),
  'domain-records': of('/domains/{DOMAIN}/records', 'id type name target ttl_sec'),
  domains: of('/domains', 'id domain type status tags'),
  engines: of('/databases/engines', 'id engine version'),
  events: of('/account/events', 'id created username action entity.label status duration'),
  'firewall-devices': of('/networking/firewalls/{FIREWALL}/devices', 'id entity.type entity.id entity.label'),
  firewalls: of('/networking/firewalls', 'id label status tags'),
  images: { ...of('/images', 'id label type status size is_public'), everybodys: true },
  'instance-firewalls': of('/vm/instances/{INSTANCE}/firewalls', 'id label status', null),
  instances: of('/vm/instances', 'id label region type status ipv4 tags'),
  invoices: of('/account/invoices', 'id date label subtotal tax total'),
  'invoice-items': of('/account/invoices/{INVOICE}/items', 'label type quantity unit_price amount tax total from to', null),
  ips: of('/networking/ips', 'address type public region vm_id rdns'),
  kernels: of('/vm/kernels', 'id label version kvm'),
  logins: of('/account/logins', 'id datetime username ip status restricted'),
  maintenance: of('/account/maintenance', 'entity.type entity.id entity.label status type when reason', null),
  'managed-contacts': of('/managed/contacts', 'id name email group updated'),
  'managed-credentials': of('/managed/credentials', 'id label last_decrypted'),
  'managed-issues': of('/managed/issues', 'id created services entity.label'),
  'managed-services': of('/managed/services', 'id label service_type address status', null),
  'managed-settings': of('/managed/vm-settings', 'id label group ssh.access ssh.user ssh.port'),
  'mongodb-backups': of('/databases/mongodb/instances/{DATABASE}/backups', 'id label type created'),
  'mongodb-databases': of('/databases/mongodb/instances', 'id label version type region status'),
  'mysql-backups': of('/databases/mysql/instances/{DATABASE}/backups', 'id label type created', null),
  'mysql-databases': of('/databases/mysql/instances', 'id label version type region status'),
  'node-pools': of('/lke/clusters/{CLUSTER}/pools', 'id type count autoscaler.enabled tags'),
  notifications: of('/account/notifications', 'type severity label entity.label when until message', null),
  'oauth-clients': of('/account/oauth-clients', 'id label status redirect_uri public'),
  'object-clusters': of('/object-storage/clusters', 'id region status domain'),
  'object-keys': of('/object-storage/keys', 'id label access_key limited'),
  'longview-clients': of('/longview/clients', 'id label created updated'),
  'longview-subscriptions': of('/longview/subscriptions', 'id label clients_included price.monthly'),
  payments: of('/account/payments', 'id date usd'),
  'payment-methods': of('/account/payment-methods', 'id type is_default created data.card_type data.last_four data.expiry'),
  regions: of('/regions', 'id label country status capabilities'),
  stackscripts: of('/vm/stackscripts', 'id label username is_public deployments_active'),
  tags: of('/tags', 'label', null),
  'tagged-objects': of('/tags/{TAG}', 'type data.id data.label', null),
  'ticket-replies': of('/support/tickets/{TICKET}/replies', 'id created created_by description', null),
  tickets: of('/support/tickets', 'id summary status opened updated'),
  'transfers-deprecated': of('/account/entity-transfers', 'token status is_sender created expiry'),
  transfers: of('/account/service-transfers', 'token status is_sender created expiry'),
  types: of('/vm/types', 'id label vcpus memory disk price.monthly'),
  versions: of('/lke/versions', 'id'),
  vlans: of('/networking/vlans', 'label region vms created', null),
  volumes: of('/volumes', 'id label region size status vm_id tags'),
};

/** What people call what has another name here, in the singular. */
export const otherWords: Readonly<Record<string, keyof typeof nouns>> = {
  machine: 'instances',
  server: 'instances',
  vm: 'instances',
  dns: 'domains',
  address: 'ips',
  plan: 'types',
  script: 'stackscripts',
  network: 'vlans',
};
/** What is no list of its own, in the singular, and where it is. */
export const elsewhere: Readonly<Record<string, string>> = {
  backup: 'Backups of an instance: status.backups in kubectl get cinst/NAME -o yaml, or kubectl cloud api GET /vm/instances/ID/backups',
};

/** Of a list, the ids that it takes. */
export const words = (template: string): readonly string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word);

/** `firewall-devices FIREWALL [ID]` */
export const usage = (name: string, { list, item, all }: Noun): string => {
  const above = words(list).map((word) => (all === undefined ? word : `[${word}]`));
  return [name, ...above, ...(item === null ? [] : ['[ID]'])].join(' ');
};
