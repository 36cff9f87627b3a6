import { parseAllDocuments } from 'yaml';
import { cloud, type CliOptions, endpoint, type Ran } from './cloud-cli.ts';
import { World } from '../world/world.ts';

export type Row = Record<string, unknown>;
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: Row;
}
export const manifestsIn = (text: string): readonly Manifest[] => parseAllDocuments(text).map((document) => document.toJS() as Manifest);

export const minute = 60_000;

/** An account that people change by hand, and the files between it and a cluster, which lines of the plugin read and write. */
export class AccountScene {
  readonly world: World;
  files: Record<string, string> = {};

  private constructor(world: World) {
    this.world = world;
  }

  static async create(options: Parameters<typeof World.create>[0] = {}): Promise<AccountScene> {
    const world = await World.create(options);
    await world.account();
    return new AccountScene(world);
  }

  /** What the administrator of the account does. */
  async as(method: string, path: string, body?: object): Promise<Row> {
    const answer = await this.world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as Row;
  }
  async rows(path: string): Promise<readonly Row[]> {
    return (await this.as('GET', path))['data'] as readonly Row[];
  }
  volume(label: string, more: object = {}): Promise<Row> {
    return this.as('POST', '/volumes', { label, region: 'us-east', size: 20, ...more });
  }

  typed(line: string, options: CliOptions = {}): Promise<Ran> {
    return cloud(this.world, `${line} --endpoint ${endpoint}`, { files: this.files, limit: 10 * minute, ...options });
  }

  yaml(below = ''): readonly string[] {
    return Object.entries(this.files).flatMap(([name, text]) => (name.startsWith(below) && name.endsWith('.yaml') ? [text] : []));
  }
  /** Of the files below a folder. */
  manifests(below = ''): readonly Manifest[] {
    return this.yaml(below).flatMap(manifestsIn);
  }

  /** What was sent to the account since then, and not only read. */
  changes(since: number): readonly string[] {
    return this.world.emulator.control
      .requests()
      .slice(since)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  }
}
