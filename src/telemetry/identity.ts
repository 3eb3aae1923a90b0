/**
 * The trace of a run, from its id alone: whichever process goes on with a run, today or in a week,
 * adds to the same trace, and nothing has to be kept for that.
 */
import { createHash } from 'node:crypto';

export interface TraceIdentity {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Of the span that stands for the whole run, 16 of them. */
  readonly spanId: string;
}

export function traceIdentity(run: string): TraceIdentity {
  const digits = createHash('sha256').update(`planvm run ${run}`).digest('hex');
  return { traceId: digits.slice(0, 32), spanId: digits.slice(32, 48) };
}
