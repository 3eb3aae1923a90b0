/** What a planner of tasks is told: the form of a plan, the tools, and what there is already. */
import type { Message } from '../../effects/model/model.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { Goal } from '../goal.ts';
import { goalLinesIn, toolLinesIn } from './goal-lines.ts';
import { type Seen, taskLines } from './history.ts';
import { samplePlan } from './samples.ts';
import type { Words } from './words.ts';

export interface PlanPrompt {
  readonly goal: Goal;
  readonly tools: readonly ToolSpec[];
  /** What other tools there are, as a section; empty where all are listed. */
  readonly others?: string;
  /** Plans that the user has given in place of generated examples. */
  readonly examples?: string | undefined;
  /** What earlier plans of this run have called. */
  readonly done: readonly Seen[];
  /** Why those do not do; empty for the first plan. */
  readonly reason: string;
  /** What was wrong with what the model wrote last, where it is asked again. */
  readonly refused?: { readonly reply: string; readonly problem: string } | undefined;
  /** The number that the plan's first task has. */
  readonly firstId: number;
  /** Whether a task may be a goal of its own. */
  readonly hasSubPlans: boolean;
  /** When it is asked, in milliseconds since 1970. */
  readonly at: number;
}

export function planMessages(prompt: PlanPrompt, words: Words): Message[] {
  const { goal, tools, others = '', examples, done, reason, refused, firstId } = prompt;
  const { plan } = words;
  const sample = examples
    ? `${plan.ownExamples}\n${examples.trim()}`
    : `${plan.example}\n${samplePlan(tools, words)}`;
  const rules = [...plan.rules, plan.firstId(firstId)].map((rule) => `- ${rule}`).join('\n');
  const system = [
    plan.role,
    [...plan.form, ...(prompt.hasSubPlans ? [plan.subPlans] : [])].join('\n'),
    ...toolLinesIn(tools, others, words),
    rules,
    sample,
  ];
  const earlier = [plan.earlier, ...taskLines(done, words)].join('\n');
  const user = [
    goalLinesIn(goal, words, true, prompt.at).join('\n'),
    ...(done.length > 0 ? [earlier] : []),
    ...(reason === '' ? [] : [plan.reason(reason)]),
    ...(done.length > 0 || reason !== '' ? [plan.goOn(firstId)] : []),
  ];
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: user.join('\n\n') },
    ...(refused ? again(refused.reply, plan.unusable(refused.problem)) : []),
  ];
}

const again = (reply: string, content: string): Message[] => [
  // A model that has written nothing cannot be shown it.
  ...(reply.trim() === '' ? [] : [{ role: 'assistant' as const, content: reply }]),
  { role: 'user', content },
];
