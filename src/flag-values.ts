import type { Millis } from './lib/clock.ts';

/** One endpoint of the account's API that the administrator trusts; objects of tenants only name it. */
export interface Endpoint {
  readonly name: string;
  /** Ends in `/v4`. */
  readonly url: string;
  /** The provider's word for an instance in paths and fields; `vm` in the documents. */
  readonly word: string;
  /** File with further CA certificates, PEM. */
  readonly ca?: string;
}

/** A host from which images may be read; without a port it is 443. */
export interface ImageSource {
  readonly host: string;
  readonly port?: number;
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export const duration = (text: string): Millis | undefined => {
  const match = /^(?<n>\d+(?:\.\d+)?)(?<unit>ms|s|m|h)$/.exec(text)?.groups;
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return match === undefined ? undefined : Number(match['n']) * (units[match['unit'] ?? ''] ?? 1);
};
/** A repeated flag is joined by spaces, so that both ways of giving several values mean the same. */
const parts = (text: string): readonly string[] => text.split(/[,\s]+/).filter((part) => part !== '');
export const names = (text: string): readonly string[] | undefined => {
  const all = parts(text);
  return all.every((name) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) ? all : undefined;
};
/** Whether there are such kinds, whoever knows the kinds says. */
export const kindNames = (text: string): readonly string[] | undefined => {
  const all = parts(text);
  return all.every((name) => /^[A-Za-z]+$/.test(name)) ? all : undefined;
};
export const labels = (text: string): Readonly<Record<string, string>> | undefined => {
  const pairs = parts(text).map((pair) => pair.split('='));
  return pairs.every((pair) => pair.length === 2 && pair[0] !== '') ? Object.fromEntries(pairs as [string, string][]) : undefined;
};
export const address = (text: string): string | undefined => (/^(?:\S*:\d{1,5}|0)$/.test(text) ? text : undefined);
export const truth = (text: string): boolean | undefined => ({ true: true, false: false })[text];
export const word = (text: string): string | undefined => (text === '' ? undefined : text);
export const level = (text: string): LogLevel | undefined => (['debug', 'info', 'warn', 'error'] as const).find((known) => known === text);

/** `HOST[:PORT]`, as in a URL, an IPv6 address in brackets. */
export function imageSources(text: string): readonly ImageSource[] | undefined {
  const all = parts(text).map(imageSource);
  return all.every((one) => one !== undefined) ? all : undefined;
}
function imageSource(text: string): ImageSource | undefined {
  const { host = '', port } = /^(?<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(?<port>\d{1,5}))?$/.exec(text)?.groups ?? {};
  if (host === '' || !URL.canParse(`https://${host}`)) return undefined;
  return { host: new URL(`https://${host}`).hostname, ...(port !== undefined && { port: Number(port) }) };
}

/** `NAME=URL,word=W[,ca=FILE]`, several separated by white space or by repeating the flag. */
export function endpoints(text: string): readonly Endpoint[] | undefined {
  const all = text
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(endpoint);
  return all.every((one) => one !== undefined) && new Set(all.map((one) => one.name)).size === all.length ? all : undefined;
}
const endpointForm = /^(?<name>[a-z0-9-]+)=(?<url>https?:\/\/[^,\s]+\/v4)(?<settings>(?:,(?:word|ca)=[^,\s]+)*)$/;

function endpoint(text: string): Endpoint | undefined {
  const { name = '', url = '', settings = '' } = endpointForm.exec(text)?.groups ?? {};
  const { word: own = 'vm', ca } = Object.fromEntries(parts(settings).map((part) => part.split('=') as [string, string])) as Readonly<
    Record<string, string>
  >;
  if (!URL.canParse(url) || !/^[a-z][a-z0-9]*$/.test(own)) return undefined;
  return { name, url, word: own, ...(ca !== undefined && { ca }) };
}
