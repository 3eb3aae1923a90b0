/**
 * How many modules a start loads from the sources, counted and not timed: in a clone, whoever waits
 * for a command waits for each of them.
 */
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { modulesOfCommand, modulesOfLibrary } from '../../scripts/loaded-modules.ts';
import { Folder } from '../support/cli.ts';

const plan = [
  { seq_no: 0, type: 'assign', parameters: { value: 42, var_name: 'number' } },
  { seq_no: 1, type: 'assign', parameters: { value: 'half of {{number}}', var_name: 'text' } },
  { seq_no: 2, type: 'assign', parameters: { value: { var: 'text' }, var_name: 'final_answer' } },
];

test('a run of a short plan loads what it uses', () => {
  using folder = new Folder({ 'plan.json': plan });
  const modules = modulesOfCommand(['run', 'plan.json'], folder.path);
  const loaded = (part: string): string[] => modules.filter((url) => url.includes(part));
  expect(loaded('/src/machine/run.ts')).toHaveLength(1);
  expect(loaded('/src/engine/journal/sqlite/')).not.toEqual([]);
  expect(modules.length).toBeLessThanOrEqual(350);
  // Of eight dialects one is read.
  expect(loaded('/src/dialects/stackvm/')).not.toEqual([]);
  expect(loaded('/src/dialects/starlark/')).toEqual([]);
  // What tells them from other texts, and the names of their settings.
  const ofPlaybooks = loaded('/src/dialects/playbook/').map((url) => basename(url));
  expect(ofPlaybooks.toSorted()).toEqual(['detect.ts', 'manner.ts']);
});

test('whoever imports the library loads what it takes to open an agent', () => {
  const modules = modulesOfLibrary();
  const loaded = (part: string): string[] => modules.filter((url) => url.includes(part));
  expect(loaded('/src/agent/agent.ts')).toHaveLength(1);
  expect(modules.length).toBeLessThanOrEqual(150);
  // What reads a dialect, runs programs or calls tools comes with the first that needs it.
  expect(loaded('/src/dialects/stackvm/')).toEqual([]);
  expect(loaded('/src/dialects/starlark/index.ts')).toEqual([]);
  expect(loaded('/src/machine/run.ts')).toEqual([]);
  expect(loaded('/src/effects/built-in.ts')).toEqual([]);
});
