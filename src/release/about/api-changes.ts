/** As much of a JSON schema as a promise to users is made of. */
export interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message?: string }[];
  readonly [keyword: string]: unknown;
}
export interface ApiChange {
  /** Whether what was right before may be refused or do something else now. */
  readonly breaking: boolean;
  readonly text: string;
}

const breaking = (text: string): ApiChange => ({ breaking: true, text });
const harmless = (text: string): ApiChange => ({ breaking: false, text });

/** Keywords that bound a value, and by which sign of the difference they bound it closer. */
const bounds: Readonly<Record<string, number>> = {
  minimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  maximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
};
/** Keywords of which nobody can tell whether a change of them makes the field narrower or wider. */
const plain = ['type', 'format', 'pattern', 'const', 'default', 'additionalProperties', 'x-kubernetes-list-type'];

/** What changed between two schemas, field by field; `at` is the path of the fields. */
export function schemaChanges(before: Schema, after: Schema, at = ''): readonly ApiChange[] {
  const here = at === '' ? [] : [...boundChanges(before, after, at), ...plainChanges(before, after, at), ...enumChanges(before, after, at)];
  const below = Object.entries(childrenOf(before)).flatMap(([step, child]) => {
    const now = childrenOf(after)[step];
    return now === undefined ? [breaking(`\`${at}${step}\` is gone`)] : schemaChanges(child, now, `${at}${step}`);
  });
  const added = Object.keys(childrenOf(after)).filter((step) => !(step in childrenOf(before)));
  return [
    ...here,
    ...ruleChanges(before, after, at),
    ...requiredChanges(before, after, at),
    ...below,
    ...added.map((step) => harmless(`\`${at}${step}\` is new`)),
  ].map(({ text, ...rest }) => ({ ...rest, text: text.replaceAll('`.', '`') }));
}

/** What is below a schema, by the step of the path that leads there. */
const childrenOf = ({ properties = {}, items, additionalProperties }: Schema): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [`.${name}`, schema])),
  ...(items && { '[]': items }),
  ...(typeof additionalProperties === 'object' && { '.*': additionalProperties }),
});

const shown = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

const boundChanges = (before: Schema, after: Schema, at: string): readonly ApiChange[] =>
  Object.entries(bounds).flatMap(([keyword, closer]) => {
    const [was, is] = [before[keyword], after[keyword]];
    if (was === is) return [];
    const text = `\`${at}\`: ${keyword} was ${shown(was)}, is ${shown(is)}`;
    const narrower = is !== undefined && (was === undefined || Math.sign(Number(is) - Number(was)) === closer);
    return [narrower ? breaking(text) : harmless(text)];
  });

const plainChanges = (before: Schema, after: Schema, at: string): readonly ApiChange[] =>
  plain.flatMap((keyword) => {
    const [was, is] = [before[keyword], after[keyword]].map((value) => (typeof value === 'object' ? 'an object' : value));
    if (was === is) return [];
    const text = `\`${at}\`: ${keyword} was ${shown(was)}, is ${shown(is)}`;
    return [is === undefined ? harmless(text) : breaking(text)];
  });

function enumChanges(before: Schema, after: Schema, at: string): readonly ApiChange[] {
  const [was, is] = [before.enum, after.enum];
  if (is === undefined) return was === undefined ? [] : [harmless(`\`${at}\` takes any value`)];
  if (was === undefined) return [breaking(`\`${at}\` takes only ${is.map(shown).join(', ')}`)];
  return [
    ...was.filter((value) => !is.includes(value)).map((value) => breaking(`\`${at}\` does not take ${shown(value)} any more`)),
    ...is.filter((value) => !was.includes(value)).map((value) => harmless(`\`${at}\` takes ${shown(value)} too`)),
  ];
}

function requiredChanges(before: Schema, after: Schema, at: string): readonly ApiChange[] {
  const [was, is] = [before.required ?? [], after.required ?? []];
  return [
    ...is.filter((name) => !was.includes(name)).map((name) => breaking(`\`${at}.${name}\` is required`)),
    ...was.filter((name) => !is.includes(name) && after.properties?.[name]).map((name) => harmless(`\`${at}.${name}\` may be left out`)),
  ];
}

function ruleChanges(before: Schema, after: Schema, at: string): readonly ApiChange[] {
  const [was = [], is = []] = [before['x-kubernetes-validations'], after['x-kubernetes-validations']];
  const missingIn = (rules: typeof was, others: typeof was) => rules.filter(({ rule }) => !others.some((other) => other.rule === rule));
  const where = at === '' ? 'the object' : `\`${at}\``;
  return [
    ...missingIn(is, was).map(({ rule, message }) => breaking(`${where} is held to a new rule: ${message ?? rule}`)),
    ...missingIn(was, is).map(({ rule, message }) => harmless(`${where} is no longer held to the rule: ${message ?? rule}`)),
  ];
}
