/**
 * Which effects a person is asked about before they are performed. Pure: who asks, and what becomes
 * of the answer, is the matter of `waiting.ts`.
 */
import type { Request, ToolSpec } from '../../program/effect.ts';
import type { PastApproval } from '../past/past.ts';

/**
 * - `none`: nothing is asked.
 * - `destructive`: tools that say of themselves that what they do cannot be undone.
 * - `writes`: those, and all that change anything.
 * - `all`: every call of a tool or a model.
 */
export const approvalPolicies = ['none', 'destructive', 'writes', 'all'] as const;

export type ApprovalPolicy = (typeof approvalPolicies)[number];

export interface Approvals {
  readonly policy: ApprovalPolicy;
  /** Names of tools that are approved whatever the policy says. */
  readonly yes: readonly string[];
}

export const defaultApprovals: Approvals = { policy: 'destructive', yes: [] };

/** Why an effect of this tool needs an approval; undefined where it needs none. */
export function needsApproval({ policy, yes }: Approvals, spec: ToolSpec): string | undefined {
  // What waits for a person or for time does nothing that could be approved.
  if (spec.kind === 'person' || spec.kind === 'clock' || yes.includes(spec.name)) return undefined;
  switch (policy) {
    case 'none':
      return undefined;
    case 'destructive':
      return spec.destructive ? 'it cannot be undone' : undefined;
    case 'writes':
      if (spec.destructive) return 'it cannot be undone';
      return spec.effect === 'write' ? 'it changes the world' : undefined;
    case 'all':
      return spec.destructive ? 'it cannot be undone' : 'every call is to be approved';
  }
}

/** What was decided, if it was decided about this very request. */
export function decisionFor(
  approvals: ReadonlyMap<string, PastApproval>,
  { id, tool, args }: Pick<Request, 'id' | 'tool' | 'args'>,
): PastApproval | undefined {
  const found = approvals.get(id);
  return found?.tool === tool && found.request === args ? found : undefined;
}
