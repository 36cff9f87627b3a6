import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { runCommand } from '../../../controlplane/command.ts';
import { type Family, usualLease } from '../family.ts';
import { type Lane, started } from '../lane.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** The release before: any commit that git can name, by default the last one with other CRDs. */
async function from(): Promise<string> {
  const last = await must('git', ['log', '-1', '--format=%H', '--', 'crds/*.yaml'], root);
  return process.env['CHAOS_UPGRADE_FROM'] ?? `${last.trim()}^`;
}

async function must(file: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(file, args, { cwd, env: process.env });
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Where the sources of the release before stand, built; in the control plane's folder, and gone with it. */
async function build(folder: string): Promise<string> {
  const old = join(folder, 'release-before');
  await mkdir(old);
  await must('git', ['archive', '--output', join(folder, 'before.tar'), await from()], root);
  await must('tar', ['-xf', join(folder, 'before.tar'), '-C', old], folder);
  await symlink(join(root, 'node_modules'), join(old, 'node_modules'));
  await must('npm', ['run', '-s', 'build'], old);
  return old;
}
const builds = new Map<string, Promise<string>>();
function built({ controlPlane }: Lane): Promise<string> {
  const { folder } = controlPlane.coordinates;
  const one = builds.get(folder) ?? build(folder);
  builds.set(folder, one);
  return one;
}

/** Their texts, those that one release has otherwise than the other. */
async function changedCrds(release: string, other: string): Promise<readonly string[]> {
  const names = (await readdir(join(release, 'crds'))).filter((name) => name.endsWith('.yaml'));
  const pairs = await Promise.all(
    names.map((name) => Promise.all([release, other].map((one) => readFile(join(one, 'crds', name), 'utf8').catch(() => '')))),
  );
  return pairs.flatMap(([text = '', before]) => (text === before ? [] : [text]));
}

async function installCrds({ stage }: Lane, release: string, instead: string): Promise<void> {
  for (const text of await changedCrds(release, instead)) {
    const body = parse(text) as { readonly metadata: { readonly name: string } };
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${body.metadata.name}?fieldManager=upgrade&force=true`;
    const { status, body: said } = await stage.cluster.request('PATCH', path, { body, contentType: 'application/apply-patch+yaml' });
    if (status >= 300) throw new Error(`${path}: ${status} ${String(said['message'])}`);
  }
}

/** The release before works with its own CRDs, is asked to end in the middle, and this one goes on with what it left. */
export const upgraded: Family = {
  name: 'upgrade',
  what: 'started as the release before and replaced by this one',
  at: () => true,
  leaseDuration: usualLease,
  controlPlane: { of: 'lane', options: { controllerManager: false } },
  strike: (step) => ({
    step,
    prelude: async (lane) => {
      const old = await built(lane);
      await lane.primary.end('SIGTERM');
      await installCrds(lane, old, root);
      await started(lane.primary, join(old, 'dist/cloud-operator.mjs'));
      await lane.silence();
    },
    fall: ({ primary }) => {
      primary.strike('SIGTERM');
      return false;
    },
    aftermath: async (lane) => {
      await lane.primary.program.ended;
      await installCrds(lane, root, await built(lane));
      await started(lane.primary);
      return [];
    },
  }),
};
