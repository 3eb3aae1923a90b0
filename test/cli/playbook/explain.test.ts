/** `--explain`: what the compiler has made of playbooks, and what the prompts of a run are for. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Greet()
- $x = Last(2)
- Return Last(1)

## Greet
### Steps
- Say("Hello.")

## Last(n)
### Steps
- Ask user for $name
- Return $name

### Notes
- Be brief
`;

test('check says what is inlined and why not, what need not come back, and where lines wait', async () => {
  using folder = new Folder({ 'x.playbook.md': text });
  const said = await folder.planvm(['check', 'x.playbook.md', '--explain']);
  expect(said).toMatchObject({ code: 0 });
  expect(said.stdout).toContain('inlined        Desk.Main:01  Greet: 1 line, at most 8');
  expect(said.stdout).toMatch(/not inlined {4}Desk\.Main:\d+ {2}Last: it has notes/);
  expect(said.stdout).toMatch(
    /tail call {6}Desk\.Main:03 {2}Return Last\(1\): it need not come back/,
  );
  expect(said.stdout).toContain('open           Desk.Last:01  Ask user for $name');
  const json = await folder.planvm(['check', 'x.playbook.md', '--explain', '--json']);
  expect(JSON.parse(json.stdout).explained[0]).toEqual({
    ...{ what: 'inlined', at: 'Desk.Main:01', text: 'Greet: 1 line, at most 8' },
  });
  const none = await folder.planvm(['check', 'x.playbook.md', '--explain', '--inline', '0']);
  expect(none.stdout).toContain('not inlined    Desk.Main:01  Greet: 1 line, more than 0');
  const plain = await folder.planvm(['check', 'x.playbook.md', '--json']);
  expect(JSON.parse(plain.stdout)).not.toHaveProperty('explained');
});

test('compile says so beside what it prints', async () => {
  using folder = new Folder({ 'x.playbook.md': text });
  const plain = await folder.planvm(['compile', 'x.playbook.md']);
  const flags = ['--explain', '--inline', '0'];
  const done = await folder.planvm(['compile', 'x.playbook.md', ...flags]);
  expect(done.stdout).toBe(plain.stdout);
  expect(done.stderr).toContain('Greet: 1 line, more than 0');
});

test('a run says at its end what the tokens of its prompts were for, over all turns; answer, too', async () => {
  await using models = await startModelServer(
    inOrder(ops({ at: '01' }, { say: 'Who?' }, { yield: 'user' }), ops({ set: { name: 'Ann' } })),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const args = ['run', 'x.playbook.md', '--model', 'openai/test', '--explain'];
  const done = await folder.planvm(args, { env: models.env.openai });
  expect(done).toMatchObject({ code: 4 });
  expect(done.stderr).toContain('inlined        Desk.Main:01');
  expect(done.stderr).toMatch(/prompts of 1 turn in 1 conversation: about [\d ,]+ tokens/);
  expect(done.stderr).toMatch(/chat new +\S+ {2}0#\d+: it begins\n/);
  const instructions = Number(
    /instructions +([\d]+)/.exec(done.stderr.replace(/[ ,](?=\d{3}\b)/g, ''))?.[1],
  );
  expect(instructions).toBeGreaterThan(500);
  const env = models.env.openai;
  const answered = await folder.planvm(['answer', 'last', 'Ann', '--explain'], { env });
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stderr).toContain('inlined        Desk.Main:01');
  expect(answered.stderr).toMatch(/prompts of 3 turns in \d+ conversations?: about [\d ,]+ tokens/);
});
