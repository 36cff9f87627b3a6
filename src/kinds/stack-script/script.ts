/** As long as the service takes one, in characters as admission counts them: one outside of the basic plane is one. */
export const mostCharacters = 65_535;
const mend = 'Correct it in the ConfigMap, which is read anew within five minutes';

/**
 * The scripts that it includes (`<ssinclude StackScriptID="1">`): the service brings their texts to the machine, private ones
 * too. Whatever else has that word in it counts as well: how freely the service reads that is not documented.
 */
export const included = (script: string): readonly string[] =>
  [...plainText(script).matchAll(/<\s*[^<>]{0,20}ssinclude[^>]*/gi)].map(([tag]) => {
    const [, id] = /StackScriptID\s*=\s*["']?(\d+)/i.exec(tag) ?? [];
    return id === undefined ? tag.slice(0, 40) : `StackScript ${id}`;
  });
/** Letters that stand for others, and characters that nobody sees, may be nothing to who reads the tag. */
const plainText = (text: string): string => text.normalize('NFKC').replaceAll(/\p{Cc}(?<!\s)|\p{Cf}/gu, '');

/** Why a script out of a ConfigMap is not sent; admission sees only what stands in the spec. */
export function noScript(script: string): string | undefined {
  if (!script.startsWith('#!'))
    return `what it names does not begin with #! and the program that runs it: write for example #!/bin/bash into its first line. ${mend}`;
  const { length } = Array.from(script);
  if (length <= mostCharacters) return undefined;
  return `what it names has ${length} characters, and a script has ${mostCharacters} at most. ${mend}`;
}
