/**
 * `llm_call`: a model does something with values. What fits its window is one conversation; what
 * does not is digested by a run within the effect, and is never cut.
 */
import { createHash } from 'node:crypto';
import {
  type AttemptContext,
  EffectFailure,
  type Handler,
  type RunLoop,
} from '../../engine/handler.ts';
import { type Digesting, documentsOf, type Notes } from '../digest/document.ts';
import type { Fit } from '../digest/fit.ts';
import { type CallLayout, callMessages, givenIn, instructionIn } from './call-layout.ts';
import type { Embedder } from './embedder.ts';
import { limitsOf, type ModelSettings, once } from './generate.ts';
import type { Model } from './model.ts';
import { callSpec } from './specs.ts';
import { finishedText } from './whole-text.ts';
import { inputTokensMax, tokensIn } from './window.ts';

/** What there is for values that do not fit. */
export interface LongValues {
  /** Runs the loop that digests them; without it they are refused. */
  readonly runLoop?: RunLoop;
  readonly embedder?: () => Embedder | undefined;
  /** What the run is for, where that is known. */
  readonly goal?: string;
}

export function callHandler(
  model: Model,
  settings: ModelSettings = {},
  long: LongValues = {},
): Handler {
  const notes = new Map<string, Notes>();
  const notesOf = (run: string): Notes => {
    const known = notes.get(run) ?? new Map();
    notes.set(run, known);
    return known;
  };
  return {
    spec: callSpec,
    model: () => model,
    async perform({ values, instruction, sources, fit }, context) {
      const words = instructionIn(instruction);
      const layout = { given: givenIn(values, sources), instruction: words };
      const all = { ...layout, system: settings.system };
      const most = inputTokensMax(model.name, settings);
      refuseLongInstruction(model, all, most);
      const messages = callMessages(all);
      const tokens = tokensIn(messages);
      if (tokens <= most) {
        const request = { ...limitsOf(settings), messages, prompt: words };
        const whole = await once(() => finishedText(model, request, context), context);
        return whole.text;
      }
      const wanted = (fit ?? settings.fit ?? 'auto') as Fit;
      const { runLoop, embedder, goal = '' } = long;
      if (wanted === 'fail' || !runLoop) throw tooLong(model, tokens, most);
      const digesting: Digesting = {
        ...{ model, settings, instruction: words, goal, most, notes: notesOf(context.run) },
        documents: documentsOf(layout.given),
        seed: seedOf(context, words),
        embedder: embedder?.(),
      };
      const { digest } = await import('../digest/digest.ts');
      const { text, notes: said } = await digest(digesting, wanted, context, runLoop);
      for (const note of said) context.warn(note);
      return text;
    },
  };
}

/** Of the effect, whatever attempt and process. */
const seedOf = ({ effect }: AttemptContext, instruction: string): string =>
  createHash('sha256').update(`${effect} ${instruction}`).digest('hex');

/** Nothing can be done about an instruction that does not fit: it is never cut or left out. */
function refuseLongInstruction(model: Model, layout: CallLayout, most: number): void {
  const tokens = tokensIn(callMessages({ ...layout, given: [] }));
  if (tokens <= most) return;
  const over = tokens - most;
  throw new EffectFailure(
    'PV4160',
    `the instruction is about ${tokens} tokens, ${over} more than the ${most} that may be sent ` +
      `to ${model.name}`,
    {
      hint: 'put the data into values and keep the instruction short, or set contextWindow',
      mayHaveActed: false,
    },
  );
}

const tooLong = (model: Model, tokens: number, most: number): EffectFailure =>
  new EffectFailure(
    'PV4161',
    `the values are about ${tokens} tokens, ${tokens - most} more than the ${most} that may be ` +
      `sent to ${model.name}`,
    { hint: 'give less of them, let fit be "auto", or set contextWindow', mayHaveActed: false },
  );
