import { isObject, text } from '../storage/json.ts';
import { Normaliser } from './normalise.ts';
import type { Answer } from './normalise.ts';
import { COLLECTIONS } from './step.ts';
import type { Conversation, Step } from './step.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly accept: string;
  readonly body: string;
  readonly user: 'admin' | 'nobody' | 'unknown';
}

export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** One of the two servers that a conversation can be held with. */
export interface Server {
  send(request: WireRequest): Promise<WireAnswer>;
  /** Lets time pass, real or virtual. */
  wait(milliseconds: number): Promise<void>;
}

const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const TYPES: Readonly<Record<string, string>> = { merge: 'application/merge-patch+json', json: 'application/json-patch+json' };
/** The real garbage collector learns of new kinds every 30 s. */
const ROUNDS = 450;
const PAUSE = 200;

/** Holds a conversation in a namespace of its own and returns the normalised answers. */
export async function play(conversation: Conversation, server: Server, namespace: string): Promise<Answer[]> {
  const player = new Player(server, namespace);
  await player.raw({ send: 'POST /api/v1/namespaces', body: { metadata: { name: namespace } } });
  const answers: Answer[] = [];
  for (const step of conversation.steps) answers.push(await player.step(step));
  return answers;
}

class Player {
  readonly #server: Server;
  readonly #normaliser: Normaliser;
  readonly #values: Map<string, string>;

  constructor(server: Server, namespace: string) {
    this.#server = server;
    this.#normaliser = new Normaliser(namespace);
    this.#values = new Map([['ns', namespace]]);
  }

  async step(step: Step): Promise<Answer> {
    let answer = await this.raw(step);
    for (let round = 0; step.until !== undefined && answer.status !== step.until; round += 1) {
      if (round === ROUNDS) throw new Error(`${step.send}: still ${answer.status}, not ${step.until}, after ${(ROUNDS * PAUSE) / 1_000} s`);
      await this.#server.wait(PAUSE);
      answer = await this.raw(step);
    }
    if (step.as) this.#remember(step.as, answer.body);
    // Versions are numbered as they appear: what a controller wrote in its own time must not shift those that follow.
    if (step.differs) return { status: answer.status, body: undefined };
    return this.#normaliser.answer(answer.status, answer.body, answer.contentType);
  }

  raw(step: Step): Promise<WireAnswer> {
    const [method = '', path = ''] = this.#fill(expand(step.send)).split(' ');
    const body = step.raw ?? (step.body === undefined ? '' : this.#fill(JSON.stringify(step.body)));
    const type = step.type ?? (method === 'PATCH' ? 'merge' : 'application/json');
    const accept = step.accept === 'metadata' ? metadataOnly : 'application/json';
    return this.#server.send({ method, path, contentType: TYPES[type] ?? type, accept, body, user: step.user ?? 'admin' });
  }

  #remember(name: string, body: string): void {
    const value: unknown = JSON.parse(body);
    const metadata = isObject(value) && isObject(value['metadata']) ? value['metadata'] : {};
    for (const key of ['name', 'uid', 'resourceVersion', 'continue']) this.#values.set(`${name}.${key}`, text(metadata[key]));
  }

  #fill(template: string): string {
    return template.replaceAll(/\{(ns|[a-z]+\.[a-zA-Z]+)\}/g, (whole, key: string) => this.#values.get(key) ?? whole);
  }
}

function expand(send: string): string {
  return send.replace(/@([a-z]+)/, (whole, name: string) => COLLECTIONS[name] ?? whole);
}
