const width = 100;

/** A text in lines of at most so many columns, broken between words; only a word that is longer stands out. */
export function wrapped(text: string, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const isFirst = line === indent;
    if (!isFirst && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = isFirst ? `${indent}${word}` : `${line} ${word}`;
  }
  return [...lines, line];
}
