/** How playbooks end: by what they say, by limits, by a model that does not keep to them. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, orders, played } from './played.ts';

const main = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

describe('a model that does not keep to its playbook', () => {
  const text = main('- Say("a")\n- Say("b")');

  test('is told so once, and goes on behind what it has done', async () => {
    const { result, said, prompts } = await played(text, {
      replies: [
        ops({ say: 'a' }, { step: '99' }, { say: 'no' }),
        ops({ say: 'b' }, { return: null }),
      ],
    });
    expect(result.status).toBe('done');
    expect(said).toEqual(['a', 'b']);
    expect(prompts[1]).toContain('99');
  });

  test('twice, it ends the run with what it said', async () => {
    const { result, said } = await played(text, {
      replies: [ops({ say: 'a' }, { step: '99' }), ops({ step: '98' })],
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7302' } });
    expect(result.error?.message).toContain('"98"');
    expect(said).toEqual(['a']);
  });

  test('is told of values that are not of the type that a line declares', async () => {
    const typed = main(
      '- $n:int = count the letters of hello\n- $all:bool = are they all\n- Return $n',
    );
    const rest = [{ step: '02' }, { set: { all: 'False' } }, { step: '03' }, { return: '$n' }];
    const { prompts, result } = await played(typed, {
      replies: [
        ops({ step: '01' }, { set: { n: 'five letters' } }, { step: '02' }),
        ops({ step: '01' }, { set: { n: '5' } }, ...rest),
      ],
    });
    expect(prompts[1]).toContain('got "five letters" for $n, want a value of the type int');
    expect(result).toMatchObject({ status: 'done', answer: 5 });
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'PV7314 got "five letters" for $n, want a value of the type int: it is asked once more',
      '$n was written as a text, and is of the type int',
      '$all was written as a text, and is of the type bool',
    ]);
  });

  test('twice at length, it ends the run with the beginning and the end of that', async () => {
    const long = ops(...Array.from({ length: 300 }, (_, at) => ({ think: `thought ${at}` })));
    const { result } = await played(text, { replies: [long, long] });
    const lines = result.error?.message.split('\n') ?? [];
    expect(lines).toHaveLength(25);
    expect(lines.slice(11, 14)).toEqual([
      '{"think":"thought 9"}',
      '… 278 lines …',
      '{"think":"thought 288"}',
    ]);
  });

  test('twice in a long line, it ends the run with the ends of that line', async () => {
    const long = ops({ think: `${'a'.repeat(600)}${'b'.repeat(9000)}${'c'.repeat(600)}` });
    const { result } = await played(text, { replies: [long, long] });
    const [line = ''] = result.error?.message.match(/^{"think".*$/m) ?? [];
    expect(line).toMatch(/^{"think":"a{490}… 9212 characters …c{498}"}$/);
  });

  test('does nothing twice that it says twice', async () => {
    const calls: unknown[] = [];
    const order = quickTool('order', ({ n }) => calls.push(n), orders);
    const { result } = await played(main('- order(7)\n- Say("b")'), {
      tools: [order],
      replies: [
        ops({ call: 'order', args: { n: 7 } }, { step: '42' }),
        ops({ call: 'order', args: { n: 7 } }, { say: 'b' }, { return: null }),
      ],
    });
    expect(result.error).toBeUndefined();
    expect(calls).toEqual([7]);
  });
});

test('where all goes on, whoever goes on behind a reply that broke off is told', async () => {
  const calls: unknown[] = [];
  const order = quickTool('order', ({ n }) => calls.push(n), orders);
  const made = [{ step: '01' }, { call: 'order', args: { n: 7 } }];
  const told = [{ step: '02' }, { say: 'b' }, { step: '03' }, { return: 1 }];
  const { result, said, prompts } = await played(main('- order(7)\n- Say("b")\n- Return 1'), {
    ...{ tools: [order], strictness: 'advise' },
    replies: [`${ops(...made)}\n{"step":"02"}\n{"say":"b`, ops(...made, ...told)],
  });
  expect(prompts[1]).toContain('the reply ends in the middle of');
  expect(prompts[1]).toContain('What stands before that is done and must not be repeated.');
  expect([result.status, calls, said]).toEqual(['done', [7], ['b']]);
  expect(result.warnings.map(({ message }) => message).join()).toContain('PV7308');
});

describe('where no condition holds under which a line returns, it ends by itself', () => {
  test.each([
    ['one that is computed', '- $a = 1\n- If $a == 7\n  - Return 5'],
    ['one in words', '- $a = 1\n- If they like it\n  - Return 5'],
    ['two of them', '- $a = 1\n- If $a == 7\n  - Return 5\n- If $a == 8\n  - Return 6'],
  ])('%s', async (_, steps) => {
    const looks = /If.*If/s.test(steps) ? [{ step: '02' }, { step: '03' }] : [{ step: '02' }];
    for (const end of [[], [{ return: null }]]) {
      const { prompts, result } = await played(main(steps), {
        replies: [ops({ step: '01' }, { set: { a: 1 } }, ...looks, ...end)],
      });
      expect(result).toMatchObject({ status: 'done', answer: null, warnings: [] });
      expect(prompts).toHaveLength(1);
    }
  });
});

test('a playbook whose model does nothing but yield is ended with a diagnosis', async () => {
  const { result } = await played(
    `# Desk\nBe nice.\n\n## Main\n### Triggers\n- At the beginning\n`,
    {
      replies: () => ops({ yield: 'call' }),
    },
  );
  expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7322' } });
  expect(result.error?.message).toContain('Desk.Main');
});

test('playbooks that call each other without an end are ended by their depth', async () => {
  const text = main('- A(1)\n- Say("x")', '## A(n)\n### Steps\n- A(n)\n- Say("a")\n');
  const { result } = await played(text, {
    depth: 5,
    replies: () => ops({ call: 'A', args: { n: 1 } }, { yield: 'call' }),
  });
  expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7323' } });
});

test('End program ends all frames', async () => {
  const text = main('- A()\n- Say("never")', '## A\n### Steps\n- Say("bye")\n- End program\n');
  const { result, said, prompts } = await played(text, {
    replies: [ops({ call: 'A' }, { yield: 'call' }), ops({ say: 'bye' }, { yield: 'exit' })],
  });
  expect(result).toMatchObject({ status: 'done', answer: null });
  expect(said).toEqual(['bye']);
  expect(prompts).toHaveLength(2);
});

test('the variables of the result are those of the agents, and nothing of the loop', async () => {
  const clerk = '# Clerk\n\n## Rate\npublic: true\n### Steps\n- $rate = 20\n- Return $rate\n';
  const { result } = await played(
    main('- $day = "Sunday"\n- $r = Clerk.Rate()\n- Return $r', clerk),
    {
      replies: ({ prompt }) =>
        prompt.includes('20\n')
          ? ops({ step: '01' }, { set: { rate: 20 } }, { step: '02' }, { return: '$rate' })
          : ops({ step: '01' }, { set: { day: 'Sunday' } }, { step: '02' }, { call: 'Clerk.Rate' }),
      inline: 0,
    },
  );
  expect(result.variables).toEqual({ $day: 'Sunday', $r: 20, 'Clerk.$rate': 20 });
});
