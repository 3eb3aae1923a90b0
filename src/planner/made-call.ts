/** A call that a run has made, and what came of it, as models are shown it. */
import { z } from 'zod';

export interface MadeCall {
  readonly step: string;
  readonly tool: string;
  /** Compact JSON of its arguments, whole or cut. */
  readonly request: string;
  /** What came back or went wrong, whole or cut. */
  readonly outcome: string;
}

export const madeCall: z.ZodType<MadeCall> = z.object({
  ...{ step: z.string(), tool: z.string(), request: z.string(), outcome: z.string() },
});

export const callLines = (calls: readonly MadeCall[]): string[] =>
  calls.map(
    ({ step, tool, request, outcome }) => `- step ${step}: ${tool} ${request}\n  ${outcome}`,
  );
