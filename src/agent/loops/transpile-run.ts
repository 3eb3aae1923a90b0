/** A run of the loop `transpile`: a model proposes the steps of playbooks written in words. */
import { PlanFailure } from '../../planner/plan-failure.ts';
import { offeredTools } from '../../planner/playbook/prompt/offered.ts';
import { hasOpenLines, type TranspileTask } from '../../planner/playbook/transpile.ts';
import { clip, oneLine } from '../../text/words.ts';
import type { Source } from '../program/source.ts';
import { nothingUsed } from '../run/usage.ts';
import type { Work } from '../run/work.ts';
import { refuseSecrets } from '../tools/toolbox.ts';
import { runLoop } from './loop-run.ts';

/** How often the model may write: once more with what does not hold. */
const rounds = 2;

export interface Transpiling extends Work {
  readonly source: Source;
}

export interface Transpiled {
  readonly text: string;
  /** Why lines stay as they are written. */
  readonly problems: readonly string[];
}

/** Undefined where no line is left to a model. Throws as `runLoop` does. */
export async function transpile(work: Transpiling): Promise<Transpiled | undefined> {
  const { source, toolbox, workspace } = work;
  const isBuiltIn = (tool: string): boolean => toolbox.origins.get(tool) === 'built in';
  const offered = offeredTools(toolbox.specs, isBuiltIn, source.text);
  const tools = [...offered.values()].map(({ name, aliases = [], description, parameters }) => {
    return { name, aliases, description: clip(oneLine(description), 160), parameters };
  });
  const task: TranspileTask = { text: source.text, tools };
  if (!hasOpenLines(task)) return undefined;
  refuseSecrets(workspace, 'the program', task.text);
  const { answer } = await runLoop({
    ...{ ...work, spent: nothingUsed, name: 'transpile' },
    ...{ inputs: { task, rounds }, title: `compile ${source.title}` },
    ...{ settings: { transpiling: true }, doing: 'proposing steps' },
  });
  const { compiled, problems } = Object(answer) as Record<string, unknown>;
  if (typeof compiled === 'string' && isTexts(problems)) return { text: compiled, problems };
  throw new PlanFailure('PV7004', 'the loop that compiles playbooks answered with none', {
    hint: 'a loop answers with {"compiled", "problems"}',
  });
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
