import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fromKubeconfig, inCluster } from '../../../src/kube/http/cluster.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cluster-'));
});
afterEach(() => rm(directory, { recursive: true }));

const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);

const kubeconfig = (user: object): string =>
  JSON.stringify({
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'c', user: 'u', namespace: 'team' } }],
    clusters: [
      { name: 'c', cluster: { server: 'https://kube.test:6443/', 'certificate-authority-data': Buffer.from('CA').toString('base64') } },
    ],
    users: [{ name: 'u', user }],
  });

describe('cluster', () => {
  test('inside: files of the ServiceAccount, the token read again after a minute', async () => {
    await Promise.all([write('ca.crt', 'CA'), write('namespace', 'cloud-system\n'), write('token', 'one\n')]);
    const clock = new VirtualClock();
    const cluster = await inCluster(clock, { host: 'fd00::1', port: '443', directory });
    expect(cluster).toMatchObject({ server: 'https://[fd00::1]:443', tls: { ca: 'CA' }, namespace: 'cloud-system' });
    expect(await cluster.credentials.headers()).toEqual({ authorization: 'Bearer one' });
    await write('token', 'two\n');
    expect(await cluster.credentials.headers()).toEqual({ authorization: 'Bearer one' });
    await clock.advance(60_000);
    expect(await cluster.credentials.headers()).toEqual({ authorization: 'Bearer two' });
  });

  test.each([
    ['a token', { token: 'tok' }, 'Bearer tok'],
    ['a password', { username: 'me', password: 'pw' }, 'Basic bWU6cHc='],
    [
      'an exec plugin',
      {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
          command: process.execPath,
          args: [
            '-e',
            `console.log(JSON.stringify({kind:'ExecCredential',apiVersion:'client.authentication.k8s.io/v1',status:{token:'from-exec'}}))`,
          ],
        },
      },
      'Bearer from-exec',
    ],
  ])('outside: a kubeconfig with %s', async (_, user, authorization) => {
    await write('config', kubeconfig(user));
    const cluster = await fromKubeconfig(new VirtualClock(), { path: join(directory, 'config') });
    expect(cluster).toMatchObject({ server: 'https://kube.test:6443', namespace: 'team' });
    expect(String(cluster.tls.ca)).toBe('CA');
    expect(await cluster.credentials.headers()).toMatchObject({ authorization });
  });

  test('outside: a context that does not exist is named', async () => {
    await write('config', kubeconfig({ token: 't' }));
    await expect(fromKubeconfig(new VirtualClock(), { path: join(directory, 'config'), context: 'other' })).rejects.toThrow(
      `no context "other" in ${join(directory, 'config')}: it has main`,
    );
  });
});
