import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerObject, LedgerRequest } from '../../support/process/emulator-program.ts';
import type { Stage } from '../../support/process/stage.ts';

/** One team with a namespace and a cloud account of its own, so that many troubles can happen at once. */
export class Tenant {
  readonly #stage: Stage;
  readonly namespace: string;
  readonly username: string;
  readonly token: string;

  constructor(stage: Stage, n: number) {
    this.#stage = stage;
    this.namespace = stage.namespaces[n] ?? '';
    this.username = `user-${n}`;
    this.token = `token-${n}`;
  }

  account(token: string = this.token, spec: object = {}): Promise<void> {
    return this.#stage.account('default', spec, token, this.namespace);
  }
  volume(name = 'data'): Promise<string> {
    return this.make('CloudVolume', name, { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
  }
  make(kind: string, name: string, spec: object): Promise<string> {
    return this.#stage.apply(this.#stage.manifest(kind, name, spec, this.namespace));
  }
  putToken(token: string): Promise<string> {
    return this.#stage.secret('default', { token }, this.namespace);
  }
  /** All that a person sees who asks kubectl to describe it. */
  async describe(kind = 'cloudaccount', name = 'default'): Promise<string> {
    return (await this.#stage.cluster.kubectl(['describe', kind, name, '-n', this.namespace])).stdout;
  }
  async calls(since = 0): Promise<readonly LedgerRequest[]> {
    return (await this.#stage.emulator.requests(since)).filter(({ username }) => username === this.username);
  }
  /** Every volume that this team's account ever had. */
  async volumes(): Promise<readonly LedgerObject[]> {
    const all = await this.#stage.emulator.control<readonly LedgerObject[]>('GET', '/ledger/objects?collection=volumes');
    return all.filter(({ bornBy }) => bornBy === this.username);
  }
}

/** A file for the emulator with so many accounts, each with one user and its tokens; in a folder that the caller removes. */
export async function accountsFile(count: number): Promise<{ readonly folder: string; readonly file: string }> {
  const accounts = Array.from({ length: count }, (_, n) => ({
    euuid: `${String(n).padStart(8, '0')}-0000-4000-8000000000000000`,
    users: [{ username: `user-${n}` }],
    tokens: [
      { token: `token-${n}`, username: `user-${n}`, scopes: '*' },
      { token: `token-${n}-next`, username: `user-${n}`, scopes: '*' },
      { token: `token-${n}-reader`, username: `user-${n}`, scopes: 'account:read_only events:read_only volumes:read_only' },
    ],
  }));
  const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-accounts-'));
  const file = join(folder, 'accounts.json');
  await writeFile(file, JSON.stringify(accounts));
  return { folder, file };
}
