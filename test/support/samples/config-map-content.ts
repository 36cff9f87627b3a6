const begins = 'data:image/png;base64,';

/** How a fixture writes a file of a ConfigMap: a PNG by its signature, and told apart by `note`. */
export const pngText = (note: string): string => `${begins}${pngOf(note).toString('base64')}`;
export const pngOf = (note: string): Buffer =>
  Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.from(note)]);

/** The file that a fixture writes so; undefined of a text. */
export const fileIn = (text: string): Buffer | undefined =>
  text.startsWith(begins) ? Buffer.from(text.slice(begins.length), 'base64') : undefined;

/** What a ConfigMap holds of these texts and files. */
export function configMapContent(texts: Readonly<Record<string, string>>): { readonly data: object; readonly binaryData?: object } {
  const all = Object.entries(texts);
  const files = all.flatMap(([key, text]) => {
    const file = fileIn(text);
    return file === undefined ? [] : [[key, file.toString('base64')] as const];
  });
  const data = Object.fromEntries(all.filter(([, text]) => fileIn(text) === undefined));
  return files.length === 0 ? { data } : { data, binaryData: Object.fromEntries(files) };
}
