/** Constructs that JavaScript has and Go's RE2 refuses, with what to write instead. */
const beyondRe2: readonly { readonly construct: RegExp; readonly problem: string }[] = [
  { construct: /\(\?<?[=!]/, problem: 'looks ahead or behind, which RE2 cannot; use a CEL rule' },
  { construct: /\\[1-9]/, problem: 'has a back-reference, which RE2 cannot; use a CEL rule' },
  { construct: /\\k</, problem: 'has a named back-reference, which RE2 cannot; use a CEL rule' },
  { construct: /\\u/, problem: 'has a \\u escape, which RE2 cannot; write the character or \\x{...}' },
  { construct: /\[\^?\]/, problem: 'has an empty class, which RE2 cannot' },
];

/** Why the API server would refuse this pattern, or undefined. */
export function regexProblem(pattern: string): string | undefined {
  const found = beyondRe2.find(({ construct }) => construct.test(pattern));
  if (found) return `pattern ${pattern} ${found.problem}`;
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap(([, low, high]) => [Number(low), Number(high ?? 0)]);
  // RE2's own limit on counted repetition.
  return counts.some((count) => count > 1000) ? `pattern ${pattern} repeats more than 1000 times; use min() and max()` : undefined;
}
