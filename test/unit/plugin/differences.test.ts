import { expect, it } from 'vitest';
import { withoutDifferences } from '../../../src/plugin/bundle/differences.ts';

const replaced = (_value: string, field: string): string => `<${field}>`;

it.each(['colleague', '"somebody else (x) y"'])('who made a difference is left out, as in %s', (who) => {
  const message = `spec.label: the account has a, wanted b; likely changed by ${who} (vm_update)`;
  const without = 'spec.label: the account has <label>, wanted <label>; likely changed by <by> (vm_update)';
  expect(withoutDifferences(message, 'message', replaced)).toBe(without);
  const line = `{"message":${JSON.stringify(message)},"n":1}`;
  expect(withoutDifferences(line, 'log', replaced)).toBe(`{"message":"${without}","n":1}`);
});
