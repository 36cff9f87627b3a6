import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { versionFolder, type Machine } from '../programs/machine.ts';
import { minorOf, pinned, type ToolPaths } from '../programs/pinned.ts';
import { isExecutable } from './assets.ts';
import { nothing, type Source } from './source.ts';

/** What an earlier run built or downloaded: the pinned version, then others of the same minor, newest first. */
export const cached: Source = {
  name: 'cache',
  async find(missing, machine) {
    const tools: ToolPaths = {};
    let used = { version: '', folder: '' };
    for (const version of await cachedVersions(machine)) {
      const folder = versionFolder(machine, version);
      for (const tool of missing) {
        if (tools[tool] !== undefined || !(await isExecutable(join(folder, tool)))) continue;
        tools[tool] = join(folder, tool);
        if (tool === 'kube-apiserver' || used.folder === '') used = { version, folder };
      }
    }
    if (used.folder === '') return nothing(`nothing in ${versionFolder(machine, pinned.kubernetes)} yet`);
    const lacking = missing.filter((tool) => tools[tool] === undefined);
    const reason = lacking.length > 0 ? `${used.folder} has no ${lacking.join(', ')}` : '';
    return { tools, version: used.version, from: used.folder, reason };
  },
};

async function cachedVersions(machine: Machine): Promise<string[]> {
  const suffix = `-${machine.os}-${machine.arch}`;
  const root = dirname(versionFolder(machine, pinned.kubernetes));
  const names = await readdir(root).catch(() => []);
  const others = names
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
    .filter((version) => version !== pinned.kubernetes && minorOf(version) === minorOf(pinned.kubernetes))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return [pinned.kubernetes, ...others];
}
