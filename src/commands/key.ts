import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { ConfigError, type Environment, type KeyChoice, readKeyChoice } from '../config.ts';
import { isKey, KeySecret, keySecretName, type KeyRing, KubeClient, KubeSecrets } from '../kube/index.ts';
import { systemClock } from '../lib/clock.ts';
import { Sensitive } from '../resource/index.ts';
import { connect } from './cluster.ts';

const userAgent = 'cloud-operator';
type Input = Parameters<typeof text>[0];

/** `key export`, `key import`: answers what is to be printed. The key itself is printed by an export to standard output alone. */
export function key([verb, ...args]: readonly string[], env: Environment, input: Input): Promise<string> {
  if (verb === 'export') return exportKey(readKeyChoice(args, env));
  if (verb === 'import') return importKey(readKeyChoice(args, env), input);
  throw new ConfigError(`${verb === undefined ? 'key alone does nothing' : `no command key ${verb}`}: write key export or key import`);
}

async function exportKey(choice: KeyChoice): Promise<string> {
  const ring = await withSecret(choice, (secret, signal) => secret.read(signal));
  if (ring === undefined)
    throw new Error(`there is no Secret ${place(choice)}: the operator makes it when it starts; name its namespace with --namespace`);
  const lines = formatKeys(ring);
  if (choice.file === '-') return lines;
  // What is there already has a mode of its own, and may be the only copy of another key.
  await writeFile(choice.file, lines, { mode: 0o600, flag: 'wx' });
  return `the key of Secret ${place(choice)} is in ${choice.file}; keep it like a password\n`;
}

async function importKey(choice: KeyChoice, input: Input): Promise<string> {
  const ring = parseKeys(choice.file === '-' ? await text(input) : await readFile(choice.file, 'utf8'));
  const { previous } = await withSecret(choice, (secret, signal) => secret.take(ring, signal));
  const kept =
    previous.length === 0
      ? ''
      : `; ${previous.length} older ${previous.length === 1 ? 'key is' : 'keys are'} kept in it, so that what they signed is as good as before`;
  return `Secret ${place(choice)} signs with this key from the operator's next start (kubectl rollout restart)${kept}\n`;
}

const place = ({ namespace }: KeyChoice): string => `${namespace}/${keySecretName}`;

async function withSecret<T>({ cluster, namespace }: KeyChoice, use: (secret: KeySecret, signal: AbortSignal) => Promise<T>): Promise<T> {
  const client = new KubeClient({ cluster: await connect(systemClock, cluster), clock: systemClock, userAgent });
  try {
    return await use(new KeySecret(new KubeSecrets(client, userAgent), namespace), new AbortController().signal);
  } finally {
    await client.close();
  }
}

/** One key a line, in base64: the one that signs, then those that still verify, newest first. */
export const formatKeys = ({ current, previous }: KeyRing): string => [current, ...previous].map((each) => `${each.reveal()}\n`).join('');

export function parseKeys(lines: string): KeyRing {
  const [current, ...previous] = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => new Sensitive(line));
  if (current === undefined || ![current, ...previous].every(isKey))
    throw new ConfigError('this is no exported key: every line must be 32 bytes in base64, as cloud-operator key export writes them');
  return { current, previous };
}
