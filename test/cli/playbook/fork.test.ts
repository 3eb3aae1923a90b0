/** Forks within playbooks: what is set at a line is what they and their model find there. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const desk = `# Desk

## Main(day)
### Triggers
- At the beginning
### Steps
- $n = 2
- $total = Price($n)
- If $n > 40
  - Say("Welcome back")
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

const run = ['run', 'x.playbook.md', '--inline', '0', '--input', 'day=Sunday'];

test('a variable of an agent, of another one, and of a call is set at a line', async () => {
  using folder = new Folder({ 'x.playbook.md': desk });
  const planvm = (...args: readonly string[]) => folder.planvm(args);
  expect(await planvm(...run)).toMatchObject({ code: 0, stdout: '3\n' });
  const [id = ''] = (await planvm('runs')).stdout.match(/^r\w{8,}/m) ?? [];
  const fork = (at: string, set: string) => planvm('fork', id, '--at', at, '--set', set);

  // A trigger sees it as any change, before the line.
  const many = await fork('Desk.Main:03', 'Desk.$n=44');
  expect(many).toMatchObject({ code: 0, stdout: 'Welcome back\n3\n' });
  const seen = await planvm('show', 'last', '--at', 'Desk.Main:03.01', '--json');
  expect(JSON.parse(seen.stdout).variables).toMatchObject({
    ...{ $n: { value: 44 }, $alarm: { value: 'many' } },
  });

  // Of the call that stands there: the rest goes by it.
  expect(await fork('Desk.Price:03', 'rate=5')).toMatchObject({ code: 0, stdout: '5\n' });

  // Nothing has set it before, but the playbooks name it.
  const other = await fork('Desk.Main:03', 'Clerk.$fee=9');
  expect(other).toMatchObject({ code: 0, stdout: '3\n' });
  const result = await planvm('show', 'last', '--at', 'Desk.Main:04', '--json');
  expect(JSON.parse(result.stdout).variables).toMatchObject({ 'Clerk.$fee': { value: 9 } });
});

test('what cannot be set is refused with the nearest name, and texts are changed in no fork', async () => {
  using folder = new Folder({ 'x.playbook.md': desk, 'step.md': '- $n = 3\n' });
  const planvm = (...args: readonly string[]) => folder.planvm(args);
  expect(await planvm(...run)).toMatchObject({ code: 0, stdout: '3\n' });
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
  const revised = await planvm('revise', 'last', 'Be brief', '--at', 'main:1');
  expect(revised).toMatchObject({ code: 2, stdout: '' });
  expect(revised.stderr).toMatch(/PV6002: run \w+ is one of playbooks, which no model rewrites/);
  expect(revised.stderr).toMatch(/hint: change the file and run it; a fork that sets variables/);
  const edited = await planvm('fork', 'last', '--at', 'main:1', '--edit-step', 'step.md');
  expect(edited).toMatchObject({ code: 2, stdout: '' });
  expect(edited.stderr).toContain('PV6002: got step.md: a fork cannot have other playbooks');
  expect(edited.stderr).toContain('hint: planvm run x.playbook.md plays them');
});

test('what a fork sets within a reply sets off what is for it there, and the rest is asked for again', async () => {
  const program = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $n = 1
- Greet them
- Praise $n
- Return $n

## Too big
### Triggers
- When $n > 15
### Steps
- Say("Too big: {$n}")
`;
  const praise = [{ at: '03' }, { say: '{$n}!' }];
  await using models = await startModelServer(({ prompt }) =>
    ops(...(prompt.includes('You are at 02') ? [{ at: '02' }, { say: 'Hello.' }] : []), ...praise),
  );
  using folder = new Folder({ 'x.playbook.md': program });
  const env = { ...models.env.openai };
  const first = await folder.planvm([...run.slice(0, 2), '--model', 'openai/test'], { env });
  expect(first, first.stderr).toMatchObject({ code: 0, stdout: 'Hello.\n1!\n1\n' });
  const [id = ''] = (await folder.planvm(['runs'])).stdout.match(/^r\w{8,}/m) ?? [];
  const fork = (at: string, set: string) =>
    folder.planvm(['fork', id, '--at', at, '--set', set], { env });
  expect(await fork('Main:02', '$n=18')).toMatchObject({
    ...{ code: 0, stdout: 'Too big: 18\nHello.\n18!\n18\n' },
  });
  expect(models.requests).toHaveLength(2);
  expect(await fork('Main:03', '$n=20')).toMatchObject({
    ...{ code: 0, stdout: 'Too big: 20\n20!\n20\n' },
  });
  expect(models.requests).toHaveLength(3);
});

test('a fork sets what playbooks take as they start, and says what else it would be asked for', async () => {
  const greeting =
    '# Desk\n\n## Main(day, place)\n### Triggers\n- At the beginning\n### Steps\n' +
    '- $word = "on"\n- Return "{$word} {day} in {place}"\n';
  using folder = new Folder({ 'x.playbook.md': greeting });
  const planvm = (...args: readonly string[]) => folder.planvm(args);
  const inputs = ['--input', 'day=Sunday', '--input', 'place=Rome'];
  expect(await planvm('run', 'x.playbook.md', ...inputs)).toMatchObject({
    ...{ code: 0, stdout: 'on Sunday in Rome\n' },
  });
  const other = await planvm('fork', 'last', '--set', 'day=Monday');
  expect(other).toMatchObject({ code: 0, stdout: 'on Monday in Rome\n' });
  const strange = await planvm('fork', 'last', '--set', 'days=Monday');
  expect(strange.stderr).toContain('PV5132');
  expect(strange.stderr).toContain('that start (did you mean day?)');
  expect(strange.stderr).toContain('they take day, place');
  const within = await planvm('fork', 'last', '--set', '$word=off');
  expect(within.stderr).toContain('a variable is set at a line; planvm show r');
});
