/**
 * The datasets that come with planvm, whole: by a model that looks up what each question is about
 * and knows the answer as soon as it has been shown all of it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planningMethods } from '../../../src/bench/options.ts';
import { Folder } from '../../support/cli.ts';
import { type ServedRequest, startModelServer } from '../../support/model-server.ts';
import { root } from '../../support/repo.ts';

interface Own {
  readonly question: string;
  readonly answer: string | number;
  readonly about: readonly string[];
}

/** What the model says to a request about a question, of whose articles it has not seen these. */
type Way = (own: Own, missing: readonly string[], request: ServedRequest) => string;

const ways: Readonly<Record<string, Way>> = {
  starlark({ question, about, answer }, missing, { prompt }) {
    if (!prompt.includes('\nGoal: ')) return missing.length === 0 ? String(answer) : 'unknown';
    const pages = `pages = [search(entity = name) for name in ${JSON.stringify(about)}]`;
    const last = `answer(llm_generate(${JSON.stringify(question)}, context = pages))`;
    return `\`\`\`starlark\n${pages}\n${last}\n\`\`\``;
  },
  llmcompiler({ about, answer }, missing) {
    const joined = { thought: 'All is there.', action: 'finish', answer: String(answer) };
    if (missing.length === 0) return JSON.stringify(joined);
    const tasks = about.map(
      (name, i) => `Thought: Look.\n${i + 1}. search(${JSON.stringify(name)})`,
    );
    return `${tasks.join('\n')}\nThought: That is all.\n${about.length + 1}. join()\n<END_OF_PLAN>`;
  },
  react({ answer }, [next]) {
    const action = next === undefined ? `Finish[${answer}]` : `search[${JSON.stringify(next)}]`;
    return `Thought: One thing at a time.\nAction: ${action}`;
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
  const missing = own.about.filter((title) => !plain.includes(articles[title] ?? '?'));
  return way(own, missing, request);
}

test.each(
  planningMethods
    .filter((way) => way in ways)
    .flatMap((way) => ['comparison', 'movies', 'parallel'].map((name) => [way, name] as const)),
)('%s: %s', async (method, name) => {
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
