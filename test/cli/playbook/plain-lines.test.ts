/** Programs in the style in which they were first written, through the whole command line. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text = `# Tide desk

## Talk
### Trigger
When the program starts
### Steps
Say("Welcome to the pier.")
For each $n in [1, 2]
    Wait for the user to say something as $word
    Say("{$n}/2 {$word}")
End program
`;

test('plain lines with blocks, a wait that keeps what it hears, and one beginning', async () => {
  await using models = await startModelServer(
    inOrder(
      ...[ops({ yield: 'user' }), ops({ set: { word: 'high' } })],
      ...[ops({ yield: 'user' }), ops({ set: { word: 'low' } })],
    ),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  expect(await planvm('run', 'x.playbook.md', '--model', 'openai/test')).toMatchObject({
    ...{ code: 4, stdout: 'Welcome to the pier.\n' },
  });
  expect(await planvm('answer', 'last', 'high')).toMatchObject({ code: 4, stdout: '1/2 high\n' });
  const ended = await planvm('answer', 'last', 'low');
  expect(ended).toMatchObject({ code: 0, stdout: '2/2 low\n' });
  expect(ended.stderr).not.toContain('warning');
});
