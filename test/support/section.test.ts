import { expect, it } from 'vitest';
import { withSection } from './section.ts';

const section = { about: 'numbers', command: 'npm run x' };

it('goes where its marks are, again and again', () => {
  const text = 'a\n<!-- numbers, written by npm run x -->\nold\n<!-- end of numbers -->\nb';
  const once = withSection(text, section, 'new');
  expect(once).toContain('\nnew\n');
  expect(once).not.toContain('old');
  expect(withSection(once, section, 'new')).toBe(once);
  expect(() => withSection('no marks', section, 'new')).toThrow('no place');
});
