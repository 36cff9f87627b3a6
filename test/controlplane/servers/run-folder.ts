import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Machine } from '../programs/machine.ts';
import { auditPolicy } from './server-flags.ts';
import { kubeconfigText } from './kubeconfig.ts';

/** What the servers are told about identities. */
export interface Secrets {
  readonly adminToken: string;
  readonly controllerManagerToken: string;
}

const PREFIX = 'cloud-operator-controlplane-';
/** A younger folder may belong to a start whose supervisor is not there yet. */
const SETTLED_MS = 60_000;

/** A new folder for one control plane's data, logs and keys. */
export function createRunFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), PREFIX));
}

/** Ends and removes what a killed parent and a killed supervisor, both at once, have left behind. */
export async function sweepOrphans(machine: Machine): Promise<void> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name));
  if (folders.length === 0) return;
  const processes = (await machine.run('ps', ['-ww', '-A', '-o', 'pid=,args='])).stdout.split('\n');
  for (const folder of folders) {
    const own = processes.filter((line) => line.includes(folder));
    const found = await stat(folder).catch(() => undefined);
    if (found === undefined || machine.clock.now() - found.mtimeMs < SETTLED_MS || own.some((line) => line.includes('supervisor.ts')))
      continue;
    machine.log(`Removing a control plane whose owner was killed: ${folder}`);
    for (const line of own) endProcess(Number.parseInt(line, 10));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself, or is another user's.
  }
}

/** Writes everything that the servers read at their start, except the certificate, which the API server makes itself. */
export async function writeServerFiles(folder: string, webhookUrl: string): Promise<Secrets> {
  const secrets = { adminToken: randomBytes(24).toString('hex'), controllerManagerToken: randomBytes(24).toString('hex') };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });
  await Promise.all([
    write('service-account.key', privateKey.export({ type: 'sec1', format: 'pem' }).toString()),
    write(
      'tokens.csv',
      `${secrets.adminToken},admin,admin,"system:masters"\n${secrets.controllerManagerToken},system:kube-controller-manager,kcm,"system:masters"\n`,
    ),
    write('webhook.json', kubeconfigText({ url: webhookUrl, ca: '' }, '')),
    write('audit-policy.json', JSON.stringify(auditPolicy)),
  ]);
  return secrets;
}
