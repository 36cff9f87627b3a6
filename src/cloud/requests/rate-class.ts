import type { Millis } from '../../lib/clock.ts';
import type { AnyKind, Call, RateClass } from '../../resource/index.ts';

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly rate: RateClass;
}

/** Which rate window a call counts for: that which a kind names for its route, `list` for paged reads, else `general`. */
export function rateClasses(kinds: readonly AnyKind[]): (call: Call) => RateClass {
  const routes = kinds.flatMap(({ windows = {} }) => Object.entries(windows).map(([route, rate]) => routeOf(route, rate)));
  return ({ method, path }) => {
    const [where = '', query = ''] = path.split('?');
    const route = routes.find((one) => one.method === method && one.path.test(where));
    if (route !== undefined) return route.rate;
    return method === 'GET' && /(^|&)page(_size)?=/.test(query) ? 'list' : 'general';
  };
}

/** `POST /things/{}/clone`: `{}` stands for one id. */
function routeOf(route: string, rate: RateClass): Route {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: new RegExp(`^${path.replaceAll('{}', '[^/]+')}$`), rate };
}

/** Requests in flight at once. The object storage's own limits are 1 and 2; the others spare sockets. */
export const concurrencyOf: Readonly<Record<RateClass, number>> = {
  general: 24,
  list: 8,
  'instance-create': 16,
  'volume-create': 16,
  'image-list': 4,
  'script-list': 4,
  'object-write': 2,
  'object-storage': 1,
  ticket: 2,
};

/** Least time between two requests where a second, short window is in no header: at most 5 object writes a second. */
export const paceOf: Readonly<Partial<Record<RateClass, Millis>>> = { 'object-write': 250 };
