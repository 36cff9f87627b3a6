import { type AnyCollection, type AnyWant, type Body, type Call, post, withNonce } from '../../resource/index.ts';

interface Surroundings {
  readonly collection: string;
  /** Those of account and installation, where the user may tag (README: identity). */
  readonly tags?: readonly string[];
  /** Of this attempt, where the label is sent with one. */
  readonly nonce?: string;
}

/** Where it is made. */
export const createPathOf = (kind: AnyCollection, want: AnyWant, collection: string): string => kind.createPath?.(want) ?? collection;

/** The call that makes it. What is copied or imported is sent without tags. */
export function planCreate(kind: AnyCollection, want: AnyWant, { collection, tags, nonce }: Surroundings): Call {
  const at = createPathOf(kind, want, collection);
  const body = labelled(kind, kind.create(want), nonce);
  return post(at, at === collection && kind.tags !== undefined && tags !== undefined ? withTags(body, tags) : body);
}

function labelled({ label: rule }: AnyCollection, body: Body, nonce: string | undefined): Body {
  const label = rule === undefined ? undefined : body[rule.field];
  if (rule === undefined || nonce === undefined || typeof label !== 'string') return body;
  return { ...body, [rule.field]: withNonce(rule, label, nonce) };
}

function withTags(body: Body, tags: readonly string[]): Body {
  const own = Array.isArray(body['tags']) ? (body['tags'] as string[]) : [];
  return { ...body, tags: [...new Set([...own, ...tags])] };
}
