/**
 * Ends a test run with the seed of its samples and `N passed, N failed`, which programs read.
 * A file that could not be loaded and an error outside any test count as failures of their own,
 * so that the count never looks better than the exit code.
 */
import type { Reporter, TestModule } from 'vitest/node';

export function countReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const { passed, failed } = count(modules);
      process.once('exit', () => {
        process.stdout.write(
          `seed of the samples: PLANVM_TEST_SEED=${process.env.PLANVM_TEST_SEED}\n`,
        );
        process.stdout.write(`${passed} passed, ${failed + unhandledErrors.length} failed\n`);
      });
    },
  };
}

function count(modules: readonly TestModule[]): { passed: number; failed: number } {
  let passed = 0;
  let failed = 0;
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') passed += 1;
      if (state === 'failed') failed += 1;
    }
    failed += module.errors().length;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
  }
  return { passed, failed };
}
