/** What is long is told by its ends, and shown whole to a model for the one reply that asks for it. */
import { describe, expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { quickTool } from '../engine/support.ts';
import { ops, played } from '../planner/playbook/played.ts';

const rows = (count: number, of: string): string =>
  Array.from({ length: count }, (_, n) => `Row ${n} of the ${of}.`).join('\n');

const reading = (name: string, perform: () => unknown) =>
  quickTool(name, perform, { effect: 'read', parameters: { type: 'object', properties: {} } });

const wait = { yield: 'call' };
const main = (...steps: readonly string[]): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- ${steps.join('\n- ')}\n`;

const reader = main(
  '$page = fetch()',
  '$code = the code that row 400 of $page has',
  '$seen = look()',
  'Say("{$code} {$seen}")',
  'Return $code',
);

const page = rows(1000, 'page');
const pageTools = [reading('fetch', () => page), reading('look', () => 'a row')];
const fetched = ops({ call: 'fetch', args: {}, into: '$page' }, wait);
const looked = ops(
  { step: '03' },
  { set: { $code: 4 } },
  { step: '04' },
  { call: 'look', into: '$seen' },
  wait,
);
const said = ops({ step: '06' }, { say: '{$code} {$seen}' }, { return: '$code' });

/** Of a message, whether it ends in one that providers are told to keep. */
const marks = (messages: readonly { readonly keep?: true }[]): readonly number[] =>
  messages.flatMap(({ keep }, at) => (keep ? [at] : []));

describe('a long value that was asked for', () => {
  test('is in the one request for which it was, and in short in those behind it', async () => {
    const kept: (readonly number[])[] = [];
    const replies = [fetched, ops({ show: ['page'] }), looked, said];
    const { result, prompts } = await played(reader, {
      tools: pageTools,
      replies({ messages, number }) {
        kept.push(marks(messages));
        return replies[number - 1] ?? '';
      },
    });
    expect(result.error).toBeUndefined();
    expect(prompts.map((prompt) => prompt.includes('Row 400 of the page.'))).toEqual([
      ...[false, false, true, false],
    ]);
    expect(prompts[3]).toContain('(it stood here whole for the reply below)');
    const [before = ''] = prompts[2]?.split('Variables:\n$page = ') ?? [];
    expect(prompts[3]?.startsWith(before)).toBe(true);
    // The message that has it is another one later: what is kept ends before it.
    expect(kept).toEqual([
      [0, 1],
      [0, 3],
      [0, 4],
      [0, 7],
    ]);
  });

  test('is there again where that reply could not stand', async () => {
    const wrong = ops({ step: '03' }, { call: 'Oracle' });
    const { result, prompts } = await played(reader, {
      tools: pageTools,
      replies: [fetched, ops({ show: ['page'] }), wrong, looked, said],
    });
    expect(result.error).toBeUndefined();
    expect(prompts.map((prompt) => prompt.includes('Row 400 of the page.'))).toEqual([
      ...[false, false, true, true, false],
    ]);
  });

  test('comes in parts where it is too long for a request, and the next part can be had', async () => {
    const long = rows(6000, 'page');
    const asks = (prompt: string): string =>
      /(?<=more: )\{"show":\["\$page"\],"from":\d+\}/.exec(prompt)?.[0] ?? looked;
    const { result, prompts } = await played(reader, {
      tools: [reading('fetch', () => long), reading('look', () => 'a row')],
      replies({ prompt, number }) {
        if (number === 1) return fetched;
        if (number === 2) return ops({ show: ['page'] });
        return prompt.includes('$seen') && prompt.includes('Results:\n- look')
          ? said
          : asks(prompt);
      },
    });
    expect(result.error).toBeUndefined();
    for (const prompt of prompts) expect(prompt.length).toBeLessThan(75_000);
    const parts = prompts.flatMap((prompt) =>
      [...prompt.matchAll(/from character \d+ on, of \d+[^\n]*:\n(".*")/g)].map(
        ([, part = '""']) => JSON.parse(part) as string,
      ),
    );
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('')).toBe(long);
  });

  test('is not taken for no progress, several of them one after the other', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const text = main(
      ...names.map((name) => `$${name} = ${name}()`),
      '$all = what they say',
      'Return $all',
    );
    const { result } = await played(text, {
      tools: names.map((name) => reading(name, () => rows(300, name))),
      replies: [
        ops(...names.map((name) => ({ call: name, args: {}, into: `$${name}` })), wait),
        ...names.map((name) => ops({ show: [name] })),
        ops({ set: { $all: 'rows' } }, { return: '$all' }),
      ],
    });
    expect(result).toMatchObject({ status: 'done', answer: 'rows' });
  });

  test('the same again and again is', async () => {
    const { result } = await played(reader, {
      tools: pageTools,
      replies: ({ number }) => (number === 1 ? fetched : ops({ show: ['page'] })),
    });
    expect(result.error).toMatchObject({ code: 'PV7322' });
  });
});

describe('a long error', () => {
  const text = main('$r = work()', 'Say("It failed: {$why}")', 'Return $why');
  const failing = (message: () => string) =>
    reading('work', () => {
      throw new EffectFailure('PV4202', message(), { mayHaveActed: false });
    });
  const trace = `the disk is full\n${rows(500, 'trace')}\nroot cause: 4711`;
  const called = ops({ call: 'work', args: {}, into: '$r' }, wait);

  test('is told by its ends, shown when asked for, and passed on by its name', async () => {
    const { result, prompts, said } = await played(text, {
      tools: [failing(() => trace)],
      replies: [
        called,
        ops({ show: ['long_1'] }),
        ops(
          { step: '02' },
          { set: { $why: '$long_1' } },
          { say: 'It failed: {$long_1}' },
          { return: '$why' },
        ),
      ],
    });
    expect(result.status).toBe('done');
    const [, told = '', whole = ''] = prompts;
    expect(told).toContain('the disk is full');
    expect(told).toContain('root cause: 4711');
    expect(told).not.toContain('Row 250 of the trace');
    expect(told).toContain('more characters; all in long_1)');
    expect(told).toContain('long_1: string of');
    expect(whole).toContain('Row 250 of the trace');
    expect(String(said[0])).toContain('Row 250 of the trace');
    expect(String(result.answer)).toContain('root cause: 4711');
  });

  test('has one name however often it comes, and is no progress', async () => {
    const { result, prompts } = await played(
      main('While it has not worked\n  - $r = work()', 'Return 1'),
      {
        tools: [failing(() => trace)],
        replies: () =>
          ops({ step: '01' }, { step: '01.01' }, { call: 'work', args: {}, into: '$r' }, wait),
      },
    );
    expect(result.error).toMatchObject({ code: 'PV7322' });
    expect(prompts.join('')).not.toContain('long_2');
  });
});

test('what has no variable is kept under a name of its own', async () => {
  const { result, prompts } = await played(
    main('Look at what fetch() gives', 'Return the whole page'),
    {
      tools: [reading('fetch', () => page)],
      replies: [
        ops({ step: '01' }, { call: 'fetch', args: {} }, wait),
        ops({ show: ['long_1'] }),
        ops({ step: '02' }, { return: '$long_1' }),
      ],
    },
  );
  expect(prompts[1]).toContain('all in long_1');
  expect(prompts[2]).toContain('Row 400 of the page.');
  expect(result).toMatchObject({ status: 'done', answer: page });
});

test('what a person writes at length is told by its ends, and set by its name', async () => {
  const letter = rows(400, 'letter');
  const { result, prompts } = await played(main('Ask user for the $letter', 'Return $letter'), {
    answers: [letter],
    replies: [
      ops({ step: '01' }, { say: 'Your letter, please.' }, { yield: 'user' }),
      ops({ set: { $letter: '$long_1' } }, { step: '03' }, { return: '$letter' }),
    ],
  });
  expect(prompts[1]).toContain('The person wrote: "Row 0 of the letter.');
  expect(prompts[1]).toContain('all in long_1');
  expect(prompts[1]).not.toContain('Row 200 of the letter.');
  expect(result).toMatchObject({ status: 'done', answer: letter });
});

test('so is what another agent says, to each by a name of its own frame', async () => {
  const report = rows(400, 'report');
  const text =
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Ask the Clerk for the $report\n' +
    '- Return $report\n\n# Clerk\n\nA clerk.\n\n## Files\n### Steps\n- Return 1\n';
  const { result, prompts } = await played(text, {
    replies: ({ prompt }) => {
      if (prompt.includes('You are Clerk.')) return ops({ say: report }, { yield: 'user' });
      if (prompt.includes('Clerk said:')) {
        return ops({ set: { $report: '$long_1' } }, { return: '$report' });
      }
      return ops({ step: '01' }, { say: 'The report, please.', to: 'Clerk' }, { yield: 'agent' });
    },
  });
  expect(result).toMatchObject({ status: 'done', answer: report });
  const told = prompts.at(-1) ?? '';
  expect(told).toContain('Clerk said: "Row 0 of the report.');
  expect(told).not.toContain('Row 200 of the report.');
});
