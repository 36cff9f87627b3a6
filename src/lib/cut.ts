/** The text in at most `bytes` of UTF-8, ending in dots where something is missing. */
export function cut(text: string, bytes: number): string {
  const encoded = Buffer.from(text, 'utf8');
  if (encoded.length <= bytes) return text;
  let end = bytes - 3;
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${encoded.toString('utf8', 0, end)}...`;
}
