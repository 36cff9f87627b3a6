import { expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { oldestKubernetes } from '../../../../src/plugin/build.ts';
import type { Backend } from '../../../support/virtual/backend.ts';
import { crdHashes } from '../../../../src/generated/crd-hashes.ts';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const crd = (name = ''): string => `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;

it('version tells which CRDs are of another release, and which are not there', async () => {
  const world = await World.create();
  const [other, gone, ...rest] = crdHashes;
  await world.admin('PATCH', crd(other?.name), { metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of the next release' } } });
  await world.admin('DELETE', crd(gone?.name));
  const ran = await cloud(world, 'version -o json');
  const { crds } = dataOf(ran) as { crds: { name: string; state: string }[] };
  expect(ran).toMatchObject({ exit: 0, err: '' });
  expect(crds).toEqual([
    { kind: other?.kind, name: other?.name, state: 'differs' },
    { kind: gone?.kind, name: gone?.name, state: 'unseen' },
    ...rest.map(({ kind, name }) => ({ kind, name, state: 'same' })),
  ]);
  expect((await cloud(world, 'version')).out).toMatch(new RegExp(`${other?.name} +of another release`));
});

it.each(['version', 'version --client'])(
  '%s tells which release of the API of accounts it is written after, and asks no account',
  async (line) => {
    const world = await World.create();
    const asked = world.emulator.control.requests().length;
    expect((await cloud(world, line)).out).toMatch(/^API of accounts: written after release 4\.\d+\.\d+\.$/m);
    expect(dataOf(await cloud(world, `${line} -o json`))).toMatchObject({ accountApi: expect.stringMatching(/^4\./) });
    expect(world.emulator.control.requests()).toHaveLength(asked);
  },
);

it('version works without any right, and says what it may not see', async () => {
  const world = await World.create();
  world.server.addUser('nobody', { name: 'nobody' });
  const { exit, out } = await cloud(world, 'version', { token: 'nobody' });
  expect(exit).toBe(0);
  expect(out).toContain('you may not read it');
  expect(out).toContain('you may not list Deployments');
});

it.each([
  ['v1.36.3', /^Kubernetes v1\.36\.3: supported, as 1\.33 and later are\.$/m],
  ['v1.33.0-eks-1', /^Kubernetes v1\.33\.0-eks-1: supported, /m],
  ['v1.32.9', /^Kubernetes v1\.32\.9: older than what .*, as 1\.33 and later are\.$/m],
  ['v2.0.0', /^Kubernetes v2\.0\.0: supported, /m],
  [undefined, /^The API server does not tell its version\.$/m],
])('version says whether the cluster is one that this release is for: %s', async (gitVersion, says) => {
  const world = await World.create();
  const between = (server: Backend): Backend => ({
    handle: (request) =>
      request.path === '/version'
        ? Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ gitVersion }) })
        : server.handle(request),
  });
  expect((await cloud(world, 'version', { between })).out).toMatch(says);
});

it('the oldest Kubernetes is the one that the chart asks for', async () => {
  expect(await readFile('charts/cloud-operator/Chart.yaml', 'utf8')).toContain(`kubeVersion: ">=${oldestKubernetes}.0-0"`);
});
