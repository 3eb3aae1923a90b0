/** An attempt at an effect as a handler sees it, keeping what the handler says through it. */
import type { AttemptContext, Usage } from '../../src/engine/handler.ts';
import { loneAttempt } from '../../src/engine/lone-attempt.ts';

export interface Attempt extends AttemptContext {
  readonly used: Usage[];
  readonly pieces: string[];
  readonly parts: unknown[];
  readonly warnings: string[];
  abort(reason?: unknown): void;
}

export function attempt(
  changes: Partial<Pick<AttemptContext, 'attempt' | 'effect' | 'run' | 'idempotencyKey'>> = {},
): Attempt {
  const controller = new AbortController();
  const used: Usage[] = [];
  const pieces: string[] = [];
  const parts: unknown[] = [];
  const warnings: string[] = [];
  return {
    ...loneAttempt({ signal: controller.signal, timeoutMs: Infinity }),
    ...{ idempotencyKey: 'run-1/0#1/hash', run: 'run-1', effect: '0#1' },
    ...changes,
    use: (usage) => void used.push(usage),
    progress: (text) => void pieces.push(text),
    part: (value) => void parts.push(value),
    warn: (message) => void warnings.push(message),
    used,
    pieces,
    parts,
    warnings,
    abort: (reason) => controller.abort(reason),
  };
}
