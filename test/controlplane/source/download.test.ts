import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { runCommand } from '../command.ts';
import { versionFolder } from '../programs/machine.ts';
import { installProgram, madeUpMachine, type MadeUpMachine } from '../programs/made-up-machine.ts';
import { TOOLS } from '../programs/pinned.ts';
import { download } from './download.ts';

const HOST = 'https://archives.test';

/** An archive with the layout of envtest's. */
async function archive(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const tool of ['etcd', 'kube-apiserver', 'kubectl']) await installProgram(join(folder, 'controller-tools', 'envtest', tool));
  await runCommand('tar', ['-czf', join(folder, 'a.tar.gz'), '-C', folder, 'controller-tools']);
  return readFile(join(folder, 'a.tar.gz'));
}

/** The index lists two patch versions of our minor, and others that must not be chosen. */
function index(hash: string): string {
  const entry = (version: string, os = 'linux'): string =>
    `  v${version}:\n    envtest-v${version}-${os}-amd64.tar.gz:\n      hash: ${hash}\n      selfLink: ${HOST}/${version}\n`;
  return `releases:\n${entry('1.36.0')}${entry('1.37.0')}${entry('1.36.2')}${entry('1.36.9', 'darwin')}`;
}

async function machineWithNetwork(bytes: Buffer, hash: string): Promise<MadeUpMachine & { asked: string[] }> {
  const asked: string[] = [];
  const answer = async (url: unknown): Promise<Response> => {
    asked.push(String(url));
    return new Response(String(url).startsWith(HOST) ? new Uint8Array(bytes) : index(hash));
  };
  return { ...(await madeUpMachine({ clock: systemClock, run: runCommand, fetch: answer })), asked };
}

const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex');

/** A network that swallows everything. */
const silent = (_url: unknown, init?: RequestInit): Promise<Response> =>
  new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)));

it('unpacks the newest archive of the pinned minor version into the cache, and says what it lacks', async () => {
  const bytes = await archive();
  const machine = await machineWithNetwork(bytes, sha512(bytes));
  const offer = await download.find(TOOLS, machine);
  const folder = versionFolder(machine, '1.36.2');
  expect(offer).toEqual({
    tools: { etcd: join(folder, 'etcd'), 'kube-apiserver': join(folder, 'kube-apiserver'), kubectl: join(folder, 'kubectl') },
    version: '1.36.2',
    from: folder,
    reason: 'the envtest archives have no kube-controller-manager',
  });
  expect(await readdir(dirname(folder))).toEqual(['1.36.2-linux-amd64']);
  expect(machine.asked.at(-1)).toBe(`${HOST}/1.36.2`);
});

it('uses nothing whose SHA-512 is not the index’s, and leaves nothing of it', async () => {
  const machine = await machineWithNetwork(await archive(), 'f'.repeat(128));
  const offer = await download.find(TOOLS, machine);
  expect(offer.tools).toEqual({});
  expect(offer.reason).toMatch(/has SHA-512 [0-9a-f]{128}, the index says f{128}: not used/);
  expect(await readdir(dirname(versionFolder(machine, '1.36.2')))).toEqual([]);
});

it('does not ask the network in CI, or for the controller manager alone', async () => {
  const machine = await machineWithNetwork(Buffer.alloc(0), '');
  expect((await download.find(TOOLS, { ...machine, env: { CI: 'true' } })).reason).toBe('not downloaded because CI is set');
  await download.find(['kube-controller-manager'], machine);
  expect(machine.asked).toEqual([]);
});

it('gives up after five seconds without an answer', async () => {
  const clock = new VirtualClock();
  const machine = await madeUpMachine({ clock, fetch: silent });
  let given = false;
  const finding = download.find(TOOLS, machine).finally(() => (given = true));
  await clock.advance(4_999);
  expect(given).toBe(false);
  await clock.advance(1);
  expect((await finding).reason).toMatch(/envtest-releases\.yaml did not answer within 5 s/);
});
