import type { Millis } from '../lib/clock.ts';
import { oneLine } from '../lib/one-line.ts';
import type { Reader } from './cluster/reader.ts';
import type { AsTyped } from './command-line/as-typed.ts';
import { AccountsAsked } from './account/accounts-asked.ts';
import { type Flags, on, text } from './command-line/flag.ts';
import type { Connected, Host, Person } from './host.ts';

/** What somebody called something looks like no line of ours. */
const ended = (lines: readonly string[]): string => lines.map((line) => `${oneLine(line)}\n`).join('');

/** One run of one verb: its cluster, and what it said beside its answer. */
export class Session {
  readonly host: Host;
  readonly warnings: string[] = [];
  readonly accounts: AccountsAsked;
  /** What was typed after `kubectl cloud`. */
  readonly typed: readonly string[];
  readonly #flags: Flags;
  readonly #isQuiet: boolean;
  readonly #as: AsTyped;
  /** With `--quiet`: talk that nobody has seen. */
  #unsaid: string[] = [];
  #connected: Promise<Connected> | undefined;
  #reader: Promise<Reader> | undefined;

  /** `as`: what makes lines to type lead to the same cluster. */
  constructor(
    host: Host,
    flags: Flags,
    { as = (line) => line, typed = [] }: { readonly as?: AsTyped; readonly typed?: readonly string[] } = {},
  ) {
    this.typed = typed;
    this.#as = as;
    this.#isQuiet = on(flags, 'quiet');
    this.accounts = new AccountsAsked({ expected: text(flags, 'expectAccount'), share: text(flags, 'share') });
    const watched = this.accounts.watching(host, (line) => this.warn(line));
    this.host = host.person === undefined ? watched : { ...watched, person: this.#asked(host.person) };
    this.#flags = flags;
  }

  get now(): Millis {
    return this.host.clock.now();
  }

  /** No cluster is asked anything. */
  get isAlone(): boolean {
    return this.#flags['cluster'] === false;
  }

  /** Said once, on standard error and in `warnings`. */
  warn(message: string): void {
    const told = this.#as(message);
    if (this.warnings.includes(told)) return;
    this.warnings.push(told);
    this.#tell([told]);
  }
  /** A line to type, within output whose other words must stay as they are. */
  lineToType(line: string): string {
    return this.#as(line);
  }
  /** Talk that no script needs. */
  say(...lines: readonly string[]): void {
    this.#tell(lines.map((line) => this.#as(line)));
  }
  #tell(told: readonly string[]): void {
    if (this.#isQuiet) this.#unsaid.push(...told);
    else this.host.err(ended(told));
  }
  /** Nobody says yes to what was not shown: it is said before the first question. */
  #asked(person: Person): Person {
    const tell = (): void => {
      const lines = this.#unsaid.splice(0);
      if (lines.length > 0) this.host.err(ended(lines));
    };
    return {
      yes: (question) => (tell(), person.yes(question)),
      type: (question) => (tell(), person.type(question)),
      secret: (question) => (tell(), person.secret(question)),
    };
  }
  /** What was asked for. */
  print(...lines: readonly string[]): void {
    this.host.out(ended(lines));
  }

  connected(): Promise<Connected> {
    const choice = ['kubeconfig', 'context', 'as', 'asGroup'].map((name) => [name, text(this.#flags, name)] as const);
    this.#connected ??= this.host.connect(Object.fromEntries(choice.filter(([, value]) => value !== undefined)));
    return this.#connected;
  }

  /** As kubectl chooses it. */
  async namespace(): Promise<string> {
    const named = text(this.#flags, 'namespace');
    return named ?? (this.isAlone ? undefined : (await this.connected()).namespace) ?? 'default';
  }

  async reader(): Promise<Reader> {
    this.#reader ??= this.#read();
    return this.#reader;
  }

  /** Loaded with the first need of it: help and completion start in half the time. */
  async #read(): Promise<Reader> {
    const [{ Reader }, { client }] = await Promise.all([import('./cluster/reader.ts'), this.connected()]);
    return new Reader(client, this.host.clock, this.host.signal, text(this.#flags, 'requestTimeout'));
  }

  /** `server` as `-o json` shows it, where there was a cluster to talk to. */
  async clusterShown(): Promise<{ readonly server: string } | undefined> {
    const known = await this.#connected?.catch(() => undefined);
    return known && { server: known.server };
  }

  async close(): Promise<void> {
    await (await this.#connected?.catch(() => undefined))?.client.close();
  }
}
