/** What a run tells all its model calls. */
import type { Unbound } from '../bind/specs.ts';
import type { Fit } from '../digest/fit.ts';
import type { ModelRequest } from './model.ts';
import type { ContextWindow } from './window.ts';

export interface ModelSettings {
  /** The first message of every conversation. */
  readonly system?: string;
  /** 0 to 2. */
  readonly temperature?: number;
  /** Per model call. */
  readonly maxOutputTokens?: number;
  /** Tokens that models take at once, where it is not those of the table in `window.ts`. */
  readonly contextWindow?: ContextWindow;
  /** What becomes of values that do not fit, where the call does not say. Default: `auto`. */
  readonly fit?: Fit;
  /** What becomes of arguments that cannot be found, where the call does not say. */
  readonly unbound?: Unbound;
}

export function limitsOf(settings: ModelSettings): Partial<ModelRequest> {
  const { temperature, maxOutputTokens } = settings;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}
