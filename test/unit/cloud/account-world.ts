import { createConnector } from '../../../src/cloud/index.ts';
import type { CallObserved } from '../../../src/cloud/http/client.ts';
import type { Connection, CallOptions, Key, OpenOptions, Owner, Reply } from '../../../src/engine/ports/index.ts';
import account from '../../../src/kinds/cloud-account.ts';
import domainRecord from '../../../src/kinds/cloud-domain-record.ts';
import firewall from '../../../src/kinds/cloud-firewall.ts';
import instance from '../../../src/kinds/cloud-instance.ts';
import stackScript from '../../../src/kinds/cloud-stack-script.ts';
import volume from '../../../src/kinds/cloud-volume.ts';
import type { Random } from '../../../src/lib/random.ts';
import { type Call, erase, Sensitive } from '../../../src/resource/index.ts';
import { silent } from '../../../src/telemetry/log.ts';
import type { EmulatorOptions } from '../../emulator/emulator.ts';
import { createEmulator } from '../../emulator/emulator.ts';
import { createRng } from '../../emulator/contract/rng.ts';
import { InProcessDispatcher } from '../../support/virtual/in-process-dispatcher.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { origin, settled } from './scripted.ts';

export const kinds = {
  account: erase(account),
  instance: erase(instance),
  volume: erase(volume),
  record: erase(domainRecord),
  firewall: erase(firewall),
  script: erase(stackScript),
  // The same, as one of which a read by id tells nothing.
  listedVolume: erase({ ...volume, kind: 'CloudListedVolume', sweep: { by: 'list', itemFromList: true } }),
};
export const never = new AbortController().signal;
export const how = { lane: 'edit', tenant: 'team', signal: never } as const;

/** As soon as the budget permits, whoever leads. */
export const sent = async (connection: Connection, call: Call, options: CallOptions = how): Promise<Reply> =>
  (await connection.permit(call, options)).send(() => undefined);

const seeded = (): Random => {
  const rng = createRng(7);
  return () => rng.next();
};

/** The connector on the emulator, in one process and in virtual time. */
export function accountWorld(options: Omit<EmulatorOptions, 'clock'> = {}, listLag = 60_000, random: Random = seeded()) {
  const clock = new VirtualClock();
  const emulator = createEmulator({ ...options, clock, providerWord: 'acme' });
  const dispatcher = new InProcessDispatcher({ clock, activity: clock.activity, backends: { [origin]: emulator } });
  const calls: CallObserved[] = [];
  const woken: string[] = [];
  let changes = 0;
  const connector = createConnector({
    endpoints: [{ name: 'main', url: `${origin}/v4`, word: 'acme' }],
    clock,
    dispatcher,
    random,
    log: silent,
    kinds: Object.values(kinds),
    listLag,
    onCall: (call) => calls.push(call),
  });
  const wake = (kind: string, { namespace, name }: Key): void => void woken.push(`${kind}/${namespace}/${name}`);
  const terms: OpenOptions = {
    endpoint: 'main',
    account: 'team/default',
    token: new Sensitive('token-admin'),
    wake,
    changed: () => (changes += 1),
  };
  const open = (more: Partial<OpenOptions> = {}) => settled(clock, connector.open({ ...terms, ...more }, never));
  /** Calls since the last time this was asked, by template. */
  const counted = (): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const { method, template } of calls.splice(0)) counts[`${method} ${template}`] = (counts[`${method} ${template}`] ?? 0) + 1;
    return counts;
  };
  const byColleague = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await emulator.control.actAs({ username: 'colleague', method, path, ...(body !== undefined && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${String(answer.body)}`);
    return JSON.parse(String(answer.body)) as Record<string, unknown>;
  };
  return { clock, emulator, connector, dispatcher, calls, woken, open, counted, byColleague, changes: () => changes };
}

export const ownerOf = (kind: keyof typeof kinds, name: string, collection: string): Owner => ({
  kind: kinds[kind],
  key: { namespace: 'team', name },
  collection,
});
export const idOf = (body: unknown): number => (body as { id: number }).id;
