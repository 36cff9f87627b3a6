import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../programs/machine.ts';
import type { Tool, ToolPaths } from '../programs/pinned.ts';
import { nothing, type Source } from './source.ts';

/** `TEST_ASSET_*` per program, then `KUBEBUILDER_ASSETS`: the variables that Go's envtest reads. */
export const assets: Source = {
  name: 'environment',
  async find(missing, machine) {
    const folder = machine.env['KUBEBUILDER_ASSETS'];
    const named = missing.filter((tool) => machine.env[variableOf(tool)]);
    if (!folder && named.length === 0) return nothing('neither KUBEBUILDER_ASSETS nor TEST_ASSET_* is set');
    const tools: ToolPaths = {};
    const wrong: string[] = [];
    for (const tool of missing) {
      const path = machine.env[variableOf(tool)] || join(folder ?? '', tool);
      if (await isExecutable(path)) tools[tool] = path;
      else if (folder || named.includes(tool)) wrong.push(`${path} is no executable file`);
    }
    return { tools, version: await versionOf(tools['kube-apiserver'], machine), from: folder || 'TEST_ASSET_*', reason: wrong.join('; ') };
  },
};

/** `TEST_ASSET_KUBE_APISERVER` for `kube-apiserver`. */
export function variableOf(tool: Tool): string {
  return `TEST_ASSET_${tool.toUpperCase().replaceAll('-', '_')}`;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function versionOf(apiServer: string | undefined, machine: Machine): Promise<string> {
  if (apiServer === undefined) return '';
  const { stdout } = await machine.run(apiServer, ['--version']);
  return /v(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? 'of unknown version';
}
