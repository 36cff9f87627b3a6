import { codeOf } from './source-text.ts';

export interface FunctionSize {
  /** Line on which its body begins, from 1. */
  readonly line: number;
  readonly lines: number;
}

const control = new Set(['if', 'for', 'while', 'switch', 'catch', 'with']);

/** Every function of a file with the length of its body, found by its braces. */
export function functionsOf(source: string): readonly FunctionSize[] {
  const code = codeOf(source);
  const open: { readonly at: number; readonly isFunction: boolean }[] = [];
  const found: FunctionSize[] = [];
  for (let at = 0; at < code.length; at += 1) {
    if (code[at] === '{') open.push({ at, isFunction: beginsFunction(code.slice(Math.max(0, at - 400), at)) });
    if (code[at] !== '}') continue;
    const begun = open.pop();
    if (begun?.isFunction) found.push({ line: lineOf(code, begun.at), lines: lineOf(code, at) - lineOf(code, begun.at) + 1 });
  }
  return found;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** What stands before a brace: an arrow, or parameters with or without the type of the result. */
function beginsFunction(before: string): boolean {
  if (/=>\s*$/.test(before)) return true;
  const end = /\)(?:\s*:[^;{}]*)?\s*$/.exec(before)?.index;
  if (end === undefined) return false;
  const word = /(\w+)\s*$/.exec(before.slice(0, opening(before, end)))?.[1];
  return word !== undefined && !control.has(word);
}

function opening(text: string, closing: number): number {
  let depth = 0;
  for (let at = closing; at >= 0; at -= 1) {
    if (text[at] === ')') depth += 1;
    if (text[at] === '(') depth -= 1;
    if (depth === 0) return at;
  }
  return 0;
}
