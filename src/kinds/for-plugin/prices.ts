import type { Row } from '../../resource/index.ts';

/** Prices that no catalogue of the account tells, in US dollars a month. */
export const ownPrices = ['volumeGiB', 'imageGiB', 'bucket', 'ipAddress', 'highAvailability'] as const;
export type OwnPrice = (typeof ownPrices)[number];

export interface PriceList {
  /** A row of a catalogue, by its id. */
  readonly row: (catalogue: string, id: unknown) => Row | undefined;
  /** As the person says it. */
  readonly own: (name: OwnPrice) => number | undefined;
}

/** How what a kind stands for is paid. Undefined: nobody says the price, which is not the same as none. */
export interface Pricing {
  readonly monthly: (remote: Row, list: PriceList) => number | undefined;
  readonly catalogues?: readonly string[];
  readonly basis: string;
  /** Rows of this kind that go with something else are paid with this one. */
  readonly covers?: string;
  /** What an object of this kind makes besides, that is paid by itself and has no object: ids of that kind below it, by its status, and what one is called. */
  readonly brings?: { readonly kind: string; readonly called: string; readonly ids: (status: Row) => readonly unknown[] };
}

const at = (from: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? (value as Row)[name] : undefined), from);
const dollars = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const times = (count: unknown, price: number | undefined): number | undefined =>
  typeof count === 'number' && price !== undefined ? count * price : undefined;
const plus = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

const types = '/vm/types';
const ofType = (id: unknown, { row }: PriceList): number | undefined => dollars(at(row(types, id), 'price', 'monthly'));
const databaseTypes = '/databases/types';

const free: Pricing = { monthly: () => 0, basis: 'free of charge' };

/** Each kind says what it costs, by the row of its list. Only who adds up money needs it. */
export const pricing: Readonly<Record<string, Pricing>> = {
  CloudInstance: {
    catalogues: [types],
    basis: `its plan, and its backups where they are on, GET ${types}; the addresses that it is made with are in it`,
    covers: 'CloudIPAddress',
    monthly: (remote, list) => {
      const backups = at(remote, 'backups', 'enabled') === true;
      const addon = backups ? dollars(at(list.row(types, remote['type']), 'addons', 'backups', 'price', 'monthly')) : 0;
      return plus(ofType(remote['type'], list), addon);
    },
  },
  CloudVolume: { basis: 'volumeGiB', monthly: ({ size }, { own }) => times(size, own('volumeGiB')) },
  CloudImage: {
    basis: 'imageGiB',
    monthly: ({ size, is_public: everybodys }, { own }) =>
      everybodys === true ? 0 : times(typeof size === 'number' ? size / 1024 : size, own('imageGiB')),
  },
  CloudBucket: { basis: 'bucket', monthly: (_, { own }) => own('bucket') },
  CloudIPAddress: {
    basis: 'ipAddress; ranges are free of charge',
    monthly: ({ public: isPublic, range }, { own }) => (isPublic === false || typeof range === 'string' ? 0 : own('ipAddress')),
  },
  CloudDatabase: {
    catalogues: [databaseTypes],
    basis: `its plan and number of nodes, GET ${databaseTypes}`,
    monthly: ({ type, engine, cluster_size: nodes }, { row }) => {
      const offers = at(row(databaseTypes, type), 'engines', String(engine));
      const offer = Array.isArray(offers) ? (offers as readonly unknown[]).find((one) => at(one, 'quantity') === nodes) : undefined;
      return dollars(at(offer, 'price', 'monthly'));
    },
  },
  CloudKubernetesCluster: {
    basis: 'highAvailability; its nodes with their pools',
    brings: {
      kind: 'CloudNodePool',
      called: 'pool',
      ids: ({ nodePools }) => (Array.isArray(nodePools) ? nodePools.map((pool: unknown) => at(pool, 'id')) : []),
    },
    monthly: (remote, { own }) => (at(remote, 'control_plane', 'high_availability') === false ? 0 : own('highAvailability')),
  },
  CloudNodePool: {
    catalogues: [types],
    basis: `the plan of its nodes, GET ${types}`,
    covers: 'CloudInstance',
    monthly: ({ type, count }, list) => times(count, ofType(type, list)),
  },
  CloudLongviewPlan: {
    basis: 'GET /longview/plan',
    monthly: ({ id, price }) => (typeof id === 'string' && id !== '' ? dollars(at(price, 'monthly')) : 0),
  },
  CloudDatabaseBackup: free,
  CloudDisk: free,
  CloudDomain: free,
  CloudDomainRecord: free,
  CloudFirewall: free,
  CloudIPShare: free,
  CloudInstanceConfig: free,
  CloudLongviewClient: free,
  CloudManagedContact: free,
  CloudManagedCredential: free,
  CloudManagedInstanceSettings: free,
  CloudManagedService: free,
  CloudOAuthClient: free,
  CloudObjectACL: free,
  CloudObjectKey: free,
  CloudObjectURL: free,
  CloudSSHKey: free,
  CloudStackScript: free,
  CloudSupportTicket: free,
  CloudTag: free,
};
export const isFree = (kind: string): boolean => pricing[kind] === free;
