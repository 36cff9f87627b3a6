import { createServer, type AddressInfo } from 'node:net';

/** A port of 127.0.0.1 that was free a moment ago; whoever uses it must be ready to find it taken. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
