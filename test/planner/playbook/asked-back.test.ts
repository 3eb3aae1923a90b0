/** A question that a line goes back to, where the reply is cut off before it is put once more. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Ask user for a $country
- If what the user gave is not a country
  - Tell the user so and go back to asking
- Say("bye")
- Return $country
`;

test('the line of the question is named to whoever goes on, and it is heard', async () => {
  const ask = [{ step: '01' }, { say: 'Which country?' }, { step: '02' }, { yield: 'user' }];
  const back = [{ step: '03' }, { step: '03.01' }, { say: 'That is none.' }, { step: '01' }];
  const { result, prompts, said } = await played(text, {
    answers: ['Atlantis', 'Spain'],
    replies: [
      ops(...ask),
      `${ops({ set: { $country: 'Atlantis' } }, ...back)}\n{"say"`,
      ops(...ask),
      ops(
        ...[{ set: { $country: 'Spain' } }, { step: '03' }, { step: '04' }, { say: 'bye' }],
        ...[{ step: '05' }, { return: '$country' }],
      ),
    ],
  });
  const told = 'Go on at line 02, or at line 01 where something of it is left to do.';
  expect(prompts[2]).toContain(told);
  expect(said).toEqual(['Which country?', 'That is none.', 'Which country?', 'bye']);
  expect(result.answer).toBe('Spain');
});
