/** Limits of playbooks that end a run, and how it goes on with larger ones. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const main = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const run = ['run', 'x.playbook.md', '--model', 'openai/m'];

test('a playbook that has taken all its turns goes on with more, as does a fork of its run', async () => {
  await using models = await startModelServer(
    inOrder(
      ...[ops({ say: 'First?' }), ops({ set: { n: 1 } })],
      ...[ops({ say: 'After 1?' }), ops({ set: { n: 3 } })],
    ),
  );
  using folder = new Folder({
    'x.playbook.md': main('- $n = 0\n- While $n < 3\n  - Ask for the next number $n\n- Return $n'),
  });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  await planvm(...run, '--turns', '2');
  const ended = await planvm('answer', 'last', '1');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('PV7321: at Desk.Main:02.01: no end after 2 turns');
  const [, id = ''] = /planvm resume (\S+) --turns N/.exec(ended.stderr) ?? [];
  expect(id).not.toBe('');

  expect(await planvm('resume', id)).toMatchObject({ code: 1 });
  expect(models.requests).toHaveLength(2);

  const more = await planvm('resume', id, '--turns', '4');
  expect(more).toMatchObject({ code: 4, stdout: 'After 1?\n' });
  expect(await planvm('answer', id, '3')).toMatchObject({ code: 0, stdout: '3\n' });

  const fork = await planvm('fork', id, '--at', 'Main:02.01@2', '--turns', '9');
  expect(fork.stderr).not.toContain('PV7321');
});

test('playbooks that call each other deeper than they may go on with a larger depth', async () => {
  const steps = '### Steps\n- $y = Three()\n- Say("two {$y}")\n- Return $y';
  using folder = new Folder({
    'x.playbook.md': main(
      '- $x = Two()\n- Say("{$x}")',
      `## Two\n${steps}\n\n## Three\n### Steps\n- Return 3\n`,
    ),
  });
  const ended = await folder.planvm([...run.slice(0, 2), '--inline', '0', '--depth', '2']);
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('playbooks call each other 2 deep');
  expect(ended.stderr).toMatch(/planvm resume \S+ --depth N/);
  const done = await folder.planvm(['resume', 'last', '--depth', '3']);
  expect(done).toMatchObject({ code: 0, stdout: 'two 3\n3\n' });
});

test('a model that errs in each line is stopped, and goes on with more', async () => {
  const named = ops({ at: '01' });
  await using models = await startModelServer(
    inOrder(ops({ at: '17' }), named, ops({ call: 'Refund' }), ops({ at: '02' })),
  );
  using folder = new Folder({ 'x.playbook.md': main('- Greet them\n- Thank them\n- Return 7') });
  const env = { ...models.env.openai };
  const strict = { ...env, PLANVM_PLAYBOOKS: 'slips=1' };
  const ended = await folder.planvm(run, { env: strict });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/error PV7328: at Desk.Main:02: .*Refund/);
  expect(ended.stderr).toMatch(/\.\s+It was told 1 time in this playbook what could not stand\./);
  const [, id = ''] = /planvm resume (\S+) --slips N/.exec(ended.stderr) ?? [];
  expect(await folder.planvm(['resume', id], { env })).toMatchObject({ code: 1 });
  const more = await folder.planvm(['resume', id, '--slips', '2'], { env });
  expect(more).toMatchObject({ code: 0, stdout: '7\n' });
  expect(models.requests).toHaveLength(4);
});

test('a limit met in what a function calls is not a failure that the function goes on after', async () => {
  const code = `\`\`\`tools
def work(n):
    first = attempt(Count, n)
    return Count(n) if first.ok else "went on"
\`\`\`
`;
  const text = main(
    '- $r = work(2)\n- Say("{$r}")',
    '## Count(n)\n### Steps\n- Choose a number $a\n- Choose a number $b\n- Return $a\n',
  ).replace('## Main', `${code}\n## Main`);
  const count = [ops({ set: { a: 4 } }), ops({ set: { b: 5 } })];
  await using models = await startModelServer(inOrder(...count, ...count));
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  const ended = await planvm(...run, '--inline', '0', '--turns', '1');
  expect([ended.code, ended.stdout]).toEqual([1, '']);
  expect(ended.stderr).toContain('PV7321: at Desk.Count:02: no end after 1 turn\n');
  expect((await planvm('resume', 'last')).code).toBe(1);
  expect(models.requests).toHaveLength(1);
  const done = await planvm('resume', 'last', '--turns', '3');
  expect(done).toMatchObject({ code: 0, stdout: '4\n' });
  expect(models.requests).toHaveLength(4);
});

test.each([
  [
    ...['a line that is come to more often than a step may be', '--step-visits', '2'],
    '- For each $i in [1, 2, 3]\n  - Say("No. {$i}.")',
    ...['x.playbook.md:7:3: error PV3014: step Main:01 was entered 2 times', 'No. 1.\nNo. 2.\n'],
  ],
  [
    ...['a value that grows beyond its limit', '--value-bytes', '100000'],
    '- $x = "a" * 60000\n- $x = $x + $x',
    ...['x.playbook.md:8:3: error PV7313: at Desk.Main:02: PV3012', ''],
  ],
])('%s is told at its line', async (_, option, limit, steps, message, stdout) => {
  using folder = new Folder({ 'x.playbook.md': main(steps) });
  const ended = await folder.planvm([...run.slice(0, 2), option, limit]);
  expect([ended.code, ended.stdout]).toEqual([1, stdout]);
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).not.toContain('the loop that plays');
});

test('of a message a model judges as many characters as are allowed, and a warning says the rest', async () => {
  const text = main(
    '- Ask user for $more\n- Return 1',
    '## Boats\n### Triggers\n- When the user writes about boats\n### Steps\n- Return 1\n',
  );
  await using models = await startModelServer(({ prompt }) => {
    if (prompt.startsWith('Conditions:')) return '{"holds": []}';
    return ops(prompt.includes('wrote') ? { set: { more: 'a letter' } } : { say: 'More?' });
  });
  using folder = new Folder({
    'x.playbook.md': text,
    'planvm.config.json': { limits: { judgedChars: 60 } },
  });
  const env = { ...models.env.openai };
  const letter = `Dear all. ${'word '.repeat(30)}boats ${'word '.repeat(30)}Yours.`;
  const asked = async (...flags: readonly string[]) => {
    const from = models.requests.length;
    await folder.planvm([...run, ...flags], { env });
    const done = await folder.planvm(['answer', 'last', letter], { env });
    expect(done).toMatchObject({ code: 0 });
    const judges = models.requests.slice(from).filter((one) => one.prompt.startsWith('Conditions'));
    return { ...done, judged: JSON.stringify(judges.at(-1)?.body) };
  };
  const short = await asked();
  expect(short.stderr).toContain(
    `PV7333 the model that judges triggers is not shown ${letter.length - 60} characters`,
  );
  expect(short.judged).toContain('Dear all.');
  expect(short.judged).not.toContain('word boats');
  const whole = await asked('--judged-chars', '400');
  expect(whole.stderr).not.toContain('PV7333');
  expect(whole.judged).toContain('word boats');
});
