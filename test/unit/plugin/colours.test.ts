import { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { withoutColour } from '../../../src/plugin/terminal/colours.ts';

/** How many bits of colour Node.js gives a terminal in this environment. */
const depth = (env: Record<string, string | undefined>): number => WriteStream.prototype.getColorDepth.call(undefined, env);

it.each([{ TERM: 'xterm-256color' }, { TERM: 'xterm', FORCE_COLOR: '3' }, { TERM: 'xterm', FORCE_COLOR: '1', NO_COLOR: '1' }])(
  'a flag counts for more than %j',
  (given) => {
    const env: Record<string, string | undefined> = { ...given };
    expect(depth(env)).toBeGreaterThan(1);
    withoutColour(env);
    expect(depth(env)).toBe(1);
  },
);
