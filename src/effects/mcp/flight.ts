/** A call of a server that is under way, in which the server may ask for something. */
import type { AttemptContext, EffectFailure } from '../../engine/handler.ts';

export interface Flight {
  readonly context: AttemptContext;
  /** What the call comes to, whatever the server makes of a request that was refused. */
  failure: EffectFailure | undefined;
  /** How often it has wanted a model. */
  samples: number;
  /** Whether a person lets it. */
  allowed: boolean;
}
