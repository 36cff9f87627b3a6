import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { connect } from '../../../src/plugin/cluster/connect.ts';

const program = { version: 'test', told: undefined };

it('acts as the user and the groups that are named, each in a header of its own, as kubectl does', async () => {
  const seen: (readonly (readonly string[] | undefined)[])[] = [];
  const server = createServer(({ headersDistinct }, answer) => {
    seen.push([headersDistinct['impersonate-user'], headersDistinct['impersonate-group']]);
    answer.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'connect-'));
  try {
    const kubeconfig = join(folder, 'config');
    const { port } = server.address() as AddressInfo;
    const config = {
      'current-context': 'main',
      contexts: [{ name: 'main', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: 'one' } }],
    };
    await writeFile(kubeconfig, JSON.stringify(config));
    for (const asGroup of ['ops', 'ops\non call']) {
      const { client } = await connect(systemClock, { kubeconfig, as: 'jane', asGroup }, program);
      await client.request({ path: '/api' });
      await client.close();
    }
    expect(seen).toEqual([
      [['jane'], ['ops']],
      [['jane'], ['ops', 'on call']],
    ]);
    await expect(connect(systemClock, { kubeconfig, asGroup: 'ops' }, program)).rejects.toThrow('--as-group needs --as');
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
