/**
 * Whether a goal wants a program, by the control loop `route`; and the program of one line that
 * answers directly, so that a direct answer is a run like any other.
 */

import type { Usage } from '../../engine/handler.ts';
import type { Goal } from '../../planner/goal.ts';
import { quoted } from '../../planner/quoted.ts';
import { type Crossroads, type Decision, routingHandlers } from '../../planner/route.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { encode } from '../../program/json.ts';
import { dict } from '../../program/value.ts';
import { clip, oneLine } from '../../text/words.ts';
import { refuseSecretGoal } from '../run/secret-goal.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { type LoopGoal, runLoop } from './loop-run.ts';

/** Throws as `runLoop` does. */
export async function routeGoal(
  call: LoopGoal,
): Promise<{ readonly decision: Decision; readonly run: string; readonly usage: Usage }> {
  const { workspace, toolbox, inputs, asked } = call;
  const { goal } = asked;
  refuseSecretGoal(workspace, goal, inputs);
  const tools = [...toolbox.specs.values()].map(toolLine);
  const task: Crossroads = { goal, tools, about: `route: ${goal.text}` };
  const model = toolbox.models.planner;
  const { run, answer, usage } = await runLoop({
    ...call,
    name: 'route',
    handlers: () => routingHandlers(model),
    inputs: { task },
    title: `route: ${clip(oneLine(goal.text), 100)}`,
    settings: { routing: true, asked, values: encode(dict(inputs)) },
    model: model().name,
    doing: 'deciding',
  });
  return { decision: decisionIn(answer), run, usage };
}

const toolLine = ({ name, description }: ToolSpec): string =>
  `- ${name}: ${clip(oneLine(description), 160)}`;

/** What the loop has answered: of anything else, a program. */
export function decisionIn(answer: unknown): Decision {
  const { route, reason, code } = Object(answer);
  return {
    route: route === 'direct' ? 'direct' : 'program',
    reason: String(reason ?? ''),
    ...(typeof code === 'string' && { code }),
  };
}

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
