/** The small effects of the loop: ends, limits, warnings, completions, times. */
import { describe, expect, test } from 'vitest';
import { dueTimeHandler } from '../../../src/planner/playbook/due-time.ts';
import {
  completeHandler,
  giveUpHandler,
  moreOfHandler,
  warnOfHandler,
} from '../../../src/planner/playbook/ends.ts';
import { playbookHandlers } from '../../../src/planner/playbook/handlers.ts';
import { playbook } from '../../dialects/playbook/link/lines.ts';
import { attempt } from '../../support/attempt.ts';
import { scripted } from '../scripted.ts';
import { desk, fileOf, rental, tools } from './sample.ts';

const why = { code: 'PV7310', why: 'at Desk.Main:01: got a', at: 'Desk.Main:01' };

describe('give_up', () => {
  test.each([
    ['PV7310', /try another one$/],
    ['PV7309', /^say more precisely/],
  ])('ends the run, and says for %s what to do', async (code, hint) => {
    await expect(giveUpHandler.perform({ ...why, code }, attempt())).rejects.toMatchObject({
      ...{ code, final: true, message: 'at Desk.Main:01: got a' },
      hint: expect.stringMatching(hint),
    });
  });

  test('has the beginning and the end of what is long', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `line ${at}`);
    const long = `${'a'.repeat(600)}${'b'.repeat(9000)}${'c'.repeat(600)}`;
    const failed = giveUpHandler.perform({ ...why, why: [...lines, long].join('\n') }, attempt());
    const message = await failed.then(String, (error: Error) => error.message);
    const shown = message.split('\n');
    expect(shown).toHaveLength(25);
    expect(shown.slice(11, 14)).toEqual(['line 11', '… 277 lines …', 'line 289']);
    expect(shown.at(-1)).toMatch(/^a{500}… 9200 characters …c{500}$/);
  });
});

test('a limit may be larger for whoever continues the run, else it ends', async () => {
  const asked = { limit: 'turns', used: 100, ...why };
  const { perform } = moreOfHandler({ turns: 150, depth: 100 });
  expect(await perform(asked, attempt())).toBe(150);
  await expect(perform({ ...asked, limit: 'depth' }, attempt())).rejects.toMatchObject({
    code: 'PV7310',
  });
});

test('a warning is one of the run', async () => {
  const context = attempt();
  expect(await warnOfHandler.perform({ code: 'PV7305', why: 'it is odd' }, context)).toBe(true);
  expect(context.warnings).toEqual(['PV7305 it is odd']);
});

test('a completion sees the agent, the text, and arguments that it does not have', async () => {
  const poem = playbook('Poem', [], { mode: 'raw', description: 'On {about}, {Rhyme($form)}.' });
  const { model, requests } = scripted('Roses.', 'x');
  const file = fileOf(
    desk([poem], { description: 'A poet.' }),
    desk([poem], { name: 'Mute', description: '' }),
  );
  const complete = completeHandler(file, () => model);
  const args = { about: 'roses', form: 'aabb', length: 4, tags: ['a'] };
  const asked = { playbook: 'Desk.Poem', prompt: 'On roses, aabb.', args };
  expect(await complete.perform(asked, attempt())).toBe('Roses.');
  expect(requests[0]).toMatchObject({
    messages: [
      { role: 'system', content: 'A poet.' },
      { role: 'user', content: 'On roses, aabb.\n\nlength: 4\n\ntags: ["a"]' },
    ],
    prompt: 'On roses, aabb.',
  });
  await complete.perform({ playbook: 'Mute.Poem', prompt: null, args: {} }, attempt());
  expect(requests[1]?.messages).toEqual([{ role: 'user', content: 'On {about}, {Rhyme($form)}.' }]);
  const other = complete.perform({ ...asked, playbook: 'Desk.Other' }, attempt());
  await expect(other).rejects.toMatchObject({ code: 'PV7006' });
});

const noon = Date.parse('2026-11-29T12:00:00Z') / 1000;
const iso = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString();

test.each([
  [{ text: '5 minutes' }, '2026-11-29T12:05:00.000Z'],
  [{ text: 'tomorrow at 9:00' }, '2026-11-30T08:00:00.000Z'],
  [{ text: '17:30', zone: 'Asia/Tokyo' }, '2026-11-30T08:30:00.000Z'],
  [{ times: [32_400], days: [1] }, '2026-11-30T08:00:00.000Z'],
  [{ times: [0], date: '2026-12-24' }, '2026-12-23T23:00:00.000Z'],
])('%j is due at %s', async (asked, due) => {
  const args = { zone: 'Europe/Berlin', after: noon, ...asked };
  expect(iso(await dueTimeHandler.perform(args, attempt()))).toBe(due);
});

test.each([
  [{ text: 'when it rains' }, 'got "when it rains", want a time'],
  [{ times: [0], zone: 'Atlantis' }, 'got the time zone Atlantis, want an IANA name'],
  [{ times: ['9:00'] }, 'got times of another form'],
])('%j is not a time', async (asked, message) => {
  const args = { zone: 'UTC', after: noon, ...asked };
  await expect(dueTimeHandler.perform(args, attempt())).rejects.toMatchObject({
    ...{ code: 'PV7006', message: expect.stringContaining(message) },
  });
});

test('the loop has its effects by name', () => {
  const { model } = scripted();
  const handlers = playbookHandlers({ file: rental, tools, model: () => model, allowed: {} });
  expect([...handlers.keys()].toSorted()).toEqual([
    ...['complete', 'due_time', 'give_up', 'match_triggers', 'more_of', 'turn', 'warn_of'],
  ]);
});
