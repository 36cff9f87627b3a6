import { defineConfig } from 'vitest/config';
import { LongestFirst } from './runner/order.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/world/forgetting.ts'],
    globalSetup: ['test/controlplane/global-setup.ts'],
    // Nets under what hangs, and no measure: machines may have several times the work that they can do.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // For what computes; suites that mostly wait have more (runner/suites.ts).
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
