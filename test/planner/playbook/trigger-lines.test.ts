/**
 * What a trigger sets off stands in the line that has set its variable, and so does who judges it;
 * lines that the reply has behind it come behind what is played.
 */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';
import { seenIn } from './seen.ts';
import { at, wait } from './shop.ts';

const desk = (lines: readonly string[], condition: string, rest = '', code = ''): string => `# Desk
${code && `\n\`\`\`tools\n${code}\n\`\`\`\n`}
## Main
### Triggers
- At the beginning
### Steps
${lines.join('\n')}

## Hot
retrigger: edge
### Triggers
- When ${condition}
### Steps
- Say("hot {$v}")
${rest}`;

const hot = [at('01'), { say: 'hot {$v}' }, { return: null }];

const tools = [
  quickTool('look', ({ n }) => n, { ...orders, effect: 'read' }),
  quickTool('put', ({ n }) => n, orders),
];

const call = (name: string, n: unknown, into?: string) => ({
  ...{ call: name, args: { n } },
  ...(into === undefined ? {} : { into }),
});

/** Plays it, with the replies of each playbook by the line where they begin. */
async function seen(text: string, replies: Readonly<Record<string, readonly object[]>>) {
  const ran = await played(text, {
    tools,
    matches: ({ changed }) => (Number(Object(changed).$v) > 5 ? ['Desk.Hot:T1'] : []),
    replies({ messages }) {
      const book = messages.map(({ content }) => /^## (\w+)\(/m.exec(content)?.[1]).find(Boolean);
      const asked = messages.at(-1)?.content ?? '';
      const line = [...asked.matchAll(/(?:Begin|Go on) at line ([\d.]+\d)/g)].at(-1)?.[1];
      const reply = book === 'Hot' ? hot : replies[book === 'Main' ? (line ?? '') : (book ?? '')];
      if (!reply) throw new Error(`nobody goes on so: ${asked}`);
      return ops(...reply);
    },
  });
  expect(ran.result.error).toBeUndefined();
  return { ...seenIn(ran.journal, ran.result.run), turns: ran.prompts.length };
}

const lines = (...numbers: readonly string[]): string[] => numbers.map((one) => `Main:${one}`);

describe.each(['$v > 5', '$v is high'])('when %s', (condition) => {
  const judge = (step: string, v: number): string[] =>
    condition === '$v > 5' ? [] : [`${step} ${v}`];
  const judged = (calls: readonly string[]): string[] =>
    calls.flatMap((one) => {
      const [, step, v] = /^(\S+) match_triggers .*"changed":{"\$v":(\d+)}/.exec(one) ?? [];
      return step === undefined ? [] : [`${step} ${v}`];
    });

  const said = [at('02'), { say: 'behind' }, at('03'), { return: 1 }];

  test('what a tool gives', async () => {
    const ran = await seen(desk(['- $v = look(9)', '- Say("behind")', '- Return 1'], condition), {
      '01': [at('01'), call('look', 9, '$v'), ...said],
      '02': said,
    });
    expect(ran.ids).toEqual(['Main:01', 'Main:01 > Hot:01', 'Main:02', 'Main:03']);
    expect(ran.says).toEqual(['Hot:01 hot 9', 'Main:02 behind']);
    expect(judged(ran.calls)).toEqual(judge('Main:01', 9));
  });

  test('what a tool gives in a reply that only ends behind it, which is not asked for again', async () => {
    const ran = await seen(desk(['- $v = look(9)', '- Return 1'], condition), {
      '01': [at('01'), call('look', 9, '$v'), at('02'), { return: 1 }],
    });
    expect(ran.ids).toEqual(['Main:01', 'Main:01 > Hot:01', 'Main:02']);
    expect(ran.turns).toBe(2);
  });

  test('what a tool gives that writes', async () => {
    const ran = await seen(desk(['- $v = put(9)', '- Say("behind")', '- Return 1'], condition), {
      '01': [at('01'), call('put', 9, '$v'), ...said],
      '02': said,
    });
    expect(ran.ids).toEqual(['Main:01', 'Main:01 > Hot:01', 'Main:02', 'Main:03']);
    expect(ran.says).toEqual(['Hot:01 hot 9', 'Main:02 behind']);
  });

  test.each([
    ['a function gives', '$v = Same(9)', '', 'def Same(n):\n    return n'],
    ['a function sets', 'Put(9)', '', 'def Put(n):\n    state["v"] = n'],
    [
      'a playbook gives',
      '$v = Gives(9)',
      '## Gives(n)\n### Steps\n- Say("given")\n- Return n\n',
      '',
    ],
  ])('what %s, with a tool asked meanwhile', async (_, line, rest, code) => {
    const [, into, name = ''] = /^(?:(\$v) = )?(\w+)/.exec(line) ?? [];
    const behind = [at('02'), call('look', 2, '$w'), at('03'), { say: 'behind' }];
    const end = [at('04'), { return: 1 }];
    const text = desk(
      [`- ${line}`, '- $w = look(2)', '- Say("behind")', '- Return 1'],
      condition,
      rest,
      code,
    );
    const ran = await seen(text, {
      '01': [at('01'), call(name, 9, into), ...behind, ...end],
      '02': [...behind, ...end],
      '03': [...behind, ...end],
      Gives: [at('01'), { say: 'given' }, at('02'), { return: '$n' }],
    });
    const inner = name === 'Gives' ? ['Main:01 > Gives:01', 'Main:01 > Gives:02'] : [];
    expect(ran.ids.filter((id) => !/Main:0[2-9]$/.test(id))).toEqual([
      ...['Main:01', ...inner, 'Main:01 > Hot:01'],
    ]);
    expect(ran.ids.slice(0, inner.length + 2)).toEqual(['Main:01', ...inner, 'Main:01 > Hot:01']);
    expect(ran.says.at(-1)).toMatch(/behind$/);
    expect(judged(ran.calls)).toEqual(judge('Main:01', 9));
  });

  test('the item of a round that is not set, before its first line', async () => {
    const round = (n: number) => [at('01.01'), { say: `is ${n}` }, at('01.02')];
    const ran = await seen(
      desk(['- For each $v in [1, 9]', '  - Say("is {$v}")', '- Return 1'], condition),
      {
        '01': [at('01'), ...round(1), ...round(9), at('01'), at('02'), { return: 1 }],
        '01.01': [...round(9), at('01'), at('02'), { return: 1 }],
      },
    );
    expect(ran.ids).toEqual([
      ...[...lines('01', '01.01', '01.02', '01@2'), 'Main:01@2 > Hot:01'],
      ...lines('01.01@2', '01.02@2', '01@3', '02'),
    ]);
  });

  test('what is set behind a call that writes', async () => {
    const text = desk(
      ['- put(1)', '- Say("one")', '- $v = 9', '- Say("behind")', '- Return 1'],
      condition,
    );
    const rest = [at('04'), { say: 'behind' }, at('05'), { return: 1 }];
    const ran = await seen(text, {
      '01': [
        at('01'),
        call('put', 1),
        at('02'),
        { say: 'one' },
        at('03'),
        { set: { $v: 9 } },
        ...rest,
      ],
      '04': rest,
    });
    expect(ran.ids).toEqual([...lines('01', '02', '03'), 'Main:03 > Hot:01', ...lines('04', '05')]);
    expect(judged(ran.calls)).toEqual(judge('Main:03', 9));
  });

  test('what a tool gives that was asked between functions that nobody notices', async () => {
    const steps = [
      '- $a = Same(1)',
      '- $v = look(9)',
      '- $b = Same(2)',
      '- Say("{$b}")',
      '- Return 1',
    ];
    const text = desk(steps, condition, '', 'def Same(n):\n    return n');
    const rest = [at('03'), call('Same', 2, '$b'), at('04'), wait];
    const ran = await seen(text, {
      '01': [at('01'), call('Same', 1, '$a'), at('02'), call('look', 9, '$v'), ...rest],
      '03': rest,
      '05': [at('05'), { say: '{$b}' }, at('06'), { return: 1 }],
    });
    expect(ran.ids).toEqual([
      ...[...lines('01', '02'), 'Main:02 > Hot:01', ...lines('03', '04', '05', '06')],
    ]);
  });

  test('of two that are asked for one after the other, the second is not taken where the first sets it off', async () => {
    const text = desk(
      ['- $v = look(9)', '- $w = look(2)', '- Say("{$w}")', '- Return 1'],
      condition,
    );
    const rest = [at('02'), call('look', 2, '$w'), at('03'), wait];
    const ran = await seen(text, {
      '01': [at('01'), call('look', 9, '$v'), ...rest],
      '02': rest,
      '04': [at('04'), { say: '{$w}' }, at('05'), { return: 1 }],
    });
    expect(ran.ids.slice(0, 3)).toEqual(['Main:01', 'Main:01 > Hot:01', 'Main:02']);
  });
});
