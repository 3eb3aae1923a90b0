/**
 * How the tests run: in forked processes, with a one-line count as the last line of the output.
 * With PLANVM_TEST_REPLAY in the environment, the tests that drive runs within their process are
 * there a second time, with every machine and every run replayed (`src/engine/always-replay.ts`).
 */
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { countReporter } from './test/support/count-reporter.ts';

const filesIn = (...folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** These touch nothing of their process, so that one takes file after file. */
const pure = filesIn('dialects', 'golden', 'machine', 'planner', 'program', 'starlark', 'tidy');

const project = (
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration => ({ extends: true, test: { name, ...test } });

const plain = [
  project('shared', { include: pure, isolate: false }),
  project('own', { include: ['test/**/*.test.ts'], exclude: pure }),
];

const env = { PLANVM_ALWAYS_REPLAY: '1' };
const driving = [...filesIn('engine', 'examples', 'plans', 'simulator'), 'test/index.test.ts'];
const replayed = [
  project('shared, replayed', { include: filesIn('golden', 'planner'), isolate: false, env }),
  project('own, replayed', { include: driving, env }),
];

export default defineConfig({
  test: {
    projects: process.env.PLANVM_TEST_REPLAY ? [...plain, ...replayed] : plain,
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
