/** Behind a text, what is called otherwise in it: ` (1000 is CloudInstance shop/web)`. */
export const legend = (names: readonly string[] = []): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
