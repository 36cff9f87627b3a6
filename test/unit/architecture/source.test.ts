import { describe, expect, it } from 'vitest';
import { functionsOf } from '../../architecture/functions.ts';
import { cyclesOf, importsOf, loadedWith } from '../../architecture/import-graph.ts';
import { codeOf, withoutComments } from '../../architecture/source-text.ts';

const now = (target: string) => ({ target, own: true, typeOnly: false });
const to = (target: string) => [{ target, own: true, typeOnly: true }];

describe('code without texts', () => {
  it.each([
    ['comments', 'a(); // console.log\n/* any */ b();', 'a();               \n          b();'],
    ['texts', `a('any {', "b }")`, `a('     ', "   ")`],
    ['templates, but not what they compute', '`any ${b({ c })} any`', '`     {b({ c })}    `'],
    ['regular expressions', "x.replace(/any'/g, '')", "x.replace(/    /g, '')"],
  ])('loses %s', (_, source, code) => expect(codeOf(source)).toBe(code));
  it('keeps divisions', () => expect(codeOf('a / b / c')).toBe('a / b / c'));
  it('keeps texts where only comments are to go', () => expect(withoutComments(`a('// no'); // yes`).trimEnd()).toBe(`a('// no');`));
});

describe('functions', () => {
  it.each([
    ['declared', 'function a(b: { c: 1 }): void {\n\n}'],
    ['with a result type', 'async function a(): Promise<readonly string[]> {\n\n}'],
    ['arrows', 'const a = (b) => {\n\n};'],
    ['methods', 'class A {\n  b(c = d()): number {\n\n  }\n}'],
  ])('are found when %s', (_, source) => expect(functionsOf(source).map(({ lines }) => lines)).toContain(3));
  it('are not the branches of others', () => expect(functionsOf('if (a) {\n}\nfor (const b of c) {\n}\nswitch (d) {\n}')).toEqual([]));
});

describe('imports', () => {
  const source = [
    `import type { A } from '../b/a.ts';`,
    `import { z } from 'zod';`,
    `export * from './c.ts';`,
    `const d = await import('./d.ts');`,
    `import fs from 'node:fs';`,
    "const text = `import { x } from './text.ts';`;",
  ].join('\n');
  it('are found in all forms, and not in texts', () =>
    expect(importsOf('src/x/y.ts', source)).toEqual([
      { target: 'src/b/a.ts', own: true, typeOnly: true },
      { target: 'zod', own: false, typeOnly: false },
      { target: 'src/x/c.ts', own: true, typeOnly: false },
      { target: 'src/x/d.ts', own: true, typeOnly: false, lazy: true },
      { target: 'node:fs', own: false, typeOnly: false },
    ]));
  it('of types, and those that wait, load nothing', () => {
    const all = new Map([
      ['a', [now('b'), { ...now('c'), lazy: true as const }, ...to('d')]],
      ['b', [now('e'), now('a'), { ...now('zod'), own: false }]],
    ]);
    expect([...loadedWith('a', all)]).toEqual(['a', 'b', 'e']);
  });
  it('that go round are told as a chain', () => {
    expect(
      cyclesOf(
        new Map([
          ['a', to('b')],
          ['b', to('c')],
          ['c', to('b')],
        ]),
      ),
    ).toEqual(['b -> c -> b']);
  });
});
