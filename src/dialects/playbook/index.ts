/**
 * Playbooks: procedures in natural language. They are compiled to numbered steps here; a loop runs
 * them, with a model that follows one playbook at a time.
 */
import type { InterpretedDialect } from '../dialect.ts';
import { checkCompiled } from './check/check.ts';
import { describePlaybooks } from './describe.ts';
import { detectPlaybooks, findPlaybooks } from './detect.ts';
import { wordPlaces } from './source/word-place.ts';
import { compiledOf, type PlaybookTree, readTree } from './tree-of.ts';

/** What was read, with the text that it was read from. */
interface ReadText {
  readonly tree: PlaybookTree;
  readonly text: string;
}

export const playbook: InterpretedDialect<ReadText> = {
  name: 'playbook',
  about: 'Playbooks: steps in natural language under headings, in Markdown.',
  extensions: ['.playbook.md', '.pbasm', '.pb', 'SKILL.md'],
  detect: detectPlaybooks,
  parse(text) {
    const { tree, diagnostics } = readTree(text, 'own');
    return { tree: { tree, text }, diagnostics: [...diagnostics] };
  },
  check: ({ text, tree }, environment) =>
    checkCompiled(compiledOf(tree, environment.tools.values()), environment, {
      placeOf: wordPlaces(text),
    }),
  describe: describePlaybooks,
  fence: 'markdown',
  answerHint: 'let the first playbook return its result: Return $result',
  find: findPlaybooks,
  interpretedBy: 'playbook',
};
