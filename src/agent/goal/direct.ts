/** The program of one call of a model, so that a direct answer is a run like any other. */

import { quoted } from '../../dialects/starlark/quoted.ts';
import type { Goal } from '../../planner/goal.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** What a direct answer calls; undefined where the tools of the run have none of it. */
export const directTool = ({ specs }: Pick<Toolbox, 'specs'>): string | undefined =>
  ['llm_call', 'llm_generate'].find((name) => specs.has(name));

/** A program of one call of a model, with the inputs as what it works on. */
export function directProgram(tool: string, goal: Goal, inputs: readonly string[]): string {
  const { text, language, format } = goal;
  const words = [
    text,
    ...(language ? [`Answer in ${language}.`] : []),
    ...(format ? [`Form of the answer: ${format}.`] : []),
  ];
  const prompt = quoted(words.join('\n'));
  const call =
    tool === 'llm_call'
      ? `llm_call([${inputs.join(', ')}], ${prompt})`
      : `llm_generate(${[`prompt = ${prompt}`, ...contextOf(inputs)].join(', ')})`;
  return `# Answered directly, by one reply of a model.\nreply = ${call}\nanswer(reply)\n`;
}

function contextOf(inputs: readonly string[]): string[] {
  if (inputs.length === 0) return [];
  return [`context = {${inputs.map((name) => `"${name}": ${name}`).join(', ')}}`];
}
