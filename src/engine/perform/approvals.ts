/**
 * Which effects a person is asked about before they are performed. Pure: who asks, and what becomes
 * of the answer, is the matter of `waiting.ts`.
 */
import type { Request, ToolSpec } from '../../program/effect.ts';
import { isMeant } from '../../program/tool-names.ts';
import type { PastApproval } from '../past/past-effect.ts';

/**
 * - `none`: nothing is asked.
 * - `untrusted`: as `destructive`, but only calls behind something from outside whose arguments are
 *   not all constants, inputs and answers of people.
 * - `destructive`: tools that say of themselves that what they do cannot be undone.
 * - `writes`: those, and all that change anything.
 * - `all`: every call of a tool or a model.
 */
export const approvalPolicies = ['none', 'untrusted', 'destructive', 'writes', 'all'] as const;

export type ApprovalPolicy = (typeof approvalPolicies)[number];

export interface Approvals {
  readonly policy: ApprovalPolicy;
  /** Tools that are approved whatever the policy says: names, aliases, patterns (`github.*`). */
  readonly yes: readonly string[];
}

export const defaultApprovals: Approvals = { policy: 'destructive', yes: [] };

/** Where arguments come from, as far as that is a reason to look at them; undefined for none. */
export type Concern = () => string | undefined;

/**
 * Why an effect of this tool needs an approval; undefined where it needs none. Without `concern`,
 * its arguments may come from anywhere.
 */
export function needsApproval(
  { policy, yes }: Approvals,
  spec: ToolSpec,
  concern?: Concern,
): string | undefined {
  if (!isAskedAbout(policy, spec)) return undefined;
  // What waits for a person or for time does nothing that could be approved.
  if (spec.kind === 'person' || spec.kind === 'clock' || isApproved(yes, spec)) {
    return undefined;
  }
  if (policy === 'untrusted') {
    const why = concern ? concern() : 'its arguments may come from anywhere';
    return why === undefined ? undefined : `${final}; ${why}`;
  }
  if (spec.destructive) return withConcern(final, concern);
  return policy === 'all'
    ? 'every call is to be approved'
    : withConcern('it changes the world', concern);
}

/** Why a call is asked about of which an equal one has failed before the program was changed. */
export function needsSecondApproval(
  { policy, yes }: Approvals,
  spec: ToolSpec,
): string | undefined {
  const isHarmless = spec.effect !== 'write' || spec.idempotent;
  if (isHarmless || policy === 'none' || isApproved(yes, spec)) return undefined;
  return 'an equal call has failed before, and may have acted all the same';
}

/** By what a tool says of itself alone: about most, nobody is asked. */
function isAskedAbout(policy: ApprovalPolicy, { destructive, effect }: ToolSpec): boolean {
  switch (policy) {
    case 'none':
      return false;
    case 'untrusted':
    case 'destructive':
      return destructive;
    case 'writes':
      return destructive || effect === 'write';
    case 'all':
      return true;
  }
}

const final = 'it cannot be undone';

function withConcern(why: string, concern: Concern | undefined): string {
  const more = concern?.();
  return more === undefined ? why : `${why}; ${more}`;
}

const isApproved = (yes: readonly string[], spec: ToolSpec): boolean =>
  yes.some((pattern) => isMeant(pattern, spec));

/** What was decided, if it was decided about this very request. */
export function decisionFor(
  approvals: ReadonlyMap<string, PastApproval>,
  { id, tool, args }: Pick<Request, 'id' | 'tool' | 'args'>,
): PastApproval | undefined {
  const found = approvals.get(id);
  return found?.tool === tool && found.request === args ? found : undefined;
}
