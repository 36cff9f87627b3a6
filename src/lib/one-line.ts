/** Control characters but tab and newline, what turns the direction of writing, and Unicode's own line ends. */
const controls = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const breaks = /[\t\n]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text of whomever, for a terminal: nothing in it moves the cursor, colours, or writes a clipboard. */
export const withoutControls = (text: string): string => text.replace(controls, escaped);

/** The same in one line, so that nobody's text looks like a line of ours. */
export const oneLine = (text: string): string => withoutControls(text).replace(breaks, (character) => (character === '\n' ? '\\n' : '\\t'));
