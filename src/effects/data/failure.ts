/** Failures of reading data: nothing was done, and trying again gives the same. */
import { EffectFailure } from '../../engine/handler.ts';

export const failed = (code: string, message: string, hint?: string): EffectFailure =>
  new EffectFailure(code, message, { answered: true, mayHaveActed: false, hint });
