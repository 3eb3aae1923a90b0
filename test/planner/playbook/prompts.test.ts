/**
 * What is sent, turn by turn, as text to review. Within a conversation nothing that was sent
 * changes, so that the provider's cache stays good; whatever becomes of a conversation, what its
 * frame needs is in the prompt.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/effects/model/model.ts';
import type { AskedPart } from '../../../src/planner/playbook/parts.ts';
import { example, instructions } from '../../../src/planner/playbook/prompt/instructions.ts';
import { offeredTools } from '../../../src/planner/playbook/prompt/offered.ts';
import type { CallResult, Entry } from '../../../src/planner/playbook/prompt/session.ts';
import { onceLine, valueLine } from '../../../src/planner/playbook/prompt/value-lines.ts';
import { operationsIn } from '../../../src/planner/playbook/reply/operations.ts';
import { ReplyReader } from '../../../src/planner/playbook/reply/reader.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { agent, line, playbook } from '../../dialects/playbook/link/lines.ts';
import { desk, fileOf, ops, refund, rent, rental, turn } from './sample.ts';

const golden = (name: string): string => `../../golden/playbooks/${name}`;

const contents = (messages: readonly Message[]): string =>
  messages.map(({ role, content }) => `--- ${role} ---\n${content}`).join('\n\n');

type Data = Readonly<Record<string, unknown>>;

const day = { name: 'day', scope: 'state', how: 'full', value: 'Sunday' };
const at05 = { frame: { line: '05', call: 'RentBike(2)', today: 'Sunday, 2026-11-29' } };

test('the first turn of a conversation', async () => {
  const { messages } = await turn(ops({ at: '05' }), { ...at05, args: { variables: [day] } });
  await expect(`${contents(messages)}\n`).toMatchFileSnapshot(golden('first-turn.txt'));
});

test('a turn of a model that is held to a schema', async () => {
  const session = [
    { is: 'turn', text: 'You are at 04.', shown: {} },
    { is: 'reply', text: ops({ at: '04' }, { say: 'Hello {$name}' }).trim() },
    { is: 'turn', text: 'You are at 05.', shown: {} },
    { is: 'reply', text: 'Words {alone}' },
  ];
  const { messages, native } = await turn(ops({ at: '05' }), {
    args: { session, kind: 'continue' },
  });
  expect(native?.format?.schema).toMatchObject({ required: ['operations'] });
  const [system, ...talk] = native?.messages ?? [];
  expect(system?.content.length).toBeLessThan(messages[0]?.content.length ?? 0);
  expect(system?.content).not.toMatch(/fence|a line:/);
  const short = [
    { role: 'system', content: `${system?.content.slice(0, 700)} …` },
    ...talk,
  ] as const;
  await expect(`${contents(short)}\n`).toMatchFileSnapshot('../../golden/prompts/turn-native.md');
});

test('instructions and the example consist of operations that exist', () => {
  const reader = new ReplyReader();
  const items = [...reader.feed(`${instructions}\n${example}`.replace(/(?<=\}) .*$/gm, ''))];
  const objects = items.filter(({ is }) => is !== 'words');
  expect(objects.length).toBeGreaterThan(15);
  for (const item of objects) {
    expect(item).toMatchObject({ is: 'object' });
    if (item.is === 'object') expect(operationsIn(item.data)).toBeInstanceOf(Array);
  }
});

describe('where the playbook is', () => {
  const lastLine = async (frame: Data, args: Data = {}, file = rental) => {
    const { messages } = await turn(ops({ note: 'x' }), { frame, args, file });
    return messages.at(-1)?.content.split('\n').at(-1);
  };
  const today = 'Today is Sunday. It was called as RentBike().';

  test.each<readonly [Data, string]>([
    [{ line: '04' }, 'You are at 04.'],
    [
      { line: '04', decide: true },
      'You are at 04; decide whether its condition holds: {"at":"04","holds":true} or false. ' +
        'Where only the person can say, ask and yield.',
    ],
    [
      { line: '03.01', decide: true },
      'You are at 03.01; decide whether the lines under it are to be done now, once more where ' +
        'it is a loop: {"at":"03.01","holds":true} or false, which goes on after them.',
    ],
    [{ line: '01', asks: ['$day'] }, 'You are at 01; $day has no value yet.'],
    [{ line: '01', asks: ['$day', '$b'] }, 'You are at 01; $day, $b have no value yet.'],
    [
      { line: '02' },
      'You are before 02, which the machine does next. Do what it needs: call again with other ' +
        'values, set a variable, ask and yield, or return; make nothing up. A later line that you ' +
        'name leaves it out.',
    ],
    [{ line: '04', items: ['Guest is "Ann", 2 of 3.'] }, 'You are at 04. Guest is "Ann", 2 of 3.'],
    [{ line: '' }, 'All its lines are done: return.'],
  ])('%j', async (frame, sentence) => {
    expect(await lastLine(frame)).toBe(`${today} ${sentence}`);
  });

  test('a frame that goes on has lines before it', async () => {
    expect(await lastLine({ line: '05' }, { kind: 'resume' })).toBe(
      'Today is Sunday. It was called as RentBike(); the lines before are done. You are at 05.',
    );
  });

  test('a loop until something in words ends when that holds', async () => {
    const until = line(
      '01',
      { is: 'test', kind: 'until' },
      { children: [line('01.01', { is: 'open' })] },
    );
    const file = fileOf(desk([playbook('P', [until])]));
    const frame = { playbook: 'Desk.P', line: '01', decide: true };
    expect(await lastLine(frame, {}, file)).toContain('or false; true ends the loop.');
  });

  test('a playbook without lines begins, and goes on', async () => {
    const file = fileOf(desk([playbook('Free', [], { description: 'Help them.' })]));
    const frame = { playbook: 'Desk.Free', line: '', call: 'Free()' };
    const { messages } = await turn(ops({ note: 'x' }), { file, frame });
    expect(messages.at(-1)?.content).toMatch(
      /^This playbook has no lines:.*\n\n## Free\(\)\nHelp them\.\n\n[^\n]*Free\(\)\. Begin\.$/s,
    );
    const session = [{ is: 'turn', text: 'x', shown: { today: 'Sunday' } }];
    expect(await lastLine(frame, { session, kind: 'continue' }, file)).toBe('Go on.');
  });

  test('the day is that of the effect, in the time zone of the run', async () => {
    const dates = ['Pacific/Kiritimati', 'Pacific/Niue'].map(async (zone) => {
      const [, date] =
        /^Today is \w+day, (\S+)\. /.exec((await lastLine({ today: undefined, zone })) ?? '') ?? [];
      return Date.parse(date ?? '');
    });
    const [east = 0, west = 0] = await Promise.all(dates);
    // Their clocks are 25 hours apart.
    expect([1, 2]).toContain((east - west) / 86_400_000);
  });
});

test('the next turn begins with the same messages, and shows only what has changed', async () => {
  const first = await turn(ops({ at: '05' }, { call: 'order', args: { n: 1 }, into: 'n' }), {
    ...at05,
    args: { variables: [day] },
  });
  const { entries } = first.asked as AskedPart;
  const replied: Entry = { is: 'reply', text: '{"at":"05"}\n' };
  const results: Entry = {
    is: 'results',
    calls: [{ callee: 'order', into: '$n', ok: true, value: 7 }],
  };
  const session = [...entries, replied, results];
  const n = { name: 'n', scope: 'state', how: 'full', value: 7 };
  const b = { name: 'b', scope: 'local', how: 'full', value: null };
  const second = await turn(ops({ return: '$n' }), {
    ...at05,
    args: { kind: 'continue', session, variables: [day, n, b] },
  });
  const before = first.messages.map(({ content }) => content);
  const after = second.messages.map(({ content }) => content);
  expect(after.slice(0, 2)).toEqual(before);
  expect(after.slice(2)).toEqual([
    '{"at":"05"}',
    // The result has shown the variable that has it.
    'Results:\n- order into $n: 7\n\nVariables:\nb = null\n\nYou are at 05.',
  ]);
  expect(second.messages.map(({ keep }) => keep === true)).toEqual([true, false, false, true]);
});

test('on another day the date is told again', async () => {
  const session: Entry[] = [{ is: 'turn', text: 'x', shown: { today: 'Sunday' } }];
  const { messages } = await turn(ops({ note: 'x' }), {
    ...{ frame: { today: 'Monday' }, args: { kind: 'continue', session } },
  });
  expect(messages.at(-1)?.content).toBe('x\n\nToday is Monday. You are at 04.');
});

test('what is shown once is not marked for the cache, and later turns have it in short', async () => {
  const log = {
    name: 'log',
    scope: 'state',
    how: 'once',
    value: 'long'.repeat(90),
    about: { type: 'string', size: 360 },
  };
  const { messages, asked } = await turn(ops({ note: 'x' }), {
    args: {
      variables: [log],
      session: [
        { is: 'turn', text: 'a', shown: {} },
        { is: 'reply', text: 'b' },
      ],
      kind: 'continue',
    },
  });
  expect(messages.at(-1)?.content).toContain('longlong');
  expect(messages.map(({ keep }) => keep === true)).toEqual([true, false, true, false]);
  const [entry] = (asked as AskedPart).entries;
  expect(entry).toMatchObject({
    text: expect.stringMatching(/\(it stood here whole for the reply below\)/),
  });
});

test('other agents and people are listed with what they offer', async () => {
  const clerk = agent(
    [playbook('Rate', [], { isPublic: true, description: 'The rate.\nMore.', returns: 'float' })],
    {
      ...{ name: 'Clerk', written: 'Tax clerk', description: 'Knows taxes.' },
    },
  );
  const ann = agent([], { name: 'Ann', written: 'Ann', kind: 'human' });
  const hidden = playbook('Hidden', [], { isHidden: true });
  const file = fileOf(desk([rent, refund, hidden]), clerk, ann);
  const { messages } = await turn(ops({ note: 'x' }), { file, frame: { me: 'Desk 2' } });
  const [system] = messages;
  const own = system?.content.slice(system.content.indexOf('You are Desk 2'));
  await expect(`${own}\n`).toMatchFileSnapshot(golden('others.txt'));
});

const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 });
const value = fc.oneof(text, fc.integer(), fc.array(fc.integer(), { maxLength: 5 }));

/** A conversation of some length, and what came after its last reply. */
const past = fc
  .record({
    turns: fc.array(fc.record({ asked: text, said: text, wrote: text }), { maxLength: 30 }),
    results: fc.array(fc.record({ value, isNamed: fc.boolean() }), { maxLength: 3 }),
    wrote: text,
    wrong: text,
  })
  .map(({ turns, results, wrote, wrong }) => {
    const calls = results.map((one, at): CallResult => {
      const into = one.isNamed ? `$r${at}` : null;
      return { callee: 'FreeBikes', into, ok: true, value: one.value };
    });
    const entries = turns.flatMap(({ asked, said, wrote }): Entry[] => [
      { is: 'turn', text: asked.padEnd(300, '.'), shown: { $old: asked }, session: '1' },
      { is: 'reply', text: ops({ at: '04' }, { say: said }, { yield: 'user' }) },
      { is: 'user', text: wrote },
    ]);
    const last: Entry[] = [
      { is: 'results', calls },
      { is: 'user', text: wrote },
      { is: 'problem', text: wrong },
    ];
    return { entries, last };
  });

test('whatever is shortened: variables, the last message, and unused results are sent', async () => {
  const variables = fc.array(value, { maxLength: 6 });
  const kinds = fc.constantFrom('resume', 'continue');
  const chat = fc.constantFrom('auto', 'keep', 'fresh');
  const most = fc.integer({ min: 60, max: 3000 });
  await fc.assert(
    fc.asyncProperty(past, variables, kinds, chat, most, async (given, values, kind, how, max) => {
      const views = values.map((one, at) => {
        return { name: `v${at}`, scope: 'state', how: 'full', value: one };
      });
      const { messages } = await turn(ops({ at: '04' }), {
        args: { kind, session: [...given.entries, ...given.last], variables: views },
        options: { chat: how, sessionTokensMax: max },
      });
      const sent = messages.map(({ content }) => content).join('\n');
      for (const [at, one] of values.entries()) {
        expect(sent).toContain(`$v${at} = ${JSON.stringify(one)}`);
      }
      for (const entry of given.last) {
        if (entry.is === 'user') expect(sent).toContain(JSON.stringify(entry.text));
        if (entry.is === 'problem') expect(sent).toContain(entry.text);
        if (entry.is !== 'results') continue;
        for (const { into, value: one } of entry.calls) {
          const target = into === null ? '' : ` into ${into}`;
          expect(sent).toContain(`- FreeBikes${target}: ${JSON.stringify(one)}`);
        }
      }
      expect(sent).toContain('You are at 04');
    }),
    { numRuns: 60 },
  );
});

test.each([
  [{ how: 'full', value: 'Sunday' }, '$day = "Sunday"'],
  [
    { how: 'name', about: { type: 'list', size: 3000 } },
    '$day: list of 3000 characters, not shown',
  ],
  [{ how: 'name', about: { type: 'str', size: 1 } }, '$day: str of 1 character, not shown'],
  [{ how: 'name', about: { type: 'int', size: 1 } }, '$day: int, not shown'],
  [{ how: 'name' }, '$day: a value, not shown'],
  [
    { how: 'summary', about: { type: 'str', size: 3000, start: 'It was' } },
    '$day: str of 3000 characters, begins "It was"',
  ],
  [{ how: 'name', value: 4, about: { type: 'int', size: 1 } }, '$day = 4'],
] as const)('the variable %j is %s', (shown, written) => {
  expect(valueLine({ name: 'day', scope: 'state', ...shown })).toBe(written);
});

test.each([
  [300, 'it stood here whole for the reply below'],
  [100, 'its beginning stood here for the reply below'],
])('with room for %i, later turns read that %s', (most, words) => {
  const about = { type: 'string', size: 200, start: 'x' };
  const shown = { how: 'once', value: 'x'.repeat(200), about } as const;
  expect(onceLine({ name: 'day', scope: 'local', ...shown }, most)).toBe(
    `day: string of 200 characters, begins "x" (${words})`,
  );
});

describe('of the tools that every run has', () => {
  const builtIn = ['table', 'calculate', 'web.read'];
  const all = new Map(
    [...builtIn, 'search'].map((name) => [name, toolSpec({ name, description: '' })]),
  );
  const offered = (source: string): string[] => [
    ...offeredTools(all, (name) => builtIn.includes(name), source).keys(),
  ];

  test.each([
    ['- $x = calculate("1 + 2")', ['calculate', 'search']],
    ['- Look it up with `web.read`', ['web.read', 'search']],
    ['- read(3)', ['web.read', 'search']],
    ['tools: table, calculate', ['table', 'calculate', 'search']],
    ['tools:\n  - table\nmore: calculate', ['table', 'search']],
    ['- Book a table, and calculate the price', ['search']],
    ['- recalculate(3)', ['search']],
  ])('%j names some', (source, names) => {
    expect(offered(source).toSorted()).toEqual(names.toSorted());
  });
});
