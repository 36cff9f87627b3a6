import { spawn } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommand } from '../command.ts';
import { START_TIMEOUT_MS } from '../shared.ts';
import { startControlPlane } from '../start.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Every process that has this folder in its command line: supervisor, etcd, API server, controller manager. */
async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await runCommand('ps', ['-ww', '-A', '-o', 'pid=,args=']);
  return stdout.split('\n').filter((line) => line.includes(folder));
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Starts the CLI and answers its pid and the folder of what it started. */
async function startByCli(...args: string[]): Promise<{ pid: number; folder: string; output: () => string; exited: Promise<unknown> }> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await expect.poll(() => output, { timeout: START_TIMEOUT_MS, interval: 50 }).toMatch(/export KUBECONFIG=.*\n.*\n/);
  const kubeconfig = /export KUBECONFIG=(.*)/.exec(output)?.[1] ?? '';
  return { pid: child.pid ?? 0, folder: dirname(kubeconfig), output: () => output, exited };
}

async function expectNothingLeft(folder: string): Promise<void> {
  await expect.poll(() => processesOf(folder), { timeout: 5_000 }).toEqual([]);
  await expect.poll(() => exists(folder), { timeout: 5_000 }).toBe(false);
}

it(
  'two run at once, each with its own address, data and users, and stop leaves no process and no file',
  async () => {
    const [a, b] = await Promise.all([startControlPlane(), startControlPlane({ controllerManager: false })]);
    try {
      expect(a.url).not.toBe(b.url);
      const namespace = await a.createNamespace();
      expect((await b.request('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(404);
      expect((await b.request('GET', '/api', { token: a.user('jane') })).status).toBe(401);
      expect(await processesOf(a.coordinates.folder)).toHaveLength(4);
      expect(await processesOf(b.coordinates.folder)).toHaveLength(3);
    } finally {
      await Promise.all([a.stop(), b.stop()]);
    }
    for (const { coordinates } of [a, b]) {
      expect(await processesOf(coordinates.folder)).toEqual([]);
      expect(await exists(coordinates.folder)).toBe(false);
    }
  },
  START_TIMEOUT_MS,
);

it.each(['SIGKILL', 'SIGINT'] as const)(
  'a parent that gets %s leaves no process and no file',
  async (signal) => {
    const { pid, folder, exited } = await startByCli();
    expect(await processesOf(folder)).toHaveLength(4);
    process.kill(pid, signal);
    await exited;
    await expectNothingLeft(folder);
  },
  START_TIMEOUT_MS,
);

it(
  'goes on in the background with --keep, until its supervisor gets the signal that the CLI names',
  async () => {
    const { folder, output, exited } = await startByCli('--keep');
    await exited;
    expect(await processesOf(folder)).toHaveLength(4);
    process.kill(Number(/end it with: kill (\d+)/.exec(output())?.[1]), 'SIGTERM');
    await expectNothingLeft(folder);
  },
  START_TIMEOUT_MS,
);

it(
  'a supervisor that is killed does not leave its children to nobody',
  async () => {
    const lines: string[] = [];
    const cluster = await startControlPlane({ log: (line) => lines.push(line) });
    const { folder } = cluster.coordinates;
    const supervisor = (await processesOf(folder)).find((line) => line.includes('supervisor.ts'));
    process.kill(Number.parseInt(supervisor ?? '', 10), 'SIGKILL');
    await expect.poll(() => processesOf(folder), { timeout: 5_000 }).toEqual([]);
    await cluster.stop();
    expect(await exists(folder)).toBe(false);
    expect(lines.join('\n')).toContain('kube-apiserver');
  },
  START_TIMEOUT_MS,
);

it(
  'a server that cannot start is reported with the end of its log, and leaves nothing',
  async () => {
    const before = await readdir(tmpdir());
    await expect(startControlPlane({ log: () => undefined, apiServerFlags: ['--no-such-flag'] })).rejects.toThrow(
      /kube-apiserver ended while starting:\n.*unknown flag: --no-such-flag/s,
    );
    const added = (await readdir(tmpdir())).filter((name) => name.startsWith('cloud-operator-controlplane-') && !before.includes(name));
    expect(added).toEqual([]);
  },
  START_TIMEOUT_MS,
);
