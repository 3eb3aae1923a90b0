/** Thoughts of models are told from their answers, in every form in which servers send them. */
import { describe, expect, test } from 'vitest';
import { answerOf, readObject, readVerdict } from '../../src/text/model-text.ts';
import { blanked, hasLateThought, mayBeginThought } from '../../src/text/thoughts.ts';

const draft = 'So:\n```python\nanswer("no")\n```\nand {"result": false}, or no.';

const channels = (final: string): string =>
  `<|channel|>analysis<|message|>${draft}<|end|><|start|>assistant<|channel|>final<|message|>` +
  `${final}<|return|>`;

/** What stands around a draft and an answer. */
const forms: Readonly<Record<string, (answer: string) => string>> = {
  ...Object.fromEntries(
    ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'THINK', 'Thought'].flatMap((tag) => [
      [`<${tag}>`, (answer: string) => `<${tag}>${draft}</${tag}>${answer}`],
      [`</${tag}> alone`, (answer: string) => `${draft} </${tag}> ${answer}`],
    ]),
  ),
  'a tag with attributes': (answer) => `\n<think type="long">\n${draft}\n</think >\n\n${answer}`,
  'two thoughts': (answer) => `<think>${draft}</think>\n<reasoning>${draft}</reasoning>${answer}`,
  'a thought within a thought': (answer) => `<think>a<think>b</think>${draft}</think>${answer}`,
  'square brackets': (answer) => `[THINK]${draft}[/THINK]${answer}`,
  'square brackets in small letters': (answer) => `[think]\n${draft}\n[/think]\n${answer}`,
  'a closing bracket alone': (answer) => `${draft}[/THINK]${answer}`,
  'a marker of tokens': (answer) => `<|begin_of_thought|>${draft}<|end_of_thought|>\n${answer}`,
  triangles: (answer) => `◁think▷${draft}◁/think▷${answer}`,
  channels,
  'channels without their first mark': (answer) => channels(answer).slice('<|channel|>'.length),
  'channels that begin with a start': (answer) => `<|start|>assistant${channels(answer)}`,
  'channels without their marks': (answer) => `analysis${draft}assistantfinal${answer}`,
  'channels with a commentary': (answer) =>
    `<|channel|>commentary to=functions.a <|constrain|>json<|message|>{}<|call|>${channels(answer)}`,
  'a later thought': (answer) => `Well.\n<think>${draft}</think>\n<answer>${answer}</answer>`,
  'a fence that is left open': (answer) =>
    `Try\n\`\`\`\nanswer("no")\n</think>\n\`\`\`python\n${answer}\n\`\`\``,
};

describe.each(Object.entries(forms))('%s', (_name, form) => {
  test('leaves the answer alone', () => {
    expect(answerOf(form('answer(1)'))).toMatch(/^(?:```python\n)?answer\(1\)(?:\n```)?$/);
  });

  test('leaves verdicts and objects alone', () => {
    expect(readVerdict(form('{"result": true}'))).toEqual({ result: true });
    const { node } = readObject(form('{"result": true}'));
    expect(node?.members[0]?.value).toMatchObject({ value: true });
  });

  test('stays in its place where it is blanked', () => {
    const text = form('answer(1)');
    const said = blanked(text);
    expect(said.length).toBe(text.length);
    expect(said.indexOf('answer(1)')).toBe(text.lastIndexOf('answer(1)'));
  });
});

test.each([
  ['<think>', `<think>${draft}`],
  ['brackets', `[THINK]\n${draft}`],
  ['a channel', `<|channel|>analysis<|message|>${draft}`],
  ['a later line', `Well.\n<think>\n${draft}`],
])('a thought that never ends is no answer: %s', (_name, text) => {
  expect(answerOf(text).replace('Well.', '')).toBe('');
});

test.each([
  ['a text of a program', 'x = "a </think> b"\nanswer(x)'],
  ['a text in single quotes', "x = 'it\\'s </think>'\nanswer(x)"],
  ['a fence', '```python\nx = """\nsome\n</think>\n"""\nanswer(x)\n```'],
  ['an answer tag in a program', '```python\nanswer("<answer>5</answer>")\n```'],
  ['JSON', '[{"text": "a </think> b <think>"}]'],
  ['inline code', 'Qwen writes `</think>` after its thoughts.'],
  ['an example in a line', 'Models write <think>thoughts</think> so.'],
  ['a list', '[think]s and [reasoning] are words.'.replace('[think]', 'x[think]')],
  ['another tag', '<b>No</b> <thinker>'],
])('a mark that is a text stays: %s', (_name, text) => {
  expect(answerOf(text)).toBe(text);
});

test('a stream knows what may be thoughts, and that something was', () => {
  for (const text of [
    '',
    ' ',
    '<',
    '<thi',
    '<think>x',
    '[TH',
    '[THINK]',
    '<|channel|>ana',
    '◁th',
  ]) {
    expect(mayBeginThought(text), text).toBe(true);
  }
  for (const text of ['a', 'No <think>', '<b>', '[1', '<b\n']) {
    expect(mayBeginThought(text), text).toBe(false);
  }
  expect(hasLateThought('a\n</think>\nb')).toBe(true);
  expect(hasLateThought('<think>a</think>\nb')).toBe(false);
  expect(hasLateThought('a\n<think>b</think>')).toBe(false);
});
