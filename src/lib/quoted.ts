/** Somebody else's words, marked as such: without the period that would end our own sentence. */
export const quoted = (text: string): string => `"${text.trim().replace(/\.$/, '').replaceAll('"', "'")}"`;
