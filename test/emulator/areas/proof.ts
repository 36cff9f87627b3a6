import { expect, onTestFinished, TestRunner } from 'vitest';
import type { LedgerObject } from '../core/ledger.ts';
import type { Emulator } from '../emulator.ts';

const canonical = (operation: string): string => operation.replaceAll(/\{\w+\*?\}/g, '{}');

/** Every operation that the title of a test names, as `METHOD /path`. */
export function namedIn(title: string): readonly string[] {
  return [...title.matchAll(/(GET|POST|PUT|DELETE) (\/[\w{}*/.-]*[\w}])/g)].map(([, method = '', path = '']) =>
    canonical(`${method} ${path}`),
  );
}

interface Said {
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly text: string;
  /** Path and credential: the same question. */
  readonly question: string;
}

/** What one emulator was asked in a test, and what it answered. */
interface Talk {
  readonly emulator: Emulator;
  readonly said: Said[];
}

/** Done, and then looked at through another operation. */
function seenElsewhere({ said }: Talk, operation: string): boolean {
  const done = said.findIndex((one) => one.operation === operation && one.status >= 200 && one.status < 300);
  return done !== -1 && said.slice(done + 1).some((one) => one.method === 'GET' && one.operation !== operation);
}

/** By what an object is known in answers: its key and the fields that somebody has changed or named. */
function marks({ key, row, changes }: LedgerObject): readonly string[] {
  const fields = ['label', 'domain', 'name', 'summary', 'description', 'ssh_key', 'address', ...changes.flatMap((change) => change.fields)];
  const values = fields.map((field) => (row as Readonly<Record<string, unknown>>)[field]);
  return [key, ...values].map((value) => JSON.stringify(value)).filter((text) => text !== undefined && text.length > 2);
}

/** Shows something that another operation, a job or the provider has made or changed: names it, or answers otherwise than before. */
function showsWhatOthersDid({ emulator, said }: Talk, operation: string): boolean {
  const touched = emulator.control.objects().filter(({ origin, changes }) => origin !== 'seed' || changes.length > 0);
  const found = new Set(touched.flatMap(marks));
  const answers = said.filter((one) => one.operation === operation);
  const good = answers.filter(({ status }) => status >= 200 && status < 300);
  if (good.some(({ text }) => [...found].some((mark) => text.includes(mark)))) return true;
  return good.some((one) =>
    answers.some(({ question, text, status }) => question === one.question && (text !== one.text || status !== one.status)),
  );
}

/** What nothing changes: the operations that are gone (decision e), and the one key of an account's managed service. */
const constant: readonly string[] = [
  'POST /account/payments/paypal',
  'POST /account/payments/paypal/execute',
  'GET /managed/credentials/sshkey',
];

let current = '';
let talks: Talk[] = [];

function proven(operation: string): boolean {
  return talks.some((talk) => (operation.startsWith('GET') ? showsWhatOthersDid(talk, operation) : seenElsewhere(talk, operation)));
}

function hold(operations: readonly string[]): void {
  const unproven = operations.filter((operation) => !constant.includes(operation) && !proven(operation));
  current = '';
  if (unproven.length > 0) throw new Error(`not proven through another operation: ${unproven.join(', ')}`);
}

/** The emulator, its talk kept; with it the test is held to its title once it is over (README, Proof). */
export function watched(emulator: Emulator): Emulator {
  // Outside any test the title is that of the last one, perhaps of another file in this worker.
  const title = TestRunner.getCurrentTest() === undefined ? '' : (expect.getState().currentTestName ?? '');
  const operations = namedIn(title);
  if (operations.length === 0) return emulator;
  if (current !== title) {
    current = title;
    talks = [];
    onTestFinished(() => hold(operations));
  }
  const said: Said[] = [];
  talks.push({ emulator, said });
  return {
    ...emulator,
    handle: async (request) => {
      const answer = await emulator.handle(request);
      const { method = '', template = '' } = emulator.control.requests().at(-1) ?? {};
      const text = typeof answer.body === 'string' || Buffer.isBuffer(answer.body) ? answer.body.toString() : '';
      const question = `${request.path} ${request.headers?.['authorization'] ?? ''}`;
      said.push({ operation: canonical(`${method} ${template}`), method, status: answer.status, text, question });
      return answer;
    },
  };
}
