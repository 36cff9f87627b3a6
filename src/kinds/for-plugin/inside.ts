import { wordOrQuoted } from '../../lib/quoted.ts';
import type { Row } from '../../resource/index.ts';

/** What the end of a remote ends besides, of which no reference to what it is in tells. */
export interface Inside {
  /** Kinds whose remotes lie elsewhere and go with it all the same, each with the field that names it. */
  readonly takes?: Readonly<Record<string, string>>;
  /** What its status tells of what is in it; `stands`: whether an object stands for what has this path below it. */
  readonly shows?: (status: Row, stands: (below: string) => boolean) => readonly string[];
  /** What no status tells of, and the kind whose objects may stand for it. */
  readonly untold?: { readonly what: string; readonly kind: string };
}

/** By kind. Only who is asked for a yes needs it: the operator sends one DELETE. */
export const inside: Readonly<Record<string, Inside>> = {
  CloudInstance: {
    takes: { CloudIPAddress: 'instanceRef' },
    shows: ({ configs, backups, ...status }, stands) => [
      ...rowsOf(configs).flatMap(({ id, label }) =>
        stands(`configs/${String(id)}`) ? [] : [`configuration ${wordOrQuoted(String(label))} (${String(id)})`],
      ),
      ...rowsOf(backups).map(
        ({ id, label, created }) => `backup ${typeof label === 'string' ? wordOrQuoted(label) : `of ${String(created)}`} (${String(id)})`,
      ),
      ...['publicIPv4', 'privateIPv4', 'ipv6'].flatMap((field) => (typeof status[field] === 'string' ? [`address ${status[field]}`] : [])),
    ],
    untold: { what: 'disks', kind: 'CloudDisk' },
  },
  CloudKubernetesCluster: {
    shows: ({ nodePools }) =>
      rowsOf(nodePools).map(
        ({ name, id, count }) => `node pool ${wordOrQuoted(String(name))} (${String(id)}) with its nodes, ${String(count)} of them`,
      ),
  },
  CloudDomain: { untold: { what: 'records', kind: 'CloudDomainRecord' } },
  CloudDatabase: { untold: { what: 'backups', kind: 'CloudDatabaseBackup' } },
};

const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as readonly Row[]) : []);
