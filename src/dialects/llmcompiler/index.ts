/**
 * Lists of tasks as LLMCompiler's planner writes them: `N. tool[args]` with references `$N`, ended
 * by `join()`. Seed document 004 has the form; research on its parsers, what has to be forgiven.
 */
import { answerOf } from '../../program/model-text.ts';
import type { Dialect } from '../dialect.ts';
import { checkPlan, readingOf } from './check.ts';
import { describePlans } from './describe.ts';
import { detectActions } from './detect.ts';
import { lowerPlan } from './lower.ts';
import { planParts } from './parts.ts';
import { type PlanTree, readPlan } from './plan.ts';
import { readItems } from './reader.ts';

export { codes } from './codes.ts';

export const llmcompiler: Dialect<PlanTree> = {
  name: 'llmcompiler',
  about: 'Tasks as N. tool[args] with references $N; each runs once what it needs is there.',
  extensions: ['.llmcompiler'],
  detect: (text) => detectActions(text).plan,
  parse(text) {
    const tree = readPlan(text);
    return { tree, diagnostics: readingOf(tree) };
  },
  check: checkPlan,
  lower: lowerPlan,
  describe: describePlans,
  fence: 'text',
  find: findPlan,
  parts: planParts,
};

const fenced = /^[ \t]*(?:```|~~~)[^\n`~]*\n([\s\S]*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|(?![\s\S]))/gm;

/** The fence with most tasks in it, where fences have the tasks; else all of the answer. */
function findPlan(reply: string): string | undefined {
  const answer = answerOf(reply);
  const inFences = [...answer.matchAll(fenced)].map(([, text = '']) => text);
  const counted = inFences.map((text) => ({ text, count: tasksIn(text) }));
  const best = counted.toSorted((a, b) => b.count - a.count)[0];
  if (best && best.count > 0 && best.count >= tasksIn(answer.replaceAll(fenced, ''))) {
    return best.text;
  }
  return tasksIn(answer) > 0 ? `${answer}\n` : undefined;
}

const tasksIn = (text: string): number =>
  readItems(text).filter(({ kind }) => kind === 'task' || kind === 'join').length;
