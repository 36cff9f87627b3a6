import { describe, expect, it } from 'vitest';
import { functionsOf } from './architecture/functions.ts';
import { cyclesOf, importsOf, type Import } from './architecture/import-graph.ts';
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

const ports = ['src/engine/ports.ts', 'src/engine/ports/'];
const everything = ['src/', 'test/', 'package.json'];

/** THE table: who may know whom. */
const rules: readonly Rule[] = [
  { at: 'src/lib/', may: [], why: 'one concept per file, no domain word' },
  { at: 'src/telemetry/', may: ['src/lib/'], packages: ['pino', 'prom-client'], why: 'told what happens; knows nobody' },
  { at: 'src/resource/', may: [], packages: ['zod'], why: 'the vocabulary in which kinds are written' },
  { at: 'src/kinds/', may: ['src/resource/'], packages: ['zod'], why: 'data and pure functions; never another kind' },
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
  { at: 'src/flags.ts', may: [], why: 'knows no flag in particular' },
  { at: 'src/flag-values.ts', may: ['src/lib/'], why: 'the grammar of values' },
  { at: 'src/config.ts', may: ['src/flags.ts', 'src/flag-values.ts', 'src/lib/'], why: 'every setting' },
  {
    at: 'src/cluster-facts.ts',
    may: ['src/kube/', 'src/engine/', 'src/generated/', 'src/lib/', 'src/resource/'],
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

/** Where the world outside is touched, and why. */
const globals: readonly { readonly name: string; readonly pattern: RegExp; readonly only: readonly string[] }[] = [
  { name: 'the wall clock', pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b/, only: ['src/lib/clock.ts'] },
  { name: 'timers', pattern: /\bset(?:Timeout|Interval|Immediate)\b/, only: ['src/lib/clock.ts', 'src/lib/breathe.ts'] },
  { name: 'chance', pattern: /\bMath\.random\b/, only: ['src/lib/random.ts'] },
  { name: 'the environment', pattern: /\bprocess\.env\b|\{[^}]*\benv\b[^}]*\} = process\b/, only: ['src/main.ts'] },
  { name: 'the console', pattern: /\bconsole\./, only: [] },
];

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
  it('of a kind never lead to another kind', () => {
    const kinds = [...imports].filter(([file]) => file.startsWith('src/kinds/cloud-'));
    const others = kinds.flatMap(([file, all]) =>
      all.filter(({ target }) => target.startsWith('src/kinds/cloud-')).map(({ target }) => `${file}: ${target}`),
    );
    expect(others).toEqual([]);
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
  it('of kinds is neither asynchronous nor aware of time', () => {
    const found = typescript('src/kinds/').filter(([, text]) => /\basync\b|\bawait\b|\bnew Date\b|\bDate\./.test(codeOf(text)));
    expect(found.map(([file]) => file)).toEqual([]);
  });
});

describe('files', () => {
  it('are called after what they hold', () => {
    const bad = sources.filter(([file]) => /\/(utils?|helpers?|types|misc)(\/|\.ts$)/.test(file) || /[A-Z_ ]/.test(file));
    expect(bad.map(([file]) => file)).toEqual([]);
  });
  it('hold no path of a machine', () => {
    const path = /(?<![\w.])\/(?:home|Users|root|work)\/\w/;
    const exempt = ['test/architecture.test.ts', 'test/controlplane/finder.test.ts'];
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
