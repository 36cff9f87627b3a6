/** `cloud-volume.ts` -> `CloudVolume`: a kind's file is named after it. */
export const kindName = (file: string): string =>
  file
    .replace(/\.ts$/, '')
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** The list of kinds as source text, because a bundle cannot read a folder. `name` tells the kind that a file exports. */
export function kindsIndex(files: readonly { readonly file: string; readonly name: string }[], header: string): string {
  const imports = files.map(({ file, name }) => `import ${name} from '../kinds/${file}';`);
  const entries = files.map(({ name }) => `  erase(${name}),`);
  return [
    `// ${header}`,
    ...imports,
    "import { erase, type AnyKind } from '../resource/index.ts';",
    '',
    '/** Every kind of this operator, by name. */',
    `export const kinds: readonly AnyKind[] = [${entries.length > 0 ? `\n${entries.join('\n')}\n` : ''}];`,
    '',
  ].join('\n');
}
