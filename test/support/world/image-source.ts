import { gzipSync } from 'node:zlib';
import type { Backend, BackendRequest, BackendResponse } from '../virtual/backend.ts';
import { ConnectionLost } from '../virtual/backend.ts';

const piece = 1024;

/** A raw disk that has been compressed, and is long enough to be cut in pieces: what was random does not shrink. */
export const diskImage: Buffer = gzipSync(
  Buffer.from(Array.from({ length: 64 * piece }, (_, at) => (at * 7919 + ((at * at) % 251)) % 256)),
);

/** A web server from which images are read, piece by piece. */
export class ImageSource implements Backend {
  readonly requests: BackendRequest[] = [];
  data: Buffer = diskImage;
  status = 200;
  headers: Readonly<Record<string, string>> = {};
  /** After so many bytes the connection breaks, so many times. */
  cut: { readonly at: number; times: number } | undefined;
  /** Called before each piece, with what has gone by then. */
  onPiece: (sent: number) => Promise<void> | void = () => undefined;

  handle(request: BackendRequest): Promise<BackendResponse> {
    this.requests.push(request);
    return Promise.resolve({
      status: this.status,
      headers: { 'content-length': String(this.data.length), ...this.headers },
      body: this.#pieces(),
    });
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    const { data, cut } = this;
    for (let at = 0; at < data.length; at += piece) {
      await this.onPiece(at);
      const end = Math.min(at + piece, data.length);
      if (cut !== undefined && cut.times > 0 && end > cut.at) {
        cut.times -= 1;
        if (cut.at > at) yield data.subarray(at, cut.at);
        throw new ConnectionLost();
      }
      yield data.subarray(at, end);
    }
  }
}
