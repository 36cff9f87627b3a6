import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent, FormData, request } from 'undici';

export type Row = Readonly<Record<string, unknown>>;

/** One line of what was said: the call and its answer, the provider's word and the port taken out of both. */
export type Exchange = readonly [call: string, status: number, answer: string];

export interface Reply {
  readonly status: number;
  readonly body: Row;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Narrator {
  /** What the provider writes for `vm`. */
  readonly word: string;
  readonly told: readonly Exchange[];
  /** Any call; bytes and forms are sent as they are, everything else as JSON. Paths that begin with `http` leave the API. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** A call that must answer 200; its body. */
  done(method: string, path: string, body?: unknown): Promise<Row>;
  /** All rows of a collection. */
  rows(path: string): Promise<readonly Row[]>;
  /** The record once it is as wanted; virtual time runs meanwhile, five seconds a step. */
  until(path: string, ready: (row: Row) => boolean): Promise<Row>;
  /** Lets virtual time run. */
  seconds(count: number): Promise<void>;
  /** Objects of the ledger that live: collection and key. */
  alive(): Promise<readonly string[]>;
  /** Exit code of the emulator on SIGTERM. */
  end(): Promise<number | null>;
}

const account = {
  euuid: '0A1B2C3D-0000-4000-8000000000000001',
  users: [{ username: 'founder' }],
  tokens: [{ token: 'token-founder', username: 'founder', scopes: '*' }],
};

/** The command in a process of its own, once it answers. */
export async function startedCommand(flags: readonly string[]) {
  const main = new URL('../main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ...(JSON.parse(line) as { url: string; controlUrl: string; token: string }) };
}

function started(word: string, folder: string) {
  const file = join(folder, 'accounts.json');
  writeFileSync(file, JSON.stringify([account]));
  return startedCommand(['--provider-word', word, '--accounts', file, '--rate-profile', 'none', '--seed', '7', '--virtual-time']);
}

const payload = (body: unknown): string | Buffer | FormData | null => {
  if (body === undefined) return null;
  return Buffer.isBuffer(body) || body instanceof FormData ? body : JSON.stringify(body);
};

type Client = Pick<Narrator, 'told' | 'call' | 'done'>;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A kubeconfig holds the origin, too. */
const decoded = (text: string): string => text.replaceAll(/(?<="kubeconfig":")[^"]+/g, (file) => Buffer.from(file, 'base64').toString());

/** What it says is told in neutral words, so that stories under two provider words can be compared. */
function client({ url, token }: { readonly url: string; readonly token: string }, word: string, dispatcher: Agent): Client {
  const told: Exchange[] = [];
  const neutral = (text: string): string =>
    decoded(text).replaceAll(new URL(url).origin, 'ORIGIN').replaceAll(word, 'vm').replaceAll(capital(word), 'Vm');
  const call: Narrator['call'] = async (method, path, body, headers = {}) => {
    const own = path.startsWith('http') ? {} : { authorization: `Bearer ${token}` };
    const address = path.startsWith('http') ? path : url + path;
    const sent = { method, dispatcher, headers: { ...own, ...headers }, body: payload(body) } as Parameters<typeof request>[1];
    const answer = await request(address, sent);
    const text = await answer.body.text();
    told.push([neutral(`${method} ${path}`), answer.statusCode, neutral(text)]);
    return { status: answer.statusCode, headers: answer.headers, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Row };
  };
  const done: Narrator['done'] = async (method, path, body) => {
    const reply = await call(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  return { told, call, done };
}

/** The emulator's own command in a process, and a client that knows nothing but HTTP. */
export async function narrator(word: string): Promise<Narrator> {
  const folder = mkdtempSync(join(tmpdir(), 'cloud-story-'));
  const { child, url, controlUrl, token } = await started(word, folder);
  const dispatcher = new Agent({ connections: 1 });
  const { told, call, done } = client({ url, token }, word, dispatcher);
  const control = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> =>
    (await request(controlUrl + path, { method, dispatcher, body: payload(body) as string | null })).body.json();
  const seconds = async (count: number): Promise<void> => void (await control('POST', '/time/advance', { seconds: count }));
  const until: Narrator['until'] = async (path, ready) => {
    for (let step = 0; step < 1000; step += 1) {
      const { status, body } = await call('GET', path);
      if (status === 200 && ready(body)) return body;
      await seconds(5);
    }
    throw new Error(`${path} never became as wanted; last: ${told.at(-1)?.[2] ?? ''}`);
  };
  return {
    word,
    told,
    call,
    done,
    until,
    seconds,
    rows: async (path) => (await done('GET', path))['data'] as readonly Row[],
    alive: async () =>
      ((await control('GET', '/ledger/objects?alive=true')) as Row[]).map((one) => `${String(one['collection'])} ${String(one['key'])}`),
    end: async () => {
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      await dispatcher.close();
      rmSync(folder, { recursive: true });
      return code;
    },
  };
}
