/**
 * A playbook that ends with a call of another one does not come back: what is said and done is the
 * same as if it did, and fewer replies are asked for.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ops, type PlayOptions, played } from '../planner/playbook/played.ts';
import { propertyRuns } from '../support/depth.ts';
import { followed } from '../support/playbook-follower.ts';
import { openPlaybooks, randomAnswers, randomTools } from '../support/random-playbooks.ts';

async function play(text: string, tails: boolean, more: Partial<PlayOptions> = {}) {
  const { tools, calls } = randomTools();
  const { result, said, prompts } = await played(text, {
    ...{ tools, tails, answers: randomAnswers, replies: ({ messages }) => followed(messages) },
    ...more,
  });
  const { answer, error } = result;
  // In words of its own, it says all that it knows, in the order in which it was told.
  const words = said.map((one) => String(one).replace(/: ".*$/s, ''));
  return { of: { error, answer, said: words, calls }, replies: prompts.length };
}

/** What has fired in a call does not fire in what takes its place: a trigger fires anew each time. */
const firingAnew = (text: string): string =>
  text.replace('## Alarm\n', '## Alarm\nretrigger: edge\n');

test('programs do the same, whether what they do last comes back or not', async () => {
  await fc.assert(
    fc.asyncProperty(openPlaybooks, async (text) => {
      const back = await play(firingAnew(text), false);
      expect(back.of.error).toBeUndefined();
      const on = await play(firingAnew(text), true);
      expect(on.of).toEqual(back.of);
      expect(on.replies).toBeLessThanOrEqual(back.replies);
    }),
    propertyRuns(10),
  );
});

/** The total is what the last call of Count gives. */
const counting = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Count()
- Tell the user the total

## Count
### Steps
- $total = Sum()
- Return $total

## Sum
### Steps
- Say("summing up")
- Return 7
`;

const summing = [ops({ call: 'Count' }, { yield: 'call' }), ops({ call: 'Sum', into: '$total' })];

test('a variable has what was returned for it, though nobody came back to set it', async () => {
  const { result, prompts, said } = await played(counting, {
    replies: [
      ...summing,
      ops({ say: 'summing up' }, { return: 7 }),
      ops({ step: '03' }, { say: 'It is {$total}.' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['summing up', 'It is 7.']);
  expect(prompts[3]).toContain('$total = 7');
});
