import { areas } from './areas.ts';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { Answer } from './contract/answer.ts';
import type { Knobs } from './contract/knobs.ts';
import { defaultKnobs } from './contract/knobs.ts';
import { refusal } from './contract/refusal.ts';
import { createRng } from './contract/rng.ts';
import { AccountWorld } from './core/account-world.ts';
import type { AccountSpec, Token } from './core/accounts.ts';
import { Accounts, defaultAccounts } from './core/accounts.ts';
import type { Emulation } from './core/emulation.ts';
import { emitEvent } from './core/events.ts';
import type { ApiRequest, ApiResponse } from './core/http-message.ts';
import { lowerCased } from './core/http-message.ts';
import { Jobs } from './core/jobs.ts';
import { answerForError, authenticate, authorizeAndValidate } from './core/pipeline.ts';
import { Platform } from './core/platform.ts';
import { RequestContext } from './core/request-context.ts';
import type { Match } from './core/router.ts';
import { Router } from './core/router.ts';

export interface EmulatorOptions {
  readonly clock?: Clock;
  readonly seed?: number;
  /** Durations are divided by it; 0 = at once. */
  readonly speed?: number;
  readonly accounts?: readonly AccountSpec[];
  readonly knobs?: Partial<Knobs>;
}

export interface Emulator {
  readonly clock: Clock;
  readonly accounts: Accounts;
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** The account in the hands of one of its users; for tests of areas. */
  world(euuid: string, username: string): AccountWorld;
}

function routes(): Router {
  const router = new Router();
  for (const area of areas) for (const operation of area.operations) router.add(operation);
  return router;
}

function bearer(headers: Readonly<Record<string, string>>): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
}

export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const clock = options.clock ?? systemClock;
  const accounts = new Accounts(options.accounts ?? defaultAccounts);
  const knobs = { ...defaultKnobs, ...options.knobs };
  const platform = new Platform({ clock, rng: createRng(options.seed ?? 1), knobs, areas, speed: options.speed ?? 1 });
  const emulation: Emulation = {
    platform,
    clock,
    euuids: accounts.specs.map((account) => account.euuid),
    events: { emit: emitEvent },
    jobs: new Jobs(platform),
    origin: () => 'http://emulator.invalid',
  };
  seed(emulation);
  const router = routes();
  const answer = (request: ApiRequest): Answer => {
    const headers = lowerCased(request.headers);
    const url = new URL(request.path, 'http://emulator.invalid');
    const match = router.match(request.method, url.pathname.replace(/^\/v4(beta)?(?=\/)/, ''));
    if (match === undefined) throw refusal(404, 'Not found');
    if (!('operation' in match)) throw refusal(405, 'Method Not Allowed');
    const sent = bearer(headers);
    const token = sent === undefined ? undefined : accounts.token(sent);
    authenticate(match.operation, token, sent !== undefined);
    const raw = Buffer.from(request.body ?? '');
    return perform(emulation, match, { token, headers, query: url.searchParams, raw });
  };
  return {
    clock,
    accounts,
    handle: (request) => Promise.resolve(render(attempt(() => answer(request)))),
    world: (euuid, username) => new AccountWorld(emulation, euuid, accounts.user(euuid, username)),
  };
}

interface Received {
  readonly token: Token | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly raw: Buffer;
}

function perform(emulation: Emulation, { operation, params }: Match, { token, headers, query, raw }: Received): Answer {
  const body = authorizeAndValidate(operation, token, params, raw);
  const euuid = token?.euuid ?? '';
  const context = new RequestContext(emulation, { operation, params, query, headers, body, raw, euuid, actor: token?.user });
  const result = emulation.platform.run({ euuid, actor: token?.user, world: context, origin: 'request', changes: [] }, () =>
    operation.handler(context),
  );
  return result instanceof Answer ? result : new Answer(200, result ?? {});
}

function attempt(act: () => Answer): Answer {
  try {
    return act();
  } catch (error) {
    return answerForError(error);
  }
}

function render(answer: Answer): ApiResponse {
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body))
    return { status: answer.status, headers: answer.headers, body: answer.body };
  return { status: answer.status, headers: { 'content-type': 'application/json', ...answer.headers }, body: JSON.stringify(answer.body) };
}

function seed(emulation: Emulation): void {
  const worldOf = (euuid: string): AccountWorld => new AccountWorld(emulation, euuid, undefined);
  const act = (world: AccountWorld, plant: ((world: AccountWorld) => void) | undefined): void => {
    if (plant === undefined) return;
    emulation.platform.run({ euuid: world.euuid, actor: undefined, world, origin: 'seed', changes: [] }, () => plant(world));
  };
  for (const area of areas) act(worldOf(''), area.seedPlatform);
  for (const euuid of emulation.euuids) for (const area of areas) act(worldOf(euuid), area.seedAccount);
}
