import type { EmulatorOptions } from '../emulator.ts';
import type { Reply, TestClient } from '../test-client.ts';
import { testClient } from '../test-client.ts';

export interface TestAccount extends TestClient {
  /** POST that must succeed; the record it answers. */
  made(path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** GET of one record that must exist. */
  seen(path: string): Promise<Readonly<Record<string, unknown>>>;
  /** `action status` of every event, oldest first. */
  log(): Promise<readonly string[]>;
  /** The newest event of an action. */
  event(action: string): Promise<Readonly<Record<string, unknown>>>;
  seconds(count: number): void;
}

function succeeded(reply: Reply, what: string): Readonly<Record<string, unknown>> {
  if (reply.status !== 200) throw new Error(`${what} answered ${reply.status}: ${reply.errors.join('; ')}`);
  return reply.body;
}

/** The account of `admin` in virtual time, with words for what the tests of areas do most. */
export function testAccount(options: EmulatorOptions = {}): TestAccount {
  const client = testClient(options);
  const events = async (): Promise<Reply['data']> =>
    (await client.get('/account/events?page_size=500')).data.toSorted((left, right) => Number(left['id']) - Number(right['id']));
  return {
    ...client,
    made: async (path, body) => succeeded(await client.post(path, body), `POST ${path}`),
    seen: async (path) => succeeded(await client.get(path), `GET ${path}`),
    log: async () => (await events()).map((event) => `${String(event['action'])} ${String(event['status'])}`),
    event: async (action) => {
      const found = (await events()).findLast((event) => event['action'] === action);
      if (found === undefined) throw new Error(`no event ${action}`);
      return found;
    },
    seconds: (count) => client.clock.advance(count * 1000),
  };
}

/** Test password that the strength rule takes. */
export const password = 'correct-Horse-7';

export async function emptyInstance(api: TestAccount, more: object = {}): Promise<number> {
  const vm = await api.made('/vm/instances', { region: 'us-east', type: 'g6-standard-2', ...more });
  api.seconds(60);
  return Number(vm['id']);
}

/** Running, with the default config and disks. */
export async function runningInstance(api: TestAccount, more: object = {}): Promise<number> {
  return emptyInstance(api, { image: 'vm/debian11', root_pass: password, ...more });
}
