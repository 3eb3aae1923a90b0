/**
 * The effect `next_action`: a model says what it wants called next, or what the answer is. Where
 * its provider has tool calls it may ask for several at once; in text it is held to one action by
 * stop sequences and asked once more where there is none.
 */
import { z } from 'zod';
import { ask, type Question } from '../../effects/model/ask.ts';
import type { Model, RequestForm } from '../../effects/model/model.ts';
import { finishedReply } from '../../effects/model/whole-text.ts';
import type { AttemptContext, Handler } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { readData } from '../loop-data.ts';
import { toldTools } from '../told.ts';
import { choiceOptions, chooseTools, toolsAsked, wantedTools } from '../tool-choice.ts';
import { type ActPrompt, actMessages, type Turn } from './act-prompt.ts';
import { lookedAction, type NextAction, readAction } from './action-reply.ts';
import { goalShape, resultShape } from './history.ts';
import { wordsIn } from './languages.ts';
import { isNative, offersOf, readNative } from './native-action.ts';
import { nextActionSpec } from './specs.ts';
import type { TaskLoopOptions } from './task-loops.ts';
import type { Words } from './words.ts';

export function nextActionHandler(options: Omit<TaskLoopOptions, 'loop'>): Handler {
  const { tools, native, examples } = options;
  const words = wordsIn(options.language);
  return {
    spec: nextActionSpec,
    model: options.model,
    async perform(args, context) {
      const { goal, done, left } = readArguments(args);
      const all = toldTools(tools, 'tasks', `${goal.text}\n${examples ?? ''}`);
      const choice = choiceOptions(context);
      const { shown: told, others } = await chooseTools(all, goal.text, choice);
      const prompt: ActPrompt = {
        ...{ goal, done, left, tools: [...told.values()], others, examples },
        at: context.queuedAt,
      };
      const model = finishing(options.model(), context);
      const request = {
        ...{ messages: actMessages(prompt, false, words), prompt: goal.text },
        stop: ['\nObservation:'],
        // A tool that is not offered can be called in text alone.
        ...(native && others === '' && { native: calling(prompt, told, words) }),
      };
      const environment = { tools, inputs: Object.keys(goal.given ?? {}) };
      const earlier = done.flatMap(({ calls }) => calls.map(({ action }) => action));
      let wanted: readonly string[] = [];
      const read: Question<NextAction>['read'] = (text, _, reply) => {
        wanted = others === '' ? [] : wantedTools(text);
        if (wanted.length > 0) return { ok: true, value: lookedAction(wanted, ''), mended: [] };
        return isNative(reply)
          ? { ok: true, value: readNative(reply, told, tools), mended: [] }
          : readAction(text, environment, earlier);
      };
      const instruction = words.act.form.slice(0, 2).join('\n');
      const action = await ask(model, { request, instruction, code: 'PV7207', read }, context);
      if (wanted.length === 0) return action;
      return lookedAction(wanted, await toolsAsked(all, wanted, choice));
    },
  };
}

/** The request for a model that has tool calls. */
function calling(
  prompt: ActPrompt,
  told: ReadonlyMap<string, ToolSpec>,
  words: Words,
): RequestForm {
  const offers = offersOf(told);
  return {
    messages: actMessages(prompt, true, words),
    ...(offers.length > 0 && { tools: offers }),
  };
}

/** The same model, which goes on where it is cut off at its token limit. */
const finishing = (model: Model, attempt: AttemptContext): Model => ({
  name: model.name,
  price: model.price,
  complete: (request) => finishedReply(model, request, attempt),
});

const native = z
  .object({
    id: z.string(),
    name: z.string(),
    args: z.unknown().optional(),
    meta: z.unknown().optional(),
  })
  .transform(({ id, name, args = {}, meta }) => ({
    ...{ id, name, args },
    ...(meta !== undefined && { meta }),
  }))
  .nullish()
  .transform((call) => call ?? undefined);

const shape = z.object({
  goal: goalShape,
  done: z.array(
    z
      .object({
        thought: z.string().default(''),
        calls: z.array(z.object({ action: z.string(), native, result: resultShape })),
      })
      .transform(({ thought, calls }): Turn => {
        const done = calls.map(({ result, ...call }) => ({ ...call, outcome: result }));
        return { thought, calls: done };
      }),
  ),
  left: z.number(),
});

function readArguments(args: unknown) {
  return readData(
    shape,
    args,
    'turns',
    'next_action(goal = goal, done = [{"thought", "calls"}], left = 3)',
  );
}
