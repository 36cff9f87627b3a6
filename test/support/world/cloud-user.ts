import type { World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

/** Somebody who works in the account beside the operator, with the Cloud Manager or a token of their own. */
export class CloudUser {
  readonly #world: World;
  readonly #token: string;
  constructor(world: World, token = 'token-colleague') {
    this.#world = world;
    this.#token = token;
  }
  get(path: string): Promise<Row> {
    return this.#send('GET', path);
  }
  /** All rows of a first page. */
  async list(path: string): Promise<readonly Row[]> {
    return (await this.get(path))['data'] as readonly Row[];
  }
  post(path: string, body: Row = {}): Promise<Row> {
    return this.#send('POST', path, body);
  }
  put(path: string, body: Row): Promise<Row> {
    return this.#send('PUT', path, body);
  }
  delete(path: string): Promise<Row> {
    return this.#send('DELETE', path);
  }
  /** An object of a bucket, by the signed address that the API gives for it. */
  async object(bucket: string, method: 'PUT' | 'DELETE', name: string, data?: string): Promise<void> {
    const type = method === 'PUT' ? { content_type: 'text/plain' } : {};
    const { url } = await this.post(`/object-storage/buckets/${bucket}/object-url`, { name, method, ...type });
    const answer = await this.#world.emulator.handle({
      method,
      path: String(url).replace(/^https?:\/\/[^/]+/, ''),
      headers: method === 'PUT' ? { 'content-type': 'text/plain' } : {},
      body: data,
    });
    if (answer.status >= 300) throw new Error(`${method} ${name}: ${answer.status} ${String(answer.body)}`);
  }
  /** The picture of an OAuth client. */
  async picture(client: string, png: Buffer): Promise<void> {
    await this.#send('PUT', `/account/oauth-clients/${client}/thumbnail`, png);
  }

  async #send(method: string, path: string, body?: Row | Buffer): Promise<Row> {
    const answer = await this.#world.emulator.handle({
      method,
      path: `/v4${path}`,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': Buffer.isBuffer(body) ? 'image/png' : 'application/json' },
      body: Buffer.isBuffer(body) ? body : body && JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as Row;
  }
}
