/**
 * How long the people of a page take beside the one who takes longest: a list is made of a page,
 * then each name is bound to a call, looked up and summarised. Pages and replies are real timers,
 * and slower than bindings are costly, as they are in the world; the figure is a ratio.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { defineTool, type Model, run } from '../src/index.ts';
import { report } from './report.ts';

const people = 8;
const names = Array.from({ length: people }, (_, i) => `Person ${i}`);
/** Milliseconds that the reply, or the profile, takes that has to do with one of them. */
const tookMs = (text: string): number => 150 + 25 * Number(/Person (\d)/.exec(text)?.[1] ?? 0);
const onceMs = 200;

const program = `page = team_page()
summaries = []
for person in llm_loop_bind(page, "the names of the people"):
    profile = llm_bind(person, "profile_of(name)")
    summaries.append(llm_call([profile], "Summarise the career."))
answer(summaries)
`;

const name = { type: 'string' } as const;
const tools = [
  defineTool({
    name: 'team_page',
    description: 'The page of a team.',
    parameters: { type: 'object', properties: {} },
    effect: 'read',
    run: async () => {
      await after(onceMs);
      return `With us are ${names.join(', ')}.`;
    },
  }),
  defineTool({
    name: 'profile_of',
    description: 'The profile of a person.',
    parameters: { type: 'object', properties: { name }, required: ['name'] },
    effect: 'read',
    run: async (args) => {
      const text = String(Object(args).name);
      await after(tookMs(text));
      return `${text} has done much.`;
    },
  }),
];

const model: Model = {
  name: 'timed/model',
  async complete({ messages }) {
    const all = messages.map(({ content }) => content).join('\n');
    const isList = all.includes('List from this');
    await after(isList ? onceMs : tookMs(all));
    const person = /Person \d/.exec(all)?.[0] ?? '';
    const isBind = all.includes('The call: profile_of');
    const bound = isBind
      ? JSON.stringify({ args: { name: person }, missing: [] })
      : `${person}: much`;
    return {
      text: isList ? JSON.stringify({ items: names }) : bound,
      usage: { modelCalls: 1, inputTokens: 1, outputTokens: 1 },
      finishReason: 'stop',
    };
  },
};

/** What the one who takes longest takes: page, list, and for that person binding, profile, summary. */
const longestMs = 2 * onceMs + 3 * tookMs(names.at(-1) ?? '');

async function tookFor(journal: string, sequential: boolean): Promise<[number, string]> {
  const began = performance.now();
  const { answer } = await run(program, { dialect: 'starlark', tools, model, journal, sequential });
  return [performance.now() - began, JSON.stringify(answer)];
}

const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
try {
  // Loops and schemas are read with the first of them: that is start-up, which has its own figures.
  await tookFor(':memory:', false);
  const [memoryMs, own] = await tookFor(':memory:', false);
  const [diskMs] = await tookFor(join(folder, 'runs.db'), false);
  const [oneByOneMs, same] = await tookFor(':memory:', true);
  if (own !== same) throw new Error(`one at a time it gives ${same}, side by side ${own}`);
  report([
    {
      name: `${people} people, memory: time / longest chain`,
      value: memoryMs / longestMs,
      unit: 'x',
      bar: 1.15,
    },
    {
      name: `${people} people, SQLite: time / longest chain`,
      value: diskMs / longestMs,
      unit: 'x',
      bar: 1.15,
    },
    {
      name: `${people} people, one at a time / longest chain`,
      value: oneByOneMs / longestMs,
      unit: 'x',
    },
  ]);
} finally {
  rmSync(folder, { recursive: true });
}
