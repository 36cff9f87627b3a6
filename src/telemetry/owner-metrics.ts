import { Gauge, type Registry } from 'prom-client';

/** What a scrape looks at of one CloudAccount: what its owner should know of, whether or not an object waits for it. */
export interface OwnedAccount {
  readonly namespace: string;
  /** The account's own id; empty before it was connected. */
  readonly account: string;
  readonly readOnly: boolean;
  readonly missingScopes: number;
  /** Announcements of the provider. */
  readonly maintenance: number;
  /** Mass deletions, and creates after a mass loss, that wait for a person. */
  readonly held: number;
}
type Figure = 'readOnly' | 'missingScopes' | 'maintenance' | 'held';

const figures: Readonly<Record<Figure, { readonly name: string; readonly help: string }>> = {
  readOnly: { name: 'read_only', help: '1 while a CloudAccount is in mode ReadOnly.' },
  missingScopes: { name: 'missing_scopes', help: 'Scopes that the kinds in use need and the token lacks.' },
  maintenance: { name: 'maintenance', help: 'Maintenance that the provider has announced or under way.' },
  held: { name: 'held', help: 'Mass deletions, and creates after a mass loss, that wait for a person.' },
};

/** Accounts as their owners see them, by namespace; several of one namespace that lead to one account are one line. */
export class OwnerMetrics {
  readonly #gauges: readonly (readonly [Figure, Gauge<'namespace' | 'account'>])[];

  constructor(registry: Registry) {
    this.#gauges = (Object.keys(figures) as Figure[]).map((figure) => {
      const { name, help } = figures[figure];
      const labelNames = ['namespace', 'account'] as const;
      return [figure, new Gauge({ name: `cloud_operator_account_${name}`, help, labelNames, registers: [registry] })];
    });
  }

  /** Called right before a scrape is answered. */
  show(accounts: Iterable<OwnedAccount>): void {
    const all = [...accounts];
    for (const [figure, gauge] of this.#gauges) {
      gauge.reset();
      for (const { namespace, account, [figure]: value } of all.toSorted((a, b) => Number(a[figure]) - Number(b[figure])))
        gauge.set({ namespace, account }, Number(value));
    }
  }
}
