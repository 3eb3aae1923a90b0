/** Transcripts of ReAct: read as plans are, in a form of their own. */
import { expect, test } from 'vitest';
import { checkActions, readingOf } from '../../../src/dialects/llmcompiler/check.ts';
import { detectActions } from '../../../src/dialects/llmcompiler/detect.ts';
import { planParts } from '../../../src/dialects/llmcompiler/parts.ts';
import { planOf } from '../../../src/dialects/llmcompiler/plan.ts';
import { describeTranscripts } from '../../../src/dialects/react/describe.ts';
import { transcriptForm } from '../../../src/dialects/react/form.ts';
import { readTranscript } from '../../../src/dialects/react/transcript.ts';
import { shown } from '../llmcompiler/reading.ts';
import { environment } from '../llmcompiler/tools.ts';

function read(text: string) {
  const tree = readTranscript(text);
  const { tasks, join } = planOf(tree, environment);
  const found = [...readingOf(tree), ...checkActions(tree, environment, transcriptForm)];
  return {
    tasks: tasks.map(({ id, tool, args, needs }) => `${id}. ${tool}${shown(args, needs)}`),
    join: join.answer && shown(join.answer.value, join.answer.needs),
    codes: found.map(({ code }) => code),
    hints: found.map(({ hint }) => hint).join('\n'),
  };
}

const transcript = `Thought: how high is it?
Action: Search[Everest, the mountain]
Observation: 8848.86 m
Thought: halve it
Action: Calculate[8848.86/2]
Observation: 4424.43
Thought: that is it
Action: Finish[4424.43]
`;

test('one action after the other', () => {
  expect(read(transcript)).toMatchObject({
    tasks: ['1. Search(query="Everest, the mountain")', '2. Calculate(expression="8848.86/2")'],
    join: '"4424.43"',
    codes: ['PV2621', 'PV2621'],
  });
  expect(detectActions(transcript).transcript).toBeGreaterThan(0.9);
  expect(detectActions(transcript).plan).toBeLessThan(0.3);
});

test.each([
  [
    'Thought 1: a\nAction 1: Search[x]\nThought 2: b\nAction 2: Finish[y]',
    ['1. Search(query="x")'],
    '"y"',
    [],
  ],
  [
    'Thought: a\nAction: Calculate[max([1,2])]',
    ['1. Calculate(expression="max([1,2])")'],
    undefined,
    ['PV2627'],
  ],
  [
    'Thought: a\nAction: Finish[yes, (it is) [so], for $5]',
    [],
    '"yes, (it is) [so], for $5"',
    ['PV2619'],
  ],
  [
    'Thought: a\n1. Search[x]\nThought: b\n2. join("y")',
    ['1. Search(query="x")'],
    '"y"',
    ['PV2624', 'PV2625'],
  ],
  [
    'Thought: a\nAction: Search\nAction Input: x\nFinal Answer: $1 it is',
    ['1. Search(query="x")'],
    '"$1 it is"',
    ['PV1205', 'PV2628', 'PV2602'],
  ],
  ['Thought: a\nAction: Search\nThought: b', [], undefined, ['PV1201', 'PV2601']],
])('%j', (text, tasks, join, codes) => {
  const found = read(text);
  expect(found).toMatchObject({ tasks, join });
  expect(found.codes.toSorted()).toEqual([...codes].toSorted());
  expect(found.hints).not.toMatch(/\d\. (tool|Search|join)/);
});

test('steps are replaced by what has no numbers either', () => {
  const { of, replace } = planParts;
  expect(of(transcript).map(({ label }) => label)).toEqual(['1', '2']);
  const written = 'Thought: again\nAction: Calculate[8848.86*2]\n';
  const step = replace(transcript, { at: '2', scope: 'step', written });
  expect('text' in step && read(step.text).tasks).toEqual([
    '1. Search(query="Everest, the mountain")',
    '2. Calculate(expression="8848.86*2")',
  ]);
  const rest = replace(transcript, { at: '1', scope: 'rest', written });
  expect(rest).toEqual({ text: `${written}Thought: that is it\nAction: Finish[4424.43]\n` });
});

test('is described as it was', async () => {
  const text = describeTranscripts(environment);
  await expect(text).toMatchFileSnapshot('../../golden/describe/react.md');
});
