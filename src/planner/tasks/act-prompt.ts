/**
 * The conversation of a model that takes one action at a time. Each turn of it is a reply of the
 * model and what came of it: as `Observation:` in text, or as results of calls where the provider
 * has a form of its own for tools.
 */
import type { Message, ToolCall } from '../../effects/model/model.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { Goal } from '../goal.ts';
import { goalLinesIn, toolLinesIn } from './goal-lines.ts';
import { type Outcome, observed } from './history.ts';
import { sampleActions } from './samples.ts';
import type { Words } from './words.ts';

/** A turn that is over. */
export interface Turn {
  readonly thought: string;
  readonly calls: readonly DoneCall[];
}

export interface DoneCall {
  /** Its text as the model has written it: `search["x"]`. */
  readonly action: string;
  readonly outcome: Outcome;
  /** Where the provider's own form was used. */
  readonly native?: ToolCall | undefined;
}

export interface ActPrompt {
  readonly goal: Goal;
  readonly tools: readonly ToolSpec[];
  /** What other tools there are, as a section; empty where all are listed. */
  readonly others?: string;
  readonly examples?: string | undefined;
  readonly done: readonly Turn[];
  /** How many replies the model has behind this one. */
  readonly left: number;
  /** When it is asked, in milliseconds since 1970. */
  readonly at: number;
}

export function actMessages(prompt: ActPrompt, native: boolean, words: Words): Message[] {
  const { goal, done, left, at } = prompt;
  const turns = done.flatMap((turn) => (native ? nativeTurn(turn, words) : textTurn(turn, words)));
  const system = native ? nativeSystem(prompt, words) : textSystem(prompt, words);
  const question: Message = {
    role: 'user',
    content: goalLinesIn(goal, words, !native, at).join('\n'),
  };
  const note = left > lastReplies ? '' : words.act.left(left);
  return [
    { role: 'system', content: system.join('\n\n') },
    ...withNote([question, ...turns], note),
  ];
}

/** How many replies before the end a model is told of it. */
const lastReplies = 2;

function textSystem({ tools, others, examples }: ActPrompt, words: Words): string[] {
  const { role, form, rules } = words.act;
  const sample = examples
    ? ownSample(examples, words)
    : `${words.plan.example}\n${sampleActions(tools, words)}`;
  return [role, form.join('\n'), ...toolLinesIn(tools, others, words), listed(rules), sample];
}

/** Examples that somebody gave say which tools to call, in whatever form. */
function nativeSystem({ examples }: ActPrompt, words: Words): string[] {
  const { nativeRole, native, rules } = words.act;
  return [nativeRole, native, listed(rules), ...(examples ? [ownSample(examples, words)] : [])];
}

const ownSample = (examples: string, words: Words): string =>
  `${words.plan.ownExamples}\n${examples.trim()}`;

const listed = (rules: readonly string[]): string => rules.map((rule) => `- ${rule}`).join('\n');

function textTurn({ thought, calls }: Turn, words: Words): Message[] {
  const actions = calls.map(({ action }) => `Action: ${action}`);
  const seen = calls.map((call) => `Observation: ${resultText(call, words)}`);
  return [
    { role: 'assistant', content: [`Thought: ${thought}`, ...actions].join('\n') },
    { role: 'user', content: seen.join('\n') },
  ];
}

function nativeTurn({ thought, calls }: Turn, words: Words): Message[] {
  const made = calls.flatMap(({ native }) => native ?? []);
  if (made.length === 0) return textTurn({ thought, calls }, words);
  return [
    { role: 'assistant', content: thought, calls: made },
    ...calls.flatMap((call): Message[] => {
      if (!call.native) return [];
      const { id, name } = call.native;
      return [{ role: 'tool', content: resultText(call, words), answers: { id, name } }];
    }),
  ];
}

function resultText({ action, outcome }: DoneCall, words: Words): string {
  if (outcome.ok) return observed(outcome.value, words);
  const isRepeated = outcome.error.startsWith('PV7205 ');
  return `Error: ${isRepeated ? words.act.repeated(action) : outcome.error}`;
}

/** Behind what a person or a machine said last: the model reads it before it answers. */
function withNote(turns: readonly Message[], note: string): Message[] {
  if (note === '') return [...turns];
  const last = turns.at(-1);
  if (last?.role !== 'user') return [...turns, { role: 'user', content: note }];
  return [...turns.slice(0, -1), { role: 'user', content: `${last.content}\n\n${note}` }];
}
