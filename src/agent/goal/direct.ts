/** The program of one call of a model, so that a direct answer is a run like any other. */

import { quoted } from '../../dialects/starlark/quoted.ts';
import type { Goal } from '../../planner/goal.ts';

/** With the inputs as what it works on. */
export function directProgram(goal: Goal, inputs: readonly string[]): string {
  const { text, language, format } = goal;
  const words = [
    text,
    ...(language ? [`Answer in ${language}.`] : []),
    ...(format ? [`Form of the answer: ${format}.`] : []),
  ];
  const call = `llm_call([${inputs.join(', ')}], ${quoted(words.join('\n'))})`;
  return `# Answered directly, by one reply of a model.\nreply = ${call}\nanswer(reply)\n`;
}
