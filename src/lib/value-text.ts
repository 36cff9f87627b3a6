import { oneLine } from './one-line.ts';

/**
 * A value as a message shows it, in one line. Text of more than a word stands in quotes, with those within it escaped: whoever wrote it
 * must not be able to go on in our own words.
 */
export function valueText(value: unknown): string {
  if (typeof value !== 'string') return oneLine(JSON.stringify(value ?? null));
  return oneLine(isWord(value) || isJson(value) ? value : JSON.stringify(value));
}
const isWord = (text: string): boolean => /^[^\s"]+$/.test(text);

/** A list or object that was written out already. */
function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
