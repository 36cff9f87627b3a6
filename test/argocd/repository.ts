import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../controlplane/command.ts';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A Git repository with one folder of manifests, as a team would have it. */
export class Repository {
  readonly folder: string;
  readonly path = 'shop';
  /** The last commit. */
  revision = '';
  #manifests: readonly Manifest[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(folder: string): Promise<Repository> {
    const repository = new Repository(folder);
    await mkdir(join(folder, repository.path), { recursive: true });
    await repository.#git('init', '--quiet', '--initial-branch=main');
    return repository;
  }

  get manifests(): readonly Manifest[] {
    return this.#manifests;
  }

  /** Commits these and nothing else. */
  async commit(message: string, manifests: readonly Manifest[]): Promise<void> {
    await rm(join(this.folder, this.path), { recursive: true });
    await mkdir(join(this.folder, this.path));
    for (const manifest of manifests) {
      const file = `${manifest.kind.toLowerCase()}-${manifest.metadata.name}.yaml`;
      await writeFile(join(this.folder, this.path, file), JSON.stringify(manifest, null, 2));
    }
    this.#manifests = manifests;
    await this.#git('add', '--all');
    await this.#git('commit', '--quiet', '--allow-empty', '--message', message);
    this.revision = (await this.#git('rev-parse', 'HEAD')).trim();
  }

  /** Commits all as they are but one with this change of its spec. */
  change(kind: string, name: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
    const changed = this.#manifests.map((one) =>
      one.kind === kind && one.metadata.name === name ? { ...one, spec: { ...one.spec, ...spec } } : one,
    );
    return this.commit(`Change ${kind} ${name}`, changed);
  }

  add(manifest: Manifest): Promise<void> {
    return this.commit(`Add ${manifest.kind} ${manifest.metadata.name}`, [...this.#manifests, manifest]);
  }

  remove(kind: string, name: string): Promise<void> {
    const rest = this.#manifests.filter((one) => one.kind !== kind || one.metadata.name !== name);
    return this.commit(`Remove ${kind} ${name}`, rest);
  }

  async #git(...args: readonly string[]): Promise<string> {
    const who = ['-c', 'user.name=Team', '-c', 'user.email=team@example.com', '-c', 'commit.gpgsign=false'];
    const { code, stdout, stderr } = await runCommand('git', ['-C', this.folder, ...who, ...args]);
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }
}
