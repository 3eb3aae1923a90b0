/**
 * What each program of `datasets/playbooks.json` takes of a model that does its open lines: in
 * `baseline.json`, `before` is how many model calls it took when a model did every line. A change may
 * take fewer calls than `calls`, and never more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { showRun } from '../../src/engine/views/show.ts';
import { load, played } from '../planner/playbook/played.ts';
import { followed } from '../support/playbook-follower.ts';
import { root } from '../support/repo.ts';

interface Item {
  readonly id: string;
  readonly file: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly string[];
  /** Texts that are said, in order, each as a part of a message. */
  readonly said?: readonly string[];
  readonly answer: unknown;
}

interface Taken {
  readonly before: number;
  readonly calls: number;
  readonly steps: readonly string[];
}

const items: readonly Item[] = JSON.parse(
  readFileSync(join(root, 'datasets/playbooks.json'), 'utf8'),
);
const baseline: Readonly<Record<string, Taken>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'baseline.json'), 'utf8'),
);

test.each(items)('$id takes no more than it did', async ({ id, file, ...item }) => {
  const { result, said, prompts, journal } = await played(
    readFileSync(join(root, 'datasets', file), 'utf8'),
    {
      inline: 8,
      given: item.inputs ?? {},
      answers: item.messages ?? [],
      replies: ({ messages }) => followed(messages),
    },
  );
  expect(result).toMatchObject({ status: 'done', answer: item.answer, warnings: [] });
  let from = 0;
  for (const text of item.said ?? []) {
    from = said.findIndex((one, at) => at >= from && String(one).includes(text));
    expect(from, `${text} in ${JSON.stringify(said)}`).toBeGreaterThanOrEqual(0);
  }
  const { before = 0, calls = 0, steps } = baseline[id] ?? {};
  expect(prompts.length).toBeLessThanOrEqual(calls);
  expect(calls).toBeLessThanOrEqual(before);
  expect(showRun({ journal, run: result.run, load }).steps.map((step) => step.id)).toEqual(steps);
});
