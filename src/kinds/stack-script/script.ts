/** As long as the service takes one, in characters as admission counts them: one outside of the basic plane is one. */
export const mostCharacters = 65_535;
const mend = 'Correct it in the ConfigMap, which is read anew within five minutes';

/** Why a script out of a ConfigMap is not sent; admission sees only what stands in the spec. */
export function noScript(script: string): string | undefined {
  if (!script.startsWith('#!'))
    return `what it names does not begin with #! and the program that runs it: write for example #!/bin/bash into its first line. ${mend}`;
  const { length } = Array.from(script);
  if (length <= mostCharacters) return undefined;
  return `what it names has ${length} characters, and a script has ${mostCharacters} at most. ${mend}`;
}
