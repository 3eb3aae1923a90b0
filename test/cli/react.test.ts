/** Transcripts of ReAct and plans of tasks on the command line: found out, described, held to form. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const tools = `const text = { type: 'string' };
const tool = (name, run) => ({
  name, description: 'Does ' + name + '.', effect: 'read', run,
  parameters: { type: 'object', properties: { x: text }, required: ['x'] },
});
export default [
  tool('Height', ({ x }) => ({ Everest: '8848.86 m' })[x] ?? 'unknown'),
  tool('Halve', ({ x }) => String(Number.parseFloat(x) / 2)),
];`;

const transcript = `Thought: how high is it?
Action: Height[Everest]
Observation: 8848.86 m
Thought: halve it
Action: Halve[8848.86]
Observation: 4000
Thought: that is it
Action: Finish[4424.43 m]
`;

const declared = JSON.stringify(
  ['Height', 'Halve'].map((name) => ({
    name,
    description: `Does ${name}.`,
    effect: 'read',
    parameters: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
  })),
);

test('a transcript runs as the program that it is', async () => {
  using folder = new Folder({ 'a.txt': transcript, 'tools.mjs': tools });
  const run = await folder.planvm(['run', 'a.txt', '--tools', 'tools.mjs', '--json']);
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({
    answer: '4424.43 m',
    variables: { 1: '8848.86 m', 2: '4424.43' },
    warnings: [{ code: 'PV2621' }, { code: 'PV2621' }],
  });
});

test('with --observations nothing of it is done again', async () => {
  using folder = new Folder({ 'a.txt': transcript, 'tools.mjs': tools });
  const args = ['run', 'a.txt', '--tools', 'tools.mjs', '--observations', '--json'];
  const { answer, variables, warnings } = JSON.parse((await folder.planvm(args)).stdout);
  expect({ answer, variables, warnings }).toEqual({
    answer: '4424.43 m',
    variables: { 1: '8848.86 m', 2: 4000 },
    warnings: [],
  });
});

describe('--strict', () => {
  const strict = ['--tools', 'tools.json', '--strict', '--json'];
  const plan = 'Thought: a\n1. Height[Everest]\nThought: b\n2. join($1)\n<END_OF_PLAN>\n';

  test('takes a plan as the document has it', async () => {
    using folder = new Folder({ 'a.txt': plan, 'tools.json': declared });
    const { code, stdout } = await folder.planvm(['check', 'a.txt', ...strict]);
    expect(JSON.parse(stdout)).toEqual({ ok: true, dialect: 'llmcompiler', diagnostics: [] });
    expect(code).toBe(0);
  });

  test.each([
    [plan.replace('Thought: b\n', ''), 'PV2602'],
    [plan.replace('1. ', 'Action: '), 'PV1203'],
    [plan.replace('2. join($1)', '2. Finish[$1]'), 'PV1206'],
    [plan.replace('Everest]', 'Everest'), 'PV1208'],
    [plan.replace('2. join($1)', ''), 'PV2603'],
  ])('and refuses %j', async (text, code) => {
    using folder = new Folder({ 'a.txt': text, 'tools.json': declared });
    const lenient = await folder.planvm(['check', 'a.txt', '--tools', 'tools.json', '--json']);
    expect(JSON.parse(lenient.stdout)).toMatchObject({ ok: true });
    const found = await folder.planvm(['check', 'a.txt', ...strict]);
    expect(found.code).toBe(3);
    expect(JSON.parse(found.stdout).diagnostics).toContainEqual(
      expect.objectContaining({ code, severity: 'error' }),
    );
  });
});

test.each([
  ['llmcompiler', '# Plans in llmcompiler', '<END_OF_PLAN>'],
  ['react', '# Transcripts in react', 'Finish[answer]'],
])('spec %s describes it with the tools that there are', async (name, title, end) => {
  using folder = new Folder({ 'tools.mjs': tools });
  const { code, stdout } = await folder.planvm(['spec', name, '--tools', 'tools.mjs']);
  expect(code).toBe(0);
  expect(stdout).toContain(title);
  expect(stdout).toContain(end);
  expect(stdout).toContain('- `Height[x: string]`: Does Height.');
});
