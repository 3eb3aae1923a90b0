/** Which tools stand in the prompts of planners. */
import { expect, test } from 'vitest';
import { builtInSpecs } from '../../src/effects/built-in-specs.ts';
import { delegateSpec } from '../../src/planner/delegate-specs.ts';
import { toldTools } from '../../src/planner/told.ts';
import { toolSpec } from '../../src/program/effect.ts';

const own = [...builtInSpecs, delegateSpec];
const given = toolSpec({ name: 'search', description: '' });
const tools = new Map([given, ...own].map((spec) => [spec.name, spec]));

const untold = (kind: 'tasks' | 'plans', text?: string): string[] => {
  const told = toldTools(tools, kind, text);
  return [...tools.keys()].filter((name) => !told.has(name));
};

test('programs are written with all but what their language has a word for', () => {
  expect(untold('plans')).toEqual(['bind_arguments']);
});

const helpers = ['llm_condition', 'bind_arguments', 'retrieve_embedded_chunks'];
const others = ['random', 'uuid', 'delegate'];

test('plans of tasks are written without what a task has no use for', () => {
  expect(untold('tasks')).toEqual([...helpers, ...others]);
});

test('a goal that names a tool has it told, and no other', () => {
  expect(untold('tasks', 'Draw lots with random.')).toEqual(
    [...helpers, ...others].filter((name) => name !== 'random'),
  );
  expect(untold('plans', 'bind_arguments of this')).toEqual([]);
  expect(untold('tasks', 'It was randomly said.')).toContain('random');
});

test('a tool of the user that takes the place of one is told', () => {
  const mine = new Map([...tools, ['uuid', toolSpec({ name: 'uuid', description: 'Mine.' })]]);
  expect([...toldTools(mine, 'tasks').keys()]).toContain('uuid');
});
