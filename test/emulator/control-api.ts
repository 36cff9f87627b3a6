import type { ActAs, Control, ProviderEdit } from './core/control.ts';
import type { Fault } from './core/faults.ts';
import type { TokenSpec } from './core/accounts.ts';
import type { ApiRequest, ApiResponse } from './core/http-message.ts';
import type { LedgerObject } from './core/ledger.ts';
import type { TestClock } from './test-clock.ts';

type Input = Readonly<Record<string, unknown>>;

interface ControlCall {
  readonly control: Control;
  readonly clock: TestClock | undefined;
  readonly query: URLSearchParams;
  /** What follows the endpoint's name in the path. */
  readonly rest: string;
  readonly input: Input;
}

type Endpoint = (call: ControlCall) => unknown;

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Moves virtual time from one due callback to the next, letting what waits for them run in between. */
async function advance(clock: TestClock, seconds: number): Promise<void> {
  const end = clock.monotonic() + seconds * 1000;
  for (let step = clock.next(); step !== undefined && clock.monotonic() + step <= end; step = clock.next()) {
    clock.advance(step);
    await settled();
  }
  clock.advance(end - clock.monotonic());
  await settled();
}

async function advanceTime({ clock, input }: ControlCall): Promise<unknown> {
  if (clock === undefined) throw new RangeError('time runs by itself: start with --virtual-time to step it');
  await advance(clock, Number(input['seconds'] ?? 0));
  return { now: new Date(clock.now()).toISOString() };
}

function objects({ control, query }: ControlCall): readonly LedgerObject[] {
  const collection = query.get('collection');
  const alive = query.get('alive');
  return control
    .objects()
    .filter((object) => collection === null || object.collection === collection)
    .filter((object) => alive === null || (object.diedAt === undefined) === (alive === 'true'));
}

async function actAs({ control, input }: ControlCall): Promise<unknown> {
  const { status, body } = await control.actAs(input as unknown as ActAs);
  const text = typeof body === 'string' ? body : '';
  return { status, body: text === '' ? null : (JSON.parse(text) as unknown) };
}

function done(act: () => unknown): { readonly done: true } & Record<string, unknown> {
  const result = act();
  return { done: true, ...(result === undefined ? {} : { result }) };
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  'GET /ledger/requests': ({ control, query }) => control.requests(Number(query.get('since') ?? 0)),
  'GET /ledger/objects': objects,
  'GET /rows': ({ control, rest, query }) => control.rows(rest, query.get('euuid') ?? undefined),
  'POST /rows': ({ control, input }) => done(() => control.edit(input as unknown as ProviderEdit)),
  'GET /knobs': ({ control }) => control.knobs,
  'PUT /knobs': ({ control, input }) => {
    control.setKnobs(input);
    return control.knobs;
  },
  'GET /faults': ({ control }) => control.faults(),
  'POST /faults': ({ control, input }) => ({ id: control.addFault(input as unknown as Fault) }),
  'DELETE /faults': ({ control, rest }) => done(() => (rest === '' ? control.clearFaults() : control.removeFault(Number(rest)))),
  'POST /refuse': ({ control, input }) => done(() => control.refuseConnections(Number(input['seconds'] ?? 0))),
  'POST /tokens': ({ control, input }) => done(() => control.setToken(input as unknown as TokenSpec, input['euuid'] as string | undefined)),
  'DELETE /tokens': ({ control, rest }) => done(() => control.revokeToken(rest)),
  'PUT /grants': ({ control, rest, input }) => done(() => control.setGrants(rest, input as Readonly<Record<string, 'read_only' | null>>)),
  'PUT /clock': ({ control, input }) => done(() => control.setClockSkew(Number(input['skewSeconds'] ?? 0))),
  'POST /time/advance': advanceTime,
  'POST /as': actAs,
  'POST /reset': ({ control }) => done(() => control.reset()),
};

function json(status: number, value: unknown): ApiResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function inputOf(request: ApiRequest): Input {
  const text = request.body?.toString() ?? '';
  return text === '' ? {} : (JSON.parse(text) as Input);
}

/** The control port: the operations of `Control` as JSON over HTTP. */
export function controlHandler(control: Control, clock?: TestClock): (request: ApiRequest) => Promise<ApiResponse> {
  return async (request) => {
    const url = new URL(request.path, 'http://control.invalid');
    const [, first = '', second = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const long = endpoints[`${request.method} /${first}/${second}`];
    const endpoint = long ?? endpoints[`${request.method} /${first}`];
    if (endpoint === undefined) return json(404, { error: `no such control call; there are: ${Object.keys(endpoints).join(', ')}` });
    try {
      const call = { control, clock, query: url.searchParams, rest: long === undefined ? second : rest.join('/'), input: inputOf(request) };
      return json(200, (await endpoint(call)) ?? {});
    } catch (error) {
      return json(400, { error: error instanceof Error ? error.message : String(error) });
    }
  };
}
