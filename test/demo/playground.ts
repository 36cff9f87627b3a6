import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readersShell } from '../support/process/readers-shell.ts';
import type { Narrator } from './facts.ts';
import { cloudObject, namespace, statusText, untilReady } from './objects.ts';
import type { Stage } from './stage.ts';

/** The namespaces that guides name: that of the account, and another team's. */
const namespaces = [namespace, 'blog'];

/** What every guide begins with: the account of the quick start, and nothing else. */
export async function furnish({ cluster, emulator }: Stage, narrator: Narrator): Promise<void> {
  const tokenSecretRef = { name: 'cloud', key: 'token' };
  const items = [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cloud', namespace }, stringData: { token: emulator.ready.token } },
    {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudAccount',
      metadata: { name: 'default', namespace },
      spec: { endpoint: 'main', installation: 'prod-eu', mode: 'Manage', tokenSecretRef },
    },
  ];
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { stdout } = await cluster.kubectl(['apply', '-f', '-'], { input });
  narrator.say(stdout.trim());
  await untilReady(cluster, narrator, 60_000);
}

/** Lets all of it go on; what is to be typed then, each command on an indented line. */
export async function leave(stage: Stage, which: 'story' | 'playground'): Promise<string> {
  const file = await shellFile(stage);
  const then = which === 'playground' ? guides : await lookAround(stage);
  const pids = await stage.keep();
  return `Everything goes on running. In each terminal type first, and it need not be this one:

  . ${file}

That sets PATH (kubectl, helm, cloud-operator and kubectl cloud), KUBECONFIG (namespace ${namespace}, so that -n ${namespace} may be left out), API and TOKEN of the emulated account, and the files that guides name: AUDIT_LOG, BACKUP, MANIFESTS.

${then}
It ends, and all its files go, with

  kill ${pids.join(' ')}
`;
}

/** A file for any POSIX shell; the token in it is the emulator's. */
async function shellFile({ cluster, emulator }: Stage): Promise<string> {
  const { folder } = cluster.coordinates;
  const { bin, variables } = await readersShell(cluster, folder, emulator.ready);
  const file = join(folder, 'env');
  const own = { ...variables, KUBECONFIG: await inNamespace(variables.KUBECONFIG, join(folder, 'readers-kubeconfig')) };
  const lines = Object.entries(own).map(([name, value]) => `export ${name}=${quoted(value)}`);
  await writeFile(file, [...lines, `export PATH=${quoted(bin)}:"$PATH"`, ''].join('\n'), { mode: 0o600 });
  return file;
}

/** Where a page names no namespace, its lines are for the one that has the objects. */
async function inNamespace(kubeconfig: string, copy: string): Promise<string> {
  const { contexts, ...config } = JSON.parse(await readFile(kubeconfig, 'utf8')) as {
    readonly contexts: readonly { readonly context: object }[];
  };
  const here = contexts.map((one) => ({ ...one, context: { ...one.context, namespace } }));
  await writeFile(copy, JSON.stringify({ ...config, contexts: here }), { mode: 0o600 });
  return copy;
}
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const guides = `Namespace ${namespaces.join(' is empty but for an account that is Ready, and ')} is empty. Type what a guide shows, in the folder of the repository: that of deploy/guides/concepts.md, for example. Guides do not clean up after themselves, so for the next one end this and start it again.
`;

async function lookAround({ cluster, emulator, operator }: Stage): Promise<string> {
  const path = statusText(await cloudObject(cluster, 'CloudDomain', 'example-org'), 'path');
  const change = { username: 'colleague', method: 'PUT', path: `/v4${path}`, body: { soa_email: 'colleague@example.org' } };
  return `Try what README shows as a first walk, and

  kubectl -n ${namespace} get cloud
  kubectl -n ${namespace} describe cloudinstance web
  kubectl -n ${namespace} get events
  kubectl cloud tree
  kubectl cloud status
  curl -s ${operator.metricsUrl} | grep cloud_operator_

As somebody else, change what the operator made, and see that it is corrected:

  curl -s ${emulator.ready.controlUrl}/as -d '${JSON.stringify(change)}'
  kubectl -n ${namespace} wait --for=jsonpath='{.status.lastCorrection.by}'=colleague clouddomain/example-org --timeout=60s
  kubectl -n ${namespace} get clouddomain example-org -o jsonpath='{.status.lastCorrection}'
`;
}
