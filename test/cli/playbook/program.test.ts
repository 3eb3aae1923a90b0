/** Playbooks as a program among others: inputs, stdin, stdout, exit codes, functions of modules. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const sum = `#!/usr/bin/env -S planvm run
# Summary

## Greet
### Triggers
- At the beginning
### Steps
- Return 1

## Summarise($length)
cli_entry: true
### Triggers
- At the beginning
### Steps
- $words = countWords($startup_message)
- Look at what is piped in
- Return $words
`;

const tools = `export default [{
  name: 'countWords',
  description: 'Counts the words of a text.',
  effect: 'read',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => text.trim().split(/\\s+/).length,
}];
`;

const base = ['sum.playbook.md', '--model', 'openai/test'];

async function piped(flags: readonly string[]) {
  await using models = await startModelServer(() => ops({ at: '02' }));
  const folder = new Folder({ 'sum.playbook.md': sum, 'tools.mjs': tools });
  const env = { ...models.env.openai };
  const done = await folder.planvm(['run', ...base, ...flags], {
    env,
    input: 'One, two and three.\n',
  });
  return { ...done, folder, requests: models.requests };
}

test('what is piped in is a variable, functions of a module are called, the answer is piped on', async () => {
  const { folder, ...done } = await piped(['--tools', './tools.mjs', '--input', 'length=3']);
  using _ = folder;
  expect(done).toMatchObject({ code: 0, stdout: '4\n' });
  const prompt = JSON.stringify(done.requests[0]?.body);
  expect(prompt).toContain('countWords(text: string): Counts the words of a text.');
  expect(prompt).toContain('= 01 $words = countWords($startup_message)');
  expect(prompt).toContain('countWords into $words: 4');
});

test('a module is loaded only where somebody gives it', async () => {
  const { folder, ...done } = await piped([]);
  using _ = folder;
  expect(done).toMatchObject({ code: 3, stdout: '' });
  expect(done.stderr).toContain('there is no playbook, function or tool countWords');
  expect(done.requests).toStrictEqual([]);
  const checked = await folder.planvm(['check', 'sum.playbook.md', '--tools', 'tools.mjs']);
  expect(checked.code).toBe(0);
});

test('an input that is missing is asked for, by the one that takes inputs: exit code 4', async () => {
  const { folder, ...done } = await piped(['--tools', './tools.mjs']);
  using _ = folder;
  expect(done).toMatchObject({ code: 4, stdout: '' });
  expect(done.stderr).toMatch(/Summary.Summarise: what is length\?[\s\S]*planvm answer \w+ "…"/);
  const refused = await folder.planvm(['run', ...base, '--tools', 'tools.mjs', '--input', 'x=1']);
  expect(refused.stderr).toContain('they take length');
});

test('functions alone are played without any model', async () => {
  const program = new URL('../../playbooks/programs/code-only.playbook.md', import.meta.url);
  const folder = new Folder({ 'till.playbook.md': readFileSync(program, 'utf8') });
  const done = await folder.planvm(['run', 'till.playbook.md', '--input', 'price=100']);
  expect(done.code).toBe(0);
  expect(done.stdout).toBe('total 220\n220\n');
  const talk = await folder.planvm(['chat', 'till.playbook.md', '--input', 'price=100']);
  expect(talk.stderr).toContain('PV6011');
});

describe('what is piped in', () => {
  const shorten = 'Shorten the text to ten words.\n';
  const words = 'One, two and three.';

  test.each<[string, string]>([
    ['prose', shorten],
    ['a playbook without lines', `# Desk\n## Main\n### Triggers\n- At the beginning\n\n${shorten}`],
    [
      'lines that speak of it',
      '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Return what is piped in\n',
    ],
  ])('is told to the model that follows %s', async (_name, text) => {
    await using models = await startModelServer(() => ops({ return: 'short' }));
    using folder = new Folder({ 'shorten.md': text });
    const done = await folder.planvm(['run', 'shorten.md', '--model', 'openai/test'], {
      env: models.env.openai,
      input: words,
    });
    expect(done.stdout).toBe('short\n');
    const told = JSON.stringify(models.requests[0]?.body);
    expect(told).toMatch(/startup_message(?: = \\"One, two and three\.\\"|: string of 19)/);
  });

  test('is empty where nothing comes, and is none of a talk, whose messages it has', async () => {
    const text =
      '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Say what fits $startup_message\n';
    await using models = await startModelServer(({ prompt }) =>
      ops(...(prompt.includes('wrote') ? [{ say: 'I hear.' }, { return: 1 }] : [{ say: 'Hello' }])),
    );
    using folder = new Folder({ 'echo.playbook.md': text });
    const model = ['--model', 'openai/test'];
    const options = { env: models.env.openai, input: '' };
    await folder.planvm(['run', 'echo.playbook.md', ...model], options);
    expect(JSON.stringify(models.requests[0]?.body)).toContain('$startup_message = \\"\\"');
    const chat = ['chat', 'echo.playbook.md', ...model];
    const talk = await folder.planvm(chat, { ...options, input: 'Are you there?\n' });
    expect(talk.stdout).toBe('Hello\nI hear.\n');
  });
});
