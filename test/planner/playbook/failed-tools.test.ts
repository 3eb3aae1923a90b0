/**
 * Tools that fail, with calls behind them in the same reply: what needs the result is not done, a
 * write least of all, and the model is told; what reads something else goes on beside it.
 */
import { describe, expect, test } from 'vitest';
import { load } from '../../../src/cli/record/load.ts';
import { showRun } from '../../../src/engine/views/show.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const lines = `# Desk
## Main()
### Triggers
- T1:BGN At the beginning
### Steps
- 01:QUE $a = find(1)
- 02:QUE $b = read(2)
- 03:QUE save($a)
- 04:QUE $c = read(3)
- 05:QUE save(4)
- 06:YLD for call
- 07:RET $b
`;

const call = (name: string, x: unknown, into?: string) => ({
  ...{ call: name, args: { x } },
  ...(into !== undefined && { into }),
});
const all = [
  [{ step: '01' }, call('find', 1, 'a')],
  [{ step: '02' }, call('read', 2, 'b')],
  [{ step: '03' }, call('save', '$a')],
  [{ step: '04' }, call('read', 3, 'c')],
  [{ step: '05' }, call('save', 4)],
].flat();

async function play(text: string, replies: readonly string[], found?: unknown, saved?: Error) {
  const done: string[] = [];
  const tool = (name: string, effect: 'read' | 'write', give: (x: unknown) => unknown) =>
    quickTool(
      name,
      ({ x }) => {
        done.push(`${name} ${x}`);
        return give(x);
      },
      {
        ...{ effect, idempotent: effect === 'read' || saved !== undefined },
        parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
      },
    );
  const find = tool('find', 'read', () => {
    if (found === undefined) throw new Error('no such record');
    return found;
  });
  const save = tool('save', 'write', () => {
    if (saved) throw saved;
    return null;
  });
  const tools = [find, tool('read', 'read', (x) => `R${x}`), save];
  const ended = await played(text, { replies, tools });
  return { ...ended, done: [...new Set(done)] };
}

describe('a tool that fails', () => {
  test('what needs its result is not done, nor what writes behind that', async () => {
    const { result, prompts, done } = await play(lines, [
      ops(...all, { step: '06' }, { yield: 'call' }),
      ops({ unexpected: 'there is no record' }, { step: '07' }, { return: '$b' }),
    ]);
    expect(done.toSorted()).toEqual(['find 1', 'read 2']);
    expect(prompts[1]).toContain('find into $a failed');
    expect(prompts[1]).toContain('Line 03 needs what has failed: from there on nothing');
    expect(prompts[1]).toMatch(/Go on at line 03/);
    expect(result).toMatchObject({ status: 'done', answer: 'R2' });
  });

  test('what is said of its result is not said', async () => {
    const { said, prompts } = await play(lines.replace('03:QUE save($a)', '03:QUE Say("{$a}")'), [
      ops(...all.slice(0, 4), { step: '03' }, { say: '{$a}' }, { step: '04' }, { yield: 'call' }),
      ops({ unexpected: 'there is no record' }, { step: '07' }, { return: '$b' }),
    ]);
    expect(said).toEqual([]);
    expect(prompts[1]).toContain('Line 03 needs what has failed');
  });

  test('in a playbook without lines, too', async () => {
    const free = '# Desk\n## Main\nSave what you find.\n### Triggers\n- At the beginning\n';
    const { prompts, done } = await play(free, [
      ops(call('find', 1, 'a'), call('save', '$a'), call('save', 4), { yield: 'call' }),
      ops({ return: 'nothing found' }),
    ]);
    expect(done).toEqual(['find 1']);
    expect(prompts[1]).toContain('A call needs what has failed: from there on nothing');
  });
});

test('where it does not fail, all is done in the same reply, each once', async () => {
  const { result, prompts, done } = await play(
    lines,
    [ops(...all, { step: '06' }, { yield: 'call' }), ops({ step: '07' }, { return: '$b' })],
    'F',
  );
  expect(prompts).toHaveLength(2);
  expect(done.toSorted()).toEqual(['find 1', 'read 2', 'read 3', 'save 4', 'save F']);
  expect(result).toMatchObject({ status: 'done', answer: 'R2', warnings: [] });
});

describe('a write that fails is told before anybody hears of it, and before the playbook ends', () => {
  const steps = (...all: readonly string[]) =>
    `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${all.join('\n')}\n`;
  const two = '- save(1)\n- Say("It is saved.")';
  const saves = [{ step: '01' }, call('save', 1)];
  const says = [{ step: '02' }, { say: 'It is saved.' }];
  const told = { unexpected: 'the disk is full' };
  const sorry = ops(told, { say: 'It could not be saved.' }, { exit: true });
  const full = new Error('the disk is full');

  test.each([
    ['with a return', `${two}\n- Return "ok"`, [...says, { step: '03' }, { return: 'ok' }], '02'],
    ['with an end of the program', `${two}\n- End program`, [...says, { exit: true }], '02'],
    ['without either', two, says, '02'],
    [
      'with no message before it',
      '- save(1)\n- Return "ok"',
      [{ step: '02' }, { return: 'ok' }],
      '02',
    ],
    ['with the call itself', '- save(1)', [], ''],
  ])('%s', async (_, text, behind, line) => {
    const first = ops(...saves, ...behind);
    const { said, prompts } = await play(steps(text), [first, sorry], 'F', full);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain('save failed: PV4006: save threw Error: the disk is full');
    if (line) expect(prompts[1]).toContain(`Line ${line} stands behind what has failed`);
    expect(said).toEqual(['It could not be saved.']);
  });

  test('with a call of another playbook at the end', async () => {
    const text = `${steps('- save(1)\n- Tell()')}\n## Tell\n### Steps\n- Say something about it\n`;
    const first = ops(...saves, { step: '02' }, { call: 'Tell' }, { yield: 'call' });
    const { said, prompts } = await play(text, [first, sorry], 'F', full);
    expect(prompts[1]).toContain('Line 02 stands behind what has failed');
    expect(said).toEqual(['It could not be saved.']);
  });

  test('what is said before it, and behind what only read, is said', async () => {
    const text = steps('- Say("One moment.")\n- find(1)\n- Say("Still looking.")\n- read(2)');
    const first = ops(
      ...[{ say: 'One moment.' }, call('find', 1), { say: 'Still looking.' }, call('read', 2)],
    );
    const { said } = await play(text, [first, ops(told, { exit: true })]);
    expect(said).toEqual(['One moment.', 'Still looking.']);
  });

  test('where it does not fail, one reply is enough', async () => {
    const first = ops(...saves, ...says, { step: '03' }, { return: 'ok' });
    const { result, said, prompts } = await play(steps(`${two}\n- Return "ok"`), [first]);
    expect(prompts).toHaveLength(1);
    expect(said).toEqual(['It is saved.']);
    expect(result).toMatchObject({ status: 'done', answer: 'ok' });
  });
});

describe('what a failed call was to give has no value, before its model has been told', () => {
  const desk = (steps: string, rest: string): string =>
    `# Desk\n${rest}\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n`;
  const finds = [{ step: '01' }, call('find', 1, '$a'), { step: '02' }];
  const told = { unexpected: 'there is no record' };

  test('a playbook that needs it is not played, nor one that calls such a one', async () => {
    const tell = '## Tell\n### Steps\n- Say("It is {$a}")\n';
    const around = '## Around\n### Steps\n- Tell()\n- Say("So it is.")\n';
    for (const callee of ['Tell', 'Around']) {
      const steps = `- $a = find(1)\n- ${callee}()\n- Return "ok"`;
      const first = ops(...finds, { call: callee }, { yield: 'call' });
      const { said, prompts } = await play(desk(steps, tell + around), [
        first,
        ops(told, { exit: true }),
      ]);
      expect(said).toEqual([]);
      expect(prompts).toHaveLength(2);
      expect(prompts[1]).toContain('Line 02 needs what has failed');
    }
  });

  test('a function finds nothing there', async () => {
    const use =
      '```tools\ndef Use():\n    read(x = 1)\n    return state.get("a", "nothing")\n```\n';
    const steps = '- $a = find(1)\n- $b = Use()\n- Return $b';
    const first = ops(...finds, { call: 'Use', into: '$b' }, { yield: 'call' });
    const { result } = await play(desk(steps, use), [first, ops({ step: '03' }, { return: '$b' })]);
    expect(result.answer).toBe('nothing');
  });

  test('what a playbook sets meanwhile stays', async () => {
    const set = '## Set\n### Steps\n- $a = 7\n';
    const steps = '- $a = find(1)\n- Set()\n- Return $a';
    const { result } = await play(desk(steps, set), [
      ops(...finds, { call: 'Set' }, { yield: 'call' }),
      ops({ step: '01' }, { set: { $a: 7 } }),
      ops({ step: '03' }, { return: '$a' }),
    ]);
    expect(result.answer).toBe(7);
  });

  test('what a later call has given to it stays', async () => {
    const steps = '- $a = find(1)\n- $a = read(2)\n- Return $a';
    const { result } = await play(desk(steps, ''), [
      ops(...finds, call('read', 2, '$a'), { yield: 'call' }),
      ops({ step: '03' }, { return: '$a' }),
    ]);
    expect(result.answer).toBe('R2');
  });
});

describe('what only reads, and was asked for behind a write that has failed', () => {
  const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- save(1)
- Say("It is saved.")
- $a = read(2)
- $b = read(3)
- Return [$a, $b]
`;
  const reads = [
    ...[{ step: '03' }, call('read', 2, '$a'), { step: '04' }, call('read', 3, '$b')],
    ...[{ step: '05' }, { yield: 'call' }],
  ];
  const first = ops({ step: '01' }, call('save', 1), { say: 'It is saved.' }, ...reads);
  const last = ops({ step: '05' }, { return: ['$a', '$b'] });

  async function asked(...second: readonly object[]) {
    const reading: unknown[] = [];
    const parameters = { type: 'object', properties: { x: {} }, required: ['x'] };
    const save = quickTool(
      'save',
      ({ x }) => {
        if (x === 1) throw new Error('the disk is full');
        return null;
      },
      { effect: 'write', idempotent: true, parameters },
    );
    const read = quickTool('read', ({ x }) => `R${reading.push(x) && x}`, { parameters });
    const tools = [save, read];
    const ended = await played(text, { tools, replies: [first, ops(...second), last] });
    expect(ended.result.error).toBeUndefined();
    expect(ended.prompts[1]).toContain('from there on nothing of your reply is done');
    expect(ended.prompts[1]).not.toContain('R2');
    expect(ended.result.answer).toEqual(['R2', 'R3']);
    return { ...ended, reading };
  }

  const told = { unexpected: 'the disk is full' };

  test('is not asked again by the reply that goes on there, and stands at its line', async () => {
    const says = [{ step: '02' }, { say: 'It is saved.' }];
    const { reading, journal, result } = await asked(told, ...says, ...reads);
    expect(reading).toEqual([2, 3]);
    const { effects } = showRun({ journal, run: result.run, load });
    const places = effects.filter(({ name }) => name === 'read').map(({ step }) => step);
    expect(places).toEqual(['Main:03', 'Main:04']);
  });

  test('is asked again where that writes before', async () => {
    const { reading } = await asked(told, { step: '02' }, call('save', 4), ...reads);
    expect(reading).toEqual([2, 3, 2, 3]);
  });
});

test('each item has its own round where what writes fails in one, and one reply does all', async () => {
  const text = `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps
- For each $i in [1, 2, 3]\n  - save($i)\n  - Say("{$i} is kept")\n- Return 5\n`;
  const behind = (i: number) => [{ step: '01.02' }, { say: `${i} is kept` }, { step: '01.03' }];
  const round = (i: number) => [
    ...[{ step: '01' }, { set: { $i: i } }, { step: '01.01' }, call('save', '$i')],
    ...behind(i),
  ];
  const end = [{ step: '01' }, { step: '02' }, { return: 5 }];
  const failing = new Error('it is locked');
  const { result, prompts, said, done } = await play(
    text,
    [
      ops(...round(1), ...round(2), ...round(3), ...end),
      ops(...behind(1), ...round(2), ...round(3), ...end),
      ops(...behind(2), ...round(3), ...end),
      ops(...behind(3), ...end),
    ],
    undefined,
    failing,
  );
  expect(result).toMatchObject({ status: 'done', answer: 5 });
  expect([said, done]).toEqual([
    ['1 is kept', '2 is kept', '3 is kept'],
    ['save 1', 'save 2', 'save 3'],
  ]);
  const told = prompts.slice(1).map((one) => /Go on at line [^\n]*$/.exec(one)?.[0]);
  expect(told).toEqual(
    [1, 2, 3].map((i) => `Go on at line 01.02. At line 01: item ${i} of 3, which is ${i}.`),
  );
});
