/** `planvm debug x.playbook.md`: every line that is done is one to stop at. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { followed } from '../../support/playbook-follower.ts';
import { noteTool } from './note-tool.ts';

const calling = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $a = One(1)
- $b = One(2)
- Return $a

## One(n)
### Steps
- m = n
- Return m
`;

test('lines of called playbooks are stopped at, in a live run', async () => {
  await using models = await startModelServer(({ messages }) => followed(messages));
  using folder = new Folder({ 'x.playbook.md': calling });
  const env = { ...models.env.openai };
  const debug = (args: readonly string[], ...lines: readonly string[]) =>
    folder.planvm(['debug', ...args], { env, input: `${lines.join('\n')}\n` });
  const file = ['x.playbook.md', '--inline', '0', '--model', 'openai/test'];
  const live = await debug([...file, '--break', 'One:02'], 'p m', 'c', 'p m', 'where', 'c');
  expect(live.stdout).toMatch(
    /\[\d+\] step One:02 RET.+\n▶.+\n1\n(step One:02\n)\[\d+\] step One:02@2 RET.+\n▶.+\n2\n/,
  );
  expect(live.stdout).toMatch(/ {2}Main line x.playbook.md:8\n▶ One line x.playbook.md:14\n/);
  expect(live).toMatchObject({ code: 0, stdout: expect.stringContaining('end: done') });
});

const within = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $n = 2
- $m = Twice($n)
- Say("{$m}")
- $o = Twice($m)
- Return $o

## Twice(x)
### Steps
- y = len("twice")
- Return y
`;

test('a line of the file is where its steps are, also of a playbook that stands in its calls', async () => {
  await using models = await startModelServer(({ messages }) => followed(messages));
  using folder = new Folder({ 'x.playbook.md': within });
  const env = { ...models.env.openai };
  const file = ['x.playbook.md', '--model', 'openai/test'];
  const stops = async (at: string, ...more: readonly string[]): Promise<readonly string[]> => {
    const args = ['debug', ...file, ...more, '--break', at];
    const { stdout } = await folder.planvm(args, { env, input: 'c\nc\nc\nc\n' });
    return [...stdout.matchAll(/^\[\d+\] step (\S+)/gm)].map(([, step = '']) => step);
  };
  const copies = await stops('15');
  expect(copies).toHaveLength(2);
  expect(copies.every((step) => step.startsWith('Main:'))).toBe(true);
  expect(await stops('Twice:01')).toEqual(copies);
  expect(await stops('Twice')).toEqual(copies);
  expect(await stops('15', '--inline', '0')).toEqual(['Twice:01', 'Twice:01@2']);
  // What the line waits with stands there, too: one stop is enough.
  expect(await stops('8', '--inline', '0')).toEqual(['Main:02']);
  const nowhere = await folder.planvm(['debug', ...file, '--break', '12'], { env, input: 'q\n' });
  expect(nowhere.stderr).toContain('break: got 12');
});

test('what a line does is not done before one goes there', async () => {
  const text = '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n';
  using folder = new Folder({
    'x.playbook.md': `${text}- $n = 4\n- note($n)\n- Say("done")\n- Return $n\n`,
    'tools.ts': noteTool('write'),
  });
  const more = ['--tools', './tools.ts', '--yes', 'note', '--break', 'Main:02 if $n == 4'];
  const input = 'print $n\neffects note\n';
  const held = await folder.planvm(['debug', 'x.playbook.md', ...more], { input });
  expect(held.stdout).toMatch(/step Main:02 QUE note\(\$n\)\n▶ {4}8 - note\(\$n\)\n4\nnone\n$/);
  expect(held.stderr).toContain('x.playbook.md (playbook), begun');
  expect(existsSync(join(folder.path, 'notes'))).toBe(false);
  const resumed = await folder.planvm(['resume', 'last']);
  expect(resumed).toMatchObject({ code: 0, stdout: 'done\n4\n' });
  expect(folder.read('notes')).toBe('4 ');
  const shown = (await folder.planvm(['show', 'last'])).stdout;
  expect(shown).toMatch(/Main:02 QUE {2}note\(\$n\) {2}:8\n {4}✔ note {2}0#1/);
  expect(shown).toContain('» done');
});
