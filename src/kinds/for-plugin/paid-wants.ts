import type { Row } from '../../resource/index.ts';

/** What a spec asks for, as far as it is paid for. */
interface Wanted {
  /** In the words of the row that the price is read from; what the spec leaves as it is is absent. */
  readonly row: (spec: Row) => Row;
  /** What the service makes where a new one's spec is silent. */
  readonly atFirst?: Row;
  /** Fields of which that row does not tell what a change of them costs. */
  readonly beside?: readonly string[];
  /** What is made with a new one and is paid for itself. */
  readonly brings?: {
    readonly kind: string;
    readonly rows: (spec: Row) => readonly Row[];
    /** Of a change of one of these, as the account has it or the spec wants it, where there is such a one; undefined: that is not to be told. */
    readonly row: (one: Row) => Row | undefined;
    /** What of one decides its price: a change of anything else costs nothing, also where nobody says what it costs. */
    readonly by: readonly string[];
  };
}

const given = (fields: Row): Row => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Of each kind that has a price (prices.ts), so that it can be told before anything is there. Only who adds up money needs it. */
export const paidWants: Readonly<Record<string, Wanted>> = {
  CloudInstance: {
    row: ({ type, backupsEnabled: enabled }) => given({ type, backups: enabled === undefined ? undefined : { enabled } }),
  },
  CloudVolume: { row: ({ sizeGiB: size }) => given({ size }) },
  // It is paid by what is in it.
  CloudImage: { row: () => ({}) },
  CloudBucket: { row: () => ({}) },
  CloudIPAddress: { row: ({ type }) => ({ public: true, ...(type === 'IPv6Range' && { range: '' }) }) },
  CloudDatabase: {
    row: ({ type, engine, clusterSize }) =>
      given({ type, engine: typeof engine === 'string' ? engine.split('/')[0] : undefined, cluster_size: clusterSize }),
    atFirst: { cluster_size: 1 },
  },
  CloudKubernetesCluster: {
    row: ({ highAvailability: high }) => given({ control_plane: high === undefined ? undefined : { high_availability: high } }),
    atFirst: { control_plane: { high_availability: false } },
    beside: ['nodePools'],
    brings: {
      kind: 'CloudNodePool',
      rows: ({ nodePools = [] }) => (nodePools as readonly Row[]).map(({ type, count }) => ({ type, count })),
      // While the autoscaler is on, the service says how many.
      row: ({ type, count, nodes = count, autoscaler }) =>
        (autoscaler as { readonly enabled?: boolean } | undefined)?.enabled === true ? undefined : { type, count: nodes },
      by: ['type', 'count', 'autoscaler'],
    },
  },
  CloudNodePool: { row: ({ type, count }) => given({ type, count }) },
  CloudLongviewPlan: { row: () => ({}), beside: ['plan'] },
};
