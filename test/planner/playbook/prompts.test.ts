/**
 * What is sent, turn by turn: within a conversation nothing that was sent changes, so that what a
 * provider has kept of it stays good; and whatever becomes of a conversation, what its frame needs
 * is in the prompt.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlaySet } from '../../../src/cli/bench/playbook-set.ts';
import type { Message } from '../../../src/effects/model/model.ts';
import type { CallResult, Entry } from '../../../src/planner/playbook/prompt/session.ts';
import { turnHandler } from '../../../src/planner/playbook/turn.ts';
import { attempt } from '../../support/attempt.ts';
import { followed } from '../../support/playbook-follower.ts';
import { root } from '../../support/repo.ts';
import { scripted } from '../scripted.ts';
import { played, turnsIn } from './played.ts';
import { fileOf, rent, tools } from './sample.ts';

const own = await readPlaySet(`${root}/datasets/playbooks.json`);

test.each(own.items.map((item) => [item.id, item] as const))(
  '%s: each turn of a conversation begins with what was sent before, byte by byte',
  async (_, { source, inputs, messages: answers }) => {
    const sent: (readonly Message[])[] = [];
    const { result, journal } = await played(source.text, {
      ...{ inline: 0, given: inputs, answers },
      replies: ({ messages }) => {
        sent.push(messages);
        return followed(messages);
      },
    });
    const sessions = turnsIn(journal, result.run).map(({ chat }) => chat.session);
    expect(sessions).toHaveLength(sent.length);
    expect(new Set(sent.map(([system]) => JSON.stringify(system))).size).toBe(1);
    const last = new Map<string, readonly Message[]>();
    for (const [at, session] of sessions.entries()) {
      const now = (sent[at] ?? []).map(({ role, content }) => ({ role, content }));
      const before = last.get(session) ?? [];
      expect(now.slice(0, before.length)).toEqual(before);
      last.set(session, now);
      // What later turns begin with is marked: the system's part, and all there is so far.
      const marked = sent[at]?.flatMap(({ keep }, index) => (keep ? [index] : []));
      expect(marked).toEqual([0, now.length - 1]);
    }
  },
);

test('a function is told of with what it says that it does, or what its mark says of it', async () => {
  const code = [
    ...[
      'def Q7(order):',
      '    """',
      '    The fee in euros.',
      '    More.',
      '    """',
      '    return 12',
      '',
    ],
    ...['def Q8(order):', '    return 9', ''],
    ...['@playbook', 'def Q9(order):', "    'Whose it is.'", '    return 9', ''],
    ...['@playbook(description="Where it is.")', 'def Q6(order):', '    "Lost."', '    return 9'],
  ].join('\n');
  const text = `# Desk\n\n\`\`\`tools\n${code}\n\`\`\`\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Say "a"\n`;
  const sent: string[] = [];
  await played(text, {
    replies: ({ messages }) => {
      sent.push(messages.map(({ content }) => content).join('\n'));
      return followed(messages);
    },
  });
  expect(sent[0]).toContain(
    'Functions:\n- Q7(order): The fee in euros.\n- Q8(order)\n- Q9(order): Whose it is.\n' +
      '- Q6(order): Where it is.\n',
  );
});

const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 });
const value = fc.oneof(text, fc.integer(), fc.array(fc.integer(), { maxLength: 5 }));

interface Past {
  readonly entries: readonly Entry[];
  readonly last: readonly Entry[];
}

/** A conversation of some length, and what came behind its last reply. */
const past: fc.Arbitrary<Past> = fc
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
      {
        is: 'turn',
        text: asked.padEnd(300, '.'),
        shown: { $old: `$old = ${asked}` },
        session: '1',
      },
      { is: 'reply', text: `{"step":"03"}\n${JSON.stringify({ say: said })}\n{"yield":"user"}` },
      { is: 'user', text: wrote },
    ]);
    const last: Entry[] = [
      { is: 'results', calls },
      { is: 'user', text: wrote },
      { is: 'problem', text: wrong },
    ];
    return { entries, last };
  });

test('whatever is told in short: variables, what was just written, and results not yet used are sent', async () => {
  const variables = fc.array(value, { maxLength: 6 });
  const kinds = fc.constantFrom('resume', 'continue');
  const chat = fc.constantFrom('auto', 'keep', 'fresh');
  const most = fc.integer({ min: 60, max: 3000 });
  await fc.assert(
    fc.asyncProperty(past, variables, kinds, chat, most, async (given, values, kind, how, max) => {
      const { model, requests } = scripted(
        '{"step":"03"}\n{"step":"03.01"}\n{"say":"?"}\n{"yield":"user"}',
      );
      const file = fileOf(rent);
      const handler = turnHandler({
        file,
        tools,
        model: () => model,
        chat: how,
        sessionTokensMax: max,
      });
      const frame = { playbook: 'Desk.RentBike', line: '03', call: 'RentBike()' };
      const views = values.map((one, at) => {
        return { name: `v${at}`, scope: 'state', how: 'full', value: one };
      });
      const session = [...given.entries, ...given.last];
      await handler.perform({ frame, kind, session, variables: views }, attempt());
      const sent = requests[0]?.messages.map(({ content }) => content).join('\n') ?? '';
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
      expect(sent).toContain('03.01');
      expect(sent).toContain('Go on at line 03');
    }),
    { numRuns: 60 },
  );
});
