/**
 * What each program of `datasets/playbooks.json` takes of a model that follows it to the letter:
 * `baseline.json` has its model calls, steps, messages and answer as they once were. A change may
 * take fewer calls, and never more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';
import { followed } from '../support/playbook-follower.ts';
import { root } from '../support/repo.ts';

interface Item {
  readonly id: string;
  readonly file: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly messages?: readonly string[];
}

interface Taken {
  readonly calls: number;
  readonly answer: unknown;
  readonly said: readonly string[];
  readonly steps: readonly string[];
}

const items: readonly Item[] = JSON.parse(
  readFileSync(join(root, 'datasets/playbooks.json'), 'utf8'),
);
const baseline: Readonly<Record<string, Taken>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'baseline.json'), 'utf8'),
);

async function taken({ file, inputs = {}, messages = [] }: Item): Promise<Taken> {
  await using server = await startModelServer((request) => followed(request.messages));
  const { openai: env } = server.env;
  const text = readFileSync(join(root, 'datasets', file), 'utf8');
  using folder = new Folder({ 'a.playbook.md': text });
  const given = Object.entries(inputs).flatMap(([name, value]) => [
    ...['--input', `${name}=${JSON.stringify(value)}`],
  ]);
  const run = ['run', 'a.playbook.md', '--model', 'openai/follower', ...given];
  let { stdout } = await folder.planvm(run, { env });
  for (const message of messages) {
    stdout += (await folder.planvm(['answer', 'last', message], { env })).stdout;
  }
  const { answer, steps } = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  return {
    calls: server.requests.length,
    answer,
    said: stdout.trimEnd().split('\n'),
    steps: steps.map(({ id }: { readonly id: string }) => id),
  };
}

test.each(items)('$id takes no more than it did', async (item) => {
  const { calls, ...rest } = await taken(item);
  const { calls: callsBefore = 0, ...before } = baseline[item.id] ?? {};
  expect(rest).toEqual(before);
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(callsBefore);
});
