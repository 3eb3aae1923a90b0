/**
 * Playbooks: procedures in natural language. They are compiled to numbered steps here; a loop runs
 * them, with a model that follows one playbook at a time. What reads them is loaded on its own, as
 * most programs are no playbooks.
 */

import type { InterpretedDialect } from '../dialect.ts';
import { dialectFiles } from '../names.ts';
import { describePlaybooks } from './describe.ts';
import { detectPlaybooks, isFreeForm } from './detect.ts';
import type { PlaybookTree } from './reader.ts';

type Reader = typeof import('./reader.ts');

let reader: Reader | undefined;

/** To be called with what `reader.ts` exports before a text of playbooks is parsed or checked. */
export function readPlaybooksWith(given: Reader): void {
  reader = given;
}

function loaded(): Reader {
  if (!reader) throw new Error('what reads playbooks is not loaded');
  return reader;
}

export const playbook: InterpretedDialect<PlaybookTree> = {
  name: 'playbook',
  about: 'Playbooks: steps in natural language under headings, in Markdown.',
  extensions: dialectFiles.playbook,
  detect: detectPlaybooks,
  parse: (text) => loaded().parsePlaybooks(text),
  check: (read, environment) => loaded().checkPlaybooks(read, environment),
  describe: describePlaybooks,
  // Nothing here asks a model for a playbook, so none is looked for in a reply.
  find: () => undefined,
  fence: 'markdown',
  answerHint: 'let the first playbook return its result: Return $result',
  isFreeForm,
  interpretedBy: 'playbook',
};
