import type { UserDefinedField } from '../../records/stackscripts.ts';

/** Attribute names in any case; `oneOf` and `manyOf` keep theirs. */
const canonical: Readonly<Record<string, string>> = { oneof: 'oneOf', manyof: 'manyOf' };

function attributes(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const match of text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const name = (match[1] ?? '').toLowerCase();
    found[canonical[name] ?? name] = match[2] ?? match[3] ?? '';
  }
  return found;
}

const tag = /<UDF\s+((?:[^>"']|"[^"]*"|'[^']*')*?)\/?>/gi;

/** The `<UDF name= label= ... />` tags in comments of the script. */
export function userDefinedFields(script: string): readonly UserDefinedField[] {
  const comments = script
    .split('\n')
    .filter((line) => /^\s*#/.test(line))
    .join('\n');
  return [...comments.matchAll(tag)].map((match) => {
    const found = attributes(match[1] ?? '');
    return { ...found, name: found['name'] ?? '', label: found['label'] ?? found['name'] ?? '' };
  });
}

/** What is wrong with a script; the service's text contains `Invalid StackScript`. */
export function scriptProblem(script: string): string | undefined {
  if (!script.startsWith('#!')) return 'Invalid StackScript: the first line must be a shebang';
  const fields = userDefinedFields(script);
  const names = new Set(fields.map((field) => field.name));
  if (names.size !== fields.length) return 'Invalid StackScript: UDF names must be unique';
  if (fields.some(({ name }) => !/^[a-zA-Z0-9_]{1,63}$/.test(name))) return 'Invalid StackScript: UDF names are letters, digits and _';
  const both = fields.some((field) => field['oneOf'] !== undefined && field['manyOf'] !== undefined);
  return both ? 'Invalid StackScript: oneOf and manyOf exclude each other' : undefined;
}
