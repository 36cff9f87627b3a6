import type { Clock, Millis } from '../../lib/clock.ts';

const KEEP: Millis = 60_000;

/** Some are sent several times. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** Request headers that say who we are. */
export interface Credentials {
  headers(): Promise<Headers>;
  /** The server refused them: they are loaded anew before the next request. */
  refused(): void;
}

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

/** Loads at most once a minute. While loading fails, the last ones serve on: a rotated token stays valid for a while. */
export function cachedCredentials(clock: Clock, load: () => Promise<Readonly<Record<string, string>>>): Credentials {
  let last: { readonly headers: Readonly<Record<string, string>>; readonly until: Millis } | undefined;
  let loading: Promise<Readonly<Record<string, string>>> | undefined;
  const renew = async (): Promise<Readonly<Record<string, string>>> => {
    try {
      const headers = await load();
      last = { headers, until: clock.monotonic() + KEEP };
      return headers;
    } catch (error) {
      if (!last) throw error;
      return last.headers;
    } finally {
      loading = undefined;
    }
  };
  return {
    headers: () => (last && last.until > clock.monotonic() ? Promise.resolve(last.headers) : (loading ??= renew())),
    refused: () => {
      if (last) last = { ...last, until: -Infinity };
    },
  };
}
