/**
 * `bind_arguments`: the arguments of a call, found by a model in widening scopes. The way through
 * them is the control loop `bind`, a run within this effect.
 */
import {
  type Arguments,
  type AttemptContext,
  type EffectFailure,
  type Handler,
  type LoopRun,
  type RunLoop,
  refusal,
} from '../../engine/handler.ts';
import { type JsonSchema, toolSpec } from '../../program/effect.ts';
import { withoutAliases } from '../../program/tool-names.ts';
import { type Digester, digester, type LongValues } from '../digest/digester.ts';
import type { Model } from '../model/model.ts';
import type { ModelSettings } from '../model/model-settings.ts';
import { inputTokensMax } from '../model/window.ts';
import { askHandler } from '../person/ask.ts';
import { record, text } from '../tool/fields.ts';
import { type Helper, lookHandler } from './look.ts';
import { namesText } from './names-text.ts';
import { bindSpec } from './specs.ts';
import { written } from './written.ts';

/** The nearest first: what is found there counts, whatever a wider one says. */
const near = ['expression', 'origin', 'goal', 'program'] as const;
const scopes = [...near, 'names'] as const;

export function bindHandler(
  model: Model,
  runLoop: RunLoop,
  settings: ModelSettings,
  long: Omit<LongValues, 'runLoop'> = {},
): Handler {
  const { fitted } = digester(model, settings, { ...long, runLoop });
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
      const plain = plainArguments(helper, expr) ?? namedArguments(helper, expr);
      if (plain) return { args: plain };
      const most = inputTokensMax(model.name, settings);
      const place = { expr, source: String(source), context, helper, fitted, most };
      return await runLoop(context, {
        ...{ loop: 'bind', title: `arguments of ${helper.name}` },
        inputs: { helper: helper.name, ...roundOf(args, String(unbound), context) },
        handlers: [
          scopeHandler(model, place),
          lookHandler(model, helper, settings),
          questionHandler(helper),
          askHandler,
        ],
      });
    },
  };
}

/** Characters of a value that is an argument as it is. */
const plainMax = 200;

/** Parameters that take a name, or any words, as they are. */
const takesName = /^(?:(?:full_?)?name|person|title|topic)$/i;
const takesWords = /^(?:q|query|question|search|search_?terms?|text)$/i;

/** Words that begin as names do, with nothing between them. */
const aName = /^[\p{Lu}\p{Lo}\d][^\s,;:()]*(?: [\p{Lu}\p{Lo}\d][^\s,;:()]*){0,5}$/u;

/** Whether a text is the argument where this one is wanted: no model has to find it. */
function isPlain(text: string, name: string): boolean {
  if (text.length > plainMax) return false;
  if (/^\S+$/.test(text)) return true;
  return (takesName.test(name) && aName.test(text)) || (takesWords.test(name) && /^.+$/.test(text));
}

function plainArguments(
  { parameters: { properties = {} }, wanted }: Helper,
  expr: unknown,
): Readonly<Record<string, unknown>> | undefined {
  const [name, ...more] = wanted;
  if (name === undefined || more.length > 0 || typeof expr !== 'string') return undefined;
  const { type, enum: values, format, pattern } = properties[name] ?? {};
  if (type !== 'string' || values || format || pattern) return undefined;
  const text = expr.trim();
  return isPlain(text, name) ? { [name]: text } : undefined;
}

/** A dict that has a fitting value under the name of each parameter: no model has to read it. */
function namedArguments(
  { parameters: { properties = {} }, wanted }: Helper,
  expr: unknown,
): Readonly<Record<string, unknown>> | undefined {
  if (typeof expr !== 'object' || expr === null || Array.isArray(expr)) return undefined;
  const values = new Map(Object.entries(expr));
  const isNamed = (name: string): boolean => {
    const { type, enum: allowed, format, pattern } = properties[name] ?? {};
    if (allowed || format || pattern) return false;
    const value = values.get(name);
    if (type === 'string') return typeof value === 'string' && value.trim() !== '';
    return type === 'integer' && Number.isSafeInteger(value);
  };
  if (wanted.length === 0 || !wanted.every(isNamed)) return undefined;
  return Object.fromEntries(wanted.map((name) => [name, values.get(name)]));
}

/**
 * A call that can be put off looks in three rounds, and each begins with what the one before it
 * came to. The first leaves the variables out, which are known once what stands before the call has
 * succeeded; a value of too few words for all that is wanted skips it, as it would look twice. The
 * second looks at the variables, too, beside the other elements of a loop. The third asks a person
 * in the order of the program. A call that cannot be put off takes what is known by now.
 */
function roundOf(
  { barrier, expr, wanted }: Arguments,
  unbound: string,
  { barrier: isPutOff }: AttemptContext,
): LoopRun['inputs'] {
  const names = wanted as readonly string[];
  if (barrier === undefined) {
    const missing = names.map((name) => ({ name, question: '' }));
    const all = { scopes, looked: [], begun: { args: {}, missing }, unbound };
    if (!isPutOff) return all;
    const isPoor = wordsIn(written(expr)) < names.length;
    return { ...all, scopes: isPoor ? [] : near, unbound: 'barrier' };
  }
  const begun = barrier as { readonly missing: readonly { readonly question: string }[] };
  if (!isPutOff) return { scopes, looked: scopes, begun, unbound };
  // Whoever has looked has a question for all that is missing.
  const looked = begun.missing.some(({ question }) => question !== '') ? near : [];
  return { scopes, looked, begun, unbound: unbound === 'ask' ? 'barrier' : unbound };
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

interface Place {
  readonly expr: unknown;
  readonly source: string;
  readonly helper: Helper;
  readonly fitted: Digester['fitted'];
  /** Tokens that a look may send. */
  readonly most: number;
  /** Of the attempt at the whole: what it says of its run, loops within do not see. */
  readonly context: AttemptContext;
}

const scopeSpec = toolSpec({
  name: 'bind_scope',
  description: 'What stands in a place where arguments may be.',
  effect: 'read',
  parameters: record({ scope: text() }),
});

/** What is longer than its share of the window is read in parts, and never cut. */
const scopeHandler = (model: Model, place: Place): Handler => ({
  spec: scopeSpec,
  model: () => model,
  async perform({ scope }, context) {
    const { name, wanted } = place.helper;
    const instruction =
      `Write down all that it says of these arguments of ${name}: ${wanted.join(', ')}. Word for ` +
      'word, and whose they are. Where it says nothing of one, leave it out.';
    const share = Math.floor(place.most * (scope === 'expression' ? valueShare : otherShare));
    return await place.fitted(textOf(String(scope), place, share), share, { instruction }, context);
  },
});

/** Parts of the window that the value, and each of the four other places, may take together. */
const valueShare = 0.5;
const otherShare = 0.1;

function textOf(scope: string, { expr, source, context }: Place, share: number): string {
  switch (scope) {
    case 'expression':
      return written(expr);
    case 'origin':
      return source;
    case 'goal':
      return asGoal(context.about().goal);
    case 'program':
      return context.about().program;
    default:
      return namesText(context.about().names(), share);
  }
}

/** A run of a file is titled with its name, which says nothing. */
const asGoal = (goal: string): string => (/^[\w./\\-]+\.\w{1,8}$/.test(goal.trim()) ? '' : goal);

const questionSpec = toolSpec({
  name: 'bind_question',
  description: 'The question to a person for one argument.',
  effect: 'pure',
  parameters: record({ name: text(), question: text() }),
});

const questionHandler = ({ name: helper, parameters }: Helper): Handler => ({
  spec: questionSpec,
  perform: async ({ name, question }) => ({
    question: `${String(question) || `What is ${String(name)}?`} (${String(name)} of ${helper})`,
    schema: withoutAliases(parameters.properties ?? {})[String(name)] ?? text(),
  }),
});

const aList = (length: number): EffectFailure =>
  refusal('PV4180', `got a list of ${length}, want one value`, {
    hint: 'bind each: for x in xs: ys.append(llm_bind(x, "helper(…)"))',
  });
