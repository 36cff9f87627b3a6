import type { TestAccount } from '../test-account.ts';
import { password } from '../test-account.ts';
import type { Furnished } from './furnished.ts';
import { good } from './furnished.ts';

/** One line of a table of rules. */
export interface Rule {
  readonly source: string;
  /**
   * What happens before: `[call, body, name of the id that it answers, token]`, `["wait", seconds]`, `["edit", row]`, `["knob", knobs]`,
   * `["grant", {"vm:{vmId}": level}]` to the restricted user.
   */
  readonly given: readonly Step[];
  /** `METHOD /path` with `{ids}`, and `@token` when it is not the admin who calls. */
  readonly call: string;
  readonly change: object;
  readonly answer: string;
}

export type Step = readonly [call: string, body: unknown, name?: string, token?: string];

/** A table's lines: source, given, call, change and answer. */
export function rulesOf(text: string): readonly Rule[] {
  const lines = text.trim().split('\n').slice(1);
  return lines.map((line) => {
    const [source = '', given = '', call = '', change = '', answer = ''] = line.split('\t');
    return { source, given: JSON.parse(given || '[]') as Step[], call, change: JSON.parse(change) as object, answer };
  });
}

export type Ids = Record<string, string>;

const addresses = (length: number): readonly string[] =>
  Array.from({ length: Math.ceil(length / 11) }, (_, index) => `10.123.${100 + index}.200`);

export const named = (text: string, ids: Ids): string => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => ids[name] ?? whole);

const pem = (what: string): string => `-----BEGIN ${what}-----\nMIIB\n-----END ${what}-----\n`;

/** What a text of a body stands for. */
function expanded(text: string, ids: Ids): unknown {
  if (text === '$absent') return undefined;
  if (text === '$password') return password;
  if (text === '$certificate') return pem('CERTIFICATE');
  if (text === '$privateKey') return pem('PRIVATE KEY');
  const id = ids[/^\{(\w+)\}$/.exec(text)?.[1] ?? ''];
  if (id !== undefined) return /^\d+$/.test(id) ? Number(id) : id;
  return text.replace(/^\$x(\d+)/, (_whole, count: string) => 'x'.repeat(Number(count)));
}

/** A body with what its texts stand for. */
export function filled(value: unknown, ids: Ids): unknown {
  if (typeof value === 'string') return expanded(value, ids);
  if (Array.isArray(value)) return value[0] === '$ips1001' ? addresses(1001) : value.map((item) => filled(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, ids)]));
}

type Hand = (api: TestAccount, body: unknown, ids: Ids) => void;

/** Steps that are no calls. */
const hands: Readonly<Record<string, Hand>> = {
  wait: (api, body) => api.seconds(Number(body)),
  knob: ({ emulator }, body) => emulator.control.setKnobs(body as object),
  edit: ({ emulator }, body, ids) => void emulator.control.edit(filled(body, ids) as Parameters<typeof emulator.control.edit>[0]),
  grant: ({ emulator }, body, ids) =>
    emulator.control.setGrants('limited', JSON.parse(named(JSON.stringify(body), ids)) as Record<string, 'read_only'>),
};

/** One step of what a rule takes as given. */
export async function prepare(api: TestAccount, ids: Ids, [call, body, name, token = 'token-admin']: Step): Promise<void> {
  const hand = hands[call];
  if (hand !== undefined) return hand(api, body, ids);
  const [method = '', path = ''] = call.split(' ');
  const reply = await api.send(method, named(path, ids), { authorization: `Bearer ${token}` }, filled(body, ids));
  if (reply.status !== 200) throw new Error(`given ${call} ${JSON.stringify(body)}: ${reply.status} ${reply.errors.join(' | ')}`);
  if (name !== undefined) ids[name] = String(reply.body['id'] ?? reply.body['token'] ?? reply.body['range']);
}

/** Does what came agree? */
function agrees(answer: string, status: number, errors: readonly string[]): boolean {
  if (answer === 'ok') return status === 200;
  if (/^\d{3}$/.test(answer)) return status === Number(answer);
  if (/^\d{3} /.test(answer)) return `${status} ${errors.join(' | ')}` === answer;
  if (status !== 400 && !(status === 403 && answer === 'vm_id')) return false;
  if (answer === 'refused') return true;
  if (/^[\w.[\]]+$/.test(answer)) return errors.length > 0 && errors.every((error) => error.startsWith(answer));
  return errors.join(' | ') === answer;
}

/** What is wrong with the rule, and whether the account is as it was before. */
export async function tried({ api, ids: known }: Furnished, rule: Rule): Promise<{ readonly broken?: string; readonly spent: boolean }> {
  const ids: Ids = { ...known };
  const about = `${rule.source} ${rule.call} ${JSON.stringify(rule.change).slice(0, 150)}`;
  try {
    for (const step of rule.given) await prepare(api, ids, step);
  } catch (error) {
    return { broken: `${about}: ${String(error)}`, spent: true };
  }
  const [call = '', token = 'token-admin'] = rule.call.split('@');
  const [method = '', path = ''] = call.split(' ');
  const body = { ...good[call], ...(filled(rule.change, ids) as object) };
  const { status, errors } = await api.send(method, named(path, ids), { authorization: `Bearer ${token}` }, body);
  const spent = status === 200 || rule.given.length > 0;
  if (agrees(named(rule.answer, ids), status, errors)) return { spent };
  return { broken: `${about}: ${status} ${errors.join(' | ')}, not ${rule.answer}`, spent };
}
