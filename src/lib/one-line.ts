/** What an emoji is put together with, and what scripts that join their letters need between two of them. */
const joining = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]`,
  String.raw`(?<=[#*0-9])\uFE0F(?=\u20E3)`,
  String.raw`(?<=[\p{L}\p{M}])(?<!\p{Script=Latin})[\u200C\u200D](?=[\p{L}\p{M}])`,
].join('|');
/** Control characters but tab and newline, what turns the direction of writing, Unicode's own line ends, and what is not seen at all. */
const controls = new RegExp(String.raw`(?![\t\n]|${joining})[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`, 'gu');
const breaks = /[\t\n]/g;

const escaped = (character: string): string => `\\u${unit(character.codePointAt(0) ?? 0)}`;
const unit = (code: number): string => (code > 0xffff ? `{${code.toString(16)}}` : code.toString(16).padStart(4, '0'));

/** Text of whomever, for a terminal: nothing in it moves the cursor, colours, or writes a clipboard. */
export const withoutControls = (text: string): string => text.replace(controls, escaped);

/** The same in one line, so that nobody's text looks like a line of ours. */
export const oneLine = (text: string): string => withoutControls(text).replace(breaks, (character) => (character === '\n' ? '\\n' : '\\t'));
