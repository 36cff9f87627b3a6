import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditPolicy } from './server-flags.ts';
import { kubeconfigText } from './kubeconfig.ts';

/** What the servers are told about identities. */
export interface Secrets {
  readonly adminToken: string;
  readonly controllerManagerToken: string;
}

/** A new folder for one control plane's data, logs and keys. */
export function createRunFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'cloud-operator-controlplane-'));
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
