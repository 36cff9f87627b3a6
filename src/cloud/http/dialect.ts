/** Translates between neutral words and those of one endpoint (README: facts 8). */
export interface Dialect {
  readonly word: string;
  /** A path below the versioned base, with its query, as the service spells it. */
  path(neutral: string): string;
  /** A request body or a filter. */
  request(neutral: unknown): unknown;
  answer(service: unknown): unknown;
  /** The id of an image or a kernel, in whichever words it is written. */
  id(either: string): string;
  /** The field of an error item, for example `devices.vms[0]`. */
  field(service: string): string;
  /** A scope header. */
  scopes(service: string): readonly string[];
}

/** Property names and filter keys that hold the word. */
const propertyNames = ['vm', 'vms', 'vm_id', 'vm_label', 'add_vms', 'from_vm'];
/** Entity types that hold the word. */
const entityTypes = ['vm', 'vm_config'];
/** Subtrees whose keys and values are the user's or the provider's prose. */
const opaque = new Set(['stackscript_data', 'details', 'tags', 'label', 'message', 'filesystem_path', 'user_defined_fields']);

type Translate = (value: string) => string;
/** One direction: `from` is the word that is read, `to` the one that is written. */
interface Direction {
  readonly from: string;
  readonly to: string;
}

const swapTokens = (name: string, { from, to }: Direction): string =>
  name
    .split('_')
    .map((token) => (token === from ? to : token === `${from}s` ? `${to}s` : token))
    .join('_');
const tokenMap = (neutral: readonly string[], direction: Direction): ReadonlyMap<string, string> =>
  new Map(
    neutral.map((name) => [swapTokens(name, { from: 'vm', to: direction.from }), swapTokens(name, { from: 'vm', to: direction.to })]),
  );

const prefixed =
  (prefix: string, replacement: string): Translate =>
  (value) =>
    value.startsWith(prefix) ? replacement + value.slice(prefix.length) : value;

/** Values that hold the word, by the property they stand in. Everything else is never touched. */
function valueRules({ from, to }: Direction): Readonly<Record<string, Translate>> {
  const id = prefixed(`${from}/`, `${to}/`);
  const types = tokenMap(entityTypes, { from, to });
  const bill: Translate = (value) => (value === from ? to : prefixed(`${from}_`, `${to}_`)(value));
  return {
    id,
    image: id,
    images: id,
    kernel: id,
    type: (value) => types.get(value) ?? value,
    action: prefixed(`${from}_`, `${to}_`),
    url: (value) => value.replace(/^(\/v4(?:beta)?)(\/.*)$/, (_, version: string, path: string) => version + mapPath(path, { from, to })),
    scopes: (value) => mapScopes(value, { from, to }),
    billing_source: bill,
    service_type: bill,
  };
}

const mapScopes = (value: string, { from, to }: Direction): string =>
  value.replace(/[^\s,]+/g, (scope) => prefixed(`${from}s:`, `${to}s:`)(scope));

/** Where ids of images and kernels stand in paths; they begin with the word and a slash, raw or encoded. */
const idPositions: readonly { readonly before: readonly string[] }[] = [{ before: ['images'] }, { before: ['vm', 'kernels'] }];

function mapPath(path: string, { from, to }: Direction): string {
  const [where = '', ...query] = path.split('?');
  const segments = where.split('/').slice(1);
  const neutralHead = segments.map((segment, index) => (index === 0 && segment === from ? 'vm' : segment));
  const mapped = segments.map((segment, index) => {
    if (index === 0) return segment === from ? to : segment;
    if (index === 1 && segments[0] === 'managed' && segment === `${from}-settings`) return `${to}-settings`;
    const holdsId = idPositions.some(({ before }) => before.length === index && before.every((word, at) => neutralHead[at] === word));
    if (!holdsId) return segment;
    if (segment === from && segments.length > index + 1) return to;
    return segment.replace(new RegExp(`^${from}(?=%2F)`, 'i'), to);
  });
  return [`/${mapped.join('/')}`, ...query].join('?');
}

class Walker {
  readonly #names: ReadonlyMap<string, string>;
  readonly #rules: Readonly<Record<string, Translate>>;

  constructor(direction: Direction) {
    this.#names = tokenMap(propertyNames, direction);
    this.#rules = valueRules(direction);
  }

  /** Dots and indexes separate names: `devices.vms[0]`, `entity.type`. */
  name(dotted: string): string {
    return this.#names.get(dotted) ?? dotted.replace(/[^.[\]]+/g, (part) => this.#names.get(part) ?? part);
  }

  value(value: unknown, key: string, parent: object): unknown {
    if (typeof value === 'string') return this.#text(value, key, parent);
    if (typeof value !== 'object' || value === null || opaque.has(key)) return value;
    if (Array.isArray(value)) return value.map((item) => this.value(item, key, value));
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        this.name(name),
        this.value(inner, name.startsWith('+') ? key : lastPart(name), value),
      ]),
    );
  }

  #text(value: string, key: string, parent: object): string {
    const ofTag = key === 'id' && 'type' in parent && parent.type === 'tag';
    const rule = Object.hasOwn(this.#rules, key) && !ofTag ? this.#rules[key] : undefined;
    return rule === undefined ? value : rule(value);
  }
}

const lastPart = (dotted: string): string => dotted.slice(dotted.lastIndexOf('.') + 1);
const splitScopes = (header: string): readonly string[] => header.split(/[\s,]+/).filter((scope) => scope !== '');

const neutralDialect: Dialect = {
  word: 'vm',
  path: (neutral) => neutral,
  request: (neutral) => neutral,
  answer: (service) => service,
  id: (either) => either,
  field: (service) => service,
  scopes: splitScopes,
};

/** `word` is the setting of the endpoint; for `vm` nothing is translated. */
export function createDialect(word: string): Dialect {
  if (word === 'vm') return neutralDialect;
  const out: Direction = { from: 'vm', to: word };
  const back: Direction = { from: word, to: 'vm' };
  const [outward, inward] = [new Walker(out), new Walker(back)];
  return {
    word,
    path: (neutral) => mapPath(neutral, out),
    request: (neutral) => outward.value(neutral, '', {}),
    answer: (service) => inward.value(service, '', {}),
    id: prefixed(`${word}/`, 'vm/'),
    field: (service) => inward.name(service),
    scopes: (service) => splitScopes(mapScopes(service, back)),
  };
}
