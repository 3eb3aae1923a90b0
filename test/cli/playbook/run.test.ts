/** `planvm run x.playbook.md`: a model follows playbooks, through the whole command line. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, type ServedReply, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const hello = `# Hello

## Main
### Triggers
- At the beginning
### Steps
- Say("Hello from the harbour.")
- Say("This is a demo.")
- Say("Goodbye.")
- End program
`;

const desk = `# Bike desk
You rent bikes in a small harbour.

\`\`\`tools
def price(kind, days = 1):
    return {"city": 10, "race": 25}[kind] * days
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $day
- $bikes = FreeBikes($day)
- For each $bike in $bikes
  - $price = price($bike)
  - Say("{$bike}: {$price}")
- Return $day

## Free bikes(day)
Lists the bikes that are free on {day}.
### Steps
- Return ["city", "race"]
`;

/** Plays a file with these replies of the model. */
async function played(
  text: string,
  replies: readonly ServedReply[],
  flags: readonly string[] = [],
) {
  await using models = await startModelServer(inOrder(...replies));
  const folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const ended = await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test', ...flags], {
    env,
  });
  return { ...ended, requests: models.requests, folder };
}

test('says what it has to say, in order, and ends', async () => {
  const { folder, ...done } = await played(hello, [
    ops(
      { say: 'Hello from the harbour.' },
      { say: 'This is a demo.' },
      { say: 'Goodbye.' },
      { yield: 'exit' },
    ),
  ]);
  using _ = folder;
  expect(done).toMatchObject({
    code: 0,
    stdout: 'Hello from the harbour.\nThis is a demo.\nGoodbye.\n',
  });
  expect(done.requests).toHaveLength(1);
});

test('a question waits for another process; a call, a loop and functions do the rest', async () => {
  await using models = await startModelServer(
    inOrder(
      ops({ say: 'Which day?' }, { yield: 'user' }),
      ops(
        { set: { day: 'Sunday' } },
        { call: 'FreeBikes', args: { day: '$day' }, into: 'bikes' },
        { yield: 'call' },
      ),
      ops({ return: ['city', 'race'] }),
      ops(
        { set: { bike: 'city' } },
        { call: 'price', args: { kind: '$bike' }, into: 'price' },
        { yield: 'call' },
      ),
      ops(
        { say: '{$bike}: {$price}' },
        { set: { bike: 'race' } },
        { call: 'price', args: { kind: '$bike' }, into: 'price' },
        { yield: 'call' },
      ),
      ops({ say: '{$bike}: {$price}' }, { return: '$day' }),
    ),
  );
  using folder = new Folder({ 'desk.playbook.md': desk });
  const env = { ...models.env.openai };
  const asked = await folder.planvm(
    ['run', 'desk.playbook.md', '--model', 'openai/test', '--inline', '0'],
    { env },
  );
  expect(asked).toMatchObject({ code: 4, stdout: 'Which day?\n' });
  const answered = await folder.planvm(['answer', 'last', 'On Sunday'], { env });
  expect(answered).toMatchObject({ code: 0, stdout: 'city: 10\nrace: 25\nSunday\n' });
  expect(models.requests).toHaveLength(6);
});

test('what is wrong with code is said at its place in the Markdown, before anything is asked', async () => {
  const { folder, ...done } = await played(desk.replace('days = 1', 'days = dayz'), []);
  using _ = folder;
  expect(done.code).toBe(3);
  expect(done.stderr).toContain('x.playbook.md:5:');
  expect(done.stderr).toContain('dayz');
});

test('an input that nothing takes is refused, with what is taken', async () => {
  const { folder, ...done } = await played(hello, [], ['--input', 'city=Rome']);
  using _ = folder;
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('PV6007');
});

test('fills in what the last call returned', async () => {
  const text =
    '# Desk\n\n```tools\ndef price(kind):\n    return {"city": 10}[kind]\n```\n\n' +
    '## Main\n### Triggers\n- At the beginning\n### Steps\n- price("city")\n' +
    '- Say("That is {$_} a day.")\n- Return $_\n';
  const { folder, ...done } = await played(text, [
    ops({ call: 'price', args: { kind: 'city' } }, { yield: 'call' }),
    ops({ say: 'That is {$_} a day.' }, { return: '$_' }),
  ]);
  using _ = folder;
  expect(done).toMatchObject({ code: 0, stdout: 'That is 10 a day.\n10\n' });
  expect(JSON.stringify(done.requests[1])).toContain('$_ = 10');
  const checked = await folder.planvm(['check', 'x.playbook.md']);
  expect(checked.code).toBe(0);
  expect(checked.stdout + checked.stderr).not.toContain('PV');
});

test('a fork sets what playbooks take as they start, and says what else it would be asked for', async () => {
  const greeting =
    '# Desk\n\n## Main(day, place)\n### Triggers\n- At the beginning\n### Steps\n' +
    '- $word = "on"\n- Return $word {$day} in {$place}\n';
  const reply = ops({ set: { word: 'on' } }, { return: 'on {$day} in {$place}' });
  const given = ['--input', 'day=Sunday', '--input', 'place=Rome'];
  await using models = await startModelServer(inOrder(reply, reply));
  using folder = new Folder({ 'x.playbook.md': greeting });
  const env = { ...models.env.openai };
  const planvm = (args: readonly string[]) => folder.planvm(args, { env });
  const run = ['run', 'x.playbook.md', '--model', 'openai/test', ...given];
  expect(await planvm(run)).toMatchObject({ code: 0, stdout: 'on Sunday in Rome\n' });
  const other = await planvm(['fork', 'last', '--set', 'day=Monday']);
  expect(other).toMatchObject({ code: 0, stdout: 'on Monday in Rome\n' });
  const strange = await planvm(['fork', 'last', '--set', 'days=Monday']);
  expect(strange.stderr).toContain('PV5132');
  expect(strange.stderr).toContain('that start (did you mean day?)');
  expect(strange.stderr).toContain('they take day, place');
  const amidst = await planvm(['fork', 'last', '--set', '$word=off']);
  expect(amidst.stderr).toContain('a variable is set at a line, with --at');
  expect(models.requests).toHaveLength(2);
});

test('what an answer in plain words has said is not printed again as the result', async () => {
  const skill = '# Tides\nYou tell people when the water is high, in one sentence.\n';
  const words = { text: 'The water is high at six.' };
  const { folder: _, ...told } = await played(skill, [words]);
  expect(told).toMatchObject({ code: 0, stdout: 'The water is high at six.\n' });
  const { stdout } = await played(skill, [words], ['--json']);
  expect(JSON.parse(stdout)).toMatchObject({ answer: words.text });
});

test('options of plans do nothing to playbooks; one that promises a repair is refused', async () => {
  const reply = ops(
    ...[{ step: '01' }, { say: 'Hello from the harbour.' }, { step: '02' }],
    ...[{ say: 'This is a demo.' }, { step: '03' }, { say: 'Goodbye.' }, { yield: 'exit' }],
  );
  await using models = await startModelServer(inOrder(reply));
  using folder = new Folder({ 'x.playbook.md': hello });
  const env = { ...models.env.openai };
  const run = ['run', 'x.playbook.md', '--model', 'openai/test'];
  const repaired = await folder.planvm([...run, '--repair', '2'], { env });
  expect(repaired).toMatchObject({ code: 2, stdout: '' });
  expect(repaired.stderr).toContain('PV6002: --repair: no model writes playbooks anew');
  const told = 'Hello from the harbour.\nThis is a demo.\nGoodbye.\n';
  const joined = await folder.planvm([...run, '--no-join'], { env });
  expect(joined).toMatchObject({ code: 0, stdout: told });
});
