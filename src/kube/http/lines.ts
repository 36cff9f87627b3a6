import { breathe } from '../../lib/breathe.ts';

/** About one millisecond of parsing. */
const TURN_BYTES = 128 * 1024;
const NEWLINE = 0x0a;

/** Splits a byte stream into its non-empty lines; a last line without an end is dropped, because it was cut. */
export async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  let head: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, begin)) {
      const line = text(head, chunk.subarray(begin, end));
      head = [];
      begin = end + 1;
      if (line !== '') yield line;
    }
    if (begin < chunk.length) head.push(chunk.subarray(begin));
    bytes += chunk.length;
    if (bytes >= TURN_BYTES) {
      bytes = 0;
      await breathe();
    }
  }
}

const text = (head: readonly Buffer[], tail: Buffer): string =>
  (head.length === 0 ? tail : Buffer.concat([...head, tail])).toString('utf8').trim();
