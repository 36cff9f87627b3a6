import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kinds } from '../src/generated/kinds.ts';
import { type AnyKind, asConnection, placesOf } from '../src/resource/index.ts';
import { functionsOf } from './architecture/functions.ts';
import { cyclesOf, importsOf, loadedWith, type Import } from './architecture/import-graph.ts';
import { codeOf, withoutComments } from './architecture/source-text.ts';
import { files, typescript } from './architecture/tree.ts';
import { holds, suites } from './runner/suites.ts';

interface Rule {
  /** Files that begin so; the longest that fits counts. */
  readonly at: string;
  /** Files of ours that it may import, by their beginnings, besides those of its own folder. */
  readonly may: readonly string[];
  /** Likewise, but types only. */
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
  readonly why: string;
}

const ports = ['src/engine/ports/'];
const everything = ['src/', 'test/', 'package.json'];

/** THE table: who may know whom. */
const rules: readonly Rule[] = [
  { at: 'src/lib/', may: [], why: 'one concept per file, no domain word' },
  { at: 'src/telemetry/', may: ['src/lib/'], packages: ['pino', 'prom-client'], why: 'told what happens; knows nobody' },
  { at: 'src/resource/', may: [], packages: ['zod'], why: 'the vocabulary in which kinds are written' },
  {
    at: 'src/kinds/',
    may: ['src/resource/', 'src/lib/quoted.ts'],
    packages: ['zod', 'tldts-icann'],
    why: 'data and pure functions; never another kind',
  },
  { at: 'src/generated/', may: ['src/kinds/', 'src/resource/'], why: 'the list of kinds' },
  {
    at: 'src/engine/',
    may: ['src/resource/', 'src/lib/'],
    types: ['src/telemetry/'],
    packages: ['zod'],
    why: 'no I/O of its own, no kind by name',
  },
  { at: 'src/cloud/', may: ['src/resource/', 'src/lib/', ...ports], types: ['src/telemetry/'], packages: ['undici'], why: 'an adapter' },
  {
    at: 'src/kube/',
    may: ['src/resource/', 'src/lib/', ...ports],
    types: ['src/telemetry/'],
    packages: ['undici', '@kubernetes/client-node'],
    why: 'an adapter',
  },
  { at: 'src/generate/', may: ['src/kinds/', 'src/resource/', 'src/lib/'], packages: ['zod', 'yaml'], why: 'what follows from the kinds' },
  { at: 'src/flags.ts', may: ['src/lib/'], why: 'knows no flag in particular' },
  { at: 'src/flag-values.ts', may: ['src/lib/'], why: 'the grammar of values' },
  { at: 'src/flag-list.ts', may: ['src/flags.ts', 'src/flag-values.ts'], why: 'the only list of flags' },
  { at: 'src/config.ts', may: ['src/flag-list.ts', 'src/flags.ts', 'src/flag-values.ts', 'src/lib/'], why: 'every setting' },
  {
    at: 'src/cluster-facts.ts',
    may: ['src/kube/', 'src/engine/', 'src/generate/schema/schema.ts', 'src/generated/', 'src/lib/', 'src/resource/'],
    types: ['src/telemetry/'],
    why: 'what must be known of the cluster before anything is done in it',
  },
  {
    at: 'src/operator.ts',
    may: [
      'src/cluster-facts.ts',
      'src/config.ts',
      'src/flag-values.ts',
      'src/cloud/',
      'src/kube/',
      'src/engine/',
      'src/generated/',
      'src/lib/',
      'src/resource/',
    ],
    types: ['src/telemetry/'],
    packages: ['undici'],
    why: 'adapters and engine put together, for the process and for tests in one process',
  },
  {
    at: 'src/plugin/',
    may: [
      'src/engine/model/',
      'src/engine/ports/',
      'src/engine/guard/release-code.ts',
      'src/engine/plan/operation-notes.ts',
      'src/flag-values.ts',
      'src/generate/chart/argocd.ts',
      'src/generate/chart/argocd-actions.ts',
      'src/generate/names.ts',
      'src/generate/reference/reasons.ts',
      'src/generate/reference/reference.ts',
      'src/generate/reference/reference-fields.ts',
      'src/generate/reference/states.ts',
      'src/generate/schema/schema.ts',
      'src/generate/schema/structural-schema.ts',
      'src/generated/',
      'src/kinds/for-plugin/',
      'src/kinds/terraform/',
      'src/kube/',
      'src/lib/',
      'src/resource/',
      'package.json',
    ],
    types: ['src/telemetry/'],
    packages: ['zod', 'commander', '@bomb.sh/tab', '@clack/prompts', 'cli-table3', 'modern-tar', 'yaml', '@marcbachmann/cel-js'],
    why: 'another program: says what the engine says; acts by annotations, and in the account as the person',
  },
  {
    at: 'src/plugin/dry/',
    may: [
      'src/cloud/index.ts',
      'src/engine/',
      'src/flag-values.ts',
      'src/generated/',
      'src/kinds/for-plugin/leaves.ts',
      'src/lib/',
      'src/plugin/exit.ts',
      'src/plugin/host.ts',
      'src/resource/',
    ],
    types: ['src/telemetry/'],
    why: 'the engine itself, behind ports that let nothing but reads pass',
  },
  {
    at: 'src/generate/main.ts',
    may: ['src/generate/', 'src/resource/', 'src/plugin/command-line/reference.ts'],
    packages: ['yaml'],
    why: 'writes what follows from the kinds and from the table of verbs',
  },
  {
    at: 'src/release/',
    may: ['src/generate/yaml.ts', 'package.json'],
    packages: ['esbuild', 'modern-tar', 'yaml'],
    why: 'builds both programs and packs what is released; knows no kind and is in neither',
  },
  { at: 'src/commands/', may: ['src/', 'package.json'], why: 'what the program can be told to do' },
  { at: 'src/main.ts', may: ['src/'], why: 'the composition root' },
  {
    at: 'test/emulator/',
    may: [],
    packages: ['vitest', 'undici', 'fast-check', 'esbuild'],
    why: 'an independent reading of the documents: nothing of src',
  },
  { at: 'test/', may: everything, packages: ['*'], why: 'tests may look everywhere' },
];

/** Folders of the adapters, from top to bottom: each may import only from those below it. */
const adapters: readonly (readonly [at: string, folders: readonly string[], outside: readonly string[]])[] = [
  ['src/cloud/', ['transfer', 'connect', 'sync', 'cache', 'events', 'requests', 'http'], []],
  ['src/kube/', ['watch', 'definitions', 'events', 'data', 'leases', 'http'], ['api-group.ts', 'installation.ts']],
];
const folderOf = (path: string): string => path.split('/')[2] ?? '';

/** Folders that stay small enough to be read. */
const small = {
  at: ['src/cloud/', 'src/engine/', 'src/generate/', 'src/kube/', 'src/plugin/', 'src/release/', 'src/resource/'],
  files: 14,
};

/**
 * The engine from top to bottom: what each folder may use of those below it. Unsaid: context, model and ports, where they
 * stand below. {@link ground}
 */
const floors: readonly (readonly [floor: string, may: string])[] = [
  ['engine.ts', 'controller account resolve memory outputs'],
  ['controller', 'account reconcile operate change guard identity outputs status'],
  ['account', 'reconcile change guard identity memory status'],
  ['reconcile', 'operate create update delete transfer change identity guard resolve observe plan status'],
  ['operate', 'change identity guard resolve observe plan'],
  ['create', 'transfer change identity guard resolve observe'],
  ['update', 'change identity guard resolve observe plan'],
  ['delete', 'change identity guard resolve observe plan'],
  ['transfer', 'change guard observe outputs'],
  ['change', 'identity guard resolve observe plan outputs status'],
  ['identity', 'guard resolve memory plan'],
  ['guard', 'memory'],
  ['resolve', 'memory'],
  ['observe', 'plan'],
  ['context.ts', 'memory outputs'],
  ['memory', ''],
  ['outputs', ''],
  ['plan', ''],
  ['status', ''],
  ['model', ''],
  ['ports', ''],
];
/** What every floor above may use. */
const ground = ['context.ts', 'model', 'ports'];

/** Where the world outside is touched, and why. */
const globals: readonly { readonly name: string; readonly pattern: RegExp; readonly only: readonly string[] }[] = [
  { name: 'the wall clock', pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/, only: ['src/lib/clock.ts'] },
  { name: 'timers', pattern: /\bset(?:Timeout|Interval|Immediate)\b/, only: ['src/lib/clock.ts', 'src/lib/breathe.ts'] },
  { name: 'chance', pattern: /\bMath\.random\b/, only: ['src/lib/random.ts'] },
  {
    name: 'the environment',
    pattern: /\bprocess\.env\b|\{[^}]*\benv\b[^}]*\} = process\b/,
    only: ['src/main.ts', 'src/plugin/main.ts', 'src/release/main.ts'],
  },
  { name: 'the console', pattern: /\bconsole\./, only: [] },
];

/** Who changes something outside of this process; the context is made where the account is known. */
const writers: readonly { readonly what: string; readonly pattern: RegExp; readonly also: readonly string[] }[] = [
  {
    what: 'uses the effects of a context',
    pattern: /\.effects\b|\beffects\.(?:permit|fetch|patch|secrets|configMaps|leads)\b|\beffects[:,](?! type)/,
    also: ['src/engine/account/connecting-context.ts', 'src/engine/controller/dispatch.ts'],
  },
  { what: 'writes objects', pattern: /\.patch\(/, also: ['src/engine/status/status-writer.ts'] },
  {
    what: 'writes Secrets and ConfigMaps',
    pattern: /\b(?:secrets|configMaps|dataObjects)\.(?:create|update|remove)\(/,
    also: ['src/engine/account/account-token.ts'],
  },
];
/** What a folder that only reads may ask for: `wider` is more than that. */
const rings: readonly { readonly folder: string; readonly ring: string; readonly wider: RegExp }[] = [
  { folder: 'observe', ring: 'AccountContext', wider: /\b(?:Cluster|Reconcile|Collection|Connecting)Context\b|\bEngine\b/ },
  { folder: 'identity', ring: 'ClusterContext', wider: /\b(?:Reconcile|Collection|Connecting)Context\b|\bEngine\b/ },
  { folder: 'resolve', ring: 'ClusterContext', wider: /\b(?:Reconcile|Collection|Connecting)Context\b|\bEngine\b/ },
  { folder: 'identity', ring: 'ClusterContext', wider: /\b(?:Reconcile|Collection|Connecting)Context\b|\bEngine\b/ },
  { folder: 'guard', ring: 'ClusterContext', wider: /\b(?:Reconcile|Collection|Connecting)Context\b|\bEngine\b/ },
];

/** What a table by mode, total or not at all, says better. */
const byMode = [
  {
    what: 'its mode',
    pattern: /\bmode [!=]== '(?:collection|singleton|connection|issued|operation)'/,
    instead: 'byMode and tables of every mode',
  },
  { what: 'the type of its path', pattern: /typeof (?:\w+\.)*kind\.path/, instead: 'its parent, or resource/remote.ts' },
];
/** In src/cloud: the words and path segments of the API itself. */
const speaksOfPaths = ['src/cloud/http/dialect.ts', 'src/cloud/http/path-template.ts'];
/** What only the file of a kind may say: where it is, and what its events are called. */
const factsOf = (kind: AnyKind): readonly string[] =>
  [
    ...placesOf(kind),
    ...Object.keys(kind.windows ?? {}).map((route) => route.split(' ')[1] ?? ''),
    ...Object.values(kind.fields).flatMap(({ catalogue }) => catalogue?.path ?? []),
    ...kind.events.flatMap(({ actions, creates = [], deletes = [], finishesLater = [] }) => [
      ...actions,
      ...creates,
      ...deletes,
      ...finishesLater,
    ]),
  ].filter((fact) => fact !== '');

const budgets = { file: 250, function: 40 };
/** Folders whose code is held to the budgets; tests themselves are tables and stories, and may be longer. */
const budgeted = [
  'src/',
  'test/emulator/',
  'test/chaos/',
  'test/apiserver/',
  'test/controlplane/',
  'test/demo/',
  'test/runner/',
  'test/architecture/',
];

const sources = typescript('src/', 'test/');
const imports: ReadonlyMap<string, readonly Import[]> = new Map(sources.map(([file, text]) => [file, importsOf(file, text)]));
const below = (starts: readonly string[], path: string): boolean => starts.some((start) => path.startsWith(start));
const nothing: Rule = { at: '(no rule)', may: [], why: '' };
const ruleOf = (file: string): Rule =>
  rules.filter(({ at }) => file.startsWith(at)).toSorted((a, b) => b.at.length - a.at.length)[0] ?? nothing;

/** Folders that may use nothing of Node.js but its hashes: they do no I/O. */
const pure = ['src/engine/', 'src/kinds/', 'src/resource/'];

/** Of Node's own modules those that only compute. */
const pureOfNode = ['node:crypto', 'node:util'];
function breaks(file: string, { target, own, typeOnly }: Import): boolean {
  const { at, may, types, packages } = ruleOf(file);
  if (target.startsWith('node:')) return pure.includes(at) && !pureOfNode.includes(target);
  if (!own) return !['*', target].some((name) => packages?.includes(name));
  return !below([at, ...may, ...((typeOnly && types) || [])], target);
}

describe('imports', () => {
  it.each(rules)('$at: $why', (rule) => {
    const mine = [...imports].filter(([file]) => ruleOf(file) === rule);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.flatMap(([file, all]) => all.filter((one) => breaks(file, one)).map(({ target }) => `${file} imports ${target}`))).toEqual(
      [],
    );
  });
  it('every file of src has its rule', () => expect(typescript('src/').filter(([file]) => ruleOf(file) === nothing)).toEqual([]));
  it('lead to files that exist', () => {
    const lost = [...imports].flatMap(([file, all]) =>
      all.filter(({ own, target }) => own && !files.has(target)).map(({ target }) => `${file}: ${target}`),
    );
    expect(lost).toEqual([]);
  });
  it('never go round in a circle, types included', () => expect(cyclesOf(imports)).toEqual([]));
  it.each(adapters)('of %s lead from a folder only to folders below it', (at, folders, outside) => {
    const depth = (path: string): number => folders.indexOf(folderOf(path));
    const mine = [...imports].filter(([file]) => file.startsWith(at) && ![...outside, 'index.ts'].includes(folderOf(file)));
    expect(mine.filter(([file]) => depth(file) === -1).map(([file]) => file)).toEqual([]);
    const upwards = mine.flatMap(([file, all]) =>
      all
        .filter(({ target }) => target.startsWith(at) && !outside.includes(folderOf(target)) && depth(target) < depth(file))
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(upwards).toEqual([]);
  });
  it('of the operator never lead to the plugin, so that its bundle does not grow by it', () => {
    const writes = 'src/generate/main.ts';
    const others = [...imports].filter(([file]) => file.startsWith('src/') && !file.startsWith('src/plugin/') && file !== writes);
    const found = others.flatMap(([file, all]) => all.filter(({ target }) => target.startsWith('src/plugin/')).map(() => file));
    expect(found).toEqual([]);
    expect([...imports].filter(([, all]) => all.some(({ target }) => target === writes))).toEqual([]);
  });
  it('of what writes the generated files load none of them, so that a kind can be added, renamed and removed', () => {
    const loaded = [...loadedWith('src/generate/main.ts', imports)];
    expect(loaded.length).toBeGreaterThan(50);
    expect(loaded.filter((file) => file.startsWith('src/generated/'))).toEqual([]);
  });
  it('of the plugin load no kind, no schema and no client before a verb needs them: most of a start would be that', () => {
    const loaded = [...loadedWith('src/plugin/process.ts', imports)];
    expect(loaded.length).toBeGreaterThan(30);
    expect(loaded.filter((file) => /^src\/(generated|kinds\/cloud-|cloud|kube|engine\/(?!ports|model)|resource)\b/.test(file))).toEqual([]);
    const packages = loaded
      .flatMap((file) => imports.get(file) ?? [])
      .filter(({ own, typeOnly, lazy }) => !own && !typeOnly && lazy !== true);
    const names = new Set(packages.map(({ target }) => target).filter((target) => !target.startsWith('node:')));
    expect([...names]).toEqual(['commander']);
  });
  it('of a kind never lead to another kind', () => {
    const kinds = [...imports].filter(([file]) => file.startsWith('src/kinds/cloud-'));
    const others = kinds.flatMap(([file, all]) =>
      all.filter(({ target }) => target.startsWith('src/kinds/cloud-')).map(({ target }) => `${file}: ${target}`),
    );
    expect(others).toEqual([]);
  });
});

const order = floors.map(([floor]) => floor);
const floorOf = (file: string): string => /^src\/engine\/([^/]+)/.exec(file)?.[1] ?? '';
const belowOf = ([, may]: (typeof floors)[number]): readonly string[] => (may === '' ? [] : may.split(' '));
const arrowsFrom = (floor: string): readonly { readonly to: string; readonly says: string }[] =>
  [...imports]
    .filter(([file]) => file.startsWith('src/engine/') && floorOf(file) === floor)
    .flatMap(([file, all]) => all.map(({ target }) => ({ to: floorOf(target), says: `${file} imports ${target}` })))
    .filter(({ to }) => to !== '' && to !== floor);
const leadsDown = (floor: string, to: string): boolean => order.indexOf(to) > order.indexOf(floor);

describe('the engine', () => {
  it('has no file beside its floors', () => {
    const mine = [...files.keys()].filter((file) => file.startsWith('src/engine/') && file.endsWith('.ts'));
    expect(mine.filter((file) => !order.includes(floorOf(file)))).toEqual([]);
  });
  it.each(floors)('%s uses only what is below it: %s', (...row) => {
    const [floor] = row;
    const may = [...belowOf(row), ...ground];
    expect(arrowsFrom(floor).filter(({ to }) => !may.includes(to) || !leadsDown(floor, to))).toEqual([]);
  });
  it.each(floors)('%s uses all that it may: %s', (...row) => {
    const [floor] = row;
    const used = new Set(arrowsFrom(floor).map(({ to }) => to));
    expect(belowOf(row).filter((to) => !used.has(to) || !leadsDown(floor, to))).toEqual([]);
  });
});

describe('budgets', () => {
  const held = sources.filter(([file]) => below(budgeted, file) && !file.endsWith('.test.ts') && !file.startsWith('src/generated/'));
  it(`files have at most ${budgets.file} lines`, () => {
    const long = held
      .map(([file, text]) => ({ file, lines: text.trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > budgets.file);
    expect(long).toEqual([]);
  });
  it(`functions have at most ${budgets.function} lines`, () => {
    const long = held.flatMap(([file, text]) =>
      functionsOf(text)
        .filter(({ lines }) => lines > budgets.function)
        .map(({ line, lines }) => `${file}:${line}: ${lines} lines`),
    );
    expect(long).toEqual([]);
  });
});

describe('code', () => {
  it('has no any', () => {
    const found = sources.filter(([, text]) => /[:<|&,(]\s*any\b(?!\s*[:(])|\bas any\b/.test(codeOf(text))).map(([file]) => file);
    expect(found).toEqual([]);
  });
  it.each(globals)('touches $name only in $only', ({ pattern, only }) => {
    const found = typescript('src/')
      .filter(([file, text]) => !only.includes(file) && pattern.test(codeOf(text)))
      .map(([file]) => file);
    expect(found).toEqual([]);
    for (const file of only) expect(codeOf(files.get(file) ?? '')).toMatch(pattern);
  });
  it('names no kind outside of src/kinds and what is generated', () => {
    const kinds = names('src/kinds').map((name) => name.replaceAll('-', ''));
    expect(kinds.length).toBeGreaterThan(1);
    // The account is the one kind whose part in the engine the design names; texts may tell people about it.
    const connection = 'cloudaccount';
    // Whatever the case: files do not tell that a name has an acronym, as CloudSSHKey has.
    const named = new RegExp(`\\b(?:${kinds.filter((kind) => kind !== connection).join('|')})\\b|['"\`]${connection}['"\`]`, 'i');
    const found = typescript('src/').filter(([file, text]) => !/^src\/(kinds|generated)\//.test(file) && named.test(withoutComments(text)));
    expect(found.map(([file]) => file)).toEqual([]);
  });
  it.each(byMode)('asks no kind for $what: $instead', ({ pattern }) => {
    const found = typescript('src/').filter(([, text]) => pattern.test(withoutComments(text)));
    expect(found.map(([file]) => file)).toEqual([]);
  });
  it('of src/cloud knows neither the paths nor the actions of a kind', () => {
    const facts = kinds.filter((kind) => asConnection(kind) === undefined).flatMap((kind) => [...factsOf(kind)]);
    expect(facts.length).toBeGreaterThan(kinds.length);
    const found = typescript('src/cloud/').flatMap(([file, text]) =>
      speaksOfPaths.includes(file)
        ? []
        : facts.filter((fact) => withoutComments(text).includes(`'${fact}`)).map((fact) => `${file}: ${fact}`),
    );
    expect(found).toEqual([]);
  });
  it('of the engine deletes a remote by the delete plan alone, and sends changes from its folder alone', () => {
    const engine = typescript('src/engine/');
    const having = (pattern: RegExp): readonly string[] =>
      engine.filter(([, text]) => pattern.test(withoutComments(text))).map(([file]) => file);
    expect(having(/\bdel\(|'DELETE'/)).toEqual(['src/engine/plan/plan-delete.ts']);
    expect(having(/\bplanDelete\(/)).toEqual(['src/engine/change/remove-remote.ts', 'src/engine/plan/plan-delete.ts']);
    expect(having(/\.permit\(/).filter((file) => !file.startsWith('src/engine/change/'))).toEqual([]);
  });
  it.each(writers)('of the engine $what in its folder for changes alone, and in $also', ({ pattern, also }) => {
    const found = typescript('src/engine/').filter(
      ([file, text]) => file !== 'src/engine/context.ts' && pattern.test(withoutComments(text)),
    );
    const outside = found.map(([file]) => file).filter((file) => !file.startsWith('src/engine/change/'));
    expect(found.length).toBeGreaterThan(outside.length);
    expect(outside).toEqual(also);
  });
  it('of the engine casts nothing into an account or a connection', () => {
    const cast = /\bas (?:unknown as )?(?:Read)?(?:Account|Connection)\b(?!\[)/;
    expect(cast.test('account: account as Account')).toBe(true);
    expect(typescript('src/engine/').filter(([, text]) => cast.test(withoutComments(text)))).toEqual([]);
  });
  it.each(rings)('of src/engine/$folder asks for no more than $ring', ({ folder, wider }) => {
    const mine = typescript(`src/engine/${folder}/`);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.filter(([, text]) => wider.test(withoutComments(text))).map(([file]) => file)).toEqual([]);
  });
  it('of the engine has no table that is partial, by its type or by a cast of what was found in it', () => {
    const partial = /\bin .*\]\?:|\]\s+as\s+\(/;
    expect(partial.test("type Rows = { readonly [Is in Outcome['is']]?: Row };")).toBe(true);
    expect(partial.test('(rows[outcome.is] as (outcome: Outcome) => Row)(outcome)')).toBe(true);
    const found = typescript('src/engine/').filter(([, text]) => partial.test(withoutComments(text)));
    expect(found.map(([file]) => file)).toEqual([]);
  });
  it('of kinds is neither asynchronous nor aware of time', () => {
    const found = typescript('src/kinds/').filter(([, text]) => /\basync\b|\bawait\b|\bnew Date\b|\bDate\./.test(codeOf(text)));
    expect(found.map(([file]) => file)).toEqual([]);
  });
});

/** Headings of the README that stands above a file. */
const headingsOf = (readme: string): ReadonlySet<string> =>
  new Set([...(files.get(readme) ?? '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading));

const citedIn = (folder: string): readonly { readonly file: string; readonly heading: string }[] =>
  typescript(folder).flatMap(([file, text]) =>
    [...text.matchAll(/README: ([\w, ]+)/g)].flatMap(([, all = '']) => all.split(', ').map((heading) => ({ file, heading }))),
  );

/** Pages of this repository for those who work on it; what is in a release or made by a build is no file of it. */
const pages = [...files].filter(([file]) => /^(?:(?:src|test)\/.*)?(?:README|SECURITY)\.md$/.test(file));
const elsewhere = [
  'src/release/README.md: krew/cloud.yaml',
  'src/release/README.md: CHANGELOG.md',
  'src/release/README.md: api-changes.md',
];
const made = /^dist\/|cloud-thing[.]ts$/;
const written = [...files.keys()];
const exists = (path: string): boolean => files.has(path) || written.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));

/** What a page links to, and what it writes as a path or as the name of a file: where that may be. */
function citedBy(page: string, text: string): readonly { readonly page: string; readonly says: string; readonly at: readonly string[] }[] {
  const here = (says: string): string => normalize(join(dirname(page), says));
  const links = [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].flatMap(([, says = '']) =>
    /^https?:/.test(says) ? [] : [{ page, says, at: [here(says)] }],
  );
  const paths = [
    ...text.replaceAll(/```[^]*?```/g, '').matchAll(/`([\w./-]+\.(?:ts|md|tsv)|(?:src|test|deploy|charts|crds|plugin)\/[\w./-]+)`/g),
  ];
  const named = paths.map(([, says = '']) => ({
    page,
    says,
    at: [says, here(says), ...written.filter((file) => file.endsWith(`/${says}`))],
  }));
  return [...links, ...named].filter(({ says }) => !made.test(says) && !elsewhere.includes(`${page}: ${says}`));
}

describe('citations', () => {
  it('name nothing that is not in the repository', () => {
    // What the emulator reads, and says so.
    const exempt = ['test/emulator/', 'test/architecture.test.ts'];
    const foreign = /\b(?:[dD]esign|[rR]ealities|[dD]ocuments?) \d|\bnotes\/[a-z]/;
    const mine = [...files].filter(([file]) => /^(?:src|test)\//.test(file) && !below(exempt, file));
    expect(mine.filter(([, text]) => foreign.test(text)).map(([file]) => file)).toEqual([]);
  });
  it('of src/engine are headings of its README', () => {
    const headings = headingsOf('src/engine/README.md');
    const cited = citedIn('src/engine/');
    expect(cited.length).toBeGreaterThan(20);
    expect(cited.filter(({ heading }) => !headings.has(heading))).toEqual([]);
  });
  it('of src/cloud are headings of its README, or facts by their number', () => {
    const headings = headingsOf('src/cloud/README.md');
    const facts = [...(files.get('src/cloud/README.md') ?? '').matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
    const isThere = (heading: string): boolean => {
      const [, first, last = first] = /^facts (\d+)(?: to (\d+))?$/.exec(heading) ?? [];
      return headings.has(heading) || [first, last].every((number) => facts.includes(number));
    };
    const cited = citedIn('src/cloud/');
    expect(cited.length).toBeGreaterThan(10);
    expect(cited.filter(({ heading }) => !isThere(heading))).toEqual([]);
  });
  it('of pages are files that exist', () => {
    const cited = pages.flatMap(([page, text]) => citedBy(page, text));
    expect(cited.length).toBeGreaterThan(200);
    expect(cited.filter(({ at }) => !at.some(exists)).map(({ page, says }) => `${page}: ${says}`)).toEqual([]);
  });
  it('of pages are names that the file has that is linked beside them', () => {
    const told = pages.flatMap(([page, text]) =>
      [...text.matchAll(/((?:`\w+`(?:, | and )?)+) in \[[^\]]*\]\(([^)#\s]+[.]ts)\)/g)].flatMap(([, words = '', file = '']) =>
        [...words.matchAll(/\w+/g)].flatMap(([word]) =>
          word === 'and' ? [] : [{ page, word, file: normalize(join(dirname(page), file)) }],
        ),
      ),
    );
    expect(told.length).toBeGreaterThan(15);
    const isIn = ({ word, file }: (typeof told)[number]): boolean =>
      new RegExp(`\\b${word}\\b`).test(withoutComments(files.get(file) ?? ''));
    expect(told.filter((one) => !isIn(one))).toEqual([]);
  });
  it('of mutants are headings of that README', () => {
    const headings = headingsOf('src/engine/README.md');
    const promises = typescript('test/chaos/mutants/').flatMap(([, text]) =>
      [...text.matchAll(/promise: '([^']+)'/g)].map(([, one]) => one),
    );
    expect(promises.length).toBeGreaterThan(100);
    expect(promises.filter((one) => !headings.has(one ?? ''))).toEqual([]);
  });
});

describe('files', () => {
  it(`are at most ${small.files} in a folder of ${small.at.join(' and ')}`, () => {
    const held = sources.map(([file]) => file).filter((file) => below(small.at, file));
    const folders = Object.entries(Object.groupBy(held, (file) => file.slice(0, file.lastIndexOf('/'))));
    expect(folders.length).toBeGreaterThan(small.at.length);
    expect(folders.filter(([, all = []]) => all.length > small.files).map(([folder]) => folder)).toEqual([]);
  });
  it('are called after what they hold', () => {
    const bad = sources.filter(([file]) => /\/(utils?|helpers?|types|misc)(\/|\.ts$)/.test(file) || /[A-Z_ ]/.test(file));
    expect(bad.map(([file]) => file)).toEqual([]);
  });
  it('hold no path of a machine', () => {
    const path = /(?<![\w.])\/(?:home|Users|root|work)\/\w/;
    const exempt = ['test/architecture.test.ts', 'test/controlplane/programs/finder.test.ts'];
    expect([...files].filter(([file, text]) => !exempt.includes(file) && path.test(text)).map(([file]) => file)).toEqual([]);
  });
  it('every kind has a fixture, and every fixture a kind', () => {
    expect(names('test/kinds')).toEqual(names('src/kinds'));
  });
  it('with tests belong to exactly one suite of `npm test`', () => {
    const tests = [...files.keys()].filter((file) => file.endsWith('.test.ts'));
    expect(tests.filter((file) => suites.filter((suite) => holds(suite, file)).length !== 1)).toEqual([]);
  });
  it('leave no test out', () => {
    const left = sources.filter(
      ([file, text]) => file.endsWith('.test.ts') && /\b(?:it|test|describe)\.(?:skip|only|todo)\b/.test(codeOf(text)),
    );
    expect(left.map(([file]) => file)).toEqual([]);
  });
});

const names = (folder: string): readonly string[] =>
  [...files.keys()].flatMap((file) => new RegExp(`^${folder}/(cloud-[a-z0-9-]+)\\.ts$`).exec(file)?.[1] ?? []);
