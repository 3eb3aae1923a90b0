/** What is said token by token while a model writes it: a part of what is said then, and no more. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Aloud } from '../../../src/cli/view/aloud.ts';
import type { LinkedPlaybook } from '../../../src/dialects/playbook/compiled/linked.ts';
import type { Model } from '../../../src/effects/model/model.ts';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { SayAhead } from '../../../src/planner/playbook/reply/say-ahead.ts';
import { type SayingPiece, turnHandler } from '../../../src/planner/playbook/turn.ts';
import { attempt } from '../../support/attempt.ts';
import { named } from '../scripted.ts';
import { fileOf, playbookOf, rent, tools } from './sample.ts';

const heard = (...pieces: string[]): string[] => {
  const ahead = new SayAhead();
  const reader = new ReplyReader();
  return pieces.map((piece) => {
    const all = piece.split(/(?<=[\n\]}])/).map((one) => {
      const text = ahead.feed(one, reader, () => true);
      reader.feed(one);
      return text;
    });
    return all.join('');
  });
};

test('a text is heard piece by piece, with its marks, up to its end', () => {
  expect(heard('{"sa', 'y": "Hel', 'lo\\', 'n\\u00', 'e4 {br', 'ace"}\n')).toEqual([
    ...['', 'Hel', 'lo', '\n', 'ä ', ''],
  ]);
  expect(heard('{"say":"a"}\n', '{"say":"b"', '}\n')).toEqual(['a', 'b', '']);
  // Some providers cut a character in two.
  expect(heard('{"say":"a\ud83d', '\ude42b', '"}\n')).toEqual(['a', '🙂b', '']);
});

test('what is filled in, and other operations, are waited for', () => {
  expect(heard('{"say":"You owe {$sum} euros"}\n')).toEqual(['You owe ']);
  expect(heard('{"say":"It is $$5"}\n')).toEqual(['It is ']);
  expect(heard('{"step":"01"}\n', '{"saying":"x"}\n', '{"set":{"say":"x"}}\n')).toEqual([
    '',
    '',
    '',
  ]);
});

test('whatever the cuts, what is heard begins what is said', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const cuts = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 });
  fc.assert(
    fc.property(text, cuts, (said, at) => {
      const line = `${JSON.stringify({ say: said })}\n`;
      const places = [0, ...at.filter((one) => one < line.length).toSorted((a, b) => a - b)];
      const pieces = places.map((from, index) => line.slice(from, places[index + 1]));
      const all = heard(...pieces).join('');
      expect(said.startsWith(all)).toBe(true);
      if (!/[\\{$"\p{C}]/u.test(said)) expect(all).toBe(said);
    }),
  );
});

const q = (said: string): string => JSON.stringify(said);
const item = { set: { $a: [1] } };
const trace = (said: string) => ({
  trace: [{ 'Main:01:QUE': [item] }, { 'Main:02:QUE': [{ call: { fn: 'Say', args: [said] } }] }],
});

/** What says a text in each form, with something before it. */
const forms: Readonly<Record<string, (said: string) => string>> = {
  'an operation': (said) => `{"step":"01"}\n{"say":${q(said)}}\n`,
  'one with its line': (said) => `{"step":"01","say":${q(said)}}\n`,
  'one over lines': (said) => `{"step":"01"}\n${JSON.stringify({ say: said }, null, 2)}\n`,
  'one that is quoted': (said) => `> {"step":"01"}\n> {"say":${q(said)}}\n`,
  'one in a list of the page': (said) => `1. \`{"step":"01"}\`\n2. \`{"say":${q(said)}}\`\n`,
  'a list': (said) => `${JSON.stringify([{ step: '01' }, item, { say: said }])}\n`,
  'a list over lines': (said) =>
    `\`\`\`json\n${JSON.stringify([{ step: '01' }, item, { say: said }], null, 1)}\n\`\`\`\n`,
  'an object around a list': (said) => `${JSON.stringify({ ops: [item, { say: said }] })}\n`,
  'a call of Say': (said) => `{"step":"01"}\n{"call":"Say","args":["user", ${q(said)}]}\n`,
  'a trace': (said) => `${JSON.stringify(trace(said))}\n`,
  'a trace over lines': (said) => `\`\`\`json\n${JSON.stringify(trace(said), null, 2)}\n\`\`\`\n`,
  'a step of a trace': (said) => `${JSON.stringify(trace(said).trace[1])}\n`,
  'a log': (said) => `\`Step["Main:01:QUE"]\`\n\`Say("user", ${q(said)})\`\n`,
  'a log, by the line': (said) => `\`Step["Main:01:QUE"]\` \`Say(${q(said)})\`\n`,
  'a log without marks': (said) => `Step["Main:01:QUE"]\nSay(${q(said)})\n`,
  Python: (said) => `await self.Step("Main:01:QUE")\nawait Say("user", ${q(said)})\n`,
  'Python in a fence': (said) =>
    `\`\`\`python\nawait self.Step("Main:01:QUE")\nawait self.Say(f${q(said)})\n\`\`\`\n`,
};

/** What a reply says first, up to what is filled in. */
function begins(reply: string): string | undefined {
  const reader = new ReplyReader();
  const all = [...reader.feed(reply), ...reader.end()].map(({ said }) => said);
  const say = all.find(({ is }) => is === 'say');
  if (say?.is !== 'say') return undefined;
  if (say.text.is === 'value') return String(say.text.value);
  const [first = ''] = say.text.is === 'text' ? say.text.parts : [];
  return typeof first === 'string' ? first : '';
}

describe.each(Object.entries(forms))('%s', (_, form) => {
  test('is heard word by word', () => {
    const heardOf = (said: string) => heard(...form(said));
    expect(heardOf('Well, you owe me 5 euros').join('')).toBe('Well, you owe me 5 euros');
    expect(heardOf('Well, you owe me 5 euros').filter((one) => one.length === 1)).not.toEqual([]);
    expect(heardOf('Well, you owe {$sum} euros').join('')).toBe('Well, you owe ');
    expect(heardOf('Well, "so" he\nsays\tit').join('')).toBe('Well, "so" he\nsays\tit');
  });

  test('is heard so far, whatever the cuts', () => {
    const unit = fc.oneof(fc.constantFrom(...'ab ,."\\\n{}$`'), fc.string({ unit: 'grapheme' }));
    const text = fc.array(unit, { maxLength: 40 }).map((all) => all.join(''));
    const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 8 });
    fc.assert(
      fc.property(text, cuts, (said, at) => {
        const reply = form(`Well, ${said}`);
        const places = [0, ...at.filter((one) => one < reply.length).toSorted((a, b) => a - b)];
        const pieces = places.map((from, index) => reply.slice(from, places[index + 1]));
        const all = heard(...pieces).join('');
        expect(heard(...reply.split('')).join('')).toBe(all);
        expect(begins(reply)?.startsWith(all) ?? true).toBe(true);
        expect(all.startsWith('Well, ')).toBe(true);
      }),
    );
  });
});

test('what may be the name of whom it is for is waited for', () => {
  expect(heard('`Say("user", "Hi")`\n')).toEqual(['Hi']);
  expect(heard('`Say("', 'Ann', '", "Hi")`\n').join('')).toBe('');
  expect(heard('`Say("', 'Hello', ' you', '!', '")`\n')).toEqual(['', '', '', 'Hello you!', '']);
});

test('a call that may be of words is not heard before that is known', () => {
  expect(heard('{"step":"01"}\nSay("user, hello")\n').join('')).toBe('');
});

/** Streams its reply by characters. */
const writing = (text: string): Model => ({
  name: 'writing',
  async complete(_, context) {
    for (const one of text) context.progress(one);
    return {
      text,
      finishReason: 'stop',
      usage: { modelCalls: 1, inputTokens: 1, outputTokens: 1 },
    };
  },
});

const asking = playbookOf('Ask', [
  [
    ...(['01', 'QUE', 'Say(user, how many of {$fruit})', 'next 02'] as const),
    {
      say: { text: 'how many of {$fruit}', isLiteral: false, to: 'user' },
      ...{ asks: ['$n'], reads: ['$fruit'] },
    },
  ],
  ['02', 'YLD', 'for user', 'next 03', { waits: 'user', asks: ['$n'] }],
  ['03', 'RET', '$n', 'return', { value: '$n', reads: ['$n'] }],
]);

const ordering = { ...named('Order', 'day')[1], effect: 'write' } as const;

async function piecesOf(
  reply: string,
  line: string,
  triggers: LinkedPlaybook['triggers'] = [],
  playbook = rent,
  variables: readonly object[] = [],
): Promise<readonly SayingPiece[]> {
  const pieces: SayingPiece[] = [];
  const handler = turnHandler({
    ...{ file: fileOf({ ...playbook, triggers }), model: () => writing(reply) },
    tools: new Map([...tools, ['Order', ordering]]),
    saying: (piece) => pieces.push(piece),
  });
  const frame = { playbook: playbook.id, line, call: `${playbook.name}()` };
  await handler.perform({ frame, kind: 'start', session: [], variables }, attempt());
  return pieces;
}

test('what a line has to say is heard where it comes next, and not where it would not be said', async () => {
  const say = '{"step":"03"}\n{"step":"03.01"}\n{"say":"Which day?"}\n{"yield":"user"}';
  const pieces = await piecesOf(say, '03');
  expect(pieces.map(({ text }) => text).join('')).toBe('Which day?');
  expect(new Set(pieces.map(({ number }) => number))).toEqual(new Set([1]));
  expect(await piecesOf('{"step":"03"}\n{"say":"Too early."}', '01')).toEqual([]);
  const set = '{"set":{"day":"x"}}\n';
  expect(await piecesOf(`${set}${say}`, '03')).not.toEqual([]);
  // What is set may fire a trigger, and what comes behind it is then left out.
  const trigger = { id: 'T1', code: 'CND', text: 'When $day', names: ['$day'] } as const;
  const place = { line: 1, column: 1 };
  expect(await piecesOf(`${set}${say}`, '03', [{ ...trigger, place }])).toEqual([]);
  const behind = '{"step":"01"}\n{"call":"FreeBikes","args":{"day":"x"}}\n{"say":"Wait."}';
  expect(await piecesOf(behind, '01')).toEqual([]);
});

const called = (said: string) => [{ call: { fn: 'Say', args: [said], kwargs: {} } }];
const [line, day] = ['RentBike:03.01:QUE', 'Which day, please?'];
const onward: Readonly<Record<string, string>> = {
  'a trace': JSON.stringify({ trace: [{ 'RentBike:03:CND': [] }, { [line]: called(day) }] }),
  'a log': `\`Step["RentBike:03:CND"]\`\n\`Step["${line}"]\` \`Say("${day}")\`\n`,
  Python: `await self.Step("RentBike:03:CND")\nawait self.Step("${line}")\nawait Say(f"${day}")\n`,
  'a list': JSON.stringify([{ step: '03' }, { step: '03.01', say: day }], null, 1),
};

test.each(Object.entries(onward))(
  '%s is heard at its line, and at no other one',
  async (_, reply) => {
    const textOf = (pieces: readonly SayingPiece[]) => pieces.map(({ text }) => text).join('');
    expect(textOf(await piecesOf(reply, '03'))).toBe(day);
    expect(await piecesOf(reply.replaceAll('03.01', '99'), '03')).toEqual([]);
    expect(await piecesOf(reply, '01')).toEqual([]);
  },
);

test('behind what only reads it is heard once that has come, and behind what writes it is not', async () => {
  const say = { text: 'something', isLiteral: false, to: 'user' };
  const heardBehind = (callee: string, triggers: LinkedPlaybook['triggers'] = []) => {
    const call = { callee, args: '"x"', into: '$a' };
    const look = playbookOf('Look', [
      ['01', 'QUE', `$a = ${callee}("x")`, 'next 02', { writes: ['$a'], call }],
      ['02', 'QUE', 'Say(user, something)', 'next 03', { say }],
      ['03', 'RET', '', 'return'],
    ]);
    const calls = `{"step":"01"}\n{"call":"${callee}","args":{"day":"x"},"into":"$a"}\n`;
    return piecesOf(`${calls}{"step":"02"}\n{"say":"Well."}\n`, '01', triggers, look);
  };
  const pieces = await heardBehind('FreeBikes');
  expect(pieces.map(({ text }) => text).join('')).toBe('Well.');
  expect(pieces.every(({ behind }) => behind.join() === 'FreeBikes')).toBe(true);
  expect(await heardBehind('Order')).toEqual([]);
  // What it gives may fire a trigger.
  const place = { line: 1, column: 1 };
  const trigger = { id: 'T1', code: 'CND', text: 'When $a', names: ['$a'], place } as const;
  expect(await heardBehind('FreeBikes', [trigger])).toEqual([]);
});

test('in a round whose item may fire a trigger nothing is heard ahead', async () => {
  const say = { text: 'item', isLiteral: false, to: 'user' };
  const each = playbookOf('Each', [
    ['01', 'LOP', 'For each $x in [1, 2]', 'loop 01.01', { writes: ['$x'] }],
    ['01.01', 'QUE', 'Say(user, item)', 'loop 01', { say }],
  ]);
  const reply = '{"step":"01"}\n{"step":"01.01"}\n{"say":"Item."}\n';
  const place = { line: 1, column: 1 };
  const trigger = { id: 'T1', code: 'CND', text: 'When $x', names: ['$x'], place } as const;
  expect(await piecesOf(reply, '01', [trigger], each)).toEqual([]);
  expect(await piecesOf(reply, '01', [], each)).not.toEqual([]);
});

test.each([
  '{"step":"01"}\n{"say":"All is paid."}\n{"say":"All is paid."}\n{"step":"02"}\n',
  '{"say":"All is paid."}\n{"step":"01"}\n{"say":"All is paid."}\n{"step":"02"}\n',
  '{"step":"01"}\n{"say":"All is paid."}\n{"step":"01"}\n{"say":"All is paid."}\n',
  'await Step("Tell:01:QUE")\nawait Say("All is paid.")\nawait Say("All is paid.")\n',
  '`Step["Tell:01:QUE"]` `Say("All is paid.")`\n`Say("All is paid.")`\n',
])('what a line may have said is not heard again before that is known: %j', async (reply) => {
  const say = { text: 'that all is paid', isLiteral: false, to: 'user' };
  const tell = playbookOf('Tell', [
    ['01', 'QUE', 'Say(user, that all is paid)', 'next 02', { say }],
    ['02', 'RET', '', 'return'],
  ]);
  const pieces = await piecesOf(reply, '01', [], tell);
  expect(pieces.map(({ text }) => text).join('')).toBe('All is paid.');
});

test('what a line says of a variable without a value is not heard in half', async () => {
  const reply = '{"step":"01"}\n{"say":"How many of {$fruit}?"}\n{"yield":"user"}';
  const given = { name: 'fruit', scope: 'state', how: 'full', value: 'tea' } as const;
  expect(await piecesOf(reply, '01', [], asking)).toEqual([]);
  const pieces = await piecesOf(reply, '01', [], asking, [given]);
  expect(pieces.map(({ text }) => text).join('')).toBe('How many of ');
});

test('a Say that begins with a variable keeps its place before those behind it', async () => {
  const reply = (text: string) => `{"step":"03"}\n{"step":"03.01"}\n{"say":"${text}"}\n`;
  const pieces = await piecesOf(`${reply('{$x} is free')}{"yield":"user"}`, '03');
  expect(pieces).toMatchObject([{ number: 1, text: '' }]);
  // One that nobody hears ahead, as an operation of another kind says it, closes the way for others.
  const other = '{"step":"03"}\n{"step":"03.01"}\n{"say":["Well."]}\n';
  expect(await piecesOf(`${other}{"say":"Which day?"}\n{"yield":"user"}`, '03')).toEqual([]);
});

const shown = (act: (aloud: Aloud, now: () => string) => void): string => {
  let text = '';
  const aloud = new Aloud((more) => {
    text += more;
  });
  act(aloud, () => text);
  aloud.end();
  return text;
};

const piece = (turn: string, number: number, text: string, ...behind: readonly string[]) => ({
  ...{ turn, number, text, behind },
});

test('what stands behind calls is shown once all of them have come', () => {
  const came = (effect: string, tool = 'look') => ({ effect, tool });
  const said = shown((aloud, now) => {
    aloud.came(came('0#3'));
    aloud.piece(piece('0#4:1', 1, 'Hel', 'look', 'look'));
    aloud.came(came('0#5'));
    aloud.came(came('0#6', 'other'));
    aloud.came(came('0.1#7'));
    aloud.piece(piece('0#4:1', 1, 'lo', 'look', 'look'));
    expect(now()).toBe('');
    aloud.came(came('0#10'));
    expect(now()).toBe('Hello');
    aloud.piece(piece('0#4:1', 1, ' you', 'look', 'look'));
    expect(now()).toBe('Hello you');
    aloud.whole('Hello you all');
    // One that has failed gives nothing: what is said behind it is said whole, or not at all.
    aloud.piece(piece('0#11:1', 1, 'So', 'look'));
    aloud.piece(piece('0#11:1', 2, 'Bye', 'look'));
    expect(now()).toBe('Hello you all\n');
    aloud.whole('So it is');
    aloud.whole('Good night');
  });
  expect(said).toBe('Hello you all\nSo it is\nGood night\n');
});

test('nothing stands on the screen twice, in whatever order pieces and what is said arrive', () => {
  expect(
    shown((aloud) => {
      aloud.piece(piece('1', 1, 'Hel'));
      aloud.piece(piece('1', 1, 'lo'));
      aloud.piece(piece('1', 2, 'You owe '));
      aloud.whole('Hello');
      aloud.whole('You owe 5 euros');
      aloud.whole('Bye');
    }),
  ).toBe('Hello\nYou owe 5 euros\nBye\n');
  // A reply that breaks off, and is written once more in other words.
  expect(
    shown((aloud) => {
      aloud.piece(piece('1', 1, 'Hel'));
      aloud.piece(piece('2', 1, 'Good '));
      aloud.whole('Good day');
    }),
  ).toBe('Hel\nGood day\n');
  // The next turn begins before what the one before says has come.
  expect(
    shown((aloud) => {
      aloud.piece(piece('1', 1, 'A '));
      aloud.piece(piece('2', 1, 'Good '));
      aloud.whole('A day');
      aloud.whole('Good night');
    }),
  ).toBe('A day\nGood night\n');
  // Something else is said while a text is still written, which then stands there as a whole.
  expect(
    shown((aloud) => {
      aloud.piece(piece('1', 1, 'Hel'));
      aloud.whole('Good day');
      aloud.piece(piece('1', 1, 'lo'));
      aloud.whole('Hello');
    }),
  ).toBe('Hel\nGood day\nHello\n');
  expect(
    shown((aloud) => {
      aloud.piece(piece('1', 1, 'Hel'));
      aloud.whole('Good day');
    }),
  ).toBe('Hel\nGood day\n');
  // Something else is shown there: before the rest has come, and after it.
  expect(
    shown((aloud) => {
      aloud.cut();
      aloud.piece(piece('1', 1, 'Hel'));
      aloud.cut();
      aloud.cut();
      aloud.piece(piece('1', 1, 'lo'));
      aloud.cut();
      aloud.whole('Hello');
      aloud.cut();
      aloud.whole('');
      aloud.whole('Bye');
    }),
  ).toBe('Hel\nlo\n\nBye\n');
});
