/**
 * What is heard while a model writes it is what the log says: no word of it is refused, lost, or
 * told a second time, whatever a message may be refused for.
 */
import { describe, expect, test } from 'vitest';
import { Aloud } from '../../src/cli/view/aloud.ts';
import type { Model } from '../../src/effects/model/model.ts';
import { EffectFailure } from '../../src/engine/handler.ts';
import { quickTool } from '../engine/support.ts';
import { ops, orders, type PlayOptions, played } from '../planner/playbook/played.ts';

const broken = '✂';

/** Streams its replies by characters, up to where its connection breaks. */
function writing(replies: readonly string[]) {
  const prompts: string[] = [];
  const model: Model = {
    name: 'writing',
    async complete({ messages }, context) {
      const text = replies[prompts.length];
      prompts.push(messages.map(({ content }) => content).join('\n\n'));
      if (text === undefined) throw new Error(`no reply for:\n${prompts.at(-1)}`);
      for (const one of text) {
        if (one === broken) throw new EffectFailure('PV4101', 'no more', { mayHaveActed: false });
        context.progress(one);
      }
      const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1 };
      return { text, finishReason: 'stop', usage };
    },
  };
  return { model, prompts };
}

/** What stood on stdout, what of that came ahead, and what the log says. */
async function heardIn(text: string, replies: readonly string[], more: Partial<PlayOptions> = {}) {
  let shown = '';
  let ahead = '';
  const aloud = new Aloud((piece) => {
    shown += piece;
  });
  const piece = aloud.piece.bind(aloud);
  aloud.piece = (one) => {
    ahead += one.text;
    piece(one);
  };
  const { model, prompts } = writing(replies);
  const done = await played(text, { aloud, model, replies: [], ...more });
  const warnings = done.result.warnings.map(({ message }) => message).join('\n');
  const logged = done.said.map((one) => `${one}\n`).join('');
  return { ...done, shown, ahead, logged, prompts, warnings };
}

const desk = (...steps: string[]): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps.join('\n')}\n`;

const tell = desk('- Say what there is to pay', '- Say whether that was all', '- Return 1');
const each = desk(
  ...['- For each $x in ["a", "b"]', '  - Say something about $x', '- Say whether that was all'],
  '- Return 1',
);
const said = (...texts: readonly string[]): string => texts.map((one) => `${one}\n`).join('');

const returned = { return: 1 };
const rest = [{ step: '02' }, { say: 'So.' }, { step: '03' }, returned];
const mended = ops({ step: '01' }, { say: 'All is paid. Ask Ann then.' }, ...rest);
const onward = ops(...rest);
const round = (x: string): readonly object[] => [
  ...[{ step: '01' }, { set: { $x: x } }, { step: '01.01' }, { say: `Well, ${x}.` }],
];

interface Refusal {
  readonly text?: string;
  readonly bad: string;
  /** The reply that mends it. */
  readonly next?: string;
  readonly code: string;
  readonly shown: readonly string[];
}

/** What may be known only behind the words: what is heard of the message by then stands. */
const behindWords: Readonly<Record<string, Refusal>> = {
  'what is filled in has no value': {
    bad: ops({ step: '01' }, { say: 'All is paid. Ask {$nope} then.' }, ...rest),
    ...{ code: 'PV7307', shown: ['All is paid. Ask ', 'Ann then.', 'So.'] },
  },
  'the same in Python': {
    bad: 'await Step("Main:01:QUE")\nawait Say(f"All is paid. Ask {nope.a} then.")\n',
    ...{ code: 'PV7307', shown: ['All is paid. Ask ', 'Ann then.', 'So.'] },
  },
  'what is filled in cannot be computed': {
    text: desk(
      '- $n = 0',
      '- Say what each has to pay',
      '- Say whether that was all',
      '- Return 1',
    ),
    bad: ops({ step: '01' }, { set: { $n: 0 } }, { step: '02' }, { say: 'It is {$n.price} each.' }),
    next: ops({ step: '02' }, { say: 'It is 5 each.' }, { step: '03' }, { say: 'So.' }, returned),
    ...{ code: 'PV7313', shown: ['It is ', '5 each.', 'So.'] },
  },
  'a text that is computed': {
    bad: 'await Step("Main:01:QUE")\nawait Say("All is paid." + nope)\n',
    ...{ code: 'PV7307', shown: ['All is paid.', 'Ask Ann then.', 'So.'] },
  },
  'a line that there is not': {
    bad: ops({ say: 'All is paid.', step: '99' }, ...rest),
    ...{ code: 'PV7302', shown: ['All is paid.', 'Ask Ann then.', 'So.'] },
  },
  'what cannot be read': {
    bad: '{"step":"01"}\n{"say":"All is paid." oops: [}\n',
    ...{ code: 'PV7308', shown: ['All is paid.', 'Ask Ann then.', 'So.'] },
  },
  'the end of the reply': {
    bad: '{"step":"01"}\n{"say":"All is pai',
    ...{ code: 'PV7308', shown: ['All is pai', 'paid. Ask Ann then.', 'So.'] },
  },
  'the end of the connection': {
    bad: `{"say":"All is pai${broken}`,
    ...{ code: 'PV7308', shown: ['All is pai', 'paid. Ask Ann then.', 'So.'] },
  },
};

/** What is known before, though not by the line alone: no word of it is heard. */
const beforeWords: Readonly<Record<string, Refusal>> = {
  'a line of another playbook': {
    bad: ops({ step: 'Burn:01', say: 'All is paid.' }),
    ...{ code: 'PV7302', shown: ['All is paid. Ask Ann then.', 'So.'] },
  },
  'a line that does not come': {
    bad: ops({ step: '02', say: 'All is paid.' }),
    ...{ code: 'PV7303', shown: ['All is paid. Ask Ann then.', 'So.'] },
  },
  'what was said already': {
    bad: ops({ say: 'All is paid.' }, { say: 'All is paid.' }),
    ...{ next: onward, code: 'PV7305', shown: ['All is paid.', 'So.'] },
  },
  'what a line has in quotes': {
    text: desk('- Say("All is 5 euros.")', '- Say whether that was all', '- Return 1'),
    bad: ops({ step: '01' }, { say: 'All is 6 euros.' }),
    next: ops({ step: '01' }, { say: 'All is 5 euros.' }, ...rest),
    ...{ code: 'PV7315', shown: ['All is 5 euros.', 'So.'] },
  },
  'a branch that is not due': {
    text: desk('- $n = 1', '- If $n > 3', '  - Say why', '- Return 1'),
    bad: ops({ set: { $n: 1 } }, { say: 'All is paid.' }),
    ...{ next: ops({ step: '03' }, returned), code: 'PV7317', shown: [] },
  },
  'a round too many': {
    text: each,
    bad: ops(...round('a'), ...round('b'), { step: '01' }, { step: '01.01' }, { say: 'Well, c.' }),
    ...{ next: onward, code: 'PV7305', shown: ['Well, a.', 'Well, b.', 'So.'] },
  },
  'an item that does not come next': {
    ...{ text: each, bad: ops(...round('b')) },
    next: ops(...round('a'), ...round('b'), ...rest),
    ...{ code: 'PV7303', shown: ['Well, a.', 'Well, b.', 'So.'] },
  },
  'a loop that is left early': {
    text: each,
    bad: ops(...round('a'), ...rest),
    next: ops(...round('b'), ...rest),
    ...{ code: 'PV7303', shown: ['Well, a.', 'Well, b.', 'So.'] },
  },
};

describe.each(Object.entries({ ...behindWords, ...beforeWords }))('%s', (_, refusal) => {
  const { text = tell, bad, next = mended, code, shown } = refusal;

  test.each(['advise', 'repair', 'enforce'] as const)('under %s', async (strictness) => {
    const run = await heardIn(text, [bad, next, next], { strictness });
    expect(run.shown).toBe(run.logged);
    if (strictness === 'advise') return;
    expect(run).toMatchObject({ shown: said(...shown), result: { status: 'done', answer: 1 } });
    expect(run.warnings).toContain(code);
  });
});

const bye = { say: 'All is paid.', to: 'Zoe' };
const behind = [{ step: '02' }, { say: 'So.' }, { return: 1 }];

const forms: Readonly<Record<string, string>> = {
  'operations by the line': ops({ step: '01' }, bye, ...behind),
  'one with its line': ops({ step: '01', ...bye }, ...behind),
  'an operation of another order': ops({ step: '01' }, { to: 'Zoe', say: bye.say }, ...behind),
  'a list': JSON.stringify([{ step: '01' }, bye, ...behind]),
  'a list over lines': JSON.stringify({ ops: [{ step: '01' }, bye, ...behind] }, null, 2),
  'a call': ops({ step: '01' }, { call: 'Say', args: ['Zoe', bye.say] }, ...behind),
  'a call by names': ops(
    { step: '01' },
    { call: 'Say', args: { text: bye.say, to: 'Zoe' } },
    ...behind,
  ),
  YAML: '- step: "01"\n- say: All is paid.\n  to: Zoe\n- step: "02"\n- say: So.\n- return: 1\n',
  Python:
    'await Step("Main:01:QUE")\nawait Say("All is paid.", to="Zoe")\n' +
    'await Step("Main:02:QUE")\nawait Say("So.")\nawait Return(1)\n',
  'a log': '`Step["01"]` `Say("Zoe", "All is paid.")`\n`Step["02"]` `Say("So.")`\n`Return[1]`\n',
};

describe.each(Object.entries(forms))('said to nobody, in %s', (_, reply) => {
  test.each(['advise', 'repair'] as const)('the user has it, with a warning, by %s', async (by) => {
    const run = await heardIn(tell, [reply], { strictness: by });
    expect(run).toMatchObject({ shown: said('All is paid.', 'So.'), result: { answer: 1 } });
    expect(run.logged).toBe(run.shown);
    expect(run.warnings).toContain('PV7312 there is nobody called Zoe to say this to');
  });

  test('by `enforce` the model is told, and goes on behind it', async () => {
    const run = await heardIn(tell, [reply, onward], { strictness: 'enforce' });
    expect(run).toMatchObject({ shown: said('All is paid.', 'So.'), result: { answer: 1 } });
    expect(run.logged).toBe(run.shown);
    expect(run.prompts[1]).toContain('there is only the user, who has heard it');
  });
});

test('rounds of a loop are heard word by word where nothing can be against them', async () => {
  const run = await heardIn(each, [ops(...round('a'), ...round('b'), ...rest)]);
  expect(run.shown).toBe(said('Well, a.', 'Well, b.', 'So.'));
  expect(run.ahead).toBe('Well, a.Well, b.So.');
});

test('so it is behind a tool that only reads', async () => {
  const look = quickTool('look', () => 'seen', { ...orders, effect: 'read' });
  const text = desk('- $a = look(1)', '- Say what there is', '- Return 1');
  const first = ops({ step: '01' }, { call: 'look', args: { n: 1 }, into: '$a' });
  const bad = `${first}\n${ops({ step: '02' }, { say: 'It was {$nope}.' })}`;
  const run = await heardIn(
    text,
    [bad, ops({ step: '02' }, { say: 'It was late.' }, { return: 1 })],
    {
      tools: [look],
    },
  );
  expect(run).toMatchObject({ shown: said('It was ', 'late.'), result: { answer: 1 } });
  expect(run.logged).toBe(run.shown);
});

test.each(['$name', 'meeting', 'the meeting', '$nope'])(
  'said to %s, the user has it once',
  async (to) => {
    const bad = ops({ set: { $name: 'Zoe' } }, { step: '01' }, { ...bye, to }, ...behind);
    const run = await heardIn(tell, [bad, onward, onward]);
    expect(run.logged).toBe(run.shown);
    expect(run).toMatchObject({ shown: said('All is paid.', 'So.'), result: { answer: 1 } });
  },
);

describe('behind a message that was heard by half', () => {
  test.each([broken, `"${broken}`, ` Ask${broken}`])(
    'nothing more need be said: %j',
    async (cut) => {
      const run = await heardIn(tell, [`{"step":"01"}\n{"say":"All is paid.${cut}`, onward]);
      expect(run.result.answer).toBe(1);
      expect(run.shown).toMatch(/^All is paid\.(?: Ask)?\nSo\.\n$/);
      expect(run.logged).toBe(run.shown);
    },
  );

  test('what another round says begins as it does', async () => {
    const bad = `${ops({ step: '01' }, { set: { $x: 'a' } }, { step: '01.01' })}\n{"say":"Well, a${broken}`;
    const first = [{ step: '01.01' }, { say: 'So it is.' }];
    const second = [{ step: '01' }, { set: { $x: 'b' } }, { step: '01.01' }];
    const run = await heardIn(each, [
      bad,
      ops(...first, ...second, { say: 'Well, about b' }, ...rest),
    ]);
    expect(run.result.error).toBeUndefined();
    expect(run.shown).toBe(said('Well, a', 'So it is.', 'Well, about b', 'So.'));
    expect(run.logged).toBe(run.shown);
  });
});
