import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../../controlplane/command.ts';
import { type Family, usualLease } from '../family.ts';
import { type Lane, started } from '../lane.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** The release before; any commit that git can name. */
const from = process.env['CHAOS_UPGRADE_FROM'] ?? 'HEAD~20';

async function must(file: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, stderr } = await runCommand(file, args, { cwd, env: process.env });
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr}`);
}

/** Where the sources of the release before stand, built; in the control plane's folder, and gone with it. */
async function build(folder: string): Promise<string> {
  const old = join(folder, 'release-before');
  await mkdir(old);
  await must('git', ['archive', '--output', join(folder, 'before.tar'), from], root);
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

const installCrds = (lane: Lane, release: string): Promise<unknown> =>
  lane.stage.cluster.kubectl(['apply', '--server-side', '--force-conflicts', '-f', join(release, 'crds')]);

/** The release before works with its own CRDs, is asked to end in the middle, and this one goes on with what it left. */
export const upgraded: Family = {
  name: 'upgrade',
  what: `started as ${from} and replaced by this release`,
  at: () => true,
  leaseDuration: usualLease,
  ownControlPlane: { log: () => undefined },
  strike: (step) => ({
    step,
    prelude: async (lane) => {
      const old = await built(lane);
      await lane.primary.end('SIGTERM');
      await installCrds(lane, old);
      await started(lane.primary, join(old, 'dist/cloud-operator.mjs'));
      await lane.silence();
    },
    fall: ({ primary }) => {
      primary.strike('SIGTERM');
      return false;
    },
    aftermath: async (lane) => {
      await lane.primary.program.ended;
      await installCrds(lane, root);
      await started(lane.primary);
      return [];
    },
  }),
};
