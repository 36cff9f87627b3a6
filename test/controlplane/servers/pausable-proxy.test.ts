import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { sleep, systemClock } from '../../../src/lib/clock.ts';
import { PausableProxy } from './pausable-proxy.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A proxy before a server that says everything twice. */
async function proxyToDoubler(): Promise<PausableProxy> {
  const server = createServer((socket) => socket.on('data', (chunk) => socket.write(`${chunk.toString()}${chunk.toString()}`)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy = await PausableProxy.start((server.address() as AddressInfo).port);
  closers.push(
    () => server.close(),
    () => proxy.close(),
  );
  return proxy;
}

function client(proxy: PausableProxy): { socket: Socket; heard: () => string } {
  const socket = connect(proxy.port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  closers.push(() => socket.destroy());
  return { socket, heard: () => heard };
}

it('holds everything back while it is paused, on old and new connections, and loses nothing', async () => {
  const proxy = await proxyToDoubler();
  const before = client(proxy);
  before.socket.write('a');
  await expect.poll(before.heard).toBe('aa');
  proxy.pause();
  const during = client(proxy);
  before.socket.write('b');
  during.socket.write('c');
  await sleep(systemClock, 100);
  expect([before.heard(), during.heard()]).toEqual(['aa', '']);
  proxy.resume();
  await expect.poll(before.heard).toBe('aabb');
  await expect.poll(during.heard).toBe('cc');
});

it('closes the one side when the other is closed', async () => {
  const proxy = await proxyToDoubler();
  const { socket, heard } = client(proxy);
  socket.write('a');
  await expect.poll(heard).toBe('aa');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await proxy.close();
  await closed;
});
