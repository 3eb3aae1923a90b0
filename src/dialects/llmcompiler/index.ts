/**
 * Lists of tasks as LLMCompiler's planner writes them: `N. tool[args]` with references `$N`, ended
 * by `join()`. LLMCompiler's syntax glossary has the form; its parsers, what is to be forgiven.
 */

import type { Dialect } from '../dialect.ts';
import { dialectFiles } from '../names.ts';
import { checkActions, readingOf } from './check.ts';
import { describePlans } from './describe.ts';
import { detectActions, findActions } from './detect.ts';
import { planForm } from './form.ts';
import { lowerPlan } from './lower.ts';
import { planParts } from './parts.ts';
import { type PlanTree, readPlan } from './plan.ts';

export { codes } from './codes.ts';

export const llmcompiler: Dialect<PlanTree> = {
  name: 'llmcompiler',
  about: 'Tasks as N. tool[args] with references $N; each runs once what it needs is there.',
  extensions: dialectFiles.llmcompiler,
  detect: (text) => detectActions(text).plan,
  parse(text) {
    const tree = readPlan(text);
    return { tree, diagnostics: readingOf(tree) };
  },
  check: (tree, environment) => checkActions(tree, environment, planForm),
  lower: (tree, environment) => lowerPlan(tree, environment),
  describe: describePlans,
  fence: 'text',
  answerHint: 'end the plan with join(), or with join($N) to answer with the result of task N',
  find: findActions,
  parts: planParts,
};
