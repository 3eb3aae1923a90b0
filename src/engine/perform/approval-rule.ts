/** A function of the embedder that decides about calls before a person is asked. */
import type { Request } from '../../program/effect.ts';
import { shownOf } from '../result.ts';

export type ApprovalVerdict = 'allow' | 'ask' | 'deny';

/** A call that is to be approved, as whoever embeds the run sees it. */
export interface ApprovalCall {
  readonly tool: string;
  /** As ordinary JSON data. */
  readonly arguments: unknown;
  readonly step: string;
}

/**
 * Decides about each call that the policy asks about, before a person does. What it says is
 * journaled, and counts when the run is resumed; where it throws, a person is asked.
 */
export type ApprovalRule = (call: ApprovalCall) => ApprovalVerdict | Promise<ApprovalVerdict>;

/** Never rejects. */
export async function verdictOf(
  rule: ApprovalRule,
  { tool, step, args }: Pick<Request, 'tool' | 'step' | 'args'>,
): Promise<ApprovalVerdict> {
  try {
    const verdict = await rule({ tool, step, arguments: shownOf(args) });
    return verdict === 'allow' || verdict === 'deny' ? verdict : 'ask';
  } catch {
    return 'ask';
  }
}
