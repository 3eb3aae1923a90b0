/** Reads that ask for the same again: each round of a loop has an answer of its own. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { followed } from '../../support/playbook-follower.ts';
import { played } from './played.ts';

const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $state = "open"
- While $state != "ready"
  - $state = look("the oven")
  - Say("It is {$state}")
- Return $state
`;

test('what is read in one round is read anew in the next', async () => {
  const states = ['cold', 'warm', 'ready'];
  const asked: unknown[] = [];
  const look = ({ at }: { readonly at?: unknown }): string => states[asked.push(at) - 1] ?? 'none';
  const { result, said } = await played(text, {
    tools: [
      quickTool('look', look, {
        effect: 'read',
        parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
      }),
    ],
    replies: ({ messages }) => followed(messages),
  });
  expect(result.answer).toBe('ready');
  expect(said).toEqual(['It is cold', 'It is warm', 'It is ready']);
  expect(asked).toHaveLength(3);
});
