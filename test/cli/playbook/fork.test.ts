/** Forks in the midst of playbooks: what is set at a line is what they and their model find there. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const desk = `# Desk

## Main(day)
### Triggers
- At the beginning
### Steps
- $n = 2
- $total = Price($n)
- If $vip
  - Say "Welcome back"
- Return $total

## Price(count)
### Steps
- rate = 3
- Pause()
- sum = rate
- Return sum

## Pause
### Steps
- Return

## Too many
### Triggers
- When $n > 10
### Steps
- $alarm = "many"
- Return

# Clerk

## Fee
public: true
### Steps
- $fee = 5
- Return $fee
`;

const begin = ops(
  ...[{ step: '01' }, { set: { n: 2 } }, { step: '02' }],
  ...[{ call: 'Price', args: { count: '$n' }, into: 'total' }, { yield: 'call' }],
);
const price = ops(
  { step: '01' },
  { set: { rate: 3 } },
  { step: '02' },
  { call: 'Pause', args: {} },
);
const priced = ops({ step: '03' }, { set: { sum: '$rate' } }, { step: '04' }, { return: '$rate' });
const end = ops({ step: '03' }, { step: '04' }, { return: '$total' });
const greeted = ops(
  { step: '03.01' },
  { say: 'Welcome back' },
  { step: '04' },
  { return: '$total' },
);

test('a variable of an agent, of another one, and of a call is set at a line', async () => {
  const alarm = ops({ step: '01' }, { set: { alarm: 'many' } }, { step: '02' }, { return: null });
  const base = [begin, price, ops({ step: '01' }, { return: null }), priced, end];
  const forks = [greeted, alarm, end, priced, end];
  await using models = await startModelServer(inOrder(...base, ...forks));
  using folder = new Folder({ 'x.playbook.md': desk });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  const run = ['--inline', '0', '--model', 'openai/test', '--input', 'day=Sunday'];
  expect(await planvm('run', 'x.playbook.md', ...run)).toMatchObject({ code: 0, stdout: '3\n' });
  const [id = ''] = (await planvm('runs')).stdout.match(/^r\w{8,}/m) ?? [];
  const fork = (at: string, set: string) => planvm('fork', id, '--at', at, '--set', set);
  const asked = () => models.requests.slice(-1).map((one) => JSON.stringify(one.body));

  // Nothing has set it before, but the playbooks name it.
  expect(await fork('Desk.Main:03', '$vip=true')).toMatchObject({
    code: 0,
    stdout: 'Welcome back\n3\n',
  });
  expect(asked()[0]).toMatch(/\$vip[^$]*[Tt]rue/);

  // A trigger sees it as any change, before the turn that begins there.
  const many = await fork('Desk.Main:03', 'Desk:$n=44');
  expect(many).toMatchObject({ code: 0, stdout: '3\n' });
  expect(many.stderr).toContain('Desk.TooMany:01');
  const seen = await planvm('show', 'last', '--at', 'Desk.Main:03', '--json');
  expect(JSON.parse(seen.stdout).variables).toMatchObject({ $n: { value: 44 } });

  // Of the call that stands there: the rest goes by it.
  const local = await fork('Desk.Price:03', 'rate=5');
  expect(local).toMatchObject({ code: 0, stdout: '5\n' });

  const other = await fork('Desk.Main:03', 'Clerk.$fee=9');
  expect(other).toMatchObject({ code: 0, stdout: '3\n' });
  const result = await planvm('show', 'last', '--at', 'Desk.Main:04', '--json');
  expect(JSON.parse(result.stdout).variables).toMatchObject({ 'Clerk.$fee': { value: 9 } });
});

test('a name that is not there is refused with the nearest one, and asks nobody', async () => {
  const replies = [begin, price, ops({ step: '01' }, { return: null }), priced, end];
  await using models = await startModelServer(inOrder(...replies));
  using folder = new Folder({ 'x.playbook.md': desk });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  const run = ['--inline', '0', '--model', 'openai/test', '--input', 'day=Sunday'];
  expect(await planvm('run', 'x.playbook.md', ...run)).toMatchObject({ code: 0, stdout: '3\n' });
  for (const [at, set, meant] of [
    ['Desk.Main:03', '$totl=5', '$total'],
    ['Desk.Price:03', 'rat=5', 'rate'],
    ['Desk.Main:03', 'Clark.$fee=5', 'Clerk.$fee'],
    // A variable of the call, but of another one than that which stands there.
    ['Desk.Main:03', 'rate=5', ''],
  ] as const) {
    const { code, stderr } = await planvm('fork', 'last', '--at', at, '--set', set);
    expect([code, stderr]).toEqual([2, expect.stringContaining('PV5132')]);
    expect(stderr).toContain(`--at ${at} shows what there is`);
    if (meant !== '') expect(stderr).toContain(`(did you mean ${meant}?)`);
  }
  expect(models.requests).toHaveLength(5);
});

test('the text of playbooks is changed where it stands: by no model, and in no fork', async () => {
  await using models = await startModelServer(inOrder(begin, price, priced, end));
  const env = { ...models.env.openai };
  using folder = new Folder({ 'x.playbook.md': desk, 'step.md': '- $n = 3\n' });
  const start = ['run', 'x.playbook.md', '--model', 'openai/test', '--input', 'day=Monday'];
  await folder.planvm(start, { env });
  const asked = models.requests.length;
  const revised = await folder.planvm(['revise', 'last', 'Be brief', '--at', 'main:1'], { env });
  expect(revised).toMatchObject({ code: 2, stdout: '' });
  expect(revised.stderr).toMatch(/PV6002: run \w+ is one of playbooks, which no model writes anew/);
  expect(revised.stderr).toMatch(/hint: change x\.playbook\.md, and run it; planvm fork r\w+ --at/);
  const edit = ['fork', 'last', '--at', 'main:1', '--edit-step', 'step.md'];
  const edited = await folder.planvm(edit, { env });
  expect(edited).toMatchObject({ code: 2, stdout: '' });
  expect(edited.stderr).toContain('PV6002: got step.md: a fork cannot have other playbooks');
  expect(edited.stderr).toContain('hint: planvm run x.playbook.md plays them');
  expect(models.requests.length).toBe(asked);
});

test('what a fork sets within a reply sets off what is for it there, and the rest is asked anew', async () => {
  const program = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $n = 1
- Say("One.")
- Say("Two.")
- Return $n

## Too big
### Triggers
- When $n > 15
### Steps
- Say("Too big: {$n}")
`;
  const two = [{ step: '03' }, { say: 'Two.' }, { step: '04' }, { return: '$n' }];
  await using models = await startModelServer(
    inOrder(
      ops({ step: '01' }, { set: { n: 1 } }, { step: '02' }, { say: 'One.' }, ...two),
      ops({ step: '01' }, { say: 'Too big: 18' }),
      ops({ step: '02' }, { say: 'One.' }, ...two),
      ops({ say: 'Too big: 20' }),
      ops(...two),
    ),
  );
  using folder = new Folder({ 'x.playbook.md': program });
  const env = { ...models.env.openai };
  const run = await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test'], { env });
  expect(run, run.stderr).toMatchObject({ code: 0, stdout: 'One.\nTwo.\n1\n' });
  const [id = ''] = (await folder.planvm(['runs'])).stdout.match(/^r\w{8,}/m) ?? [];
  const fork = (at: string, set: string) =>
    folder.planvm(['fork', id, '--at', at, '--set', set], { env });
  expect(await fork('Main:02', '$n=18')).toMatchObject({
    code: 0,
    stdout: 'Too big: 18\nOne.\nTwo.\n18\n',
  });
  expect(await fork('Main:03', '$n=20')).toMatchObject({
    code: 0,
    stdout: 'Too big: 20\nTwo.\n20\n',
  });
});
