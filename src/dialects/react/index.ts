/**
 * Transcripts of ReAct: `Action: tool[args]` behind each thought, ended by `Finish[answer]`. Read,
 * checked and run as plans are; they differ in form, and in that no action names a result.
 */

import type { Dialect } from '../dialect.ts';
import { checkActions, readingOf } from '../llmcompiler/check.ts';
import { detectActions, findActions } from '../llmcompiler/detect.ts';
import { lowerPlan } from '../llmcompiler/lower.ts';
import { planParts } from '../llmcompiler/parts.ts';
import type { PlanTree } from '../llmcompiler/plan.ts';
import { dialectFiles } from '../names.ts';
import { describeTranscripts } from './describe.ts';
import { transcriptForm } from './form.ts';
import { readTranscript } from './transcript.ts';

const name = 'react';

export const react: Dialect<PlanTree> = {
  name,
  about: 'Thoughts and actions as Action: tool[args], one after the other, until Finish[answer].',
  extensions: dialectFiles.react,
  detect: (text) => detectActions(text).transcript,
  parse(text) {
    const tree = readTranscript(text);
    return { tree, diagnostics: readingOf(tree) };
  },
  check: (tree, environment) => checkActions(tree, environment, transcriptForm),
  lower: (tree, environment) => lowerPlan(tree, environment, name),
  describe: describeTranscripts,
  fence: 'text',
  answerHint: 'end with Finish[the answer]',
  find: findActions,
  parts: planParts,
};
