import { dirname, join, normalize } from 'node:path';
import { codeOf, withoutComments } from './source-text.ts';

export interface Import {
  /** Path below the root for a file of ours; the bare name for a package; `node:...` for Node.js. */
  readonly target: string;
  readonly own: boolean;
  readonly typeOnly: boolean;
  /** Loaded when the code comes there: `import('...')`. */
  readonly lazy?: true;
}

const statement = /\b(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;

/** What a file imports or exports from elsewhere, types included. */
export function importsOf(file: string, source: string): readonly Import[] {
  const code = codeOf(source);
  // Texts that hold source code of their own import nothing.
  const real = [...withoutComments(source).matchAll(statement)].filter(({ index }) => /^(?:im|ex)port/.test(code.slice(index, index + 6)));
  return real.map(([, type, from, lazy]) => {
    const target = from ?? lazy ?? '';
    const own = target.startsWith('.');
    return {
      target: own ? normalize(join(dirname(file), target)) : packageOf(target),
      own,
      typeOnly: type !== undefined,
      ...(lazy !== undefined && { lazy: true as const }),
    };
  });
}

/** What is loaded before the first line of a file runs, that file included. */
export function loadedWith(file: string, imports: ReadonlyMap<string, readonly Import[]>): ReadonlySet<string> {
  const loaded = new Set([file]);
  for (const one of loaded) {
    for (const { own, typeOnly, lazy, target } of imports.get(one) ?? []) if (own && !typeOnly && lazy === undefined) loaded.add(target);
  }
  return loaded;
}

const packageOf = (target: string): string =>
  target.startsWith('node:')
    ? target
    : target
        .split('/')
        .slice(0, target.startsWith('@') ? 2 : 1)
        .join('/');

/** Files that lead back to themselves, each cycle once, as a readable chain. */
export function cyclesOf(imports: ReadonlyMap<string, readonly Import[]>): readonly string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at !== -1) cycles.push([...path.slice(at), file].join(' -> '));
    if (at !== -1 || done.has(file)) return;
    path.push(file);
    for (const { own, target } of imports.get(file) ?? []) if (own) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return cycles;
}
