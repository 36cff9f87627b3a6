import { stripVTControlCharacters } from 'node:util';

/** What a reader needs of one suite; the whole of it stands further up. */
const most = { lines: 120, columns: 400 };
const lastWords = 20;
const mostNames = 20;

/**
 * Where vitest tells of failed tests, of files that could not be loaded, of hooks, and of errors outside any test, up
 * to its totals. Those come through another pipe, perhaps first.
 */
const ofVitest = /^⎯+ (?:Failed (?:Suites|Tests)|Unhandled Errors) .*?(?=^ *Test Files |(?![^]))/ms;

/**
 * What fails a campaign, with the lines that belong to it: a case, or a mutant, that an oracle objected to or did not, a call that
 * nobody may make, and whatever else (FAILED), which is no case.
 */
const ofCampaign = /^(?:VIOLATED|SURVIVED|FORBIDDEN|FAILED) .*(?:\n +.*)*/gm;

/**
 * The passages of a failed suite's output that say what failed, so that they can be repeated where a reader looks
 * first: at the end. Where none is found, its last words.
 */
export function failuresIn(output: string): string {
  const lines = toldIn(output).split('\n');
  const left = lines.length - most.lines;
  const shown = lines.slice(0, most.lines).map((line) => line.slice(0, most.columns));
  return [...shown, ...(left > 0 ? [`(${left} more lines stand further up)`] : [])].join('\n');
}

function toldIn(output: string): string {
  const text = stripVTControlCharacters(output).trimEnd();
  const told = ofVitest.exec(text)?.[0] ?? text.match(ofCampaign)?.join('\n') ?? text.split('\n').slice(-lastWords).join('\n');
  return told.trim();
}

const names = /^(?: FAIL +(.+)|(?:VIOLATED|SURVIVED|FORBIDDEN|FAILED) +(.+))$/gm;

/** A line for each test, case or mutant that failed, for the very end; of very many the first, and how many more. Never none. */
export function namesIn(output: string): readonly string[] {
  const found = new Set([...toldIn(output).matchAll(names)].map(([, test, other]) => (test ?? other ?? '').slice(0, most.columns)));
  if (found.size === 0) return [unnamed(output)];
  const left = found.size - mostNames;
  return [...[...found].slice(0, mostNames), ...(left > 0 ? [`and ${left} more`] : [])];
}

function unnamed(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n');
  // The counts that a campaign ends with say nothing of it.
  const last = lines.findLast((line) => line.trim() !== '' && !line.startsWith('{"planned"'));
  return last === undefined ? 'names nothing, and wrote nothing' : `names nothing; its last words: ${last.trim().slice(0, most.columns)}`;
}
