/**
 * What stands in a reply behind something that has to wait: its lines come, and what is done at each
 * stands there, in the order of the reply, and what cannot be done leaves out no more than what
 * stands behind it.
 */
import { expect, test } from 'vitest';
import { load } from '../../../src/cli/record/load.ts';
import { stackIn } from '../../../src/cli/view/step-stack.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../../src/engine/journal/memory/journal.ts';
import { loadProgram } from '../../../src/engine/load.ts';
import { readPast } from '../../../src/engine/past/read-past.ts';
import { locate } from '../../../src/engine/views/locate.ts';
import { showRun } from '../../../src/engine/views/show.ts';
import { quickTool } from '../../engine/support.ts';
import { atEachDeath, ops, type PlayOptions, stageOf } from './played.ts';
import { at, wait } from './shop.ts';
import { slowTool } from './slow-tool.ts';

const desk = (steps: string, rest = '', code = ''): string =>
  `# Desk\n${code && `\n\`\`\`tools\n${code}\n\`\`\`\n`}
## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

/** The lines that were done, each with the steps around it, and what stands at them. */
function logOf(journal: Journal, run: string) {
  const view = showRun({ journal, run, load });
  const stack = stackIn(view.steps);
  return {
    ids: view.steps.map(({ id }) => stack(id)),
    says: (view.says ?? []).map(({ step, text }) => `${step} ${text}`),
    calls: view.effects
      .filter(({ name }) => name !== 'turn')
      .map(({ id, step, name, status }) => `${id} ${step} ${name} ${status}`),
  };
}

/** Plays it whole, then once more for each append before which its process may die. */
async function everywhere(text: string, options: () => PlayOptions) {
  const whole = memoryJournal();
  const ended = await stageOf(text, { ...options(), journal: whole }).start();
  expect(ended.error).toBeUndefined();
  const log = logOf(whole, ended.run);
  const make = () => {
    return { stage: (journal: Journal) => stageOf(text, { ...options(), journal }) };
  };
  await atEachDeath(make, ({ fatal, journal, run, result }) => {
    // Nobody knows whether a call that had begun was made.
    if (result.reason === 'unknown') return;
    expect([fatal, result.error, result.answer]).toEqual([fatal, undefined, ended.answer]);
    expect([fatal, logOf(journal, run)]).toEqual([fatal, log]);
  });
  return { ...log, journal: whole, run: ended.run, answer: ended.answer };
}

const ringing = (acts: unknown[], result: () => unknown = () => 'rung') =>
  quickTool(
    'Ring',
    () => {
      acts.push('ring');
      return result();
    },
    { effect: 'write', idempotent: false, parameters: { type: 'object', properties: {} } },
  );

const counting = desk(`- $n = 0
- While $n < 3
  - Say("round")
  - $d = Ring()
  - $n = $n + 1
  - Say("end of round")
- Return $n`);

const round = (n: number) => [
  ...[at('02'), at('02.01'), { say: 'round' }, at('02.02'), { call: 'Ring', into: '$d' }],
  ...[at('02.03'), { set: { $n: n } }, at('02.04'), { say: 'end of round' }, at('02.05')],
];

const rounds = [1, 2, 3].flatMap(round);

const all = ops(at('01'), { set: { $n: 0 } }, ...rounds, at('02'), at('03'), { return: '$n' });

test('the rounds of a loop that one reply does, wherever its process ends', async () => {
  const ran = await everywhere(counting, () => ({ replies: [all, all], tools: [ringing([])] }));
  const lines = ['02', '02.01', '02.02', '02.03', '02.04', '02.05'].map((one) => `Main:${one}`);
  expect(ran.ids).toEqual([
    ...['Main:01', ...lines, ...lines.map((one) => `${one}@2`), ...lines.map((one) => `${one}@3`)],
    ...['Main:02@4', 'Main:03'],
  ]);
  const visits = ['', '@2', '@3'];
  expect(ran.says).toEqual(
    visits.flatMap((one) => [`Main:02.01${one} round`, `Main:02.04${one} end of round`]),
  );
  expect(ran.calls.map((one) => one.slice(one.indexOf(' ') + 1))).toEqual(
    visits.map((one) => `Main:02.02${one} Ring done`),
  );
});

test('what cannot be done in a round leaves those before it done, though they say the same', async () => {
  const acts: unknown[] = [];
  const fails = () => {
    if (acts.length === 2) throw new EffectFailure('PV4001', 'no bell', { mayHaveActed: false });
    return 'rung';
  };
  const text = desk(
    `- $n = 0
- While $n < 3
  - $d = Ring()
  - Say("rung")
  - $n = $n + 1
- Return $n`,
    '## Two\n### Triggers\n- When $n == 2\n### Steps\n- Say("two")\n',
  );
  const rung = (n: number) => [at('02.02'), { say: 'rung' }, at('02.03'), { set: { $n: n } }];
  const ring = [at('02'), at('02.01'), { call: 'Ring', into: '$d' }];
  const end = [at('02.04'), ...ring, ...rung(3), at('02'), at('03'), { return: '$n' }];
  const journal = memoryJournal();
  const stage = stageOf(text, {
    ...{ journal, tools: [ringing(acts, fails)] },
    replies: [
      ops(at('01'), { set: { $n: 0 } }, ...ring, ...rung(1), ...ring, ...rung(2), ...end),
      ops({ unexpected: 'there is no bell' }, ...rung(2), ...end),
      ops(at('01'), { say: 'two' }),
      ops(...end),
    ],
  });
  const result = await stage.start();
  expect(result.error).toBeUndefined();
  expect([result.answer, acts.length]).toEqual([3, 3]);
  // The reply was cut off at the variable behind it: what of it is done its model is told.
  const done = stage.prompts[1]?.slice(stage.prompts[1].lastIndexOf('cut off here'));
  expect(done?.match(/at line \S+: .*/g)).toEqual([
    ...['at line 01: set $n to 0', 'at line 02.01: called Ring()', 'at line 02.02: said "rung"'],
    ...['at line 02.03: set $n to 1', 'at line 02.01: called Ring()'],
  ]);
  expect(logOf(journal, result.run).says).toEqual([
    ...['Main:02.02 rung', 'Main:02.02@2 rung', 'Two:01 two', 'Main:02.02@3 rung'],
  ]);
});

const sub = '## Sub(n)\n### Steps\n- Return n + 1\n';

const calling = (callee: string, n: unknown, into: string) => ({
  ...{ call: callee, args: { n }, into },
});

test.each([
  [
    'a function, to the line that returns',
    desk('- $a = Up(1)\n- n = 2\n- Return n', '', 'def Up(n):\n    return n + 1'),
    {
      Main: [
        ...[at('01'), calling('Up', 1, '$a'), at('02'), { set: { n: 2 } }],
        ...[at('03'), { return: '$n' }],
      ],
    },
    ['Main:01', 'Main:02', 'Main:03'],
  ],
  [
    'a playbook that takes the place of its caller, once that is over',
    desk('- m = 1\n- x = Sub(m)\n- Return x', sub),
    {
      Main: [
        ...[at('01'), { set: { m: 1 } }, at('02'), calling('Sub', '$m', 'x')],
        ...[at('03'), { return: '$x' }],
      ],
      Sub: [at('01'), { return: 2 }],
    },
    ['Main:01', 'Main:02', 'Sub:01', 'Main:03'],
  ],
  [
    'one in whose place another one comes, the last of them first',
    desk('- x = Mid(1)\n- Return x', `## Mid(n)\n### Steps\n- y = Sub(n)\n- Return y\n\n${sub}`),
    {
      Main: [at('01'), calling('Mid', 1, 'x'), at('02'), { return: '$x' }],
      Mid: [at('01'), calling('Sub', 1, 'y'), at('02'), { return: '$y' }],
      Sub: [at('01'), { return: 2 }],
    },
    ['Main:01', 'Mid:01', 'Sub:01', 'Mid:02', 'Main:02'],
  ],
])('behind %s', async (_, text, replies: Readonly<Record<string, readonly object[]>>, ids) => {
  const ran = await everywhere(text, () => ({
    replies: ({ prompt }) => {
      const name = /called as (\w+)\(/.exec(prompt)?.[1] ?? prompt;
      return ops(...(replies[name] ?? [{ unexpected: name }]));
    },
  }));
  expect(ran.answer).toBe(2);
  expect(ran.ids).toEqual(ids);
});

const looking = desk(
  '- For each k in ["a", "b", "c"]\n  - Note(k)\n  - r = look(k)\n- Say("over")\n- Return r',
  '',
  'def Note(k):\n    print(k)\n    state["last"] = k',
);

const look = (k: string) => [
  ...[at('01'), { set: { k } }, at('01.01'), { call: 'Note', args: { k: '$k' } }],
  ...[at('01.02'), { call: 'look', args: { what: '$k' }, into: 'r' }, at('01.03')],
];

test('what is asked for ahead stands at the visits that its lines are', async () => {
  let log: string[] = [];
  const asked = ops(...['a', 'b', 'c'].flatMap(look), at('01'), at('02'), wait);
  const told = ops(at('03'), { say: 'over' }, at('04'), { return: '$r' });
  const ran = await everywhere(looking, () => {
    const slow = slowTool();
    log = slow.log;
    const replies = ({ prompt }: { prompt: string }): string =>
      prompt.includes('found a') ? told : asked;
    return { replies, tools: [slow.tool] };
  });
  expect(log.slice(0, 3)).toEqual(['a begins', 'b begins', 'c begins']);
  expect(ran.answer).toBe('found c');
  const lines = ['01', '01.01', '01.02', '01.03'].map((one) => `Main:${one}`);
  expect(ran.ids).toEqual([
    ...[...lines, ...lines.map((one) => `${one}@2`), ...lines.map((one) => `${one}@3`)],
    ...['Main:01@4', 'Main:02', 'Main:03', 'Main:04'],
  ]);
  expect(ran.says).toEqual([
    ...['Main:01.01 a', 'Main:01.01@2 b', 'Main:01.01@3 c', 'Main:03 over'],
  ]);
  expect(ran.calls.map((one) => one.slice(one.indexOf(' ') + 1))).toEqual(
    ['', '@2', '@3'].map((one) => `Main:01.02${one} look done`),
  );
});

test('what cannot stand is mended where it is, and no line behind it has come', async () => {
  const text = desk(
    '- $n = "x"\n- Log("a")\n- Log($n)\n- Ask user for $day\n- Return $day',
    '',
    'def Log(x):\n    print(x)',
  );
  const log = (x: string) => ({ call: 'Log', args: { x } });
  const rest = [at('04'), { say: 'When?' }, at('05'), { yield: 'user' }];
  const journal = memoryJournal();
  const stage = stageOf(text, {
    ...{ journal, answers: ['Friday'] },
    replies: [
      ops(
        ...[at('01'), { set: { $n: 'x' } }, at('02'), log('a'), at('03'), log('$n.size')],
        ...rest,
      ),
      ops(at('03'), log('$n'), ...rest),
      ops({ set: { $day: 'Friday' } }, at('06'), { return: '$day' }),
    ],
  });
  const result = await stage.start();
  expect([result.error, result.answer]).toEqual([undefined, 'Friday']);
  const { ids, says } = logOf(journal, result.run);
  expect(ids).toEqual(['01', '02', '03', '04', '05', '06'].map((one) => `Main:${one}`));
  expect(says).toEqual(['Main:02 a', 'Main:03 x', 'Main:04 When?']);
});

test('what is asked for ahead of a call of the playbook itself stands at the visit that it had', async () => {
  const text = desk(
    '- $r = Sub(2)\n- Say("over")\n- Return 0',
    '## Sub(n)\n### Steps\n- If n > 0\n  - Sub(n - 1)\n- r = look(n)\n- Return r\n',
  );
  const replyOf = (n: number) => [
    ...[at('01'), ...(n > 0 ? [at('01.01'), { call: 'Sub', args: { n: n - 1 } }] : [])],
    ...[at('02'), { call: 'look', args: { what: n }, into: 'r' }, at('03'), { return: '$r' }],
  ];
  const ran = await everywhere(text, () => ({
    tools: [slowTool().tool],
    replies: ({ prompt }) => {
      const [, n] = /called as Sub\(n=(\d)\)/.exec(prompt) ?? [];
      const main = [
        at('01'),
        { call: 'Sub', args: { n: 2 }, into: '$r' },
        at('02'),
        { say: 'over' },
      ];
      return ops(...(n === undefined ? [...main, at('03'), { return: 0 }] : replyOf(Number(n))));
    },
  }));
  const visits = ran.ids.map((id) => id.split(' > ').at(-1)).filter((id) => id?.includes('Sub:02'));
  expect(visits).toEqual(['Sub:02@3', 'Sub:02@2', 'Sub:02']);
  expect(ran.calls.map((one) => one.slice(one.indexOf(' ') + 1))).toEqual(
    ['', '@2', '@3'].map((one) => `Sub:02${one} look done`),
  );
  const loaded = loadProgram(ran.run, readPast(ran.journal.events(ran.run)), load);
  const place = (id: string) => locate(loaded, ran.journal.events(ran.run), id);
  expect(place('Sub:02').point).toMatchObject({ step: 'Sub:02' });
  expect(() => place('Sub:02@4')).toThrow('has entered step Sub:02 3 times');
});

test('of what was asked for ahead nobody is told where its turn does not come', async () => {
  const code = 'def Fall(x):\n    return x // 0\n\ndef Known():\n    return state.get("b", "none")';
  const text = desk(
    '- $a = Fall(1)\n- Note("{$a}")\n- $b = look("b")\n- $c = Known()\n- Return $c',
    '## Note(x)\n### Steps\n- Say("{x}")\n',
    code,
  );
  const { tool, log } = slowTool();
  const journal = memoryJournal();
  const stage = stageOf(text, {
    ...{ journal, tools: [tool], strictness: 'advise' },
    replies: [
      ops(
        ...[at('01'), { call: 'Fall', args: { x: 1 }, into: '$a' }],
        ...[at('03'), { call: 'Note', args: { x: '{$a}' } }],
        ...[at('04'), { call: 'look', args: { what: 'b' }, into: '$b' }, wait],
      ),
      ops({ unexpected: 'no' }, at('05'), { call: 'Known', into: '$c' }, wait),
      ops(at('07'), { return: '$c' }),
    ],
  });
  const result = await stage.start();
  expect(result.error).toBeUndefined();
  expect([log, result.answer]).toEqual([['b begins', 'b ends'], 'none']);
  expect(stage.prompts[1]).not.toContain('found b');
});
