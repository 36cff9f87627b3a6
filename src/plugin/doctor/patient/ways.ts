import type { Endpoint } from '../../../flag-values.ts';
import type { Millis } from '../../../lib/clock.ts';
import type { Wire } from '../../host.ts';

/** How far one gets on the way to an endpoint. What lies behind what fails is not looked at. */
export interface Way {
  readonly endpoint: string;
  readonly url: string;
  readonly proxy: string | undefined;
  readonly fault?: { readonly at: 'name' | 'certificate' | 'proxy' | 'answer'; readonly why: string };
  readonly certificateUntil?: Millis;
  /** The clock there less the one here, when it answered. */
  readonly ahead?: Millis;
}

export async function wayTo({ name, url, word, ca }: Endpoint, wire: Wire, now: () => Millis): Promise<Way> {
  const origin = new URL(url);
  let proxy: string | undefined;
  try {
    proxy = await orStuck('proxy', wire.proxyFor(origin));
    const certificateUntil = proxy === undefined ? await direct(origin, ca, wire) : undefined;
    const known = { endpoint: name, url, proxy, ...(certificateUntil !== undefined && { certificateUntil }) };
    return { ...known, ...(await answers({ url, word, ca }, wire, { now, proxy })) };
  } catch (error) {
    if (error instanceof Stuck) return { endpoint: name, url, proxy, fault: { at: error.at, why: error.message } };
    throw error;
  }
}

type Place = NonNullable<Way['fault']>['at'];
class Stuck extends Error {
  readonly at: Place;
  constructor(at: Place, message: string) {
    super(message);
    this.at = at;
  }
}
const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const orStuck = async <T>(at: Place, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw new Stuck(at, whyOf(error));
  }
};

async function direct(origin: URL, ca: string | undefined, wire: Wire): Promise<Millis | undefined> {
  const found = await orStuck('name', wire.addresses(origin.hostname));
  if (found.length === 0) throw new Stuck('name', `${origin.hostname} has no address`);
  return origin.protocol === 'https:' ? orStuck('certificate', wire.certificateEnd(origin, ca)) : undefined;
}

interface Asking {
  readonly now: () => Millis;
  readonly proxy: string | undefined;
}
type Spoken = Pick<Endpoint, 'url'> & { readonly word: string | undefined; readonly ca: string | undefined };
/** Catalogues need no token: that of regions, of either version, and one that is called by the provider's own word. */
async function answers({ url, word = 'vm', ca }: Spoken, wire: Wire, { now, proxy }: Asking): Promise<Pick<Way, 'ahead'>> {
  const base = url.replace(/\/$/, '');
  const beta = base.replace(/\/v4$/, '/v4beta');
  let ahead: Millis | undefined;
  for (const one of new Set([`${base}/regions`, `${beta}/regions`, `${base}/${word}/types`])) {
    const { status, date, body } = await orStuck(proxy === undefined ? 'answer' : 'proxy', wire.get(one, ca));
    if (status !== 200) throw new Stuck('answer', `GET ${one} is answered ${status}${hintOf(one, base, word)}`);
    if (!Array.isArray((body as { readonly data?: unknown } | undefined)?.data))
      throw new Stuck('answer', `GET ${one} is answered with something else than a list: is this the API?`);
    if (Number.isFinite(date)) ahead = date - now();
  }
  return ahead === undefined ? {} : { ahead };
}

const hintOf = (url: string, base: string, word: string): string =>
  url === `${base}/${word}/types` ? `: word=${word} may not be how this service calls a virtual machine` : '';
