/** The corpus test/golden/loops: the control loops of src/loops, each against its effects. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { loopNames } from '../../src/planner/loop-source.ts';
import { filesUnder, textOf } from '../support/repo.ts';
import { golden } from './run-golden.ts';

golden('loops', (source, { tools, inputs = new Map() }) => {
  const text = textOf(`src/loops/${source.trim()}`);
  return checkProgram(text, { tools, inputs: [...inputs.keys()] }, { dialect: 'starlark' });
});

test.each(loopNames)('the loop %s has a file and golden runs', (name) => {
  const runs = filesUnder('test/golden/loops').filter((path) =>
    textOf(path).includes(`=== source\n${name}.star\n`),
  );
  expect(runs.length).toBeGreaterThan(1);
  expect(filesUnder('src/loops')).toContain(`src/loops/${name}.star`);
});

test('each file of src/loops is a loop with a name', () => {
  expect(filesUnder('src/loops')).toEqual(loopNames.map((name) => `src/loops/${name}.star`).sort());
});
