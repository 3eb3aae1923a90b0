/**
 * Values that are longer than a model can read at once, made into a text that says what is wanted
 * of them. Owns the notes of parts that a run has had read: they are not sent again, also where
 * another process has had them read.
 */
import { createHash } from 'node:crypto';
import { type AttemptContext, EffectFailure, type RunLoop } from '../../engine/handler.ts';
import type { Given } from '../model/call-layout.ts';
import type { Embedder } from '../model/embedder.ts';
import type { ModelSettings } from '../model/generate.ts';
import type { Model } from '../model/model.ts';
import { inputTokensMax, tokensOf } from '../model/window.ts';
import { type Digesting, documentsOf, isNote, type Note, type Notes } from './document.ts';
import type { Fit } from './fit.ts';

/** What there is for values that do not fit. */
export interface LongValues {
  /** Runs the loop that digests them; without it they are refused. */
  readonly runLoop?: RunLoop;
  readonly embedder?: () => Embedder | undefined;
  /** What the run is for, where that is known. */
  readonly goal?: string;
}

export interface Wanted {
  readonly given: readonly Given[];
  readonly instruction: string;
  /** About how many tokens are to be sent otherwise. */
  readonly tokens: number;
  readonly fit?: Fit | undefined;
}

export interface Digester {
  /** Tokens that a call of the model may send. */
  readonly most: number;
  /** Carries an instruction out on values. Throws `EffectFailure` PV4160 to PV4164. */
  digest(wanted: Wanted, context: AttemptContext): Promise<string>;
  /**
   * A text as it is where it takes no more than so many tokens; else what of it the instruction
   * asks for. Throws as `digest` does.
   */
  fitted(text: string, most: number, wanted: Purpose, context: AttemptContext): Promise<string>;
}

export interface Purpose {
  readonly instruction: string;
  readonly source?: string;
  readonly fit?: Fit | undefined;
}

export function digester(model: Model, settings: ModelSettings, long: LongValues): Digester {
  const { runLoop, embedder, goal = '' } = long;
  const notes = new Map<string, Notes>();
  const notesOf = (context: AttemptContext): Notes => {
    const known = notes.get(context.run) ?? readBefore(context);
    notes.set(context.run, known);
    return known;
  };
  const digest: Digester['digest'] = async ({ given, instruction, tokens, fit }, context) => {
    const most = inputTokensMax(model.name, settings);
    const wanted = fit ?? settings.fit ?? 'auto';
    if (wanted === 'fail' || !runLoop) throw tooLong(model, tokens, most);
    const on: Digesting = {
      ...{ model, settings, instruction, goal, most, notes: notesOf(context) },
      documents: documentsOf(given),
      seed: seedOf(context, instruction),
      embedder: embedder?.(),
    };
    const loop = await import('./digest.ts');
    const { text, notes: said } = await loop.digest(on, wanted, context, runLoop);
    for (const note of said) context.warn(note);
    return text;
  };
  return {
    get most() {
      return inputTokensMax(model.name, settings);
    },
    digest,
    async fitted(text, most, { instruction, source = '', fit }, context) {
      const tokens = tokensOf(text);
      if (tokens <= most) return text;
      const words = Math.max(20, Math.floor(most * 0.6));
      const bounded = `${instruction} Write about ${words} words at most.`;
      const wanted = { given: [{ text, source }], instruction: bounded, tokens, fit };
      return await digest(wanted, context);
    },
  };
}

/** What was read in earlier processes that have had the run. */
function readBefore(context: AttemptContext): Notes {
  const found: Notes = new Map();
  for (const value of context.about().within('read_part')) {
    const notes: readonly Note[] = Array.isArray(value) ? value.filter(isNote) : [];
    const key = notes[0]?.key;
    if (key !== undefined) found.set(key, notes);
  }
  return found;
}

/** Of the effect, whatever attempt and process. */
const seedOf = ({ effect }: AttemptContext, instruction: string): string =>
  createHash('sha256').update(`${effect} ${instruction}`).digest('hex');

const tooLong = (model: Model, tokens: number, most: number): EffectFailure =>
  new EffectFailure(
    'PV4161',
    `the values are about ${tokens} tokens, ${tokens - most} more than the ${most} that may be ` +
      `sent to ${model.name}`,
    { hint: 'give less of them, let fit be "auto", or set contextWindow', mayHaveActed: false },
  );
