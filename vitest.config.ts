/**
 * How the tests run: in forked processes, with a one-line count as the last line of the output.
 * With PLANVM_TEST_REPLAY in the environment, the tests of engine, golden and simulator run a second
 * time with every machine and every run replayed (`src/engine/always-replay.ts`); the longest of
 * them run only so. With PLANVM_TEST_DEEP, exhaustive families are not sampled, and planner and plans
 * are replayed, too.
 */
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { isNewer } from './scripts/is-newer.ts';
import { countReporter } from './test/support/count-reporter.ts';
import { leadingTo } from './test/support/leading-to.ts';
import { root } from './test/support/repo.ts';

const filesIn = (...folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** These mock a module, or set up what a process has once: no file may come before them. */
const apart = ['agent/course', 'cli/telemetry', 'cli/playbook/debugger'].map(
  (name) => `test/${name}.test.ts`,
);
/** All others change nothing of their process, so one process runs many of them. */
const together = globSync('test/**/*.test.ts', { cwd: root, exclude: apart });

const isDeep = process.env.PLANVM_TEST_DEEP === '1';

// One seed for every process: `test/support/depth.ts` draws its samples by it.
const isSeedChosen = process.env.PLANVM_TEST_SEED !== undefined;
process.env.PLANVM_TEST_SEED ??= String(Math.floor(Math.random() * 1e9));
process.env.PLANVM_TEST_SEED_CHOSEN = isSeedChosen ? '1' : '0';

// What Node has compiled is kept for the next process.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'planvm-test-compile-cache');

// For scripts that import planvm (`test/support/self-import.ts`).
process.env.PLANVM_TEST_BUILT = isNewer(root) ? '1' : '0';

const project = (
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration => ({ extends: true, test: { name, ...test } });

const plain = (without: readonly string[]): TestProjectInlineConfiguration[] => [
  project('shared', { include: together, exclude: [...without], isolate: false }),
  project('apart', { include: apart }),
];

/** Machines and runs are the same with the mode, and do the same; another one goes beside each. */
const once = [
  ...filesIn('simulator'),
  ...['engine/checkpoint', 'engine/fork-property', 'golden/resume-histories'].map(
    (name) => `test/${name}.test.ts`,
  ),
];

/** Elsewhere the mode finds nothing to do; a journal by itself runs no machine. */
const modes = ['src/engine/always-replay.ts', 'test/support/cli.ts'];
const perhaps = filesIn('engine', 'golden', 'simulator', ...(isDeep ? ['planner', 'plans'] : []));
const journals = ['sqlite/journal', 'sqlite/processes', 'sqlite/size', 'memory/journal'].map(
  (name) => `test/engine/${name}.test.ts`,
);
const driving = leadingTo(modes, globSync(perhaps, { cwd: root, exclude: journals }));
const replayed = project('replayed', {
  ...{ include: driving, isolate: false },
  env: { PLANVM_ALWAYS_REPLAY: '1' },
});

export default defineConfig({
  test: {
    projects: process.env.PLANVM_TEST_REPLAY ? [...plain(once), replayed] : plain([]),
    pool: 'forks',
    // Node imports the sources itself: code that Vite has transformed runs slower.
    experimental: { viteModuleRunner: false },
    // One more than cores of CI: tests that wait for a process they started leave a core idle.
    maxWorkers: 3,
    // A hanging test is for CI's own limit: a busy machine must not fail one that only is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    reporters: ['default', countReporter()],
  },
});
