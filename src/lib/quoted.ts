import { oneLine } from './one-line.ts';

/**
 * Somebody else's words, marked as such, in one line: without the period that would end our own sentence. A backslash before the mark
 * at the end would take it along.
 */
export const quoted = (text: string): string => `"${oneLine(text.trim().replace(/\.$/, '').replaceAll('"', "'")).replace(/\\+$/, '$&$&')}"`;

/** What somebody is called, or calls something, which may look like a line to type where it is more than a word. */
export const wordOrQuoted = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : quoted(text));
