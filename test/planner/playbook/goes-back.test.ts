/** Lines in words after which a playbook goes on at a line before them. */
import { describe, expect, test } from 'vitest';
import { ops, played } from './played.ts';

describe('a line that goes back in words', () => {
  const desk = (line: string) =>
    `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Say("One.")\n- If the user wants more\n  - ${line}\n- Return 1\n`;
  const reply = ops(
    ...[{ step: '01' }, { say: 'One.' }, { step: '02' }, { step: '02.01' }],
    ...[{ step: '01' }, { say: 'One.' }, { step: '02' }, { step: '03' }, { return: 1 }],
  );

  test('leads to a line before it', async () => {
    const text = desk('Go back to what you said first');
    const { result, said } = await played(text, { replies: [reply] });
    expect([result.error, result.answer, said]).toEqual([undefined, 1, ['One.', 'One.']]);
  });

  test('and one that says nothing of it does not', async () => {
    const text = desk('Do what there is to do');
    const replies = [reply, ops({ step: '03' }, { return: 1 })];
    const { prompts } = await played(text, { replies });
    expect(prompts[1]).toContain('line 01 does not come after line 02.01');
  });
});
