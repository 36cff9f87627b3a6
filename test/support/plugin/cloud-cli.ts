// The plugin imports these when it needs them, which is real work that virtual time does not wait for.
import '../../../src/plugin/cluster/installed.ts';
import '../../../src/plugin/cluster/reader.ts';
import '../../../src/plugin/command-line/near-hint.ts';
import '../../../src/plugin/output/names.ts';
import { requestsTo } from '../../../src/plugin/cluster/connect.ts';
import { commands } from '../../../src/plugin/commands.ts';
import { asking } from '../../../src/plugin/dry/ports/open-cloud.ts';
import { createConnector } from '../../../src/cloud/index.ts';
import { CliError, type Exit } from '../../../src/plugin/exit.ts';
import { silent } from '../../../src/plugin/dry/ports/silent.ts';
import type { Host, Person } from '../../../src/plugin/host.ts';
import type { Journal } from '../../../src/plugin/once/journal/journal.ts';
import { envelopeOf, type Kind } from '../../../src/plugin/output/shapes.ts';
import { run } from '../../../src/plugin/run.ts';
import { clusterAt, KubeClient } from '../../../src/kube/index.ts';
import type { Millis } from '../../../src/lib/clock.ts';
import type { Backend } from '../virtual/backend.ts';
import { countedClock } from '../virtual/counted-clock.ts';
import { belowDeleting } from './harmless-first.ts';
import { InProcessDispatcher } from '../virtual/in-process-dispatcher.ts';
import { journalInMemory } from './journal-in-memory.ts';
import { seeded } from '../seeded.ts';
import { stateText } from '../terraform/state.ts';
import { defaultNamespace, type World } from '../world/world.ts';

const volume = (name: string) => ({
  apiVersion: 'cloudhosting.dev/v1alpha1',
  kind: 'CloudVolume',
  metadata: { name, labels: { is: name } },
  spec: { region: 'eu-central', sizeGiB: 20 },
});
/** Of what the scene of the laws has in its account, with secrets as a state has them. */
const state = stateText('3.13', [
  {
    type: 'linode_domain',
    name: 'zone',
    instances: [{ attributes: { id: '1000', domain: 'example.org', type: 'master', soa_email: 'a@example.org' } }],
  },
  {
    type: 'linode_object_storage_bucket',
    name: 'assets',
    instances: [{ attributes: { id: 'us-east-1:assets', cluster: 'us-east-1', label: 'assets', secret_key: 'Canary-Horse-9-Battery' } }],
  },
]);
/** What lines name where a test says nothing else; of the manifests one is there in the scene of the laws, and one is not. */
const ordinaryFiles = {
  'manifests.yaml': `${JSON.stringify(volume('paused'))}\n---\n${JSON.stringify(volume('young'))}\n`,
  'state.json': state,
  'token.txt': 'token-admin',
  'cvv.txt': '123',
  'card.json': JSON.stringify({ card_number: '4111111111111112', cvv: '123', expiry_month: 12, expiry_year: 2029 }),
};

/** What one line of `kubectl cloud` did. */
export interface Ran {
  readonly exit: Exit;
  readonly out: string;
  readonly err: string;
}
export interface CliOptions {
  /** Whose rights; the administrator's when absent. */
  readonly token?: string;
  /** Answers to questions, in order; `later`: the test gives them by `answer`; absent: no terminal. */
  readonly answers?: readonly (boolean | string | undefined)[] | 'later';
  /** Of the kubeconfig's context. */
  readonly namespace?: string;
  /** Stands between the plugin and the API server. */
  readonly between?: (server: Backend) => Backend;
  /** The same before the other cluster of a line. */
  readonly betweenThere?: (server: Backend) => Backend;
  /** Stands between the plugin and the account. */
  readonly betweenAccount?: (server: Backend) => Backend;
  /** What of the way to the endpoint is not as it should be. */
  readonly wire?: Partial<Host['wire']>;
  /** By path; what the line writes comes to be here. */
  readonly files?: Record<string, string>;
  /** CLOUD_TOKEN. */
  readonly cloudToken?: string;
  /** Of the random numbers that the line draws. */
  readonly seed?: number;
  /** What the person did before; a new one when absent. */
  readonly journal?: Journal;
  /** Whether somebody still reads what it prints; absent: yes. */
  readonly isRead?: () => boolean;
  /** Virtual time that the line may take. */
  readonly limit?: Millis;
}

/** Clusters beside a world, by the context that leads there; made with the first line that goes there. */
export const contexts = new WeakMap<World, Readonly<Record<string, () => Promise<World>>>>();

const origin = 'https://kubernetes.test';
const cloudOrigin = 'https://api.test';
/** As `--endpoint` names the emulator. */
export const endpoint = `main=${cloudOrigin}/v4,word=vm`;

await Promise.all(commands.map(({ load }) => load()));

/** `kubectl cloud LINE` in the world's own process and time. */
export async function cloud(world: World, line: string | readonly string[], options: CliOptions = {}): Promise<Ran> {
  const typed = begin(world, line, options);
  return typed.ended(options.limit);
}

/** The same, begun and not awaited: the test lets the time pass. */
export function begin(world: World, line: string | readonly string[], options: CliOptions = {}) {
  const { token = 'admin', namespace = defaultNamespace, between = (server) => server } = options;
  const said = { out: '', err: '' };
  const questions: string[] = [];
  const later = Promise.withResolvers<boolean | string | undefined>();
  const interrupt = new AbortController();
  const clock = countedClock(world.clock);
  const connect: Host['connect'] = async ({ as, context }, told) => {
    const other = context === undefined ? undefined : await contexts.get(world)?.[context]?.();
    const server = other === undefined ? origin : `https://${context}.test`;
    const backends = { [server]: other === undefined ? between(world.server) : (options.betweenThere ?? same)(other.server) };
    const dispatcher = new InProcessDispatcher({ clock: world.clock, activity: world.activity, backends });
    const cluster = clusterAt(clock, { server, token: as ?? token });
    const client = new KubeClient({
      cluster,
      clock,
      userAgent: 'kubectl-cloud/test',
      dispatcher,
      ...(told && { onRequest: requestsTo(told) }),
    });
    return { client, server, namespace };
  };
  const openCloud: Host['openCloud'] = (endpoints, verb, telling) => {
    const backends = { [cloudOrigin]: (options.betweenAccount ?? same)(world.emulator) };
    const dispatcher = new InProcessDispatcher({ clock: world.clock, activity: world.activity, backends });
    return Promise.resolve(
      createConnector({
        endpoints,
        clock,
        random: seeded(2),
        log: silent,
        kinds: world.kinds,
        listLag: 60_000,
        dispatcher,
        userAgent: () => `kubectl-cloud/test (${verb})`,
        ...asking(telling),
      }),
    );
  };
  const host: Host = {
    ...stillOf(options),
    wire: { ...wireOf(world), ...options.wire },
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    withoutColour: () => undefined,
    ...(options.answers && { person: personOf(options.answers === 'later' ? [later.promise] : options.answers, questions) }),
    connect,
    openCloud,
    clock,
    signal: interrupt.signal,
    isRead: options.isRead ?? (() => true),
  };
  let exit: Exit | undefined;
  const running = run(typeof line === 'string' ? line.split(' ') : line, host).then((code) => (exit = code));
  return {
    questions,
    answer: later.resolve,
    interrupt: () => interrupt.abort(new Error('interrupted')),
    isOver: () => exit !== undefined,
    ended: async (limit: Millis = 60_000): Promise<Ran> => {
      await world.clock.runUntil(() => Promise.resolve(exit !== undefined), limit);
      // The process would live on, as long as they last.
      if (clock.waiting() > 0) throw new Error(`${clock.waiting()} timers still wait after ${String(line)}`);
      const below = belowDeleting(typeof line === 'string' ? line : line.join(' '), said.out);
      if (below !== undefined) throw new Error(`below a line that deletes, which has to be the last, stands: ${below}\n${said.out}`);
      return { exit: await running, ...said };
    },
  };
}

/** To the emulator: its name is known, its certificate good for a quarter of a year. */
const wireOf = (world: World): Host['wire'] => ({
  proxyFor: () => Promise.resolve(undefined),
  addresses: () => Promise.resolve(['192.0.2.1']),
  certificateEnd: () => Promise.resolve(world.clock.now() + 90 * 86_400_000),
  get: async (url) => {
    const { status, headers, body } = await world.emulator.handle({
      method: 'GET',
      path: new URL(url).pathname,
      headers: {},
      body: Buffer.alloc(0),
      signal: new AbortController().signal,
    });
    return { status, date: Date.parse(String(headers['date'])), body: JSON.parse(String(body)) as unknown };
  },
});

/** What of a host is the same all the time. */
const stillOf = ({
  files = {},
  cloudToken,
  journal,
  seed,
}: CliOptions): Pick<
  Host,
  'readFiles' | 'kustomized' | 'filesAt' | 'fileText' | 'writeFile' | 'writeArchive' | 'token' | 'journal' | 'random'
> => ({
  readFiles: (path) => filesIn({ ...ordinaryFiles, ...files }, path),
  // As it is: kustomize itself is tried on a real API server.
  kustomized: (folder) => filesIn(files, folder),
  filesAt: (commit, path) => filesIn(files, `${commit}:${path}`).catch(() => []),
  fileText: (path) => Promise.resolve(files[path]),
  writeFile: (path, text) => Promise.resolve(void (files[path] = text)),
  writeArchive: (path, inside) => Promise.resolve(inside.forEach((text, name) => void (files[`${path}!${name}`] = text))),
  ...(cloudToken !== undefined && { token: cloudToken }),
  journal: journal ?? journalInMemory(),
  random: seeded(seed ?? 1),
});

function filesIn(all: Readonly<Record<string, string>>, path: string): ReturnType<Host['readFiles']> {
  const below = `${path.replace(/\/$/, '')}/`;
  const found = Object.entries(all).filter(([name]) => name === path || (name.startsWith(below) && /\.(ya?ml|json)$/.test(name)));
  return found.length === 0
    ? Promise.reject(new CliError(2, `${path} cannot be read`))
    : Promise.resolve(found.map(([name, text]) => ({ name, text })));
}

const same = (server: Backend): Backend => server;

type Said = boolean | string | undefined;
function personOf(answers: readonly (Said | Promise<Said>)[], questions: string[]): Person {
  const left = [...answers];
  const next = async (question: string): Promise<Said> => {
    questions.push(question);
    if (left.length === 0) throw new Error(`nobody expected the question: ${question}`);
    return left.shift();
  };
  return {
    yes: async (question) => (await next(question)) as boolean | undefined,
    type: async (question) => (await next(question)) as string | undefined,
    secret: async (question) => (await next(question)) as string | undefined,
  };
}

/** Output of `-o json`, held to the published shape and to the exit code. */
export function dataOf({ out, exit }: Ran): Record<string, unknown> {
  const whole = JSON.parse(out) as { readonly kind: Kind; readonly data: Record<string, unknown> };
  const parsed = envelopeOf(whole.kind).strict().parse(whole) as { readonly exitCode: Exit };
  if (parsed.exitCode !== exit) throw new Error(`the process ended with ${exit}, and its output says ${parsed.exitCode}`);
  return whole.data;
}
