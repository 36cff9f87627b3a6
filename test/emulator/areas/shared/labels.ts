import type { Field } from '../../contract/fields.ts';
import { string } from '../../contract/fields.ts';

/** Alphanumeric at both ends, between them also `-`, `_`, `.`, none of them twice in a row (documents 2 and 3). */
export function dottedLabel(min: number, max: number): Field<string> {
  return string({ min, max, pattern: /^[a-zA-Z0-9](?!.*(--|__|\.\.))([a-zA-Z0-9._-]*[a-zA-Z0-9])?$/ });
}

/** 1..32 of letters, digits, `-`, `_`; begins with a letter; no `--` or `__`. */
export function volumeLabel(): Field<string> {
  return string({
    min: 1,
    max: 32,
    pattern: /^(?!.*(--|__))[a-zA-Z0-9_-]*$/,
    also: (value) => (value === '' || /^[a-zA-Z]/.test(value) ? undefined : 'Must begin with a letter'),
  });
}
