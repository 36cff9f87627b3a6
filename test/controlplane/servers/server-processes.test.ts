import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { createRunFolder } from './run-folder.ts';
import { ServerProcesses } from './server-processes.ts';
import { Supervisor } from './supervisor-client.ts';

/** Starts an etcd that only says `complaint` and ends; answers the error and how often it was started. */
async function startBrokenEtcd(complaint: string): Promise<{ message: string; starts: number }> {
  const folder = await createRunFolder();
  const supervisor = await Supervisor.start(folder, 'key', () => undefined);
  onTestFinished(() => supervisor.close());
  const etcd = join(folder, 'broken-etcd');
  await writeFile(etcd, `#!/bin/sh\necho start >> starts\necho "${complaint}"\nexit 1\n`);
  await chmod(etcd, 0o755);
  const processes = new ServerProcesses(supervisor, { etcd, 'kube-apiserver': '', kubectl: '' }, systemClock);
  const message = await processes.startEtcd(false).then(String, (error: Error) => error.message);
  const starts = (await readFile(join(folder, 'starts'), 'utf8')).trim().split('\n').length;
  return { message, starts };
}

it('tries other ports when one was taken in the meantime, but not for ever', async () => {
  const { message, starts } = await startBrokenEtcd('listen tcp 127.0.0.1:1: bind: address already in use');
  expect(starts).toBe(5);
  expect(message).toContain('address already in use');
});

it('does not try again for any other reason, and says what the server said', async () => {
  const { message, starts } = await startBrokenEtcd('mkdir /data: permission denied');
  expect(starts).toBe(1);
  expect(message).toBe('etcd ended while starting:\nmkdir /data: permission denied');
});

it('says so when the program is none', async () => {
  const folder = await createRunFolder();
  const supervisor = await Supervisor.start(folder, 'key', () => undefined);
  onTestFinished(() => supervisor.close());
  const processes = new ServerProcesses(supervisor, { etcd: '/no/etcd', 'kube-apiserver': '', kubectl: '' }, systemClock);
  await expect(processes.startEtcd(false)).rejects.toThrow('etcd ended while starting');
});
