import { pathOfUrl } from '../http/entity-url.ts';

/**
 * What else of the account the parts of remotes name (a firewall's devices), where each row tells it by a URL. What comes into a
 * part, or leaves it, may show that in what is read below it, and no event may say so.
 */
export class NamedInParts {
  readonly #named = new Map<string, ReadonlySet<string>>();

  /** Paths that this reading names and the last one did not, or the reverse. `whole`: without a last one, all of them. */
  read(place: string, value: unknown, whole: boolean): readonly string[] {
    const before = this.#named.get(place);
    const now = namedIn(value);
    if (now.size > 0 || before !== undefined) this.#named.set(place, now);
    if (before === undefined) return whole ? [...now] : [];
    return [...now.symmetricDifference(before)];
  }

  /** Nobody reads it any more, most often because it is gone: what it named. */
  forget(place: string): readonly string[] {
    const before = this.#named.get(place) ?? [];
    this.#named.delete(place);
    return [...before];
  }
}

function namedIn(value: unknown): ReadonlySet<string> {
  const rows = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const urls = rows.map((row) => (row as { readonly entity?: { readonly url?: unknown } | null } | null)?.entity?.url);
  return new Set(urls.flatMap((url) => pathOfUrl(url) ?? []));
}
