/** For a shell, which then sees nothing in it but text; what every shell takes as it is stays so. */
export const shellWord = (text: string): string => (plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const plain = /^[\w./:@-]+$/;
