/** Replies of providers, saved as they came, in place of the programs that they hold. */
import { describe, expect, test } from 'vitest';
import { codes } from '../../src/dialects/codes.ts';
import { check, run } from '../../src/index.ts';
import { answering, Folder } from '../support/cli.ts';

const plan = JSON.stringify([answering(0, 'yes')], null, 1);

const envelopes: Readonly<Record<string, (text: string) => unknown>> = {
  'choices[0].message.content': (content) => ({
    id: 'c1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  }),
  'choices[0].message.content[].text': (text) => ({
    choices: [{ message: { role: 'assistant', content: [{ type: 'text', text }] } }],
  }),
  'choices[0].text': (text) => ({ choices: [{ text, finish_reason: 'stop' }] }),
  'content[].text': (text) => ({
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'one step will do' },
      { type: 'text', text: text.slice(0, 9) },
      { type: 'text', text: text.slice(9) },
    ],
    stop_reason: 'end_turn',
  }),
  'candidates[0].content.parts[].text': (text) => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'one step', thought: true }, { text }] },
        finishReason: 'STOP',
      },
    ],
  }),
  'output[].content[].text': (text) => ({
    object: 'response',
    output: [
      { type: 'reasoning', summary: [] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    ],
  }),
  'message.content': (content) => ({
    model: 'gemma3',
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
  }),
  response: (response) => ({ model: 'gemma3', response, done: true }),
};

const texts: Readonly<Record<string, string>> = {
  'stackvm-2': plan,
  'stackvm-2 in a fence': `Here is the plan.\n\`\`\`json\n${plan}\n\`\`\`\nIt answers.`,
  starlark: 'answer("yes")\n',
  'starlark in a fence': 'Here it is:\n```python\nanswer("yes")\n```\nThat answers.',
};

describe.each(Object.entries(envelopes))('%s', (path, envelope) => {
  test.each(Object.entries(texts))('of %s', async (name, text) => {
    const written = JSON.stringify(envelope(text), null, 2);
    const { ok, dialect, diagnostics } = await check(written);
    expect({ ok, dialect }).toEqual({ ok: true, dialect: name.split(' ')[0] });
    const [first] = diagnostics;
    expect(first).toMatchObject({ code: 'PV2004', severity: 'warning' });
    expect(first?.message).toContain(`took the program in ${path}`);
    expect(await run(written)).toMatchObject({ status: 'done', answer: 'yes' });
  });
});

test('one that was cut short is refused, also where what there is is a program', async () => {
  const cuts = [
    { choices: [{ message: { content: 'answer("yes")\n' }, finish_reason: 'length' }] },
    { role: 'assistant', content: [{ type: 'text', text: plan }], stop_reason: 'max_tokens' },
    { candidates: [{ content: { parts: [{ text: plan }] }, finishReason: 'MAX_TOKENS' }] },
    { message: { content: plan }, model: 'm', done: true, done_reason: 'length' },
  ];
  for (const cut of cuts) {
    const { ok, program, diagnostics } = await check(JSON.stringify(cut));
    expect({ ok, program }).toEqual({ ok: false, program: undefined });
    expect(diagnostics[0]).toMatchObject({ code: 'PV2005', severity: 'error' });
  }
  expect(codes).toHaveProperty('PV2005');
});

test('what only looks like one is read as what it is', async () => {
  for (const other of [
    `{"message": ${plan}}`,
    '{"choices": []}',
    '{"choices": [{"message": {"content": null, "tool_calls": []}}]}',
    '{"content": "answer"}',
    '{"message": {"content": "answer(1)"}}',
  ]) {
    const { diagnostics } = await check(other);
    expect(diagnostics.map(({ code }) => code)).not.toContain('PV2004');
  }
});

test('the command line takes them, and shows mistakes in the lines of the program', async () => {
  const wrong = plan.replace('yes', '$' + '{who}');
  const envelope = envelopes['message.content'];
  using folder = new Folder({
    'reply.json': envelope?.(plan),
    'wrong.json': envelope?.(wrong),
    'reply.star': envelope?.('answer("yes")\n'),
  });
  const checked = await folder.planvm(['check', 'wrong.json']);
  expect(checked.code).toBe(3);
  expect(checked.stdout).toContain('warning PV2004');
  expect(checked.stdout).toMatch(
    /wrong\.json:7:\d+: error PV2137[\s\S]*7 \| {4}"final_answer": "\$/,
  );
  for (const file of ['reply.json', 'reply.star']) {
    const ran = await folder.planvm(['run', file, '--json']);
    const { answer, warnings } = JSON.parse(ran.stdout);
    expect(answer).toBe('yes');
    expect(warnings).toEqual([expect.objectContaining({ code: 'PV2004' })]);
  }
  folder.write('other.json', envelope?.('answer("no")\n'));
  const fork = await folder.planvm(['fork', 'last', '--program', 'other.json', '--json']);
  expect(JSON.parse(fork.stdout)).toMatchObject({ answer: 'no' });
});
