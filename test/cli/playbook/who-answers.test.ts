/** Who answers what nobody in particular is asked: whoever the program knows, by their name. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const desk = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- Return $day

# Clara:Human
Keeps the books.
`;

test('a name that is misspelled answers no question, also where nobody in particular is asked', async () => {
  await using models = await startModelServer(
    inOrder(
      ops({ step: '01' }, { say: 'Which day?' }, { step: '02' }, { yield: 'user' }),
      ops({ step: '02' }, { set: { $day: 'Sunday' } }, { step: '03' }, { return: '$day' }),
    ),
  );
  const env = { ...models.env.openai };
  using folder = new Folder({ 'x.playbook.md': desk });
  await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test'], { env });
  const answerAs = (name: string) =>
    folder.planvm(['answer', 'last', '--as', name, 'Sunday'], { env });
  const misspelled = await answerAs('Clra');
  expect(misspelled).toMatchObject({ code: 2, stdout: '' });
  expect(misspelled.stderr).toMatch(
    /PV5142: run \w+ asks nothing of Clra\n {2}hint: did you mean Clara\? see planvm show r\w+\n/,
  );
  const strange = (await answerAs('Bob')).stderr;
  expect(strange).toMatch(/hint: it asks user, and knows Clara; see planvm show r\w+\n/);
  expect(await answerAs('clara')).toMatchObject({ code: 0, stdout: 'Sunday\n' });
});
