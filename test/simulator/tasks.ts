/**
 * Random plans of tasks, as LLMCompiler's planner writes them: calls that name results of others; and
 * transcripts of ReAct, whose calls name none.
 */
import type { Chance } from './chance.ts';
import type { Change, MakeChange } from './changes.ts';
import { labelOf } from './labels.ts';

const tools = ['read', 'read', 'read', 'pure', 'steady', 'write', 'put', 'wipe'] as const;

export function tasksOf(chance: Chance): string {
  const last = chance.between(2, 9);
  const lines = Array.from({ length: last }, (_, i) => taskOf(chance, i + 1));
  const end = chance.flag(0.5) ? `$${last}` : `"It is $${chance.between(1, last)}, or $${last}"`;
  return [...lines, `${last + 1}. join(${end})`, '<END_OF_PLAN>'].join('\n');
}

function taskOf(chance: Chance, id: number): string {
  return `${id}. ${chance.pick(tools)}[${argument(chance, id)}]`;
}

/** Refers to tasks before, where there are some. */
function argument(chance: Chance, id: number): string {
  const before = (): string => `$${chance.between(1, id - 1)}`;
  switch (id === 1 ? 0 : chance.below(7)) {
    case 0:
      return `"k${chance.below(9)}"`;
    case 1:
      return `"${before()} and ${before()}"`;
    case 2:
      return `[${before()}, 1]`;
    case 3:
      return `${before()}[0]`;
    default:
      return before();
  }
}

/** Another task in place of one. */
export const changeTasks =
  (text: string): MakeChange =>
  (chance, step): Change | undefined => {
    const label = labelOf(step);
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.startsWith(`${label}. `));
    if (at < 0 || lines[at]?.includes('join')) return undefined;
    lines[at] = taskOf(chance, Number(label));
    // Steps are in the order in which tasks need each other, which may be another one then.
    return { text: lines.join('\n'), isTouched: () => true };
  };

export function transcriptOf(chance: Chance): string {
  const actions = Array.from({ length: chance.between(2, 9) }, () => actionOf(chance));
  return [...actions, 'Action: Finish[that is all]'].join('\n');
}

const actionOf = (chance: Chance): string => `Action: ${chance.pick(tools)}["k${chance.below(9)}"]`;

/** Another action in place of one. */
export const changeTranscript =
  (text: string): MakeChange =>
  (chance, step): Change | undefined => {
    const label = labelOf(step);
    const lines = text.split('\n');
    const at = Number(label) - 1;
    if (!(at < lines.length - 1)) return undefined;
    lines[at] = actionOf(chance);
    return { text: lines.join('\n'), isTouched: (other) => other === label };
  };
