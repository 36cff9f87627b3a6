/** A value that a kind gives out, so that workloads can use it. */
export interface Output<From, Wanted> {
  /** What it is, for the user. */
  readonly says: string;
  /** It goes into Secrets only. */
  readonly secret?: true;
  /** The secret part (see {@link Part.secret}) that it is made of; nothing else sees what that holds. */
  readonly part?: string;
  /**
   * Field of the row in which only the answer to a create tells it; any later row has nothing there, or a mask, of which `of` makes
   * `undefined`. It is kept in the Secret alone, before the remote counts as the object's.
   */
  readonly toldOnce?: keyof From & string;
  /** Spec field without which there is none of it: not everything of the kind is made in the way that tells it. */
  readonly ifSet?: string;
  /** `undefined`: not known now, what was given out stays. `null`: there is none; of what was told once: it is of no more use. */
  readonly of: (remote: From, want: Wanted) => string | null | undefined;
}
/** By name: a letter, then letters, digits, dashes, underscores and periods. */
export type Outputs<From, Wanted> = Readonly<Record<string, Output<From, Wanted>>>;

type Spec = Readonly<Record<string, unknown>>;
interface Given {
  readonly outputs?: Readonly<Record<string, Pick<Output<Spec, never>, 'toldOnce' | 'ifSet'>>>;
}

/** An object of this spec gives it out. */
export const isGiven = ({ ifSet }: Pick<Output<Spec, never>, 'ifSet'>, spec: Spec): boolean =>
  ifSet === undefined || spec[ifSet] !== undefined;

/** Something of it is told by the answer to its create alone. */
export const isToldOnce = ({ outputs = {} }: Given, spec: Spec): boolean =>
  Object.values(outputs).some((output) => output.toldOnce !== undefined && isGiven(output, spec));

/** What a value goes through on its way into a text. */
export const filters = {
  uri: (text: string) => encodeURIComponent(text.toWellFormed()),
  base64: (text: string) => Buffer.from(text).toString('base64'),
  json: (text: string) => JSON.stringify(text),
} as const satisfies Readonly<Record<string, (text: string) => string>>;
type Filter = keyof typeof filters;
const isFilter = (name: string): name is Filter => Object.hasOwn(filters, name);

/** An output in a text; `filter` is what stands behind the colon, whether or not there is such a filter. */
interface Placeholder {
  readonly output: string;
  readonly filter?: string;
}
type Piece = string | Placeholder;

/** The name of one output, or text with names in braces. */
function piecesOf(template: string): readonly Piece[] {
  const parts = template.split(/\{([^{}]*)\}/);
  if (parts.length === 1) return [{ output: template }];
  return parts.map((part, index) => (index % 2 === 0 ? part : placeholder(part)));
}
function placeholder(text: string): Placeholder {
  const [output = '', filter] = text.split(/:(.*)/s);
  return { output, ...(filter !== undefined && { filter }) };
}
const placeholdersIn = (template: string): readonly Placeholder[] => piecesOf(template).filter((piece) => typeof piece !== 'string');

/** The outputs that it names. */
export const namesIn = (template: string): readonly string[] => placeholdersIn(template).map(({ output }) => output);

/** Whether all that it names are among these, through filters that there are. */
export const isTemplate = (template: string, names: ReadonlySet<string>): boolean =>
  placeholdersIn(template).every(({ output, filter }) => names.has(output) && (filter === undefined || isFilter(filter)));

/** The same for CEL: a regular expression in RE2 and without backslashes. A brace that no other one closes is text. */
export function templatePattern(names: readonly string[]): string {
  const named = `(${names.map((name) => name.replaceAll('.', '[.]')).join('|')})`;
  const inBraces = `([{][^{}]*)*[{]${named}(:(${Object.keys(filters).join('|')}))?[}]`;
  return `${named}|[^{]*(${inBraces}[^{]*)+([{][^{}]*)*`;
}

/** Undefined while one of its outputs is not known, null where there is none of it. */
export function rendered(template: string, values: Readonly<Record<string, string | null | undefined>>): string | null | undefined {
  const texts = piecesOf(template).map((piece) => (typeof piece === 'string' ? piece : filtered(piece, values[piece.output])));
  if (texts.includes(undefined)) return undefined;
  return texts.includes(null) ? null : texts.join('');
}
const filtered = ({ filter }: Placeholder, value: string | null | undefined): string | null | undefined =>
  typeof value === 'string' && filter !== undefined && isFilter(filter) ? filters[filter](value) : value;
