/** Plans in JSON as structured output: what is asked, what a reply is read as, in both forms. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import type { ModelRequest } from '../../src/effects/model/model.ts';
import { withoutDay } from '../../src/effects/model/replay.ts';
import { lookForm, looksMax } from '../../src/planner/look.ts';
import { planReply } from '../../src/planner/native-plan.ts';
import { dialectNamed, planningHandlers } from '../../src/planner/planner.ts';
import { planForm } from '../../src/planner/prompt.ts';
import { revisingHandlers } from '../../src/planner/revise.ts';
import type { Revision } from '../../src/planner/revision.ts';
import { changeForm, scopeForm } from '../../src/planner/revision-prompt.ts';
import { toolsForm } from '../../src/planner/tool-choice.ts';
import { runLoop } from './run-loop.ts';
import { named, scripted } from './scripted.ts';

const environment = { tools: new Map([named('search', 'query')]), inputs: [] };
const dialects = ['stackvm-1', 'stackvm-2'] as const;

async function planned(dialect: string, replies: readonly string[], takesWords = true) {
  const { model, requests } = scripted(...replies);
  const options = { dialect, environment, takesWords, model: () => model };
  const goal = { text: 'Where are the tides?' };
  const result = await runLoop('plan', planningHandlers(options), { goal, rounds: 3 });
  return { result, requests };
}

const nativeText = ({ native }: ModelRequest): string =>
  withoutDay(
    `${native?.messages.map(({ role, content }) => `--- ${role} ---\n${content}`).join('\n\n')}\n`,
  );

const lengthOf = (messages: ModelRequest['messages'] = []): number =>
  messages.reduce((sum, { content }) => sum + content.length, 0);

const program = (dialect: string): Record<string, unknown>[] => [
  {
    ...{ seq_no: 0, type: 'assign' },
    parameters:
      dialect === 'stackvm-1'
        ? { value: 'here', var_name: 'final_answer' }
        : { final_answer: 'here' },
    execution_objective: 'Answer.',
  },
];

describe.each(dialects)('a plan in %s', (dialect) => {
  const own = program(dialect).map(({ execution_objective, ...rest }) =>
    dialect === 'stackvm-1' ? rest : { ...rest, execution_objective },
  );
  const reply = JSON.stringify({ reasoning: 'Nothing [is] missing.', program: own });

  test('is asked for by a schema, in fewer words than in text', async () => {
    const { requests } = await planned(dialect, [reply]);
    const [request] = requests;
    const { messages, format } = request?.native ?? {};
    expect(lengthOf(messages)).toBeLessThan(lengthOf(request?.messages));
    expect(JSON.stringify(messages?.[0])).not.toMatch(/<think>|<answer>|one fenced/);
    const keys = ['reasoning', 'program', 'answer', 'impossible'];
    expect(Object.keys(format?.schema?.properties ?? {})).toEqual(keys);
    if (!request) return;
    const text = nativeText(request);
    const ending = text.slice(text.indexOf('Write one JSON object'));
    await expect(ending).toMatchFileSnapshot(`../golden/prompts/plan-${dialect}-native.md`);
  });

  test('is read in either form', async () => {
    const text = `<think>[1]</think>\n<answer>\n\`\`\`json\n${JSON.stringify(own)}\n\`\`\`</answer>`;
    for (const written of [reply, text, `\`\`\`json\n${reply}\n\`\`\``]) {
      const { result } = await planned(dialect, [written]);
      expect(result).toMatchObject({ status: 'done', answer: JSON.stringify(own) });
    }
  });

  test('with an error is corrected in the same conversation', async () => {
    const wrong = reply.replace('"assign"', '"assing"');
    const { result, requests } = await planned(dialect, [wrong, reply]);
    expect(result.status).toBe('done');
    const { messages } = requests[1]?.native ?? {};
    expect(messages?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages?.[2]?.content).toBe(wrong);
    expect(messages?.[3]?.content).toContain('did you mean assign?');
  });

  test('that is cut off is an error', async () => {
    const { requests } = await planned(dialect, [reply.slice(0, -25), reply]);
    expect(requests[1]?.messages.at(-1)?.content).toContain('does not pass the check');
  });

  test('may be an answer in words, also of what looks like a reference or a list', async () => {
    const form = dialect === 'stackvm-1' ? '{{name}}' : ['$', '{name}'].join('');
    const words = `[1] Write ${form} "so".`;
    const { result } = await planned(dialect, [JSON.stringify({ reasoning: 'r', answer: words })]);
    expect(result.status).toBe('done');
    const checked = checkProgram(String(result.answer), environment, { dialect });
    expect(checked.diagnostics).toEqual([]);
    const [instruction] = JSON.parse(String(result.answer));
    const escaped = dialect === 'stackvm-1' ? `\\${form}` : `$${form}`;
    const value = instruction.parameters.value ?? instruction.parameters.final_answer;
    expect(value).toBe(words.replace(form, () => escaped));
  });

  test('may be an answer in words in text, too', async () => {
    const { result, requests } = await planned(dialect, ['<answer>At the sea.</answer>']);
    expect(JSON.stringify(result.answer)).toContain('At the sea.');
    expect(requests[0]?.messages[0]?.content).toContain('in words and without a fence');
  });

  test('may not be words where a program is wanted', async () => {
    const words = '{"reasoning": "r", "answer": "At the sea."}';
    const { requests } = await planned(dialect, [words, reply], false);
    expect(requests[0]?.native?.format?.schema?.properties).not.toHaveProperty('answer');
    expect(requests[1]?.messages.at(-1)?.content).toContain('The reply holds no program.');
  });

  test('may be refused, with the reason', async () => {
    const refusal = '{"reasoning": "r", "impossible": "There is no map."}';
    const { result } = await planned(dialect, [refusal]);
    expect(result.error?.message).toContain('There is no map.');
  });
});

test('a program that is not JSON is asked for in text', async () => {
  const { requests } = await planned('starlark', ['```starlark\nanswer(1)\n```']);
  expect(requests[0]).not.toHaveProperty('native');
});

const instruction = {
  ...{ seq_no: 0, type: 'calling' },
  parameters: { tool: 'search', params: { query: 'tides' }, output_vars: 'final_answer' },
  execution_objective: 'Look it up.',
};
const revision: Revision = {
  goal: { text: 'Where are the tides?' },
  dialect: 'stackvm-2',
  program: JSON.stringify([instruction]),
  at: '0',
  scopes: ['step', 'rest', 'plan'],
  states: { '0': 'failed' },
  variables: [{ name: 'page', type: 'string', text: '"a …', isCut: true }],
  error: 'plan:1:1: error PV4300: the index is gone',
  ...{ writes: [], refused: [JSON.stringify([instruction])], about: 'the index is gone' },
};
const changed = {
  ...instruction,
  parameters: { ...instruction.parameters, params: { query: 'x' } },
};

async function revised(replies: readonly object[], task = revision) {
  const { model, requests } = scripted(...replies.map((reply) => JSON.stringify(reply)));
  const look = (expression: string): string => `what ${expression} is`;
  const { dialect } = task;
  const handlers = revisingHandlers({ dialect, environment, model: () => model, look });
  const result = await runLoop('revise', handlers, { task, rounds: 3, looks: looksMax });
  return { result, requests };
}

describe('a change', () => {
  test('is asked for by a schema, with its scope', async () => {
    const { result, requests } = await revised([
      { reasoning: 'r', scope: 'STEP', program: [changed] },
    ]);
    const [request] = requests;
    expect(result.answer).toMatchObject({ scope: 'step' });
    const { messages, format } = request?.native ?? {};
    const keys = ['reasoning', 'scope', 'program', 'impossible', 'look'];
    expect(Object.keys(format?.schema?.properties ?? {})).toEqual(keys);
    expect(lengthOf(messages)).toBeLessThan(lengthOf(request?.messages));
    if (!request) return;
    await expect(nativeText(request)).toMatchFileSnapshot('../golden/prompts/revise-native.md');
  });

  test('may ask to see values first', async () => {
    const { result, requests } = await revised([
      { reasoning: 'r', look: ['page[1:]', 'page[:1]'] },
      { reasoning: 'r', scope: 'PLAN', program: [changed] },
    ]);
    expect(result.answer).toMatchObject({ scope: 'plan' });
    expect(requests[1]?.messages.at(-1)?.content).toBe(
      'page[1:]\n= what page[1:] is\n\npage[:1]\n= what page[:1] is',
    );
  });

  test('may be words at the last attempt', async () => {
    const task: Revision = { ...revision, isLast: true };
    const { result } = await revised([{ reasoning: 'r', answer: 'At the [sea].' }], task);
    expect(JSON.stringify(result.answer)).toContain('At the [sea].');
  });
});

test('a reply in JSON is the same as one in text', () => {
  const dialect = dialectNamed('stackvm-2');
  const read = (reply: object) => planReply(JSON.stringify(reply), dialect);
  expect(read({ reasoning: 'r', tools: 'find, search\nread' })).toEqual({
    ...{ text: 'TOOLS find, search, read', isWords: false },
  });
  expect(read({ reasoning: 'r' })).toEqual({ text: '{"reasoning":"r"}', isWords: false });
  for (const text of ['[{"answer": "x"}]', 'As {"answer": "x"} shows:\n[{"seq_no": 0}]']) {
    expect(planReply(text, dialect)).toEqual({ text, isWords: false });
  }
  expect(planReply('{"answer": "x"}', dialectNamed('starlark')).isWords).toBe(false);
});

test('every phrase is shorter for a model that is held to a schema', () => {
  const dialect = dialectNamed('stackvm-2');
  const forms = [true, false].flatMap((flag) => [
    planForm(dialect, flag),
    changeForm(dialect, flag),
  ]);
  for (const { text, native } of [...forms, lookForm, scopeForm, toolsForm]) {
    expect(native.length).toBeLessThan(text.length);
  }
});
