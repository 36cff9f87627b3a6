import { request } from 'undici';
import { Program, type ProgramOptions } from './program.ts';

interface Ready {
  readonly url: string;
  readonly controlUrl: string;
  readonly token: string;
}
/** One object that ever lived in the emulator, as its ledger tells. */
export interface LedgerObject {
  readonly collection: string;
  readonly key: number | string;
  readonly bornAt: number;
  readonly bornBy: string;
  readonly origin: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly changes: readonly { readonly at: number; readonly origin: string; readonly fields: readonly string[] }[];
  readonly diedAt?: number;
}

/** One API request, as its ledger tells; the newer fields are those of `test/emulator/core/ledger.ts`. */
export interface LedgerRequest {
  readonly seq: number;
  readonly at: number;
  readonly username: string;
  readonly method: string;
  /** Neutral path template, empty when nothing matched. */
  readonly template: string;
  readonly path: string;
  readonly query: string;
  readonly userAgent: string;
  readonly body: string;
  /** 0 when no answer was given. */
  readonly status: number;
  readonly changes: readonly { readonly collection: string; readonly key: number | string; readonly kind: string }[];
}

/** The emulator as a process, with the tester's hands on its control port. */
export class EmulatorProgram {
  readonly program: Program;
  readonly ready: Ready;

  private constructor(program: Program, ready: Ready) {
    this.program = program;
    this.ready = ready;
  }

  static async start(args: readonly string[], options: Pick<ProgramOptions, 'folder' | 'detached'>): Promise<EmulatorProgram> {
    const program = new Program({ ...options, name: 'emulator', script: ['test/emulator/main.ts', ...args] });
    const line = await program.line((text) => text.startsWith('{'));
    return new EmulatorProgram(program, JSON.parse(line) as Ready);
  }

  async control<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const answer = await request(`${this.ready.controlUrl}${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path} of the emulator: ${text}`);
    return JSON.parse(text) as T;
  }

  /** What the account holds now. */
  alive(): Promise<readonly LedgerObject[]> {
    return this.control('GET', '/ledger/objects?alive=true');
  }

  /** What it ever held. */
  everything(): Promise<readonly LedgerObject[]> {
    return this.control('GET', '/ledger/objects');
  }

  /** Every request that ended after the one of this number. */
  requests(since = 0): Promise<readonly LedgerRequest[]> {
    return this.control('GET', `/ledger/requests?since=${since}`);
  }

  /** An API call as another user would make it; throws when it is refused. */
  async actAs(username: string, method: string, path: string, body?: unknown): Promise<void> {
    const { status, body: answer } = await this.control<{ status: number; body: unknown }>('POST', '/as', { username, method, path, body });
    if (status >= 300) throw new Error(`${username}: ${method} ${path}: ${status} ${JSON.stringify(answer)}`);
  }
}
