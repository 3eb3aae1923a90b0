/** Plans of tasks as the engine runs them: what a task is handed, and how its failure is told. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { calculatorHandlers } from '../../src/effects/calculate/calculator.ts';
import { tableHandler } from '../../src/effects/table/table.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { byName, quickTool, start } from '../engine/support.ts';

const anything = { type: 'object', properties: { x: {} } };
const fails = quickTool(
  'fails',
  () => {
    throw new EffectFailure('PV4999', 'no page "bad"', {
      hint: 'similar: "Bath"',
      mayHaveActed: false,
      retryable: false,
    });
  },
  { parameters: anything },
);
const take = quickTool('take', ({ x }) => x, { parameters: anything });

/** How a plan of these tasks ends, and what it warns of. */
async function ran(tasks: readonly string[], ...more: readonly Handler[]) {
  const handlers = byName(fails, take, ...more);
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const text = tasks.map((task, i) => `Thought: t\n${i + 1}. ${task}\n`).join('');
  const dialect = 'llmcompiler';
  const { program, diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return await start({ program, handlers, limits: {}, dialect }).result;
}

test.each([
  ['is needed', ['take[1]', 'fails[1]', 'join($2)']],
  ['is needed by a task that was skipped', ['take[1]', 'fails[1]', 'take[$2]', 'join($3)']],
  ['is part of all results', ['take[1]', 'fails[1]', 'join()']],
])('a failure that %s stands at the line of its task, with its hint', async (_name, tasks) => {
  const { error } = await ran(tasks);
  expect(error).toMatchObject({
    ...{ code: 'PV4999', message: 'task 2 failed: no page "bad"', hint: 'similar: "Bath"' },
    ...{ step: '2', line: 4, column: 1 },
  });
});

test('a failure that only others need is no failure of the answer', async () => {
  const { status, answers } = await ran(['fails[1]', 'take[$1]', 'take[3]', 'join($3)']);
  expect([status, answers.map(({ value }) => value)]).toEqual(['done', [3]]);
});

test('a model that joins sees the hint of a failure', async () => {
  const seen: unknown[] = [];
  const join = quickTool('join', ({ tasks }) => {
    seen.push(tasks);
    return { action: 'finish', answer: 'none' };
  });
  await ran(['fails[1]', 'join()'], join);
  expect(seen).toEqual([
    [{ id: '1', thought: 't', action: 'fails[1]', error: 'no page "bad" (similar: "Bath")' }],
  ]);
});

const inParis = 'Paris has 2 102 650 inhabitants, says the census';

test.each<[string, unknown, string]>([
  ['a page', { text: '2 102 650', title: 'Paris', url: 'x' }, '$1: its text was taken'],
  ['a sentence', inParis, `$1: 2102650 was taken out of ${JSON.stringify(inParis)}`],
  ['a page of a sentence', { text: inParis, title: 'Paris' }, '$1.text: 2102650 was taken out of'],
])("the glossary's example runs where the search finds %s", async (_name, found, warning) => {
  const search = quickTool('Search', () => found, {
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  });
  const { answers, warnings } = await ran(
    [
      'Search["population de Paris"]',
      'Calculator[$1 * 2]',
      'Table[["Ville", "Population"], [["Paris", $2]]]',
      'join("So: $3")',
    ],
    ...[search, tableHandler, ...calculatorHandlers],
  );
  expect(answers[0]?.value).toBe('So: Table: headers=Ville,Population|Paris,4205300');
  expect(warnings.map(({ message }) => message).join('\n')).toContain(warning);
});

test('a sentence alone is computed with as well', async () => {
  const { answers, warnings } = await ran(
    ['take["Mount Everest is 8,848.86 meters high"]', 'Calculator[$1]', 'join($2)'],
    ...calculatorHandlers,
  );
  expect(answers[0]?.value).toBe(8848.86);
  expect(warnings.map(({ message }) => message).join('\n')).toContain('8848.86 was taken out of');
});

test('an object is a table of two columns', async () => {
  const { answers } = await ran(
    ['take[{"2025-01-06": 12.5, "2025-01-07": 13}]', 'Table[["Day", "°C"], $1]', 'join($2.text)'],
    tableHandler,
  );
  expect(answers[0]?.value).toBe('Table: headers=Day,°C|2025-01-06,12.5|2025-01-07,13');
});
