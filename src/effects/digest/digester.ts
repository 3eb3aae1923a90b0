/**
 * Values that are longer than a model can read at once, made into a text that says what is wanted
 * of them. Owns the notes of parts that a run has had read: they are not sent again, also where
 * another process has had them read; and knows which texts of the run were made of such notes.
 */
import { createHash } from 'node:crypto';
import {
  type AttemptContext,
  type EffectFailure,
  type RunLoop,
  refusal,
} from '../../engine/handler.ts';
import type { Given } from '../model/call-layout.ts';
import type { Embedder } from '../model/embedder.ts';
import type { Model } from '../model/model.ts';
import type { ModelSettings } from '../model/model-settings.ts';
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
  /** Values with a tag on those that hold a text which was map-reduced in this run. */
  tagged(given: readonly Given[], context: AttemptContext): readonly Given[];
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
  const runs = new Map<string, Known>();
  const knownIn = (context: AttemptContext): Known => {
    const known = runs.get(context.run) ?? readBefore(context);
    runs.set(context.run, known);
    return known;
  };
  const digest: Digester['digest'] = async ({ given, instruction, tokens, fit }, context) => {
    const most = inputTokensMax(model.name, settings);
    const wanted = fit ?? settings.fit ?? 'auto';
    if (wanted === 'fail' || !runLoop) throw tooLong(model, tokens, most);
    const { notes, reduced } = knownIn(context);
    const on: Digesting = {
      ...{ model, settings, instruction, goal, most, notes },
      documents: documentsOf(given),
      seed: seedOf(context, instruction),
      embedder: embedder?.(),
    };
    const loop = await import('./digest.ts');
    const { text, notes: said, isReduced } = await loop.digest(on, wanted, context, runLoop);
    for (const note of said) context.warn(note);
    if (isReduced && text !== '') reduced.add(text);
    return text;
  };
  return {
    get most() {
      return inputTokensMax(model.name, settings);
    },
    digest,
    tagged(given, context) {
      const { reduced } = knownIn(context);
      const isReduced = ({ text }: Given): boolean =>
        [...reduced].some((known) => text === known || isWithin(known, text));
      return given.map((value) => (isReduced(value) ? { ...value, isReduced: true } : value));
    },
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

/** A few words stand in other texts by chance. */
const isWithin = (known: string, text: string): boolean =>
  known.length >= withinMin && text.includes(known);

const withinMin = 40;

/** What a run has had read. */
interface Known {
  readonly notes: Notes;
  /** Texts that were made of notes on parts. */
  readonly reduced: Set<string>;
}

/** What was read in earlier processes that have had the run. */
function readBefore(context: AttemptContext): Known {
  const about = context.about();
  const known: Known = { notes: new Map(), reduced: new Set() };
  for (const value of about.within('read_part')) {
    const notes: readonly Note[] = Array.isArray(value) ? value.filter(isNote) : [];
    const key = notes[0]?.key;
    if (key !== undefined) known.notes.set(key, notes);
  }
  for (const value of about.within('conclude')) {
    const { text, reduced } = Object(value);
    if (reduced === true && typeof text === 'string' && text !== '') known.reduced.add(text);
  }
  return known;
}

/** Of the effect, whatever attempt and process. */
const seedOf = ({ effect }: AttemptContext, instruction: string): string =>
  createHash('sha256').update(`${effect} ${instruction}`).digest('hex');

const tooLong = (model: Model, tokens: number, most: number): EffectFailure =>
  refusal(
    'PV4161',
    `the values are about ${tokens} tokens, ${tokens - most} more than the ${most} that may be ` +
      `sent to ${model.name}`,
    { hint: 'give less of them, let fit be "auto", or set contextWindow' },
  );
