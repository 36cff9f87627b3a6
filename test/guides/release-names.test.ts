import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { examplesIn } from './guide.ts';
import { asDocumented, documented, forRelease } from './release-names.ts';

const release = { name: 'cloud-operator-1a2b', namespace: 'operator-3c4d' };

it.each([
  ['helm template cloud-operator charts/cloud-operator', 'helm template cloud-operator-1a2b charts/cloud-operator'],
  [
    'helm install cloud-operator charts/x --namespace cloud-operator --set a=b',
    'helm install cloud-operator-1a2b charts/x --namespace operator-3c4d --set a=b',
  ],
  ['kubectl -n cloud-operator get deployment/cloud-operator', 'kubectl -n operator-3c4d get deployment/cloud-operator-1a2b'],
  [
    '--as=system:serviceaccount:cloud-operator:cloud-operator -n shop',
    '--as=system:serviceaccount:operator-3c4d:cloud-operator-1a2b -n shop',
  ],
  ['kubectl get clusterrole cloud-operator-edit', 'kubectl get clusterrole cloud-operator-1a2b-edit'],
  ["grep 'name: cloud-operator-secrets'", "grep 'name: cloud-operator-1a2b-secrets'"],
  ['cloud-operator key export --file "$BACKUP/cloud-operator.key"', 'cloud-operator key export --file "$BACKUP/cloud-operator.key"'],
  ['image: registry.example.com/cloud-operator@sha256:0', 'image: registry.example.com/cloud-operator@sha256:0'],
])('%s is for another release %s', (command, here) => expect(forRelease(command, release)).toBe(here));

it('what another release prints is what the one of the guide prints', () =>
  expect(asDocumented('deployment.apps/cloud-operator-1a2b in operator-3c4d, cloud-operator-1a2b-edit', release)).toBe(
    'deployment.apps/cloud-operator in cloud-operator, cloud-operator-edit',
  ));

const root = fileURLToPath(new URL('../..', import.meta.url));
const guides = (await readdir(`${root}deploy/guides`)).map((file) => `deploy/guides/${file}`);

it.each(['README.md', ...guides])('%s calls the release by its one name', async (file) => {
  const commands = examplesIn(await readFile(`${root}${file}`, 'utf8')).map(({ command }) => command);
  // What the guide itself makes is not the release's.
  const made = new Set(commands.flatMap((command) => /create serviceaccount (\S+)/.exec(command)?.[1] ?? []));
  const ours = commands.filter((command) => /^(helm|cloud-operator) |serviceaccount:/.test(command));
  const named = ours.flatMap((command) => [
    ...command.matchAll(/\bhelm (?:install|template|upgrade) (\S+)|--namespace[ =](\S+)|serviceaccount:([^: ]+):?([^ ]*)/g),
  ]);
  const told = named.filter(([, , , , account = '']) => !made.has(account)).map(([, ...names]) => names.find((name) => name !== undefined));
  expect(told.filter((name) => name !== documented)).toEqual([]);
});
