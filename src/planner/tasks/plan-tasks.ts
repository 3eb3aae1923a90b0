/**
 * The effect `plan_tasks`: a model writes a plan of tasks, and each task is a part of the stream as
 * soon as its text is there. A plan that breaks off keeps what it has reported: its end says so,
 * and the loop asks for the rest.
 */
import { z } from 'zod';
import type { Environment } from '../../dialects/dialect.ts';
import { idsAfter } from '../../dialects/llmcompiler/ids.ts';
import type { Model, ModelContext, ModelRequest } from '../../effects/model/model.ts';
import {
  type AttemptContext,
  attemptWith,
  EffectFailure,
  type Handler,
} from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { type GuestValue, toJson } from '../../program/json.ts';
import { readData } from '../loop-data.ts';
import { toldTools } from '../told.ts';
import { choiceOptions, chooseTools } from '../tool-choice.ts';
import { goalShape, readHistory } from './history.ts';
import { wordsIn } from './languages.ts';
import { type PlanPrompt, planMessages } from './plan-prompt.ts';
import { planTasksSpec, subPlanSpec } from './specs.ts';
import { type EndPart, StreamedPlan, type TaskPart } from './streamed-plan.ts';
import type { TaskLoopOptions } from './task-loops.ts';

export function planTasksHandler(options: Omit<TaskLoopOptions, 'loop' | 'native'>): Handler {
  const words = wordsIn(options.language);
  return {
    spec: planTasksSpec,
    model: options.model,
    async perform(args, context) {
      const given = readArguments(args);
      const { earlier = [] } = context;
      if (earlier.length > 0) return goOn(earlier, context);
      const tools = offeredTools(options.tools, given);
      const ids = idsAfter(given.done.flatMap(({ id }) => (/^\d+$/.test(id) ? [id] : [])));
      const prompt: PlanPrompt = {
        ...{ goal: given.goal, done: given.done, reason: given.reason, refused: given.refused },
        ...(await choiceFor(tools, [given.goal.text, given.reason], options, context)),
        ...{ examples: options.examples, firstId: ids.last + 1, at: context.queuedAt },
        hasSubPlans: tools.get('plan') === subPlanSpec,
      };
      const request: ModelRequest = {
        messages: planMessages(prompt, words),
        stop: ['<END_OF_PLAN>'],
        prompt: given.goal.text,
      };
      const environment: Environment = { tools, inputs: Object.keys(given.goal.given ?? {}) };
      return await write(options.model(), request, { environment, ids }, context);
    },
  };
}

/** Plans in plans have words of their own. */
async function choiceFor(
  tools: ReadonlyMap<string, ToolSpec>,
  texts: readonly string[],
  { examples = '' }: Pick<TaskLoopOptions, 'examples'>,
  context: AttemptContext,
): Promise<Pick<PlanPrompt, 'tools' | 'others'>> {
  const told = toldTools(tools, 'tasks', [...texts, examples].join('\n'));
  const options = choiceOptions(context, { asks: false });
  const { shown, others } = await chooseTools(told, texts.join('\n'), options);
  return { tools: [...shown.values()].filter((spec) => spec !== subPlanSpec), others };
}

/**
 * Plans within plans run side by side, so nothing writes in them. A tool of the user that is called
 * `plan` takes their place.
 */
function offeredTools(
  tools: ReadonlyMap<string, ToolSpec>,
  { deeper, writes }: { readonly deeper: number; readonly writes: boolean },
): ReadonlyMap<string, ToolSpec> {
  const plans = deeper > 0 ? [['plan', subPlanSpec] as const] : [];
  const mayRun = ({ effect, ordered }: ToolSpec) => writes || (effect !== 'write' && !ordered);
  return new Map([...plans, ...[...tools].filter(([, spec]) => mayRun(spec))]);
}

interface Place {
  readonly environment: Environment;
  readonly ids: ReturnType<typeof idsAfter>;
}

async function write(
  model: Model,
  request: ModelRequest,
  place: Place,
  context: AttemptContext,
): Promise<EndPart> {
  let reported = 0;
  let text = '';
  const plan = new StreamedPlan({
    ...place,
    task(part: TaskPart) {
      reported++;
      context.part(part);
    },
    warn: (message) => context.warn(message),
  });
  const heard: ModelContext = attemptWith(context, {
    progress(piece) {
      text += piece;
      context.progress(piece);
      plan.add(piece);
    },
  });
  const end = (broken?: string): EndPart => {
    const part = plan.end(broken);
    context.part(part);
    return part;
  };
  try {
    const reply = await model.complete(request, heard);
    // A model that does not stream gives its text at the end.
    if (reply.text.startsWith(text)) plan.add(reply.text.slice(text.length));
    return end(reply.finishReason === 'length' ? `${model.name} stopped at its token limit` : '');
  } catch (error) {
    // What has started cannot be taken back by another attempt: the loop goes on behind it.
    const failure = error instanceof EffectFailure ? error : undefined;
    if (reported === 0 || !failure || context.signal.aborted) throw error;
    const many = reported === 1 ? '1 task' : `${reported} tasks`;
    context.warn(`the plan broke off behind ${many}: ${failure.code} ${failure.message}`);
    return end(`the plan broke off: ${failure.message}`);
  }
}

/** Behind what an attempt has reported that was cut off: nothing is asked for again. */
function goOn(earlier: readonly GuestValue[], context: AttemptContext): EndPart {
  for (const part of earlier) context.part(part);
  const parts = earlier.map(({ value }) => toJson(value) as TaskPart | EndPart);
  const last = parts.at(-1);
  if (last?.kind === 'end') return last;
  const end: EndPart = {
    ...{ kind: 'end', ok: false, sound: false, said: '', answer: null },
    problem: 'the plan broke off: its attempt was cut short',
  };
  context.part(end);
  return end;
}

const shape = z.object({
  goal: goalShape,
  done: z.unknown().transform((done) => readHistory(done ?? [])),
  reason: z.string().default(''),
  refused: z
    .object({ reply: z.string(), problem: z.string() })
    .nullish()
    .transform((refused) => refused ?? undefined),
  deeper: z.number().default(1),
  writes: z.boolean().default(true),
});

function readArguments(args: unknown) {
  return readData(
    shape,
    args,
    'a plan',
    'stream(plan_tasks, goal = goal, done = […], reason = "…")',
  );
}
