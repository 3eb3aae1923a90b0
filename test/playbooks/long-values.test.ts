/** A long value in a variable: neither requests nor the journal have it once for each turn. */
import { expect, test } from 'vitest';
import { EffectFailure } from '../../src/engine/handler.ts';
import { quickTool } from '../engine/support.ts';
import { ops, played } from '../planner/playbook/played.ts';

const page = Array.from({ length: 5000 }, (_, n) => `Row ${n} of the long page, as it is.\n`)
  .join('')
  .padEnd(200_000, '.');

const text =
  '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $page = fetch()\n' +
  '- For each $n in 1 to 9\n  - $seen = look()\n  - Say("{$n} of {$page}")\n- Return $n\n';

const reading = (name: string, perform: () => unknown) =>
  quickTool(name, perform, { effect: 'read', parameters: { type: 'object', properties: {} } });

const wait = { yield: 'call' };

test('a page that a variable has is in no request, and in the journal not once a turn', async () => {
  const rounds = Array.from({ length: 9 }, (_, n) =>
    ops(
      ...(n === 0 ? [] : [{ say: `Round ${n}` }]),
      { set: { $n: n + 1 } },
      { call: 'look', args: {}, into: '$seen' },
      wait,
    ),
  );
  const { result, prompts, journal } = await played(text, {
    tools: [reading('fetch', () => page), reading('look', () => 'a row')],
    replies: [
      ops({ call: 'fetch', args: {}, into: '$page' }, wait),
      ...rounds,
      ops({ say: 'Round 9' }, { return: '$n' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(prompts).toHaveLength(11);
  expect(prompts[1]).toContain('Row 40 of the long page');
  for (const prompt of prompts) expect(prompt.length).toBeLessThan(20_000);
  const events = journal.events(result.run).map((event) => JSON.stringify(event));
  // As the result of its tool, and as the variable at the end.
  expect(events.filter((event) => event.length > page.length)).toHaveLength(2);
  expect(events.join('').length).toBeLessThan(2 * page.length + 300_000);
});

test('one that triggers watch is in the state of the run once, and told of in short', async () => {
  const watched =
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $page = fetch()\n' +
    '- Ask user for $more\n- Return $more\n\n' +
    '## Boats\n### Triggers\n- When $page is about boats\n### Steps\n- Return 1\n';
  const asked: Readonly<Record<string, unknown>>[] = [];
  const { result, journal } = await played(watched, {
    checkpointEvery: 1,
    tools: [reading('fetch', () => page)],
    matches(args) {
      asked.push(args);
      return [];
    },
    replies: [
      ops({ call: 'fetch', args: {}, into: '$page' }, wait),
      ops({ say: 'More?' }, { yield: 'user' }),
    ],
  });
  expect(result.status).toBe('waiting');
  expect(asked).toMatchObject([{ changed: {}, long: { $page: { size: expect.any(Number) } } }]);
  const snapshots = journal.snapshots(result.run).map((seq) => journal.snapshot(result.run, seq));
  const last = snapshots.at(-1) ?? '';
  expect(last.split('Row 4321 of the long page')).toHaveLength(2);
});

test('of a very long message a classifier is told the ends, which a warning says', async () => {
  const watched =
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n' +
    '- Ask user for $more\n- Return "done"\n\n' +
    '## Boats(message)\n### Triggers\n- When the user writes about boats\n### Steps\n- Return 1\n';
  const letter = `Dear all. ${page} Yours.`;
  const asked: Readonly<Record<string, unknown>>[] = [];
  const { result, prompts } = await played(watched, {
    answers: [letter],
    matches(args) {
      asked.push(args);
      return [];
    },
    replies: [
      ops({ say: 'More?' }, { yield: 'user' }),
      ops({ set: { $more: '$long_1' } }, { step: '03' }, { return: 'done' }),
    ],
  });
  expect(result.error).toBeUndefined();
  const ends = { start: letter.slice(0, 15_000), end: letter.slice(-5000), size: letter.length };
  expect(asked).toMatchObject([{ message: ends }]);
  expect(result.warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^PV7333 the model .* is not shown 180017 characters of 200017 in the middle of a message:/,
    ),
  ]);
  expect(prompts[1]).toContain('all in long_1');
});

test('up to that a model judges all of a message and of a variable', async () => {
  const watched =
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $page = fetch()\n' +
    '- Ask user for $more\n- Return "done"\n\n' +
    '## Boats(message)\n### Triggers\n- When the user writes about boats\n' +
    '- When $page is about boats\n### Steps\n- Say("Boats!")\n';
  const filler = 'word '.repeat(1500);
  const letter = `${filler}boats ${filler}`;
  const judged: string[] = [];
  const { result, said } = await played(watched, {
    answers: [letter],
    tools: [reading('fetch', () => `${filler}rafts ${filler}`)],
    replies({ prompt, number }) {
      if (prompt.includes('You decide which conditions')) {
        judged.push(prompt);
        const written = prompt.split('just wrote:')[1] ?? '';
        return `{"holds": [${written.includes('boats') ? 1 : ''}]}`;
      }
      if (prompt.includes('called as Boats(')) return ops({ say: 'Boats!' });
      if (number === 1) return ops({ call: 'fetch', args: {}, into: '$page' }, wait);
      return prompt.includes('just wrote') || prompt.includes('long_1')
        ? ops({ set: { $more: '$long_1' } }, { step: '04' }, { return: 'done' })
        : ops({ step: '02' }, { say: 'What more?' }, { step: '03' }, { yield: 'user' });
    },
  });
  expect(result.error).toBeUndefined();
  expect(judged[0]).toContain('rafts');
  expect(said).toContain('Boats!');
  expect(result.warnings.filter(({ message }) => message.includes('PV7333'))).toEqual([]);
});

test('a variable of the playbook takes nothing away that is kept under its name', async () => {
  const program =
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- $page = fetch()\n' +
    '- long_1 = 7\n- Say("{long_1}")\n- Return long_1\n';
  const { result, said, prompts } = await played(program, {
    tools: [
      reading('fetch', () => {
        throw new EffectFailure('PV4001', page);
      }),
    ],
    replies: [
      ops({ call: 'fetch', args: {}, into: '$page' }, wait),
      ops({ step: '02' }, { set: { long_1: 7 } }, { step: '03' }, { show: ['long_1'] }),
      ops({ show: ['long_2'] }),
      ops({ step: '03' }, { say: '{long_1}' }, { step: '04' }, { return: 'long_1' }),
    ],
  });
  expect(prompts[1]).toContain('long_1');
  expect(prompts[2]).toContain('What was kept for you as long_1 is long_2 from now on.');
  expect(prompts[3]).toContain('Row 40 of the long page');
  expect(said).toEqual(['7']);
  expect(result.answer).toBe(7);
});
