// How the tests run: in forked processes, with a one-line count as the last line of the output.
import { defineConfig } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // A hanging test is for CI's own limit: a busy machine must not fail one that only is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    reporters: ['default', countReporter()],
  },
});
