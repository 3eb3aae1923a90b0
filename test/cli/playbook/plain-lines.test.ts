/** Programs in the style in which they were first written, through the whole command line. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';

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

const log = (...lines: readonly string[]): string => ['recap - on we go', ...lines].join('\n');

test('plain lines with blocks, a wait that keeps what it hears, and one beginning', async () => {
  const wait = (n: number) => [
    ...['`Step["Talk:02:LOP"]`', `\`Var[$n:int, ${n}]\``, '`Step["Talk:02.01:YLD"]`'],
    'yld for user',
  ];
  const hear = (word: string) => [
    ...['`Step["Talk:02.02:EXE"]`', `\`Var[$word, "${word}"]\``, '`Step["Talk:02.03:QUE"]`'],
    ...['`Say("user", "{$n}/2 {$word}")`', '`Step["Talk:02.04:JMP"]`'],
  ];
  await using models = await startModelServer(
    inOrder(
      log('`Step["Talk:01:QUE"]`', '`Say("user", "Welcome to the pier.")`', ...wait(1)),
      log(...hear('high'), ...wait(2)),
      log(...hear('low'), '`Step["Talk:02:LOP"]`', '`Step["Talk:03:YLD"]`', 'yld for exit'),
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
  // What it begins with is not what it ends with.
  expect(models.requests).toHaveLength(3);
});
