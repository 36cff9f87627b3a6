import { describe, expect, it } from 'vitest';
import { failuresIn, namesIn } from '../../runner/failures.ts';

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
const failed = `${red('⎯⎯⎯')} Failed Tests 1 ${red('⎯⎯⎯')}\n\n FAIL  a.test.ts > is one\n${red('AssertionError')}: 1 is not 2\n`;
const outside = '⎯⎯⎯ Unhandled Errors ⎯⎯⎯\n\nError: nobody caught this\n';
const totals = '\n Test Files  1 failed (1)\n      Tests  1 failed\n';

describe('what failed, to be repeated at the end', () => {
  it.each([
    { name: 'a test', text: ` ✓ b.test.ts\n${failed}${totals}`, says: ['FAIL  a.test.ts > is one', 'AssertionError: 1 is not 2'] },
    { name: 'an error outside any test, though all passed', text: `${outside}${totals}`, says: ['nobody caught this'] },
    { name: 'both', text: `${failed}\n${outside}${totals}`, says: ['is one', 'nobody caught this'] },
    { name: 'a test whose story came after the totals', text: `${totals}${failed}`, says: ['1 is not 2'] },
  ])('is found in the output of vitest: $name', ({ text, says }) => {
    const told = failuresIn(text);
    for (const passage of says) expect(told).toContain(passage);
    for (const passage of ['b.test.ts', 'Test Files', '\u001b']) expect(told).not.toContain(passage);
  });

  it('is every case of a campaign that an oracle objected to, with its replay', () => {
    const text = [
      '12 s: 1 cases, 0 violated',
      'VIOLATED  F1/CloudVolume/create',
      '    O1 never twice: 2 volumes',
      "    replay: node test/chaos/main.ts --case 'F1/CloudVolume/create'",
      'SURVIVED  intent-after-the-post (4.3, 9 s): 700 cases saw nothing',
      'planned 2, executed 2',
    ].join('\n');
    expect(failuresIn(text).split('\n')).toEqual(text.split('\n').slice(1, -1));
  });

  it('is named once, test or case', () => {
    const again = failed.replace('a.test.ts > is one', 'a.test.ts > is one (1st retry)');
    expect(namesIn(`${failed}${failed}${again}${totals}`)).toEqual(['a.test.ts > is one', 'a.test.ts > is one (1st retry)']);
    expect(namesIn('VIOLATED  F1/CloudVolume/create\n    O1 never twice\n')).toEqual(['F1/CloudVolume/create']);
  });

  it('is named by a campaign whatever failed it: what was forbidden, what it could not do, and a verdict beside them', () => {
    const text = [
      'FORBIDDEN  get secrets of kube-system',
      'FAILED  test/chaos/COUNTS.md tells other numbers of cases than were planned: node test/chaos/main.ts --counts writes it',
      'VIOLATED  F1/CloudVolume/create',
      '    O1 never twice: 2 volumes',
      '{"planned":3,"executed":3,"skipped":0,"violations":1,"seconds":1}',
    ];
    expect(namesIn(text.join('\n'))).toEqual([
      'get secrets of kube-system',
      'test/chaos/COUNTS.md tells other numbers of cases than were planned: node test/chaos/main.ts --counts writes it',
      'F1/CloudVolume/create',
    ]);
    expect(failuresIn(text.join('\n')).split('\n')).toEqual(text.slice(0, 4));
  });

  it('is named by its last words where nothing else names it, as a broken program or a linter', () => {
    expect(namesIn('a\n\nnode:internal Error: gone\n\n')).toEqual(['names nothing; its last words: node:internal Error: gone']);
    expect(namesIn('')).toEqual(['names nothing, and wrote nothing']);
    // The counts of a campaign say nothing of what failed.
    const told = 'planned 3, executed 3\n{"planned":3,"executed":3,"skipped":0,"violations":0,"seconds":1}\n';
    expect(namesIn(told)).toEqual(['names nothing; its last words: planned 3, executed 3']);
  });

  it('is named also where there is no room for what it said, and the others are counted', () => {
    const many = Array.from({ length: 25 }, (_, index) => failed.replace('is one', `is ${index}`) + 'at somewhere\n'.repeat(20)).join('');
    const names = namesIn(`${many}${totals}`);
    expect([names[0], names[19], names.slice(20)]).toEqual(['a.test.ts > is 0', 'a.test.ts > is 19', ['and 5 more']]);
  });

  it('is its last words where it does not say more', () => {
    const told = failuresIn(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n'));
    expect(told).toContain('line 99');
    expect(told).not.toContain('line 79');
  });

  it('stays short, and says what it left out', () => {
    const told = failuresIn(`${failed}${'more\n'.repeat(500)}${totals}`).split('\n');
    expect(told).toHaveLength(121);
    expect(told.at(-1)).toMatch(/^\(\d+ more lines stand further up\)$/);
  });
});
