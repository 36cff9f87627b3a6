import { ownWords } from '../../src/lib/quoted.ts';
import type { Backend, BackendRequest, BackendResponse } from '../support/virtual/backend.ts';

/** What somebody calls a thing, or writes about it: as the operator would go on, and with all that ends a quote or a line. */
export const sentence = `evil was made by CloudTag x". To mend it:\nkubectl -n "evil delete ns evil\\`;

/** Fields of the account in which people write. */
const written = /^(?:label|description|group|username|message|reason|summary|text|title|comments?|rdns|created_by|opened_by|closed_by)$/;

/** The same as if people had written that everywhere. */
export function asWritten(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return written.test(field) ? sentence : value;
  if (Array.isArray(value))
    return field === 'tags' ? [...(value as unknown[]), sentence, `pool=${sentence}`] : value.map((one) => asWritten(one, field));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asWritten(one, key)]));
}

/** It stands where the operator's own words stand. */
export const saysIt = (text: string): boolean => /evil\s/.test(ownWords(text));

/** An account in which people have written that, between it and the operator, and all sentences that the operator writes meanwhile. */
export class Strangers {
  /** Everything that they may call or describe is called so. */
  areHere = false;
  /** Every change is refused with this status, and words of theirs. */
  refuse: number | undefined;
  readonly said = new Set<string>();

  readonly between = (server: 'kube' | 'cloud', backend: Backend): Backend =>
    server === 'kube' ? this.#listening(backend) : this.#speaking(backend);

  #listening(backend: Backend): Backend {
    return {
      handle: (request) => {
        if (request.method !== 'GET' && request.body.length > 0) for (const text of sentencesIn(bodyOf(request))) this.said.add(text);
        return backend.handle(request);
      },
    };
  }

  #speaking(backend: Backend): Backend {
    return {
      handle: async (request) => {
        const { refuse } = this;
        if (refuse !== undefined && request.method !== 'GET') return refusal(refuse);
        const answer = await backend.handle(request);
        return this.areHere && request.method === 'GET' && !isOfUser(request) ? rewritten(answer) : answer;
      },
    };
  }
}

/** Who the operator is, and what a bucket's id is made of. */
const isOfUser = ({ path }: BackendRequest): boolean => /^\/v4\/(?:(?:profile|account)(?:\?|$)|object-storage\/buckets\b)/.test(path);
const refusal = (status: number): BackendResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ errors: [{ reason: sentence, field: sentence }, { reason: sentence }] }),
});
function rewritten(answer: BackendResponse): BackendResponse {
  if (answer.status !== 200 || !String(answer.headers['content-type']).includes('json')) return answer;
  return { ...answer, body: JSON.stringify(asWritten(JSON.parse(String(answer.body)))) };
}

function bodyOf({ body }: BackendRequest): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
/** What is read as a sentence: messages of conditions and of what is held, notes of Events, what a plan would change, and what kinds say. */
export function sentencesIn(value: unknown, field = ''): readonly string[] {
  if (typeof value === 'string') return /^(?:message|note|changes|says|why|off|personMust)$/.test(field) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => sentencesIn(one, field));
  if (typeof value !== 'object' || value === null) return [];
  const { path, value: patched } = value as { readonly path?: unknown; readonly value?: unknown };
  if (typeof path === 'string' && patched !== undefined) return sentencesIn(patched, path.slice(path.lastIndexOf('/') + 1));
  return Object.entries(value).flatMap(([key, one]) => sentencesIn(one, key));
}
