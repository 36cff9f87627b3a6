import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerRequest } from '../emulator/core/ledger.ts';

/** Names the folder in which tests leave what their accounts were asked for. Unset: they leave nothing. */
export const folderVariable = 'COVERAGE_LEDGERS';

/** An operation that an account performed for a program of this project. */
export interface Performed {
  /** `POST /volumes/{volumeId}/attach` */
  readonly operation: string;
  /** Kind, `connection`, or `kubectl cloud` and a verb. */
  readonly by: string;
  readonly test: string;
}

const agents = /^(?<product>cloud-operator|kubectl-cloud)(?:\/\S+)? \((?<caller>[\w-]+)\)$/;

/** The service has ended these: that it says so is all that can be performed. */
const ended = /^POST \/account\/payments\/paypal(\/execute)?$/;

/**
 * Only what `src` sent counts, and only what was answered with success: others call themselves otherwise. `api` sends whatever
 * it is told, so it counts only for what no kind and no other verb can perform.
 */
export function performedIn(requests: readonly LedgerRequest[], test: string): readonly Performed[] {
  const performed = new Map<string, Performed>();
  for (const { method, template, status, userAgent } of requests) {
    const { product, caller } = agents.exec(userAgent)?.groups ?? {};
    // An id may hold a slash; the documents name it like any other.
    const operation = `${method} ${template.replaceAll('*}', '}')}`;
    if (caller === undefined || template === '' || !counts({ operation, status, isApi: caller === 'api' })) continue;
    const by = product === 'kubectl-cloud' ? `kubectl cloud ${caller}` : caller;
    performed.set(`${operation} ${by}`, { operation, by, test });
  }
  return [...performed.values()];
}

const counts = ({ operation, status, isApi }: { readonly operation: string; readonly status: number; readonly isApi: boolean }): boolean =>
  isApi ? ended.test(operation) && status === 404 : status >= 200 && status <= 299;

export function leave(performed: readonly Performed[], folder: string): void {
  if (performed.length === 0) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.jsonl`), performed.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

export function gathered(folder: string): readonly Performed[] {
  return readdirSync(folder).flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Performed);
  });
}
