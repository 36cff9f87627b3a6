/** `hosts` of `alerts.hosts` and of `hosts[web]` */
export const lastOf = (field: string): string => field.replace(/\[.*$/, '').split('.').at(-1) ?? field;

/** What a value of this field is replaced by. */
export type Replaced = (value: string, field: string) => string;

/** In a line of a log a quote that is not escaped ends the message. */
const end = { message: '$', log: String.raw`(?<!\\)"|$` };
/** Up to one of these the last value of a sentence goes; what ends in no known way is taken along, so that no part of a value is left over. */
const after = String.raw`; spec\.|; likely changed by |\. Stop the other writer|\. To allow it|: it was accepted`;

const patterns = (until: string): readonly RegExp[] => [
  new RegExp(String.raw`(spec\.([\w.[\]-]+): the account has )(.*?)(, wanted )(.*?)(?=${after}|${until})`, 'gm'),
  new RegExp(
    String.raw`(spec\.([\w.[\]-]+) cannot become )(.*?)(, because .*? and the account has )(.*?)(?=\. Set (?:it|spec\.[\w.[\]-]+) back|${until})`,
    'gm',
  ),
];
const inMessage = patterns(end.message);
const inLog = patterns(end.log);
const setBack = /( Set spec\.([\w.[\]-]+) back to )(\S+)(?=, or set )/g;
/** In quotes where it is more than a word, which are escaped in a log. */
const whoChanged = /(likely (?:changed by )?)(\\?".*?\\?"|\S+)(?= \()/g;

/** The values of differences, and who is said to have made them: they may stand in the account alone, and so in no object. */
export function withoutDifferences(text: string, where: keyof typeof end, replaced: Replaced): string {
  const values = (...[, head, field, first, between, second]: readonly string[]): string =>
    `${head}${replaced(first ?? '', field ?? '')}${between}${replaced(second ?? '', field ?? '')}`;
  const left = (where === 'log' ? inLog : inMessage).reduce((part, pattern) => part.replace(pattern, values), text);
  const back = left.replace(setBack, (_, head: string, field: string, value: string) => `${head}${replaced(value, field)}`);
  return back.replace(whoChanged, (_, head: string, who: string) => `${head}${replaced(who, 'by')}`);
}
