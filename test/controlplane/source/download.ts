import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { withLock } from '../programs/lock.ts';
import { versionFolder, type Machine } from '../programs/machine.ts';
import { minorOf, OPTIONAL_TOOL, pinned } from '../programs/pinned.ts';
import { cached } from './cached.ts';
import { nothing, type Offer, type Source } from './source.ts';

const INDEX = 'https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml';
/** The network either answers within this time or is not allowed here. */
const GIVE_UP_MS = 5_000;

interface Archive {
  readonly version: string;
  readonly url: string;
  /** SHA-512, hex. */
  readonly hash: string;
}

/** The archives that envtest publishes: etcd, kube-apiserver and kubectl, checked against the index's SHA-512. */
export const download: Source = {
  name: 'envtest archive',
  async find(missing, machine) {
    if (machine.env['CI']) return nothing('not downloaded because CI is set');
    if (missing.every((tool) => tool === OPTIONAL_TOOL)) return nothing(`the envtest archives have no ${OPTIONAL_TOOL}`);
    try {
      const archive = await latest(machine);
      const onWait = (): void => machine.log(`Another process is downloading Kubernetes ${archive.version}, waiting for it`);
      const lock = `${versionFolder(machine, archive.version)}.lock`;
      await withLock(machine.clock, lock, onWait, () => fetchInto(archive, machine));
      return await offerOf(archive, missing, machine);
    } catch (error) {
      return nothing(`download from GitHub: ${(error as Error).message}`);
    }
  },
};

async function offerOf(archive: Archive, missing: Parameters<Source['find']>[0], machine: Machine): Promise<Offer> {
  const offer = await cached.find(missing, machine);
  return { ...offer, version: archive.version, reason: `the envtest archives have no ${OPTIONAL_TOOL}` };
}

/** The newest archive of the pinned minor version for this machine. */
async function latest(machine: Machine): Promise<Archive> {
  const text = (await get(INDEX, machine)).toString();
  const { releases } = parse(text) as { releases: Record<string, Record<string, { hash: string; selfLink: string }>> };
  const found = Object.entries(releases)
    .filter(([version]) => minorOf(version) === minorOf(pinned.kubernetes))
    .toSorted(([a], [b]) => b.localeCompare(a, 'en', { numeric: true }))
    .flatMap(([version, files]) => {
      const file = files[`envtest-${version}-${machine.os}-${machine.arch}.tar.gz`];
      return file === undefined ? [] : [{ version: version.replace(/^v/, ''), url: file.selfLink, hash: file.hash }];
    })[0];
  if (found === undefined) throw new Error(`the index has no ${minorOf(pinned.kubernetes)} for ${machine.os}/${machine.arch}`);
  return found;
}

async function fetchInto(archive: Archive, machine: Machine): Promise<void> {
  const folder = versionFolder(machine, archive.version);
  const own = (await cached.find(['etcd', 'kube-apiserver', 'kubectl'], machine)).tools;
  if (Object.keys(own).length === 3) return;
  const temporary = `${folder}.fetching-${process.pid}`;
  try {
    const bytes = await get(archive.url, machine, `Kubernetes ${archive.version}`);
    const hash = createHash('sha512').update(bytes).digest('hex');
    if (hash !== archive.hash) throw new Error(`${archive.url} has SHA-512 ${hash}, the index says ${archive.hash}: not used`);
    await unpack(bytes, temporary, machine);
    await mkdir(folder, { recursive: true });
    for (const tool of ['etcd', 'kube-apiserver', 'kubectl']) await rename(join(temporary, tool), join(folder, tool));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function unpack(bytes: Buffer, folder: string, machine: Machine): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'archive.tar.gz');
  await writeFile(file, bytes);
  const result = await machine.run('tar', ['-xzf', file, '-C', folder, '--strip-components=2']);
  if (result.code !== 0) throw new Error(`tar could not unpack the archive: ${result.stderr.trim()}`);
}

/** Reads a whole answer; gives up when nothing arrives for five seconds. With a title, says how far it is. */
async function get(url: string, machine: Machine, title?: string): Promise<Buffer> {
  const quiet = new QuietLimit(machine);
  try {
    const response = await machine.fetch(url, { signal: quiet.signal });
    if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      quiet.touch();
      chunks.push(chunk);
      if (title !== undefined && Math.floor((size + chunk.length) / 1e7) > Math.floor(size / 1e7)) {
        machine.log(`Downloading ${title}: ${Math.round(size / 1e6)} of ${Math.round(total / 1e6)} MB`);
      }
      size += chunk.length;
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (quiet.signal.aborted) throw new Error(`${url} did not answer within 5 s`, { cause: error });
    throw new Error(`${(error as Error).message}${causeOf(error)}`, { cause: error });
  } finally {
    quiet.stop();
  }
}

/** `fetch failed` alone tells nobody anything. */
function causeOf(error: unknown): string {
  const cause = (error as Error).cause;
  return cause instanceof Error ? ` (${cause.message})` : '';
}

class QuietLimit {
  readonly #controller = new AbortController();
  readonly #machine: Machine;
  #timer;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#timer = this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    this.#timer.cancel();
    this.#timer = this.#start();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #start() {
    return this.#machine.clock.after(GIVE_UP_MS, () => this.#controller.abort());
  }
}
