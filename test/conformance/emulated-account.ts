import { planDelete } from '../../src/engine/plan/plan-delete.ts';
import { covers } from '../../src/engine/model/values.ts';
import {
  type AnyKind,
  type AnyWant,
  asCollection,
  type Body,
  type BodyValue,
  type Call,
  collectionOf,
  collectionOfItem,
  fileDigest,
  hasEnded,
  isReadFromList,
  itemOf,
  listFilters,
  type RemoteId,
  type Row,
  Sensitive,
} from '../../src/resource/index.ts';
import { bytesOf, type Encoded, multipart } from '../../src/cloud/http/multipart.ts';
import type { Knobs } from '../emulator/contract/knobs.ts';
import { type Reply, type TestClient, testClient } from '../emulator/test-client.ts';
import { planted } from '../support/samples/planted.ts';
import { type Case, caseOf, fixtures, type Ids, merged, type Next, next, parsed } from './case.ts';
import type { AnyFixture, Need } from './fixture.ts';

/** Longer than any job that a step of a sample starts. */
const jobSeconds = 300;
/** Steps after which a plan that does not come to rest is one that never will. */
const mostSteps = 25;

const bare = (value: BodyValue): unknown => {
  if (value instanceof Sensitive) return value.reveal();
  if (Array.isArray(value)) return value.map((item) => bare(item as BodyValue));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, bare(item)]));
};

const filesOf = (content: Call['content'], body: Body = {}): Encoded | undefined =>
  content === 'multipart' ? multipart(body) : content && { type: content, bytes: bytesOf(body['file']) };

const asMade = (kind: AnyKind, want: AnyWant, answer: Row): Row =>
  parsed(kind, (kind.mode === 'collection' ? kind.born?.(answer, want) : undefined) ?? answer);

/** What the answer to its create tells of it; undefined: nothing. */
const told = (kind: AnyKind, want: AnyWant, reply: Reply | undefined): Row | undefined =>
  reply === undefined || asCollection(kind)?.appears !== undefined ? undefined : asMade(kind, want, reply.body);

/** An account in the emulator, in virtual time, in which the steps of pure plans are done one by one. */
export class EmulatedAccount {
  readonly #client: TestClient;
  /** What status would remember, by item. */
  readonly #recalled = new Map<string, Row>();
  /** Every call that changed something: `POST /volumes`. */
  readonly calls: string[] = [];

  constructor(knobs: Partial<Knobs> = {}) {
    this.#client = testClient({ knobs: { ...planted, ...knobs } });
  }

  /** The fixture with the ids of what it needs, all of which exists now. */
  async prepare(fixture: AnyFixture): Promise<Case> {
    const ids: Record<string, RemoteId> = {};
    for (const [name, need] of Object.entries(fixture.needs ?? {})) ids[name] = await this.#make(name, need, ids);
    this.calls.length = 0;
    return this.#caseOf(fixture, ids);
  }

  /** Steps towards `want` until none is left; gives the item. */
  async converge(one: Case, want: AnyWant, item?: string): Promise<string> {
    let at = item ?? (one.kind.mode === 'collection' ? undefined : one.item);
    for (let count = 0; count < mostSteps; count += 1) {
      const step = await this.next(one, want, at);
      if (step.do === 'nothing' && at !== undefined) return at;
      at = await this.#take(one, want, step, at);
    }
    throw new Error(`${one.kind.kind} did not come to rest: ${this.calls.join(', ')}`);
  }

  /** Creates and waits until the remote is quiet; gives the item. */
  async create(one: Case, want: AnyWant): Promise<string> {
    const first = await this.next(one, want, undefined);
    const item = await this.#take(one, want, first, undefined);
    if (item === undefined) throw new Error(`${one.kind.kind}: the first step was ${first.do}`);
    return item;
  }

  async next({ kind }: Case, want: AnyWant, item: string | undefined): Promise<Next> {
    const remote = item === undefined ? undefined : await this.read(kind, item);
    if (item === undefined || remote === undefined || kind.recalls === undefined) return next({ kind }, want, remote);
    const told = { ...want, recalled: this.#recalled.get(item) ?? {} };
    const status: Row = kind.observe(remote, told);
    this.#recalled.set(item, Object.fromEntries(kind.recalls.map((field) => [field, status[field]])));
    return next({ kind }, told, remote);
  }

  /** Steps of deletion until the remote is gone; gives how many there were. */
  async remove({ kind, want }: Case, item: string): Promise<number> {
    for (let count = 0; count < mostSteps; count += 1) {
      const remote = await this.read(kind, item);
      if (remote === undefined || hasEnded(kind, remote)) return count;
      const step = planDelete(kind, item, remote, want);
      if (step.do === 'release' || step.do === 'delete') await this.send(step.call);
      this.#client.clock.advance(jobSeconds * 1000);
    }
    throw new Error(`${kind.kind} ${item} is still there: ${this.calls.join(', ')}`);
  }

  /** Without what came with something else. */
  async rows(kind: AnyKind, want: AnyWant): Promise<readonly Row[]> {
    const collection = collectionOf(kind, want);
    const came = kind.key?.cameBefore?.(want) ?? [];
    return (await this.#list(kind, collection)).filter((row) => !came.includes(itemOf(kind, row, collection)));
  }

  async read(kind: AnyKind, item: string): Promise<Row | undefined> {
    if (isReadFromList(kind)) {
      const collection = collectionOfItem(kind, item);
      const row = (await this.#list(kind, collection)).find((one) => itemOf(kind, one, collection) === item);
      return row && parsed(kind, row);
    }
    const reply = await this.#client.get(item);
    if (reply.status === 404) return undefined;
    const there = Object.entries(kind.parts ?? {}).filter(([, { when }]) => when?.(parsed(kind, reply.body), reply.body) !== false);
    const parts = there.map(async ([name, part]) => {
      const answer = await this.#client.get(part.path(item, reply.body));
      if (part.notYet?.some((status) => status === answer.status) === true) return [[name, null]] as const;
      if (part.file !== undefined) return [[name, { digest: await this.#digestOf(part.path(item, reply.body)) }]] as const;
      return part.secret === undefined ? ([[name, part.paged ? answer.data : answer.body]] as const) : [];
    });
    return parsed(kind, { ...reply.body, ...Object.fromEntries((await Promise.all(parts)).flat()) });
  }

  async #digestOf(path: string): Promise<string> {
    const { body } = await this.#client.emulator.handle({ method: 'GET', path: `/v4${path}` });
    if (!Buffer.isBuffer(body)) throw new Error(`${path} answered no file`);
    return fileDigest(body);
  }

  /** As the operator lists it: under the filter of the kind. */
  async #list(kind: AnyKind, collection: string): Promise<readonly Row[]> {
    const filter = listFilters([kind])(collection);
    const headers = { authorization: 'Bearer token-admin', ...(filter && { 'x-filter': JSON.stringify(filter) }) };
    return (await this.#client.send('GET', `${collection}?page_size=500`, headers)).data;
  }

  async send({ method, path, body, content, segment }: Call): Promise<Reply> {
    this.calls.push(`${method} ${path}`);
    const files = filesOf(content, body);
    const headers = { authorization: 'Bearer token-admin', ...(files && { 'content-type': files.type }) };
    const reply = await this.#client.send(
      method,
      segment === undefined ? path : `beta${path}`,
      headers,
      files?.bytes ?? (body && bare(body)),
    );
    if (reply.status !== 200)
      throw new Error(`${method} ${path} ${JSON.stringify(body)} answered ${reply.status}: ${reply.errors.join('; ')}`);
    return reply;
  }

  async #take({ kind }: Case, want: AnyWant, step: Next, item: string | undefined): Promise<string | undefined> {
    if (step.do !== 'create' && step.do !== 'update' && step.do !== 'wait') throw new Error(`${kind.kind}: ${JSON.stringify(step)}`);
    const reply = step.do === 'wait' ? undefined : await this.send(step.call);
    const made = step.do === 'create' ? told(kind, want, reply) : undefined;
    if (made !== undefined) await this.#bring(kind, want, made);
    this.#client.clock.advance(step.do === 'wait' ? step.recheckAfter : jobSeconds * 1000);
    return step.do === 'create' ? this.#itemMade(kind, want, made) : item;
  }

  async #itemMade(kind: AnyKind, want: AnyWant, made: Row | undefined): Promise<string> {
    return itemOf(kind, made ?? parsed(kind, await this.#listed(kind, want)), collectionOf(kind, want));
  }

  /** What no answer tells is found by its key. */
  async #listed(kind: AnyKind, want: AnyWant): Promise<Row> {
    const row = (await this.rows(kind, want)).find((one) => covers(kind.key?.of(want), one));
    if (row === undefined) throw new Error(`${kind.kind} did not come to be listed: ${this.calls.join(', ')}`);
    return row;
  }

  /** Sends what the remote waits for to where the answer to its create said. */
  async #bring({ transfer, outputs = {} }: AnyKind, want: AnyWant, made: Row): Promise<void> {
    if (transfer === undefined || want[transfer.field] === undefined) return;
    const to = new URL(String(outputs[transfer.to]?.of(made, want)));
    const data = Buffer.from([...transfer.format.begins, 0, 0]);
    const { status } = await this.#client.emulator.handle({
      method: 'PUT',
      path: `${to.pathname}${to.search}`,
      headers: { 'content-type': transfer.contentType },
      body: data,
    });
    if (status !== 200) throw new Error(`its data was answered ${status}`);
  }

  async #make(name: string, { kind, spec = {} }: Need, ids: Ids): Promise<RemoteId> {
    const fixture = fixtures.find((one) => (one.kind as AnyKind).kind === kind);
    if (fixture === undefined) throw new Error(`nothing is known of ${kind}`);
    const one = this.#caseOf({ ...fixture, want: { ...merged(fixture.want, spec), name: `${name}-abcdefgh` } }, ids);
    const remote = await this.read(one.kind, await this.converge(one, one.want));
    return one.kind.id?.(remote ?? {}) ?? (remote?.['id'] as RemoteId);
  }

  #caseOf(fixture: AnyFixture, ids?: Ids): Case {
    return caseOf(fixture, ids, (secret) => secret);
  }
}
