/**
 * `bind_arguments`: the arguments of a call, found by a model in widening scopes. The way through
 * them is the control loop `bind`, a run within this effect.
 */
import {
  type AttemptContext,
  EffectFailure,
  type Handler,
  type RunLoop,
} from '../../engine/handler.ts';
import { type JsonSchema, toolSpec } from '../../program/effect.ts';
import type { ModelSettings } from '../model/generate.ts';
import type { Model } from '../model/model.ts';
import { askHandler } from '../person/ask.ts';
import { type Helper, lookHandler } from './look.ts';
import { bindSpec } from './specs.ts';
import { shown } from './value-text.ts';

/** In this order: each is looked at only where those before it were not enough. */
const scopes = ['expression', 'origin', 'goal', 'program', 'found'] as const;

export function bindHandler(model: Model, runLoop: RunLoop, settings: ModelSettings): Handler {
  return {
    spec: bindSpec,
    model: () => model,
    async perform(args, context) {
      const { expr, unbound = settings.unbound ?? 'ask', source = '' } = args;
      if (Array.isArray(expr) && args.whole !== true) throw aList(expr.length);
      const helper: Helper = {
        name: String(args.helper),
        about: typeof args.about === 'string' ? args.about : '',
        parameters: args.parameters as JsonSchema,
        wanted: (args.wanted as readonly unknown[]).map(String),
      };
      const place = { expr, source: String(source), context };
      return await runLoop(context, {
        ...{ loop: 'bind', title: `arguments of ${helper.name}` },
        inputs: { scopes, helper: helper.name, wanted: helper.wanted, unbound },
        handlers: [
          scopeHandler(place),
          lookHandler(model, helper, settings),
          questionHandler(helper),
          askHandler,
        ],
      });
    },
  };
}

interface Place {
  readonly expr: unknown;
  readonly source: string;
  /** Of the attempt at the whole: what it says of its run, loops within do not see. */
  readonly context: AttemptContext;
}

const scopeSpec = toolSpec({
  name: 'bind_scope',
  description: 'What stands in a place where arguments may be.',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { scope: { type: 'string' } },
    required: ['scope'],
  },
});

const scopeHandler = (place: Place): Handler => ({
  spec: scopeSpec,
  perform: async ({ scope }) => textOf(String(scope), place),
});

function textOf(scope: string, { expr, source, context }: Place): string {
  switch (scope) {
    case 'expression':
      return shown(expr);
    case 'origin':
      return source;
    case 'goal':
      return context.about?.().goal ?? '';
    case 'program':
      return shown(context.about?.().program ?? '');
    default:
      return foundText(context);
  }
}

const valueCharacters = 500;
const foundMost = 30;

/** What is known when it comes to this: it is not waited for what is still under way. */
function foundText(context: AttemptContext): string {
  const found = context.about?.().found.slice(-foundMost) ?? [];
  return found.map(({ tool, value }) => `${tool}: ${shown(value, valueCharacters)}`).join('\n');
}

const questionSpec = toolSpec({
  name: 'bind_question',
  description: 'The question to a person for one argument.',
  effect: 'pure',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string' }, question: { type: 'string' } },
    required: ['name', 'question'],
  },
});

const questionHandler = ({ name: helper, parameters }: Helper): Handler => ({
  spec: questionSpec,
  perform: async ({ name, question }) => ({
    question: `${String(question) || `What is ${String(name)}?`} (${String(name)} of ${helper})`,
    schema: parameters.properties?.[String(name)] ?? { type: 'string' },
  }),
});

const aList = (length: number): EffectFailure =>
  new EffectFailure('PV4180', `got a list of ${length}, want one value`, {
    ...{ mayHaveActed: false, answered: true },
    hint: 'bind each: for x in xs: ys.append(llm_bind(x, "helper(…)"))',
  });
