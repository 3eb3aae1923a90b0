/**
 * What has changed behind a run: it goes on with its own text and with the tools of today, and says
 * where these are others.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';
import { followed } from '../support/playbook-follower.ts';

const plan = [calling(0, 'ask', { question: 'Which day?' }, 'day'), answering(1, ref('day'))];

test('a program: before it goes on, with the way to what the file has now', async () => {
  using folder = new Folder({ 'plan.json': plan });
  await folder.planvm(['run', 'plan.json']);
  const same = await folder.planvm(['answer', 'last', 'Monday']);
  expect(same).toMatchObject({ code: 0, stdout: 'Monday\n' });
  expect(same.stderr).not.toContain('PV6044');

  await folder.planvm(['run', 'plan.json']);
  writeFileSync(join(folder.path, 'plan.json'), JSON.stringify([answering(1, 'other')]));
  const changed = await folder.planvm(['answer', 'last', 'Tuesday']);
  expect(changed).toMatchObject({ code: 0, stdout: 'Tuesday\n' });
  expect(changed.stderr).toMatch(/^warning PV6044: plan\.json has changed; the run goes on with/);
  expect(changed.stderr).toMatch(/hint: a fork with the file as its program takes over/);
  expect(changed.stderr.match(/PV6044/g)).toHaveLength(1);
});

const desk = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- Say("It is {$day}.")

!import more.md
`;
const more = '## Other\n### Steps\n- Say("Other")\n';

test('playbooks: also what they import, and as a warning of the result', async () => {
  await using models = await startModelServer(({ messages }) => followed(messages));
  using folder = new Folder({ 'x.playbook.md': desk, 'more.md': more });
  const env = { env: models.env.openai };
  await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/m'], env);
  writeFileSync(join(folder.path, 'more.md'), more.replace('Other")', 'More")'));
  const { stdout } = await folder.planvm(['answer', 'last', 'Monday', '--json'], env);
  expect(JSON.parse(stdout).warnings).toEqual([
    {
      code: 'PV6044',
      message: 'x.playbook.md has changed; the run goes on with the text that it was started with',
      hint: 'run the file to play what it has now',
    },
  ]);
  const fork = await folder.planvm(['fork', 'last', '--program', 'x.playbook.md'], env);
  expect(fork.code).toBe(2);
  expect(fork.stderr).toContain(
    'error PV6002: got x.playbook.md: a fork cannot have other playbooks',
  );
});

test('compiled playbooks, too', async () => {
  await using models = await startModelServer(({ messages }) => followed(messages));
  using folder = new Folder({ 'x.playbook.md': desk, 'more.md': more });
  const env = { env: models.env.openai };
  const { stdout: compiled } = await folder.planvm(['compile', 'x.playbook.md']);
  folder.write('x.pbasm', compiled);
  await folder.planvm(['run', 'x.pbasm', '--model', 'openai/m'], env);
  folder.write('x.pbasm', compiled.replace('It is', 'So it is'));
  const changed = await folder.planvm(['answer', 'last', 'Tuesday'], env);
  expect(changed).toMatchObject({ code: 0, stdout: 'It is Tuesday.\n' });
  expect(changed.stderr).toContain('warning PV6044: x.pbasm has changed');
});

const module = (name: string, effect: string, result: string): string => `
const text = { type: 'string' };
export default [
  { name: 'note', description: 'Notes.', effect: '${effect}', run: () => '${result}',
    parameters: { type: 'object', properties: { ${name}: text } } },
  { name: 'other', description: 'Is not called.', effect: '${effect}', run: () => 1,
    parameters: { type: 'object', properties: { ${name}: text } } },
];
`;

test('tools: what they take and what they may do, where the run calls them', async () => {
  const program = 'day = ask(question = "Which day?")\nanswer(note(text = day))\n';
  using folder = new Folder({ 'p.star': program, 't.mjs': module('text', 'read', 'noted') });
  const run = ['run', 'p.star', '--tools', './t.mjs'];
  await folder.planvm(run);
  folder.write('t.mjs', module('text', 'read', 'written down'));
  const same = await folder.planvm(['answer', 'last', 'Monday']);
  expect(same).toMatchObject({ code: 0, stdout: 'written down\n' });
  expect(same.stderr).not.toContain('warning');
  await folder.planvm(run);
  folder.write('t.mjs', module('words', 'write', 'noted'));
  const changed = await folder.planvm(['answer', 'last', 'Monday', '--json']);
  const { warnings } = JSON.parse(changed.stdout);
  const warning = warnings.find(({ code }: { code: string }) => code === 'PV6045');
  expect(warning).toMatchObject({
    code: 'PV6045',
    message:
      'the tool note is another one than when the run began: it takes other arguments, ' +
      'it is a write, not idempotent, and was a read',
  });
  expect(changed.stderr.match(/warning PV6045/g)).toHaveLength(1);
});

test('tools of playbooks: also those that were not called before', async () => {
  await using models = await startModelServer(({ messages }) => followed(messages));
  const steps = '- Ask user for $day\n- $done = note($day)\n- Return $done';
  const text = `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n`;
  using folder = new Folder({ 'x.playbook.md': text, 't.mjs': module('text', 'read', 'noted') });
  const env = { env: models.env.openai };
  await folder.planvm(['run', 'x.playbook.md', '--tools', './t.mjs', '--model', 'openai/m'], env);
  folder.write('t.mjs', module('words', 'read', 'noted'));
  const { stderr } = await folder.planvm(['answer', 'last', 'Monday'], env);
  expect(stderr).toContain(
    'warning PV6045: the tool note is another one than when the run began: it takes other arguments',
  );
  expect(stderr).not.toContain('the tool ask');
});
