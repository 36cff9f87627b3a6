import type { Connector } from '../engine/ports/cloud.ts';
import type { Endpoint } from '../flag-values.ts';
import type { KubeClient } from '../kube/http/client.ts';
import type { Clock, Millis } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import type { Journal } from './once/journal/journal.ts';

/** Which cluster, and as whom: the flags that mean the same in kubectl. */
export interface ClusterChoice {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly as?: string;
  /** One a line. */
  readonly asGroup?: string;
}

/** A cluster that answers. */
export interface Connected {
  readonly client: KubeClient;
  readonly server: string;
  /** Of the kubeconfig's context. */
  readonly namespace?: string;
}

/** A way to accounts, until it is closed. */
export type OpenCloud = Connector & {
  close(): void;
  /** Seconds for which the oldest request of each lane has waited. */
  figures(): readonly { readonly queueAge: Readonly<Record<string, number>> }[];
};

export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** Somebody at a terminal; undefined: pressed Ctrl-C. */
export interface Person {
  yes(question: string): Promise<boolean | undefined>;
  type(question: string): Promise<string | undefined>;
  /** Typed without being shown. */
  secret(question: string): Promise<string | undefined>;
}

/** The way to an endpoint as this machine sees it, without a token. What does not work rejects, in words. */
export interface Wire {
  readonly proxyFor: (url: URL) => Promise<string | undefined>;
  readonly addresses: (host: string) => Promise<readonly string[]>;
  /** Until when the certificate counts, which is trusted; `ca`: PEM of a further authority. */
  readonly certificateEnd: (url: URL, ca: string | undefined) => Promise<Millis>;
  /** `body`: undefined where it is no JSON. `date`: NaN where it is not told. */
  readonly get: (
    url: string,
    ca: string | undefined,
  ) => Promise<{ readonly status: number; readonly date: Millis; readonly body: unknown }>;
}

/** Is told `METHOD PATH CODE` of each request. */
export type Told = (request: string) => void;

/** What is told of the way to an account. */
export interface Telling {
  readonly requests?: Told;
  /** Why a read is asked again later. */
  readonly waits?: (line: string) => void;
}

/** Everything outside of the plugin, so that tests can stand in for it. */
export interface Host {
  /** Data. */
  readonly out: (text: string) => void;
  /** Talk. */
  readonly err: (text: string) => void;
  /** From now on, what is asked has no colours; nothing else ever has any. */
  readonly withoutColour: () => void;
  /** Undefined without a terminal on both sides: nothing can be asked. */
  readonly person?: Person;
  readonly connect: (choice: ClusterChoice, told?: Told) => Promise<Connected>;
  /** For this verb, which the account's service is told. */
  readonly openCloud: (endpoints: readonly Endpoint[], verb: string, telling?: Telling) => Promise<OpenCloud>;
  readonly wire: Wire;
  /** A file, all manifests of a folder, or standard input for `-`. */
  readonly readFiles: (path: string, recursive: boolean) => Promise<readonly TextFile[]>;
  /** What kustomize builds of a folder. */
  readonly kustomized: (folder: string) => Promise<readonly TextFile[]>;
  /** The same as `readFiles`, as a commit of git has it. */
  readonly filesAt: (commit: string, path: string, recursive: boolean) => Promise<readonly TextFile[]>;
  /** Undefined where there is no such file. */
  readonly fileText: (path: string) => Promise<string | undefined>;
  /** With the folders above it. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** A gzipped tar of these files, with the folders above it. */
  readonly writeArchive: (path: string, files: ReadonlyMap<string, string>) => Promise<void>;
  /** The caller's own token, `CLOUD_TOKEN`. */
  readonly token?: string;
  /** What was changed in accounts once, so that it is not done twice. */
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Whether somebody still reads what is printed: asked by what prints on and on. */
  readonly isRead: () => boolean;
}
