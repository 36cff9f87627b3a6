import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { makeRelease } from '../support/release/made-release.ts';
import { Registry } from '../support/release/registry.ts';
import { findCosign, findCrane } from '../support/release/release-tools.ts';

const execute = promisify(execFile);
let folder: string;
let registry: Registry;
let cosign: string;
let made: string;

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], COSIGN_PASSWORD: '' };
async function sign(args: readonly string[], cwd: string = folder): Promise<string> {
  const { stdout } = await execute(cosign, [...args], { env, cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

beforeAll(async () => {
  cosign = await findCosign();
  registry = await Registry.open(await findCrane());
  folder = await mkdtemp(join(tmpdir(), 'signing-'));
  await sign(['generate-key-pair']);
  const signing = [`--sign-key=${join(folder, 'cosign.key')}`, '--no-transparency-log'];
  made = await makeRelease(registry, join(folder, 'made'), [...signing, '--plugins='], { COSIGN: cosign, COSIGN_PASSWORD: '' });
}, START_TIMEOUT_MS);
afterAll(async () => {
  registry?.close();
  await rm(folder, { recursive: true, force: true });
});

const digestOf = async (layout: string): Promise<string> => {
  const { manifests } = JSON.parse(await readFile(join(made, layout, 'index.json'), 'utf8')) as {
    readonly manifests: readonly { readonly digest: string }[];
  };
  return manifests[0]?.digest ?? '';
};
const imageName = async (): Promise<string> => `${registry.host}/cloud-operator@${await digestOf('image')}`;
const ciImageName = async (): Promise<string> => `${registry.host}/kubectl-cloud@${await digestOf('image-ci')}`;
const chartName = async (): Promise<string> => `${registry.host}/charts/cloud-operator@${await digestOf('chart')}`;
const by = (key: string): readonly string[] => ['--key', join(folder, key), '--insecure-ignore-tlog=true'];

it('signs images and chart in the registry, with this key and no other', async () => {
  const verified = async (name: string, key = 'cosign.pub') => sign(['verify', ...by(key), '--allow-http-registry', name]);
  expect(await verified(await imageName())).toContain(await digestOf('image'));
  expect(await verified(await ciImageName())).toContain(await digestOf('image-ci'));
  expect(await verified(await chartName())).toContain(await digestOf('chart'));
  await mkdir(join(folder, 'others'));
  await sign(['generate-key-pair'], join(folder, 'others'));
  await expect(verified(await imageName(), 'others/cosign.pub')).rejects.toThrow(
    /invalid signature|no matching signatures|failed to verify/,
  );
});

it.each([
  ['spdxjson', imageName],
  ['cyclonedx', imageName],
  ['spdxjson', ciImageName],
  ['cyclonedx', ciImageName],
])('attests what an image is made of (%s)', async (type, nameOf) => {
  const said = await sign(['verify-attestation', ...by('cosign.pub'), '--type', type, '--allow-http-registry', await nameOf()]);
  const { payload } = JSON.parse(said.split('\n')[0] ?? '') as { readonly payload: string };
  expect(Buffer.from(payload, 'base64').toString()).toContain('@prometheus-io/client');
});

it('signs the sums of all files', async () => {
  const sums = join(made, 'checksums.txt');
  const verified = (file: string) => sign(['verify-blob', ...by('cosign.pub'), '--bundle', `${sums}.sigstore.json`, file]);
  await expect(verified(sums)).resolves.toBeTypeOf('string');
  await expect(verified(join(made, 'image', 'index.json'))).rejects.toThrow(/invalid signature/);
});
