const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 base32 in lower case without padding: safe in labels, annotations and DNS names. */
export function base32(bytes: Uint8Array): string {
  let [text, kept, bits] = ['', 0, 0];
  for (const byte of bytes) {
    kept = (kept << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(kept >> (bits - 5)) & 31];
    kept &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(kept << (5 - bits)) & 31];
}
