import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../controlplane/command.ts';
import { fixtures } from '../conformance/case.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { samples } from '../demo/samples.ts';
import { type Example, examplesIn, mismatch, withoutWatchLog } from '../guides/guide.ts';
import { asDocumented, forRelease } from '../guides/release-names.ts';
import { isReady, Stage } from '../support/process/stage.ts';
import { plantedArgs } from '../support/samples/planted.ts';
import { readersShell } from '../support/process/readers-shell.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'deploy/guides');
const readme = 'README.md';
const guides = [readme, ...(await readdir(folder)).filter((file) => file.endsWith('.md'))];
const pathOf = (guide: string): string => (guide === readme ? readme : `deploy/guides/${guide}`);
const texts = new Map(await Promise.all(guides.map(async (guide) => [guide, await readFile(join(root, pathOf(guide)), 'utf8')] as const)));
/** Namespaces that guides name. Each guide has its own, as all are run on one control plane. */
const teams = guides.flatMap((guide) =>
  ['shop', 'blog'].filter((team) => texts.get(guide)?.includes(`-n ${team}`)).map((team) => ({ guide, team })),
);

const auditLog = join(tmpdir(), `cloud-operator-guides-${randomBytes(4).toString('hex')}.log`);
let stage: Stage;
let madeArgocd = false;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  stage = await Stage.open({
    more: teams.length - 1,
    emulator: ['--speed', '20', ...plantedArgs],
    flags: ['--commit-bound=2s', '--list-lag=2s', `--audit-log=${auditLog}`],
  });
  const { bin, variables } = await readersShell(stage.cluster, stage.folder, stage.emulator.ready);
  env = { ...process.env, ...variables, PATH: [bin, process.env['PATH']].join(delimiter), AUDIT_LOG: auditLog };
  // Its name is in the files that are shown. One of an earlier run may still be on its way out; a real one is not ours to change.
  await stage.cluster.kubectl(['wait', '--for=delete', 'namespace/argocd', '--timeout=60s']);
  await stage.cluster.kubectl(['create', 'namespace', 'argocd']);
  await stage.cluster.kubectl(['create', 'configmap', 'argocd-cm', '--namespace', 'argocd']);
  madeArgocd = true;
}, START_TIMEOUT_MS);
afterAll(async () => {
  await stage.cluster.kubectl(['delete', '--ignore-not-found', '-f', join(root, 'deploy/planner.yaml')]);
  if (madeArgocd) await stage.cluster.kubectl(['delete', 'namespace', 'argocd', '--wait=false']);
  await stage.close();
  await rm(auditLog, { force: true });
});

/** Namespaces of this control plane -> those of the guide. */
function namesOf(guide: string): readonly (readonly [here: string, inGuide: string])[] {
  return teams.flatMap((one, index) => (one.guide === guide ? [[stage.namespaces[index] ?? '', one.team] as const] : []));
}
const renamed = (text: string, names: readonly (readonly [from: string, to: string])[]): string =>
  names.reduce((left, [from, to]) => left.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to), text);

async function run(guide: string, { command, prints }: Example): Promise<string | undefined> {
  const names = namesOf(guide);
  const here = renamed(
    // The CRDs are there already; chart-on-server.test.ts installs a release for real.
    forRelease(command, stage.installed.release).replace(/^helm install\b/, 'helm template'),
    names.map(([own, inGuide]) => [inGuide, own]),
  );
  // Where nobody is logged in bash takes a pipe for a remote shell, and reads what it would for a person.
  const { code, stdout, stderr } = await runCommand('bash', ['--norc', '-euo', 'pipefail', '-c', here], { env, cwd: root });
  const output = asDocumented(renamed(`${stdout}${withoutWatchLog(stderr)}`, names), stage.installed.release);
  const mayFail = prints.some((line) => /^(Error|The \w+ "[^"]+" is invalid)/.test(line));
  if (code !== 0 && !mayFail) return `exit code ${code}\n${output}`;
  return mismatch(prints, output);
}

/** What a guide begins with: the demo's cluster, or the account that the quick start makes, by its own commands. */
async function begunWith(guide: string): Promise<void> {
  if (guide === readme) await begunWithDemo();
  if (!/account of the \[quick start\]/.test(texts.get(guide) ?? '')) return;
  const steps = examplesIn(texts.get('quick-start.md') ?? '').filter(({ command }) => /secret generic cloud |cloudaccount/i.test(command));
  expect(steps.length).toBeGreaterThan(3);
  for (const step of steps) expect(await run(guide, step)).toBeUndefined();
}

async function begunWithDemo(): Promise<void> {
  const namespace = stage.namespaces[teams.findIndex((one) => one.guide === readme)] ?? '';
  await stage.secret('cloud', { token: stage.emulator.ready.token }, namespace);
  for (const { secrets = {} } of fixtures) for (const [name, data] of Object.entries(secrets)) await stage.secret(name, data, namespace);
  const walked = (await samples('first')).filter(({ kind }) => ['CloudAccount', 'CloudInstance', 'CloudVolume'].includes(kind));
  await stage.apply(...walked.map(({ kind, metadata, spec }) => stage.manifest(kind, metadata.name, spec, namespace)));
  for (const { kind, metadata } of walked) await stage.until([kind, metadata.name, namespace], isReady, 60_000);
}

describe.each(guides)('what %s shows', (guide) => {
  // What a first try made would be in the way of a second one.
  it('is what its commands print', { timeout: 240_000, retry: 0 }, async () => {
    const examples = examplesIn(texts.get(guide) ?? '');
    expect(examples).not.toEqual([]);
    await begunWith(guide);
    for (const example of examples) {
      const problem = await run(guide, example);
      expect(problem === undefined ? undefined : `${pathOf(guide)}:${example.line}: $ ${example.command}\n${problem}`).toBeUndefined();
    }
  });
});
