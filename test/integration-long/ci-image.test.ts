import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { unpackedImage } from '../support/release/unpacked-image.ts';
import { makeRelease, releaseVersion as version } from '../support/release/made-release.ts';
import { Registry } from '../support/release/registry.ts';
import { findCrane } from '../support/release/release-tools.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
let registry: Registry;
let name: string;
/** The image's files. */
let place: string;
let config: Config;
/** As the image says; of its base there is what the guide asks of one: a shell, Git, Node.js. */
let env: Readonly<Record<string, string>>;

interface Config {
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly User: string;
}

/** A folder with links to these programs of this machine, and to its Node.js. */
async function programs(...names: readonly string[]): Promise<string> {
  const at = await mkdtemp(join(folder, 'base-'));
  await symlink(process.execPath, join(at, 'node'));
  for (const one of names) await symlink((await execute('/bin/sh', ['-c', `command -v ${one}`])).stdout.trim(), join(at, one));
  return at;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ci-image-'));
  registry = await Registry.open(await findCrane());
  const made = await makeRelease(registry, join(folder, 'made'), ['--plugins=']);
  const index = JSON.parse(await readFile(join(made, 'image-ci/index.json'), 'utf8')) as {
    readonly manifests: readonly { digest: string }[];
  };
  name = `${registry.host}/kubectl-cloud@${index.manifests[0]?.digest}`;
  place = await unpackedImage(registry, name, folder);
  ({ config } = JSON.parse(await registry.crane('config', name)) as { readonly config: Config });
  const said = Object.fromEntries(config.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const base = await programs('git', 'sh', 'env', 'cat');
  const path = (said['PATH'] ?? '').split(':').map((one) => (one === '/usr/local/bin' ? base : join(place, one)));
  env = { ...said, PATH: path.join(':'), HOME: folder };
}, START_TIMEOUT_MS);
afterAll(async () => {
  registry?.close();
  await rm(folder, { recursive: true, force: true });
});

const shell = async (line: string, cwd: string, more: Readonly<Record<string, string>> = {}) =>
  execute('/bin/sh', ['-e', '-c', line], { cwd, env: { ...env, ...more } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
  );

describe('the image for CI jobs', () => {
  it('has the plugin in PATH, and starts what the runner says', async () => {
    expect(config).toMatchObject({ Entrypoint: [], Cmd: ['kubectl-cloud', 'help'], User: '0:0' });
    expect((await shell('kubectl-cloud version --client', folder)).stdout).toContain(
      `kubectl-cloud ${version}, Node.js ${process.version}`,
    );
    expect(await readFile(join(place, 'opt/kubectl-cloud/LICENSES.third-party.txt'), 'utf8')).toMatch(/^zod /m);
  });
});

interface Step {
  readonly run?: string;
}
interface GitHub {
  readonly jobs: Readonly<Record<string, { readonly container?: string; readonly steps: readonly Step[] }>>;
}
interface GitLab {
  readonly effects: { readonly image: string; readonly script: readonly string[] };
}
/** What the jobs of the guide run in an image of their own, with what their runner says of the branch that is merged into. */
async function scripts(): Promise<
  ReadonlyMap<string, { readonly image: string; readonly lines: readonly string[]; readonly branch: string }>
> {
  const guide = await readFile(join(root, 'deploy/guides/plan-jobs.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```yaml\n(?<text>.*?)^```/gms)].map(({ groups }) => parse(groups?.['text'] ?? '') as GitHub | GitLab);
  const [github] = blocks.flatMap((block) =>
    'jobs' in block ? Object.values(block.jobs).filter((job) => job.container !== undefined) : [],
  );
  const [gitlab] = blocks.flatMap((block) => ('effects' in block ? [block.effects] : []));
  return new Map([
    ['GitHub', { image: github?.container ?? '', lines: github?.steps.flatMap(({ run }) => run ?? []) ?? [], branch: 'GITHUB_BASE_REF' }],
    ['GitLab', { image: gitlab?.image ?? '', lines: gitlab?.script ?? [], branch: 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME' }],
  ]);
}

const volume = (sizeGiB: number): string =>
  JSON.stringify({
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudVolume',
    metadata: { name: 'data', namespace: 'shop' },
    spec: { region: 'us-southeast', sizeGiB, lifecycle: { onDelete: 'Delete' } },
  });

/** A checkout of a runner's own user, whose main branch has these manifests. */
async function checkout(files: Readonly<Record<string, string>>): Promise<string> {
  const at = await mkdtemp(join(folder, 'checkout-'));
  const git = (...args: readonly string[]) =>
    execute('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: at, env });
  await git('init', '--quiet');
  await mkdir(join(at, 'manifests'));
  for (const [file, text] of Object.entries(files)) await writeFile(join(at, 'manifests', file), text);
  await git('add', '.');
  await git('commit', '--quiet', '-m', 'first');
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  if (process.getuid?.() === 0) await execute('chown', ['-R', '1001:1001', at]);
  return at;
}

describe.each(['GitHub', 'GitLab'])('the job on %s', (runner) => {
  const run = async (at: string) => {
    const { lines, branch } = (await scripts()).get(runner) ?? { lines: [], branch: '' };
    expect(lines.length).toBeGreaterThan(0);
    return shell(lines.join('\n'), at, { [branch]: 'main', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') });
  };

  it('runs in this image', async () => {
    expect((await scripts()).get(runner)?.image).toBe('registry.example.com/kubectl-cloud:0.1.0');
  });
  it('tells what changes, and passes', async () => {
    const at = await checkout({ 'data.yaml': volume(20) });
    await writeFile(join(at, 'manifests/data.yaml'), volume(40));
    expect(await run(at)).toMatchObject({ code: 0 });
    const plan = await readFile(join(at, 'plan.md'), 'utf8');
    expect(plan).toMatch(/^<!-- /);
    expect(plan).toContain('~ sizeGiB: 20 -> 40');
  });
  it('fails where something is deleted, and where the branch was not fetched, and says so', async () => {
    const at = await checkout({ 'data.yaml': volume(20), 'more.yaml': volume(20).replace('"data"', '"more"') });
    await rm(join(at, 'manifests/more.yaml'));
    expect((await run(at)).code).not.toBe(0);
    await execute('git', ['update-ref', '-d', 'refs/remotes/origin/main'], { cwd: at, env });
    expect(await run(at)).toMatchObject({ stderr: expect.stringContaining('a job may have to fetch it') as string });
  });
});
