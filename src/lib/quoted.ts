import { oneLine } from './one-line.ts';

/**
 * Somebody else's words, marked as such, in one line: without the period that would end our own sentence. A backslash before the mark
 * at the end would take it along.
 */
export const quoted = (text: string): string => `"${oneLine(text.trim().replace(/\.$/, '').replaceAll('"', "'")).replace(/\\+$/, '$&$&')}"`;

/** Any text in double quotes: a backslash takes what follows along. */
export const quotedText = String.raw`"(?:[^"\\]|\\.)*"`;
/** A message that was too long may end within one. */
const allQuoted = new RegExp(String.raw`${quotedText}|".*$`, 'gs');
/** What of a message are the operator's own words: what people wrote stands in quotes, and may read like those. */
export const ownWords = (message: string): string => message.replaceAll(allQuoted, '""');

/** What stands in brackets next: those that are quoted end nothing. */
export const inBrackets = new RegExp(String.raw`^ \((?:[^")]|${quotedText})*\)`, 's');

/** What somebody is called, or calls something, which may look like a line to type where it is more than a word. */
export const wordOrQuoted = (text: string): string => (/^[\w.:/[\]-]+$/.test(text) ? text : quoted(text));
