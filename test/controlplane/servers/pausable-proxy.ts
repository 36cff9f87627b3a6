import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Forwards TCP to a port of this machine. Paused, it holds every byte back and drops none: a partition, not a failure. */
export class PausableProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #paused = false;

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (client) => this.#forward(client, connect(target, '127.0.0.1')));
  }

  static start(target: number): Promise<PausableProxy> {
    const server = createServer({ pauseOnConnect: true });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(new PausableProxy(server, target)));
    });
  }

  pause(): void {
    this.#paused = true;
    for (const socket of this.#sockets) socket.pause();
  }

  resume(): void {
    this.#paused = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  #forward(client: Socket, target: Socket): void {
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk) => to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#paused) from.pause();
      else from.resume();
    }
  }
}
