/**
 * The datasets that come with planvm, whole: by a model that looks up what each question is about
 * and knows the answer as soon as it has been shown all of it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { type ServedRequest, startModelServer } from '../../support/model-server.ts';
import { root } from '../../support/repo.ts';

interface Own {
  readonly question: string;
  readonly answer: string | number;
  readonly about: readonly string[];
}

/** What the model writes in a way of planning. */
interface Way {
  plan(own: Own): string;
  /** Whether a request shows what has been found. */
  hasFound(request: ServedRequest): boolean;
  answer(text: string): string;
}

const ways: Readonly<Record<string, Way>> = {
  starlark: {
    plan: ({ question, about }) =>
      [
        '```starlark',
        `pages = [search(entity = name) for name in ${JSON.stringify(about)}]`,
        `answer(llm_generate(${JSON.stringify(question)}, context = pages))`,
        '```',
      ].join('\n'),
    hasFound: ({ prompt }) => !prompt.startsWith('Goal: '),
    answer: (text) => text,
  },
};

const articles: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'datasets/articles.json'), 'utf8'),
);

function reply(request: ServedRequest, all: readonly Own[], way: Way): string {
  const text = request.messages.map(({ content }) => content).join('\n');
  const plain = text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  const own = all.find(({ question }) => plain.includes(question));
  if (!own) return 'Nobody has asked that.';
  if (!way.hasFound(request)) return way.plan(own);
  const isThere = own.about.every((title) => plain.includes(articles[title] ?? '?'));
  return way.answer(isThere ? String(own.answer) : 'I have not been shown all of it.');
}

test.each(
  Object.keys(ways).flatMap((way) =>
    ['comparison', 'movies', 'parallel'].map((name) => [way, name] as const),
  ),
)('%s: %s', { timeout: 60_000 }, async (method, name) => {
  const file = join(root, 'datasets', `${name}.json`);
  const all: Own[] = JSON.parse(readFileSync(file, 'utf8'));
  const way = ways[method];
  if (!way) throw new Error(`there is no way ${method}`);
  await using server = await startModelServer((request) => reply(request, all, way));
  using folder = new Folder();
  const { code, stdout, stderr } = await folder.planvm(
    [
      ...['bench', 'qa', '--dataset', file, '--tools', join(root, 'datasets/tools.mjs')],
      ...['--model', 'openai/oracle', '--method', method, '--concurrency', '4', '--json'],
    ],
    { env: server.env.openai },
  );
  expect(`exit ${code}\n${stderr}`).toMatch(/^exit 0\n/);
  const right = { published: name === 'parallel' ? 14 / 16 : 1, corrected: 1 };
  expect(JSON.parse(stdout).methods).toMatchObject([{ name: method, items: all.length, right }]);
});
