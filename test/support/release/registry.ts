import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzip, sha256, tar } from '../../../src/release/package/archive.ts';
import { type Descriptor, Layout, mediaTypes } from '../../../src/release/package/oci.ts';
import { runCommand } from '../../controlplane/command.ts';
import { freePort } from '../../controlplane/free-port.ts';

/** A registry on loopback, in memory, which is a real one's code: crane's own. */
export class Registry {
  readonly host: string;
  readonly #crane: string;
  readonly #close: () => void;
  private constructor(host: string, crane: string, close: () => void) {
    this.host = host;
    this.#crane = crane;
    this.#close = close;
  }

  static async open(crane: string): Promise<Registry> {
    const host = `127.0.0.1:${await freePort()}`;
    const child = spawn(crane, ['registry', 'serve', '--address', host], { stdio: ['ignore', 'ignore', 'pipe'] });
    const registry = new Registry(host, crane, () => child.kill());
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`crane registry ended with ${code}`)));
      child.stderr.on('data', (text: Buffer) => text.includes('serving on port') && resolve());
    });
    return registry;
  }
  close(): void {
    this.#close();
  }

  async crane(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(this.#crane, args);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  /** An image that stands in for the base: for both platforms, with a file where Node.js would be. Answers it with its digest. */
  async standInBase(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
    try {
      const layout = new Layout();
      const manifests = await Promise.all(['amd64', 'arm64'].map((architecture) => standIn(layout, architecture)));
      await layout.write(folder, layout.add(mediaTypes.index, { schemaVersion: 2, mediaType: mediaTypes.index, manifests }), '1');
      return await this.crane('push', folder, `${this.host}/stand-in/base:1`);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
}

async function standIn(layout: Layout, architecture: string): Promise<Descriptor> {
  const files = await tar([{ path: 'nodejs/bin/node', data: `stands in for Node.js on ${architecture}`, executable: true }], new Date(0));
  const config = layout.add(mediaTypes.config, {
    architecture,
    os: 'linux',
    config: { Env: ['PATH=/usr/bin', 'NODE_ENV=development'], WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(files)}`] },
  });
  // In Docker's own words, as the images of others often are.
  const layers = [{ ...layout.add(mediaTypes.layer, gzip(files)), mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip' }];
  const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers };
  return { ...layout.add(mediaTypes.manifest, manifest), platform: { os: 'linux', architecture } };
}
