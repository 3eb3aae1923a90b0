/** What was read in parts is remembered: also by a process that takes the run up. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { callHandler } from '../../../src/effects/model/call.ts';
import type { ModelRequest } from '../../../src/effects/model/model.ts';
import { askHandler } from '../../../src/effects/person/ask.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import { answerRun } from '../../../src/engine/reply.ts';
import { resumeRun, startRun } from '../../../src/engine/run.ts';
import { loopRunner } from '../../../src/planner/run-loop.ts';
import type { ToolSpec } from '../../../src/program/effect.ts';
import { byName } from '../../engine/support.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

const partsIn = (requests: readonly ModelRequest[]): number =>
  requests.filter(({ prompt }) => /^part \d/.test(prompt ?? '')).length;

/** As a process has them: with nothing that another one knows. */
function freshProcess() {
  const { model, requests } = scriptedModel(() => 'A note.');
  const runLoop = loopRunner({ ready: (handlers) => handlers });
  return {
    handlers: byName(callHandler(model, { contextWindow: 4000 }, { runLoop }), askHandler),
    requests,
  };
}

const load = (
  text: string,
  _dialect: string,
  tools: ReadonlyMap<string, ToolSpec>,
  inputs: readonly string[],
) => {
  const { program } = checkProgram(text, { tools, inputs }, { dialect: 'starlark' });
  if (!program) throw new Error('it does not compile');
  return { program };
};

test('parts that a run has had read are not sent again after it was interrupted', async () => {
  const x = `"${'It rained, and then it did not. '.repeat(1000)}"`;
  const call = 'llm_call(x, "Sum it up.", fit = "map")';
  const text = `x = ${x}\na = ${call}\nif ask("Again?") == "yes":\n    answer([a, ${call}])`;
  const journal = memoryJournal();
  const first = freshProcess();
  const tools = new Map([...first.handlers].map(([name, { spec }]) => [name, spec]));
  const run = startRun({
    ...{ journal, handlers: first.handlers, text, dialect: 'starlark' },
    program: load(text, 'starlark', tools, []).program,
  });
  expect(await run.result).toMatchObject({ status: 'waiting' });
  expect(partsIn(first.requests)).toBeGreaterThan(3);
  const next = freshProcess();
  const { handlers } = next;
  const reply = { journal, run: run.id, handlers, by: 'Ada' };
  await answerRun({ ...reply, answer: () => 'yes' });
  const end = resumeRun({ journal, handlers, run: run.id, load });
  expect(await end.result).toMatchObject({ status: 'done', answer: ['A note.', 'A note.'] });
  expect(partsIn(next.requests)).toBe(0);
  expect(next.requests).toHaveLength(1);
});

test('what was map-reduced carries a tag in later messages, in other processes, too', async () => {
  const x = `"${'It rained, and then it did not. '.repeat(1000)}"`;
  const text = [
    `a = llm_call(${x}, "Sum it up.", fit = "map")`,
    'b = llm_call(["a note by hand", a], "Translate it.")',
    'answer(llm_call([b, "about: " + a], ask("What next?")))',
  ].join('\n');
  const journal = memoryJournal();
  const reply = ({ prompt = '' }: ModelRequest): string =>
    prompt === 'Sum it up.' ? 'It rained on and off for all of that long week.' : 'Il pleut.';
  const processes = [0, 1].map(() => {
    const { model, requests } = scriptedModel(reply);
    const runLoop = loopRunner({ ready: (ready) => ready });
    const call = callHandler(model, { contextWindow: 4000 }, { runLoop });
    return { requests, handlers: byName(call, askHandler) };
  });
  const [first, next] = processes;
  if (!first || !next) throw new Error('two processes');
  const tools = new Map([...first.handlers].map(([name, { spec }]) => [name, spec]));
  const { program } = load(text, 'starlark', tools, []);
  const run = startRun({
    ...{ journal, handlers: first.handlers, text, dialect: 'starlark', program },
  });
  expect(await run.result).toMatchObject({ status: 'waiting' });
  const { handlers } = next;
  await answerRun({ journal, run: run.id, handlers, by: 'Ada', answer: () => 'Sing it.' });
  await resumeRun({ journal, handlers, run: run.id, load }).result;
  const heads = ({ requests }: { readonly requests: readonly ModelRequest[] }, words: string) =>
    requests
      .find(({ prompt }) => prompt === words)
      ?.messages.slice(0, 2)
      .map(({ content }) => String(content).includes('(map-reduced: '));
  expect(heads(first, 'Translate it.')).toEqual([false, true]);
  expect(heads(next, 'Sing it.')).toEqual([false, true]);
});
