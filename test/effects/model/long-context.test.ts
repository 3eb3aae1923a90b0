/** llm_generate and llm_condition with a context that is longer than the window of the model. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { modelHandlers } from '../../../src/effects/model/handlers.ts';
import type { ModelRequest } from '../../../src/effects/model/model.ts';
import type { ModelSettings } from '../../../src/effects/model/model-settings.ts';
import { dataBlock, reducedWords } from '../../../src/effects/model/prompt.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import { startRun } from '../../../src/engine/run.ts';
import { loopRunner } from '../../../src/planner/run-loop.ts';
import { byName } from '../../engine/support.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

const story = 'It rained, and then it did not. '.repeat(1000);

async function run(call: string, settings: ModelSettings = {}) {
  const { model, requests } = scriptedModel(({ prompt = '', format }) => {
    if (format !== undefined) return { storms: 3, result: true, explanation: 'so' };
    return /^part \d/.test(prompt) ? 'A note on a part.' : 'The whole answer.';
  });
  const runLoop = loopRunner({ ready: (ready) => ready });
  const all = { contextWindow: 4000, fit: 'map', ...settings } as const;
  const handlers = byName(...modelHandlers(model, all, { runLoop }));
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const text = `story = "${story}"\nanswer(${call})`;
  const { program } = checkProgram(text, { tools, inputs: [] }, { dialect: 'starlark' });
  if (!program) throw new Error('it does not compile');
  const journal = memoryJournal();
  const end = await startRun({ journal, handlers, text, dialect: 'starlark', program }).result;
  const parts = requests.filter(({ prompt = '' }) => /^part \d/.test(prompt));
  return { end, parts, last: requests.at(-1), warnings: JSON.stringify(end.warnings) };
}

const sentIn = (request?: ModelRequest): string =>
  request?.messages.map(({ content }) => content).join('\n') ?? '';

test('is read in parts for a text, and a note says so', async () => {
  const call = 'llm_generate("How many storms?", context = story)';
  const { end, parts, last, warnings } = await run(call, { system: 'Be brief.' });
  expect(end).toMatchObject({ status: 'done', answer: 'The whole answer.' });
  expect(parts.length).toBeGreaterThan(3);
  expect(sentIn(parts[0])).toContain('of value 1 of 1, from: context');
  expect(last?.messages.at(-1)?.content).toMatch(/^How many storms\?/);
  expect(last?.messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
  expect(warnings).toMatch(/the values are about \d+ tokens.*all was read, in \d+ parts/);
});

test.each([
  ['llm_generate', ', response_format = {"keys": ["storms"]}', { storms: 3 }],
  ['llm_condition', '', { result: true }],
])('is read in parts for the data of %s, made of the notes', async (tool, more, wanted) => {
  const call = `${tool}("How many storms?", context = [story]${more})`;
  const { end, parts, last, warnings } = await run(call);
  expect(end).toMatchObject({ status: 'done', answer: wanted });
  expect(parts.length).toBeGreaterThan(3);
  expect(last?.format).toBeDefined();
  expect(sentIn(last)).toContain(`${reducedWords}\n${dataBlock('The whole answer.', 'context')}`);
  expect(sentIn(last)).toContain('How many storms?');
  expect(warnings).toContain('all was read');
});

test.each(['llm_generate', 'llm_condition'])('is refused by %s where it must fit', async (tool) => {
  const { end } = await run(`${tool}("Sum up.", context = story)`, { fit: 'fail' });
  expect(end).toMatchObject({ status: 'failed', error: { code: 'PV4161' } });
});

test('does not help a prompt that is too long alone', async () => {
  const { end } = await run('llm_generate(story, context = "x")');
  const hint = expect.stringContaining('into context');
  expect(end).toMatchObject({ status: 'failed', error: { code: 'PV4160', hint } });
});
