import { isIP } from 'node:net';
import { isLoopback, isPublic } from './addresses.ts';

/** A host from which the administrator lets images be read. */
export interface ImageSource {
  readonly host: string;
  /** Absent: 443. */
  readonly port?: number;
}

const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();
const usualPort = (protocol: string): number => (protocol === 'http:' ? 80 : 443);

/**
 * From where an operator reads what tenants name: hosts on the administrator's list, over TLS, and no address of the cluster. A
 * loopback address is one only where the list has it with its port, which is for trying things out.
 */
export class Sources {
  readonly #all: readonly ImageSource[];
  readonly #never: ReadonlySet<string>;
  /** `never`: further addresses of the cluster, whatever they look like. */
  constructor(all: readonly ImageSource[], never: readonly string[] = []) {
    this.#all = all.map(({ host, ...rest }) => ({ ...rest, host: bareHost(host) }));
    this.#never = new Set(never.map(bareHost));
  }

  /** Why nothing is read from this URL. The text says nothing of what is in it: it may be a secret. */
  refusal(text: string): string | undefined {
    if (this.#all.length === 0)
      return 'this operator reads images from no address: its administrator names the hosts with flag --image-source (value imageSources of the chart)';
    if (!URL.canParse(text)) return 'it is no URL: write for example https://images.example.com/golden.img.gz';
    return this.#refused(new URL(text));
  }
  #refused(url: URL): string | undefined {
    if (url.username !== '' || url.password !== '') return 'a URL with a user or a password in front of its host is not read';
    const host = bareHost(url.hostname);
    const port = url.port === '' ? usualPort(url.protocol) : Number(url.port);
    if (!this.#lists(host, port))
      return 'its host is none of those from which this operator reads images: its administrator names them with flag --image-source (value imageSources of the chart)';
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && this.#isOwn(host, port))) return 'only https is read';
    return isIP(host) === 0 || this.admits(host, port, host) ? undefined : closed;
  }

  /** Whether a connection for this host of the list may lead to this address. */
  admits(hostname: string, port: number, address: string): boolean {
    if (this.#never.has(bareHost(address))) return false;
    return isPublic(address) || (isLoopback(address) && this.#isOwn(bareHost(hostname), port));
  }

  #lists(host: string, port: number): boolean {
    return this.#all.some((one) => one.host === host && (one.port ?? 443) === port);
  }
  /** Named together with its port, so that nobody opens this host by mistake. */
  #isOwn(host: string, port: number): boolean {
    const isHere = host === 'localhost' || isLoopback(host);
    return isHere && this.#all.some((one) => one.host === host && one.port === port);
  }
}

/** What is said of every address that may not be reached. */
export const closed =
  'its host leads to an address that is not public (private, link-local, loopback or of the cluster), and those are never read';
