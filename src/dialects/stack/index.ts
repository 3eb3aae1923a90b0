/**
 * Programs on a stack, in the grammar of LLMVM's first machine: statements push what they find on
 * a stack and take from it what they need. The same machine runs them as any other program.
 */

import type { Dialect } from '../dialect.ts';
import { dialectFiles } from '../names.ts';
import { checkTree } from './check.ts';
import { codeByName } from './codes.ts';
import { describeStack } from './describe.ts';
import { detectStack, findStack } from './detect.ts';
import { forms } from './forms.ts';
import { lowerTree } from './lower.ts';
import { stackParts } from './parts.ts';
import { readTree, type StackTree } from './tree.ts';

export { codes } from './codes.ts';

export const stack: Dialect<StackTree> = {
  name: 'stack',
  about: 'Statements on a stack: function_call, llm_call, foreach, set, get, answer.',
  extensions: dialectFiles.stack,
  detect: detectStack,
  parse: readTree,
  check: checkTree,
  lower: lowerTree,
  describe: describeStack,
  fence: 'text',
  correctedWarnings: [codeByName.oneOfMany, codeByName.halfTaken],
  answerHint: `let the last statement be ${forms.answer}`,
  find: findStack,
  parts: stackParts,
};
