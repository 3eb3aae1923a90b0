/** Limits of playbooks that end a run, and how it goes on with larger ones. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const counting = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- While $n < 3
  - Ask user for the next $n
- Return $n
`;

const first = ops({ step: '01' }, { step: '01.01' }, { say: 'First?' }, { yield: 'user' });
const next = (n: number) =>
  ops(
    ...[{ set: { $n: n } }, { step: '01.03' }, { step: '01' }, { step: '01.01' }],
    ...[{ say: `Behind ${n}?` }, { yield: 'user' }],
  );
const last = ops(
  ...[{ set: { $n: 3 } }, { step: '01.03' }, { step: '01' }, { step: '02' }, { return: '$n' }],
);

test('a playbook that has taken all its turns goes on with more, as does a fork of its run', async () => {
  await using models = await startModelServer(inOrder(first, next(1), next(2), last, next(2)));
  using folder = new Folder({ 'x.playbook.md': counting });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  await planvm('run', 'x.playbook.md', '--model', 'openai/m', '--turns', '2');
  await planvm('answer', 'last', '1');
  const ended = await planvm('answer', 'last', '2');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('PV7321: at Desk.Main:01.03: no end after 2 turns');
  const [, run = ''] = /planvm resume (\S+) --turns N/.exec(ended.stderr) ?? [];
  expect(run).not.toBe('');

  const again = await planvm('resume', run);
  expect(again.code).toBe(1);
  expect(models.requests).toHaveLength(2);

  const goesOn = await planvm('resume', run, '--turns', '4');
  expect(goesOn.code).toBe(4);
  expect(goesOn.stdout).toBe('Behind 2?\n');
  const done = await planvm('answer', run, '3');
  expect(done).toMatchObject({ code: 0, stdout: '3\n' });

  const fork = await planvm('fork', run, '--at', 'Main:01.03', '--turns', '9');
  expect(fork.stderr).not.toContain('PV7321');
});

test('playbooks that call each other deeper than they may go on with a larger depth', async () => {
  const text = `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $x = Two()\n- Say("{$x}")\n\n## Two\n### Steps\n- $y = Three()\n- Say("two {$y}")\n- Return $y\n\n## Three\n### Steps\n- Return 3\n`;
  const call = (name: string, into: string) =>
    ops({ step: '01' }, { call: name, args: {}, into }, { step: '02' }, { yield: 'call' });
  await using models = await startModelServer(
    inOrder(
      ...[call('Two', '$x'), call('Three', '$y'), ops({ step: '01' }, { return: 3 })],
      ops({ step: '03' }, { say: 'two {$y}' }, { step: '04' }, { return: '$y' }),
      ops({ step: '03' }, { say: '{$x}' }, { return: null }),
    ),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  const ended = await planvm(
    'run',
    'x.playbook.md',
    '--model',
    'openai/m',
    '--inline',
    '0',
    '--depth',
    '2',
  );
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('playbooks call each other 2 deep');
  expect(ended.stderr).toMatch(/planvm resume \S+ --depth N/);
  const done = await planvm('resume', 'last', '--depth', '3');
  expect(done).toMatchObject({ code: 0, stdout: 'two 3\n3\n' });
});

test('a model that mends each reply, and errs in each of them, is stopped, and goes on with more', async () => {
  // Each wrong reply leaves out the wait, the next one is as it should be.
  const wrong = (n: number) => ops({ set: { $n: n } }, { step: '01.03' }, { step: '17' });
  const right = (n: number) =>
    ops({ step: '01' }, { step: '01.01' }, { say: `Behind ${n}?` }, { yield: 'user' });
  await using models = await startModelServer(
    inOrder(first, wrong(1), right(1), wrong(2), right(2), last),
  );
  using folder = new Folder({ 'x.playbook.md': counting });
  const env = { ...models.env.openai };
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  const set = { PLANVM_PLAYBOOKS: 'slips=1' };
  await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/m'], { env: { ...env, ...set } });
  const asked = await planvm('answer', 'last', '1');
  expect([asked.code, asked.stdout]).toEqual([4, 'Behind 1?\n']);

  const ended = await planvm('answer', 'last', '2');
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/error PV7328: at Desk.Main:01: Main has no line 17/);
  expect(ended.stderr).toMatch(/\.\s+It was told once in this playbook what could not stand\./);
  expect(ended.stderr).toContain('{"step":"17"}');
  const [, run = ''] = /planvm resume (\S+) --slips N/.exec(ended.stderr) ?? [];
  expect((await planvm('resume', run)).code).toBe(1);

  const goesOn = await planvm('resume', run, '--slips', '2');
  expect([goesOn.code, goesOn.stdout]).toEqual([4, 'Behind 2?\n']);
  expect(await planvm('answer', run, '3')).toMatchObject({ code: 0, stdout: '3\n' });
  expect(models.requests).toHaveLength(6);
});

test('a limit met in what a function calls is no failure that the function goes on behind', async () => {
  const text = `# Desk

\`\`\`tools
def work(n):
    first = attempt(Count, n)
    return Count(n) if first.ok else "went on"
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $r = work(2)
- Say("{$r}")

## Count(n)
### Steps
- $a = Look()
- Say("{$a}")
- Return $a

## Look()
### Steps
- Return 4
`;
  const call = (name: string, args: object, into: string) =>
    ops({ step: '01' }, { call: name, args, into }, { step: '02' }, { yield: 'call' });
  const looks = [call('Look', {}, '$a'), ops({ step: '01' }, { return: 4 })];
  const returns = ops({ step: '03' }, { say: '{$a}' }, { step: '04' }, { return: '$a' });
  const says = ops({ step: '03' }, { say: '{$r}' }, { return: null });
  await using models = await startModelServer(
    inOrder(call('work', { n: 2 }, '$r'), ...looks, returns, ...looks, returns, says),
  );
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const run = ['run', 'x.playbook.md', '--model', 'openai/m', '--inline', '0'];
  const planvm = (...args: readonly string[]) => folder.planvm(args, { env });
  const ended = await planvm(...run, '--turns', '1');
  expect([ended.code, ended.stdout]).toEqual([1, '']);
  expect(ended.stderr).toContain('PV7321: at Desk.Count:03: no end after 1 turn\n');

  expect((await planvm('resume', 'last')).code).toBe(1);
  expect(models.requests).toHaveLength(3);

  const done = await planvm('resume', 'last', '--turns', '3');
  expect(done).toMatchObject({ code: 0, stdout: '4\n4\n4\n' });
  expect(models.requests).toHaveLength(8);
});

test('a line that is come to more often than a step may be is told at its place', async () => {
  const rounds = [1, 2, 3].map((n) =>
    ops({ step: '01' }, { set: { $i: n } }, { say: `No. ${n}.` }),
  );
  await using models = await startModelServer(inOrder(rounds.join('\n')));
  const text = `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- For $i from 1 to 3\n  - Say("No. {$i}.")\n`;
  using folder = new Folder({ 'x.playbook.md': text });
  const run = ['run', 'x.playbook.md', '--model', 'openai/m', '--step-visits', '2'];
  const ended = await folder.planvm(run, { env: { ...models.env.openai } });
  expect([ended.code, ended.stdout]).toEqual([1, 'No. 1.\nNo. 2.\n']);
  expect(ended.stderr).toContain(
    'x.playbook.md:7:3: error PV3014: step Main:01 was entered 2 times',
  );
  expect(ended.stderr).not.toContain('the loop that plays');
});

test('a value that grows beyond its limit is told at the line that sets it', async () => {
  const doubled = { set: { $x: '{$x}{$x}' } };
  const reply = ops({ step: '01' }, { set: { $x: 'a'.repeat(60_000) } }, { step: '02' }, doubled);
  await using models = await startModelServer(inOrder(reply));
  const text = `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Word $x\n- Double $x\n`;
  using folder = new Folder({ 'x.playbook.md': text });
  const limits = ['--value-bytes', '100000'];
  const run = ['run', 'x.playbook.md', '--model', 'openai/m', ...limits];
  const ended = await folder.planvm(run, { env: { ...models.env.openai } });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('x.playbook.md:8:3: error PV3012');
  expect(ended.stderr).not.toContain('the loop that plays');
});

test('of a message a model judges as many characters as are allowed, and a warning says the rest', async () => {
  const text = `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Ask user for $more\n- Return 1\n\n## Boats\n### Triggers\n- When the user writes about boats\n### Steps\n- Return 1\n`;
  const replies = [
    ops({ step: '01' }, { say: 'More?' }, { step: '02' }, { yield: 'user' }),
    '{"holds": []}',
    ops({ set: { $more: 'a letter' } }, { step: '03' }, { return: 1 }),
  ];
  await using models = await startModelServer(inOrder(...replies, ...replies));
  using folder = new Folder({
    'x.playbook.md': text,
    'planvm.config.json': { limits: { judgedChars: 60 } },
  });
  const env = { ...models.env.openai };
  const letter = `Dear all. ${'word '.repeat(30)}boats ${'word '.repeat(30)}Yours.`;
  const asked = async (...flags: readonly string[]) => {
    const from = models.requests.length;
    await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/m', ...flags], { env });
    const done = await folder.planvm(['answer', 'last', letter], { env });
    return { ...done, judged: JSON.stringify(models.requests[from + 1]?.body) };
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
