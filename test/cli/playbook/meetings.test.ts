/** Meetings by the command line: who has to come and does not answer keeps nobody waiting. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const menu = (time: string): string => `# Chair
You hold short meetings.

## Main
### Triggers
- At the beginning
### Steps
- $menu = DesignMenu(topic="Friday")
- Say("The menu: {$menu}")
- Return $menu

## DesignMenu
meeting: true
required_attendees: [Cook, Buyer, Clara]
### Steps
- Ask the meeting for a dish each
- Wait for the meeting (up to ${time})
- If somebody has not answered
  - Return "no menu without all of them"
- Return the dishes that all agree on

# Cook
You know what tastes good.

# Buyer
You know what there is.

# Clara:Human
Owns the place.
`;

const begun = [
  ops({ say: 'A dish each?', to: 'meeting' }),
  ops({ say: 'Soup.' }, { return: null }),
  ops({ say: 'There are leeks.' }, { return: null }),
];
const missing = ops({ at: '03', holds: true });
const agreed = ops({ at: '03', holds: false }, { at: '04' }, { return: 'leek pie' });

const run = ['run', 'menu.playbook.md', '--model', 'openai/test'];

test('a person who does not answer in time is named to the host, who goes on', async () => {
  await using models = await startModelServer(inOrder(...begun, missing));
  using folder = new Folder({ 'menu.playbook.md': menu('1 second') });
  const { code, stdout } = await folder.planvm(run, { env: models.env.openai });
  const asked = models.requests.map(({ body }) => JSON.stringify(body));
  expect(asked[3]).toContain('There are leeks.');
  expect(asked[3]).toContain('No answer has come from Clara within 1 second.');
  expect({ code, stdout }).toStrictEqual({
    code: 0,
    stdout: 'The menu: no menu without all of them\nno menu without all of them\n',
  });
});

test('one who answers from another process before it is time is heard', async () => {
  await using models = await startModelServer(inOrder(...begun, agreed));
  using folder = new Folder({ 'menu.playbook.md': menu('an hour') });
  const env = models.env.openai;
  const waiting = await folder.planvm(run, { env });
  expect(waiting).toMatchObject({ code: 4, stdout: '' });
  expect(waiting.stderr).toContain('it asks Clara: In the meeting about Friday');
  expect(models.requests).toHaveLength(3);
  const answered = await folder.planvm(['answer', 'last', '--as', 'Clara', 'Pie!'], { env });
  expect(answered).toMatchObject({ code: 0, stdout: 'The menu: leek pie\nleek pie\n' });
  const heard = JSON.stringify(models.requests[3]?.body);
  expect(heard).toContain('Pie!');
  expect(heard).not.toContain('No answer has come');
});
