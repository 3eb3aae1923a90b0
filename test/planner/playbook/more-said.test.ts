/** A line in words that is done by more than one message. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

const desk = (...lines: readonly string[]) =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const greets = [{ step: '01' }, { say: 'Hi.' }, { say: 'It is Monday.' }];

test('is not the next line, which has other words', async () => {
  const text = desk('- Greet the user, and say the date', '- Say("Have a nice day.")');
  const replies = [ops(...greets, { step: '02' }, { say: 'Have a nice day.' }, { return: null })];
  const { result, said } = await played(text, { replies });
  expect([result.status, result.warnings]).toEqual(['done', []]);
  expect(said).toEqual(['Hi.', 'It is Monday.', 'Have a nice day.']);
});

test.each(['Say("Have a coupon.")', 'Say that there is a coupon'])(
  'is none under a condition of which nobody has said that it holds: %s',
  async (line) => {
    const text = desk(
      ...['- Greet the user, and say the date', '- If the user is new', `  - ${line}`],
      '- Return 1',
    );
    const replies = [ops(...greets, { step: '02' }, { step: '03' }, { return: 1 })];
    const { result, said } = await played(text, { replies });
    expect([result.answer, result.warnings]).toEqual([1, []]);
    expect(said).toEqual(['Hi.', 'It is Monday.']);
  },
);

test('leaves the next line to be done, which is told', async () => {
  const text = desk(
    '- Greet the user, and say the date',
    '- Say("Have a nice day.")',
    '- Return 1',
  );
  const rest = ops({ step: '02' }, { say: 'Have a nice day.' }, { step: '03' }, { return: 1 });
  const replies = [ops(...greets, { step: '03' }, { return: 1 }), rest];
  const { result, said, prompts } = await played(text, { replies });
  expect(prompts[1]).toContain('line 02 was not done, before line 03');
  expect([result.answer, said.at(-1)]).toEqual([1, 'Have a nice day.']);
});
