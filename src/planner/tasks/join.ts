/**
 * The effect `join`: a model looks at what the tasks of a plan came to, and gives the answer or
 * says why another plan is needed. Control loops and plans that end with `join()` ask for it.
 */
import { ask } from '../../effects/model/ask.ts';
import type { Message } from '../../effects/model/model.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import type { JsonSchema } from '../../program/effect.ts';
import { type Goal, readGoal } from '../goal.ts';
import { goalLinesIn } from './goal-lines.ts';
import { readHistory, type Seen, taskLines } from './history.ts';
import { readJoined } from './join-reply.ts';
import { wordsIn } from './languages.ts';
import { joinSpec } from './specs.ts';
import type { TaskLoopOptions } from './task-loops.ts';
import type { Words } from './words.ts';

export function joinHandler({
  model,
  language,
}: Pick<TaskLoopOptions, 'model' | 'language'>): Handler {
  const words = wordsIn(language);
  return {
    spec: joinSpec,
    model,
    async perform({ question, tasks, final }, context) {
      const goal = readQuestion(question);
      const isFinal = final === true;
      const instruction = isFinal ? words.join.finalForm : words.join.form;
      const messages = conversation(goal, readHistory(tasks), isFinal, words, context.queuedAt);
      const format = { kind: 'json', schema: schemaOf(isFinal) } as const;
      const request = { messages, format, prompt: `join: ${goal.text}` };
      const asked = { request, instruction, code: 'PV7201', read: readJoined };
      return await ask(model(), asked, context);
    },
  };
}

/** A text, or a goal as loops have it. */
function readQuestion(question: unknown): Goal {
  const goal = typeof question === 'string' ? { text: question } : readGoal(question);
  if (goal.text !== '') return goal;
  throw new EffectFailure('PV7006', 'got no question, want a text or {"text": …}', {
    hint: 'join(question = goal, tasks = […], final = False)',
    mayHaveActed: false,
  });
}

function conversation(
  goal: Goal,
  tasks: readonly Seen[],
  isFinal: boolean,
  words: Words,
  at: number,
): Message[] {
  const { role, finish, replan, final, data, form, finalForm, nothing } = words.join;
  const system = isFinal
    ? [role, finish, final, data, finalForm]
    : [role, finish, replan, data, form];
  const found = tasks.length === 0 ? nothing : taskLines(tasks, words).join('\n');
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: [goalLinesIn(goal, words, false, at).join('\n'), found].join('\n\n') },
  ];
}

/** Every property is required: some providers take no other schemas. */
function schemaOf(isFinal: boolean): JsonSchema {
  const text = { type: 'string' };
  const own = isFinal ? {} : { reason: text };
  const properties = {
    thought: text,
    action: { type: 'string', enum: isFinal ? ['finish'] : ['finish', 'replan'] },
    answer: text,
    ...own,
  };
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
