import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../controlplane/command.ts';
import type { Registry } from './registry.ts';
import { findCrane } from './release-tools.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const releaseVersion = '9.8.7-rc.1';

/** Runs the command, as a CI calls it, with a base that stands in for the real one, on loopback. Answers the folder of the release. */
export async function makeRelease(
  registry: Registry,
  output: string,
  more: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const base = await registry.standInBase();
  const flags = [
    `--version=${releaseVersion}`,
    `--base=${base}`,
    `--ci-base=${base}`,
    `--output=${output}`,
    `--registry=${registry.host}`,
    '--allow-dirty',
  ];
  const { code, stderr } = await runCommand(
    process.execPath,
    ['src/release/main.ts', ...flags, '--source=https://example.com/cloud-operator', ...more],
    { cwd: root, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CRANE: await findCrane(), ...env } },
  );
  if (code !== 0) throw new Error(stderr);
  return join(output, releaseVersion);
}
