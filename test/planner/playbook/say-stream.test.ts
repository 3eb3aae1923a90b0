/** Messages that are shown while a model writes them: a part of what is said then, and no more. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Aloud } from '../../../src/cli/view/aloud.ts';
import type { Model } from '../../../src/effects/model/model.ts';
import { operationsIn } from '../../../src/planner/playbook/reply/operations.ts';
import { ReplyReader } from '../../../src/planner/playbook/reply/reader.ts';
import { SayStream } from '../../../src/planner/playbook/reply/say-stream.ts';
import type { SayingPiece } from '../../../src/planner/playbook/turn.ts';
import { agent, place } from '../../dialects/playbook/link/lines.ts';
import { desk, fileOf, ops, refund, rent, turn } from './sample.ts';

/** What is shown with each piece of a reply. */
const shownOf = (...pieces: string[]): string[] => {
  let shown = '';
  const stream = new SayStream({
    mayBegin: () => true,
    show: (text) => {
      shown += text;
    },
  });
  const reader = new ReplyReader(stream);
  return pieces.map((piece) => {
    shown = '';
    reader.feed(piece);
    return shown;
  });
};

test.each([
  [
    'piece by piece, with its marks',
    ['{"sa', 'y": "Hel', 'lo\\', 'n\\u00', 'e4 {br', 'ace"}\n'],
    ['', 'Hel', 'lo', '\n', 'ä ', ''],
  ],
  ['one after the other', ['{"say":"a"}\n', '{"say":"b"', '}\n'], ['a', 'b', '']],
  [
    'also where a character comes in two halves',
    ['{"say":"a\ud83d', '\ude42b', '"}\n'],
    ['a', '🙂b', ''],
  ],
  ['with their lines', ['{"at":"04",', '"say":"a"}'], ['', 'a']],
  ['within a list', ['[{"at":"04"},{"say":"a', 'b"}'], ['a', 'b']],
  ['within one object', ['{"operations":[{"at":"04"},{"say":"a', 'b"}', ']}'], ['a', 'b', '']],
  ['up to what is filled in', ['{"say":"You owe {$sum} euros"}\n'], ['You owe ']],
  ['up to a dollar sign', ['{"say":"It is $$5"}\n'], ['It is ']],
  [
    'and no other operation',
    ['{"saying":"x"}\n', '{"set":{"say":"x"}}\n', '{"to":"Ann","say":"x"}'],
    ['', '', ''],
  ],
])('messages are shown %s', (_, pieces, shown) => {
  expect(shownOf(...pieces)).toEqual(shown);
});

test('whatever the pieces, what is shown begins what is said', () => {
  const unit = fc.oneof(
    fc.constantFrom(...'ab ,."\\\n{}$`'),
    fc.string({ unit: 'binary', minLength: 1 }),
  );
  const text = fc.array(unit, { maxLength: 30 }).map((all) => all.join(''));
  const cuts = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 8 });
  fc.assert(
    fc.property(text, cuts, (said, at) => {
      const reply = ops({ say: said });
      const places = [0, ...at.filter((one) => one < reply.length).toSorted((a, b) => a - b)];
      const pieces = places.map((from, index) => reply.slice(from, places[index + 1]));
      const shown = shownOf(...pieces).join('');
      expect(shownOf(...reply.split('')).join('')).toBe(shown);
      expect(said.startsWith(shown)).toBe(true);
      if (!/[{$\p{C}]/u.test(said)) expect(shown).toBe(said);
      expect(operationsIn(JSON.parse(reply))).toMatchObject([{ op: 'say' }]);
    }),
  );
});

/** Streams its reply by characters. */
const writing = (text: string, pieces: Iterable<string> = text): Model => ({
  name: 'writing',
  async complete(_, context) {
    for (const one of pieces) context.progress(one);
    return {
      text,
      finishReason: 'stop',
      usage: { modelCalls: 1, inputTokens: 1, outputTokens: 1 },
    };
  },
});

const trigger = { id: 'T1', code: 'CND', text: 'When $day', names: [], place } as const;
const triggered = fileOf(desk([{ ...rent, triggers: [trigger] }, refund]));
const several = fileOf(desk([rent]), agent([], { name: 'Ann', kind: 'human' }));
const meeting = fileOf(desk([{ ...rent, metadata: { meeting: true } }]));
const say = { say: 'Which day?' };
const set = { set: { $x: 1 } };

/** Reply, line, and whether the message is shown, alone, with triggers, with others, in a meeting. */
test.each<readonly [string, string, readonly unknown[], string]>([
  ['at the present line', '05', [say], 'yn'],
  ['at the next open line', '04', [{ at: '05' }, say], 'yn'],
  ['under a condition', '04', [{ at: '04', holds: true }, { at: '04.01' }, say], 'yn'],
  ['that names its own line', '04', [{ at: '04.01', ...say }], 'yn'],
  ['after another message', '05', [{ say: 'Hi' }, say], 'yn'],
  ['after lines of the machine', '01', [{ at: '04' }, say], 'nn'],
  ['that names a line after those', '01', [{ at: '04', ...say }], 'nn'],
  ['after a variable was set', '05', [set, say], 'yt'],
  ['after a call', '05', [{ call: 'order', args: [1] }, say], 'nn'],
  ['after a problem', '05', [{ at: '77' }, say], 'nn'],
  ['after the end of the turn', '05', [{ yield: 'user' }, say], 'nn'],
])('a message %s may be shown ahead', async (_, line, operations, expected) => {
  const shown = async (file: typeof triggered | undefined, args = {}): Promise<boolean> => {
    const pieces: SayingPiece[] = [];
    await turn('', {
      ...{ frame: { line }, model: writing(ops(...operations)), args },
      ...(file && { file }),
      options: { saying: (piece) => pieces.push(piece) },
    });
    const text = pieces.map((piece) => piece.text).join('');
    expect(['', 'Hi', 'Which day?', 'HiWhich day?']).toContain(text);
    return text.endsWith('Which day?');
  };
  const [alone, withTriggers] = expected;
  expect(await shown(undefined)).toBe(alone === 'y');
  expect(await shown(triggered)).toBe(alone === 'y' && withTriggers === 'n');
  expect(await shown(several)).toBe(false);
  expect(await shown(meeting)).toBe(false);
  expect(await shown(undefined, { isJudged: true })).toBe(false);
});

test('a message that begins with a variable has its place before the next one', async () => {
  const pieces: SayingPiece[] = [];
  const reply = ops({ say: '{$x} is free' }, { say: 'Bye' });
  const saying = (piece: SayingPiece): void => void pieces.push(piece);
  await turn('', { model: writing(reply), options: { saying } });
  expect(pieces).toMatchObject([
    { turn: '0#1:1', number: 1, text: '' },
    { number: 2, text: '' },
    { number: 2, text: 'B' },
    { number: 2, text: 'y' },
    { number: 2, text: 'e' },
  ]);
});

test.each([
  ['lines', ops],
  ['a list', (...all: object[]) => JSON.stringify(all)],
  ['one object', (...all: object[]) => JSON.stringify({ operations: all })],
] as const)('operations that arrive in one piece, as %s, are told apart', async (_, write) => {
  const shown = async (...operations: object[]): Promise<string[]> => {
    const pieces: SayingPiece[] = [];
    const saying = (piece: SayingPiece): void => void pieces.push(piece);
    const reply = write(...operations);
    await turn('', { model: writing(reply, [reply]), options: { saying } });
    return pieces.filter(({ text }) => text !== '').map(({ number, text }) => `${number} ${text}`);
  };
  expect(await shown({ say: 'Dear {$x}' }, { say: 'Bye' })).toEqual(['1 Dear ', '2 Bye']);
  expect(await shown({ yield: 'user' }, { say: 'Bye' })).toEqual([]);
});

/** Pieces as `turn number text`, whole texts after `=`, `|` for something else that is shown. */
test.each([
  ['1 1 Hel;1 1 lo;1 2 You owe ;=Hello;=You owe 5 euros;=Bye', 'Hello\nYou owe 5 euros\nBye\n'],
  // A reply that breaks off, and is written once more in other words.
  ['1 1 Hel;2 1 Good ;=Good day', 'Hel\nGood day\n'],
  // The next turn begins before the message of the turn before was said.
  ['1 1 A ;2 1 Good ;=A day;=Good night', 'A day\nGood night\n'],
  // Something else is said while a text is still written.
  ['1 1 Hel;=Good day;1 1 lo;=Hello', 'Hel\nGood day\nHello\n'],
  ['1 1 Hel;=Good day', 'Hel\nGood day\n'],
  // Something else is shown there: before the rest has come, and after it.
  ['|;1 1 Hel;|;|;1 1 lo;|;=Hello;|;=;=Bye', 'Hel\nlo\n\nBye\n'],
])('%s stands on the screen once', (events, screen) => {
  let text = '';
  const aloud = new Aloud((more) => {
    text += more;
  });
  for (const event of events.split(';')) {
    const [turn = '', number = '', ...words] = event.split(' ');
    if (event === '|') aloud.cut();
    else if (event.startsWith('=')) aloud.whole(event.slice(1));
    else aloud.piece({ turn, number: Number(number), text: words.join(' ') });
  }
  aloud.end();
  expect(text).toBe(screen);
});
