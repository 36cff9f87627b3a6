import { setFlagsFromString } from 'node:v8';
import { systemClock } from '../lib/clock.ts';
import { systemRandom } from '../lib/random.ts';
import { buildOf } from './build.ts';
import { withoutColour } from './terminal/colours.ts';
import type { Host } from './host.ts';
import type { openCloud } from './dry/ports/open-cloud.ts';
import { journalPlace } from './once/journal/journal-place.ts';
import { thisProcess } from './once/journal/this-process.ts';
import { run } from './run.ts';

/** What is read is young until it is written: V8 would keep up to 16 times as much garbage of it (`src/DECISIONS.md`, 285). */
const youngHeapGrowth = '--semi-space-growth-factor=1';
/** And of what has grown old it would let as much garbage come as there is in use. */
const oldHeapGrowth = '--heap-growing-percent=20';

/** The plugin as a process. `env` decides nothing but what kubectl's own loader of kubeconfigs reads in it, the colours, a proxy, and the token of the caller. */
export async function start(env: Record<string, string | undefined>): Promise<void> {
  for (const flag of [youngHeapGrowth, oldHeapGrowth]) setFlagsFromString(flag);
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort(new Error('interrupted')));
  // A reader that has seen enough (`| head`) is no failure.
  let isRead = true;
  process.stdout.on('error', () => (isRead = false));
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && env['TERM'] !== 'dumb';
  const host: Host = {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    withoutColour: () => withoutColour(env),
    ...(isTerminal && { person }),
    connect: async (choice, told) =>
      (await import('./cluster/connect.ts')).connect(systemClock, choice, { version: buildOf().version, told }),
    openCloud: (endpoints, verb, telling) => cloudOpened({ endpoints, env, verb, telling }),
    wire: wired(env),
    readFiles: async (path, recursive) => (await import('./terminal/files.ts')).readFiles(path, recursive, process.stdin),
    kustomized: async (folder) => (await import('./terminal/outside.ts')).kustomized(folder),
    filesAt: async (commit, path, recursive) => (await import('./terminal/outside.ts')).filesAt(commit, path, recursive),
    fileText: async (path) => (await import('./terminal/files.ts')).fileText(path),
    writeFile: async (path, text) => (await import('./terminal/files.ts')).writeFile(path, text),
    writeArchive: async (path, files) => (await import('./bundle/archive.ts')).writeArchive(path, files, systemClock.now()),
    ...(env['CLOUD_TOKEN'] !== undefined && env['CLOUD_TOKEN'] !== '' && { token: env['CLOUD_TOKEN'] }),
    journal: journaled(env),
    clock: systemClock,
    random: systemRandom,
    signal: interrupt.signal,
    isRead: () => isRead,
  };
  process.exitCode = await run(process.argv.slice(2), host);
  // A program that gives out credentials may still run, and the shell would wait for it.
  if (process.argv[2] === 'complete') process.stdout.write('', () => process.exit());
}

/** Loaded only where something is asked. */
const terminal = async (): Promise<typeof import('./terminal/terminal.ts')> => import('./terminal/terminal.ts');

const person: NonNullable<Host['person']> = {
  yes: async (question) => (await terminal()).yes(question),
  type: async (question) => (await terminal()).type(question),
  secret: async (question) => (await terminal()).secret(question),
};

/** Likewise. */
function journaled(env: Readonly<Record<string, string | undefined>>): Host['journal'] {
  const journal = async (): Promise<Pick<Host['journal'], 'read' | 'add'>> =>
    (await import('./once/journal/journal-file.ts')).journalAt(journalPlace(env));
  return {
    ...thisProcess,
    where: journalPlace(env),
    read: async () => (await journal()).read(),
    add: async (entry) => (await journal()).add(entry),
  };
}

interface Opening extends Omit<Parameters<typeof openCloud>[0], 'userAgent'> {
  readonly verb: string;
}
const cloudOpened = async ({ verb, ...how }: Opening): ReturnType<typeof openCloud> =>
  (await import('./dry/ports/open-cloud.ts')).openCloud({ ...how, userAgent: `kubectl-cloud/${buildOf().version} (${verb})` });

/** Loaded with the first look at it. */
function wired(env: Readonly<Record<string, string | undefined>>): Host['wire'] {
  const wire = async (): Promise<Host['wire']> => (await import('./dry/ports/wire.ts')).wireOf(env);
  return {
    proxyFor: async (url) => (await wire()).proxyFor(url),
    addresses: async (host) => (await wire()).addresses(host),
    certificateEnd: async (url, ca) => (await wire()).certificateEnd(url, ca),
    get: async (url, ca) => (await wire()).get(url, ca),
  };
}
