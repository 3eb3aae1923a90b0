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
  expect(said.stdout).toContain('inlined        Desk.Main:01  Greet: 1 step, at most 8');
  expect(said.stdout).toMatch(/not inlined {4}Desk\.Main:\d+ {2}Last: it has notes/);
  expect(said.stdout).toMatch(/tail call {6}Desk\.Main:\d+ {2}Last is the last it does/);
  expect(said.stdout).toContain('waits          Desk.Last:02  for user');
  const json = await folder.planvm(['check', 'x.playbook.md', '--explain', '--json']);
  expect(JSON.parse(json.stdout).explained[0]).toEqual({
    ...{ what: 'inlined', at: 'Desk.Main:01', text: 'Greet: 1 step, at most 8' },
  });
  const none = await folder.planvm(['check', 'x.playbook.md', '--explain', '--inline', '0']);
  expect(none.stdout).toContain('not inlined    Desk.Main:01  Greet: 1 step, more than 0');
  const plain = await folder.planvm(['check', 'x.playbook.md', '--json']);
  expect(JSON.parse(plain.stdout)).not.toHaveProperty('explained');
});

test('compile says so beside what it prints', async () => {
  using folder = new Folder({ 'x.playbook.md': text });
  const plain = await folder.planvm(['compile', 'x.playbook.md']);
  const flags = ['--explain', '--inline', '0'];
  const done = await folder.planvm(['compile', 'x.playbook.md', ...flags]);
  expect(done.stdout).toBe(plain.stdout);
  expect(done.stderr).toContain('Greet: 1 step, more than 0');
});

test('a run says at its end what the tokens of its prompts were for, over all turns; answer, too', async () => {
  await using models = await startModelServer(
    inOrder(
      ops({ say: 'Hello.' }, { call: 'Last', args: { n: 2 } }, { yield: 'call' }),
      ops({ say: 'Who?' }, { yield: 'user' }),
      ops({ set: { name: 'Ann' } }, { return: '$name' }),
      ops({ call: 'Last', args: { n: 1 } }),
      ops({ return: '$name' }),
    ),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const args = ['run', 'x.playbook.md', '--model', 'openai/test', '--explain'];
  const done = await folder.planvm(args, { env: models.env.openai });
  expect(done).toMatchObject({ code: 4 });
  expect(done.stderr).toContain('inlined        Desk.Main:01');
  expect(done.stderr).toMatch(/prompts of 2 turns in 2 conversations: about [\d ,]+ tokens/);
  expect(done.stderr).toMatch(/chat new +Main:\S+ {2}0#\d+: it begins\n/);
  const instructions = Number(
    /instructions +([\d]+)/.exec(done.stderr.replace(/[ ,](?=\d{3}\b)/g, ''))?.[1],
  );
  expect(instructions).toBeGreaterThan(500);
  const env = models.env.openai;
  const answered = await folder.planvm(['answer', 'last', 'Ann', '--explain'], { env });
  expect(answered).toMatchObject({ code: 0 });
  expect(answered.stderr).toContain('inlined        Desk.Main:01');
  expect(answered.stderr).toMatch(/prompts of 5 turns in \d+ conversations?: about [\d ,]+ tokens/);
});

test('a conversation goes on behind its first reply, though a trigger has cut that off', async () => {
  const cut = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $x = 20
- Find a better $x
- Return $x

## Too big
### Triggers
- When $x > 15
### Steps
- Say("Too big")
`;
  await using server = await startModelServer(
    inOrder(
      ops(
        { step: '01' },
        { set: { $x: 20 } },
        { step: '02' },
        { set: { $x: 5 } },
        { return: '$x' },
      ),
      ops({ step: '01' }, { say: 'Too big' }, { return: null }),
      ops({ step: '02' }, { set: { $x: 12 } }, { step: '03' }, { return: '$x' }),
    ),
  );
  using folder = new Folder({ 'x.playbook.md': cut });
  const flags = ['--model', 'openai/test', '--explain', '--chat', 'keep', '--no-settle'];
  const said = await folder.planvm(['run', 'x.playbook.md', ...flags], { env: server.env.openai });
  expect(said).toMatchObject({ code: 0, stdout: 'Too big\n12\n' });
  expect(said.stderr).toContain('prompts of 3 turns in 2 conversations');
  expect(said.stderr).toMatch(/^chat kept +Main:01 .*: so it is set: keep$/m);
  const [first, , second] = server.requests.map(({ body }) => Object(body).messages);
  expect(second).toHaveLength(2);
  expect(second[0]).toEqual(first[0]);
  const head = `${first[1].content}\n\nYour last reply was cut off here.`;
  expect(second[1].content.slice(0, head.length)).toBe(head);
});
