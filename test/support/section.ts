/** A part of a text file that a command writes, between two comments. */
export interface Section {
  readonly about: string;
  readonly command: string;
}

/** Throws where the text has no place for it. */
export function withSection(text: string, { about, command }: Section, content: string): string {
  const [begin, end] = [`<!-- ${about}, written by ${command} -->`, `<!-- end of ${about} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`there is no place for the table: ${begin} ... ${end}`);
  return `${before}${begin}\n${content}\n${end}${after}`;
}
