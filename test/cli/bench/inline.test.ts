/** `planvm bench inline`: our own programs at several limits, whole benchmarks, and what is best. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bestOf, type LimitRow, limitRow } from '../../../src/cli/bench/inline-table.ts';
import type { Line } from '../../../src/cli/bench/log.ts';
import { readPlaySet, wordsOf } from '../../../src/cli/bench/playbook-set.ts';
import { played } from '../../planner/playbook/played.ts';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { followed } from '../../support/playbook-follower.ts';
import { root } from '../../support/repo.ts';

const own = await readPlaySet(join(root, 'datasets/playbooks.json'));

const playOwn = async (inline: number) => {
  const ended = [];
  for (const { source, inputs, messages, answer, said: wanted } of own.items) {
    const { result, said, prompts } = await played(source.text, {
      ...{ inline, given: inputs, answers: messages },
      replies: ({ messages: asked }) => followed(asked),
    });
    const isSaid = wanted.every((one) => said.some((text) => String(text).includes(one)));
    ended.push({ isRight: isSaid && wordsOf(result.answer) === answer, calls: prompts.length });
  }
  return ended;
};

test('a model that follows our own programs to the letter is right at every limit, in ever fewer calls', async () => {
  const all = [await playOwn(0), await playOwn(8), await playOwn(32)];
  expect(all.flat().every(({ isRight }) => isRight)).toBe(true);
  const [none, some, most] = all.map((ended) => ended.map(({ calls }) => calls));
  const sum = (calls: readonly number[] = []): number => calls.reduce((a, b) => a + b, 0);
  expect([sum(none), sum(some), sum(most)]).toEqual([80, 57, 46]);
  expect(none?.every((calls, at) => calls >= (some?.[at] ?? Infinity))).toBe(true);
});

describe('which limit is best', () => {
  const row = (inline: number, right: number, tokens: number, cost: number | null): LimitRow =>
    limitRow(
      inline,
      [true, false].map((first): Line => {
        const isRight = first ? right > 0 : right > 1;
        return {
          ...{ type: 'item', method: `inline ${inline}`, id: String(first), question: '' },
          ...{ label: '', answer: 'x', right: { published: isRight, corrected: isRight } },
          ...{ status: 'done', ms: 1, run: null, runs: [], at: 0, repairs: 1 },
          usage: { modelCalls: 1, inputTokens: tokens, outputTokens: 0, cost },
        };
      }),
    );

  test('the cheapest of those with the most right answers', () => {
    const rows = [row(0, 2, 10, 5), row(8, 2, 20, 3), row(16, 1, 1, 1)];
    expect(bestOf(rows)).toEqual({ inline: 8, why: '2 of 2 right, and the least cost' });
    expect(rows[0]?.repairs).toBe(2);
  });

  test('by tokens where no price is known; the smallest of equal ones; none where none is right', () => {
    expect(bestOf([row(8, 2, 20, null), row(4, 2, 10, null), row(2, 2, 10, null)])).toEqual({
      inline: 2,
      why: '2 of 2 right, and the least tokens, written ones counted four times',
    });
    expect(bestOf([row(0, 0, 1, 1)])).toBeUndefined();
  });
});

describe('a whole benchmark', () => {
  const args = ['bench', 'inline', '--limits', '0,8', '--id', 'parcel,trip', '--out', 'log.ndjson'];

  test('plays each program at each limit, says what is best, and goes on with its log', async () => {
    await using models = await startModelServer(({ messages }) => followed(messages));
    using folder = new Folder({});
    const all = [...args, '--model', 'openai/gpt-5-mini'];
    const options = { env: models.env.openai };
    const first = await folder.planvm([...all, '--json'], options);
    expect(first.stderr).toContain('playbooks: 2 programs × 2 limits with openai/gpt-5-mini\n');
    const { limits, best } = JSON.parse(first.stdout);
    expect(limits).toMatchObject([
      { inline: 0, items: 2, right: { corrected: 1 }, usage: { modelCalls: 14 }, repairs: 0 },
      { inline: 8, items: 2, right: { corrected: 1 }, usage: { modelCalls: 8 }, unanswered: 0 },
    ]);
    expect(best).toEqual({ inline: 8, why: '2 of 2 right, and the least cost' });
    expect(models.requests).toHaveLength(22);
    const again = await folder.planvm([...all, '--resume'], options);
    expect(again.stdout).toMatch(/^inline +items +right +calls .*\n0 +2 +100\.0% +14 /);
    expect(again.stdout).toContain('best: --inline 8 (2 of 2 right, and the least cost)\n');
    expect(models.requests).toHaveLength(22);
    const other = await folder.planvm([...all, '--resume', '--strictness', 'advise'], options);
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('PV6802');
  });

  test('refuses what is no set of programs, and limits that are none', async () => {
    using folder = new Folder({
      'a.json': [{ id: 'a', file: 'a.playbook.md' }],
      'b.json': [{ id: 'a', file: 'a.playbook.md', answer: 1 }],
      'a.playbook.md': '# A\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Return F(\n',
    });
    const refused = async (...more: string[]) =>
      (await folder.planvm(['bench', 'inline', '--replay', 'x.ndjson', ...more])).stderr;
    expect(await refused('--dataset', 'a.json')).toContain('nothing is expected of a');
    expect(await refused('--limits', '4,x')).toContain('want whole numbers with commas between');
    expect(await refused('--id', 'nothing')).toContain('it has parcel, garden');
  });
});

test('programs of ours use every size of callee that the limits tell apart', () => {
  const names = JSON.parse(readFileSync(join(root, 'datasets/playbooks.json'), 'utf8'));
  expect(names.length).toBe(own.items.length);
  expect(new Set(own.items.map(({ source }) => source.title)).size).toBeGreaterThanOrEqual(8);
});
