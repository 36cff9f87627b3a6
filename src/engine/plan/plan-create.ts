import { type AnyCollection, type AnyWant, type Body, type Call, post } from '../../resource/index.ts';

interface Surroundings {
  readonly collection: string;
  /** Those of account and installation, where the user may tag (README: identity). */
  readonly tags?: readonly string[];
}

/** The call that makes it. What is copied or imported is sent without tags. */
export function planCreate(kind: AnyCollection, want: AnyWant, { collection, tags }: Surroundings): Call {
  const at = kind.createPath?.(want) ?? collection;
  const body = kind.create(want);
  return post(at, at === collection && kind.tags !== undefined && tags !== undefined ? withTags(body, tags) : body);
}

function withTags(body: Body, tags: readonly string[]): Body {
  const own = Array.isArray(body['tags']) ? (body['tags'] as string[]) : [];
  return { ...body, tags: [...new Set([...own, ...tags])] };
}
