import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (from 32768 on Linux): a client that keeps dialling a
 * stopped server of that range can be given the server's own port, connect to itself, and keep the server from coming back.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** A port of 127.0.0.1 that was free a moment ago; whoever uses it must be ready to find it taken. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
