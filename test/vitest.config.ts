import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/forgetting.ts'],
    globalSetup: ['test/controlplane/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Every file that needs a control plane uses the same one; more than two at once only wait for each other.
    maxWorkers: 2,
  },
});
