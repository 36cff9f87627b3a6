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

/** A case, or a mutant, that an oracle objected to or did not, with the lines that belong to it. */
const ofCampaign = /^(?:VIOLATED|SURVIVED) .*(?:\n +.*)*/gm;

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

const names = /^(?: FAIL +(.+)|(?:VIOLATED|SURVIVED) +(.+))$/gm;

/** A line for each test, case or mutant that failed, for the very end; of very many the first, and how many more. */
export function namesIn(output: string): readonly string[] {
  const found = new Set([...toldIn(output).matchAll(names)].map(([, test, other]) => (test ?? other ?? '').slice(0, most.columns)));
  const left = found.size - mostNames;
  return [...[...found].slice(0, mostNames), ...(left > 0 ? [`and ${left} more`] : [])];
}
