import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Entry, gzip, tar } from './archive.ts';
import { fetchNode, nodeFile } from './node-binaries.ts';
import type { Run } from '../tools.ts';

export interface PluginFacts {
  readonly root: string;
  readonly version: string;
  readonly time: Date;
  /** Where the bundle lies. */
  readonly dist: string;
  readonly licenses: string;
  /** For example `linux_arm64`. */
  readonly platforms: readonly string[];
  /** Folders with a Node.js to be taken in place of npm's, by platform. */
  readonly node: ReadonlyMap<string, string>;
}

/**
 * An unchanged Node.js beside the bundle, and not one executable made of both: that would break the signature
 * that Node.js has on macOS and Windows, which cannot be put back elsewhere.
 */
const launcher = `#!/bin/sh
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
lib=$(dirname "$self")/lib
exec "$lib/node" "$lib/kubectl-cloud.cjs" "$@"
`;
const windowsLauncher = '@"%~dp0lib\\node.exe" "%~dp0lib\\kubectl-cloud.cjs" %*\r\n';

/** Writes an archive per platform that needs no Node.js, and one for all that needs it. Answers their names. */
export async function writePluginArchives(folder: string, facts: PluginFacts, run: Run): Promise<readonly string[]> {
  const { version, time, dist, root } = facts;
  const program = await readFile(join(dist, 'kubectl-cloud'));
  const about: readonly Entry[] = [
    { path: 'LICENSE', data: await readFile(join(root, 'LICENSE')) },
    { path: 'lib/LICENSES.third-party.txt', data: facts.licenses },
  ];
  const written: string[] = [];
  const write = async (platform: string, entries: readonly Entry[]): Promise<void> => {
    const name = `kubectl-cloud_${version}_${platform}.tar.gz`;
    await writeFile(join(folder, name), gzip(await tar([...about, ...entries], time)));
    written.push(name);
  };
  for (const platform of facts.platforms) {
    const start: Entry = platform.startsWith('windows')
      ? { path: 'kubectl-cloud.cmd', data: windowsLauncher }
      : { path: 'kubectl-cloud', data: launcher, executable: true };
    await write(platform, [start, { path: 'lib/kubectl-cloud.cjs', data: program }, ...(await nodeOf(platform, facts, run))]);
  }
  await write('any', [
    { path: 'kubectl-cloud', data: program, executable: true },
    { path: 'package.json', data: await readFile(join(dist, 'package.json')) },
  ]);
  return written;
}

async function nodeOf(platform: string, { node }: PluginFacts, run: Run): Promise<readonly Entry[]> {
  const folder = node.get(platform) ?? (await mkdtemp(join(tmpdir(), 'node-')));
  try {
    if (!node.has(platform)) await fetchNode(platform, folder, run);
    const file = nodeFile(platform);
    return [
      { path: `lib/${basename(file)}`, data: await readFile(join(folder, file)), executable: true },
      { path: 'lib/LICENSE.node', data: await readFile(join(folder, 'LICENSE')) },
    ];
  } finally {
    if (!node.has(platform)) await rm(folder, { recursive: true });
  }
}
