/**
 * Programs on a stack that use saved plans by their names, or runs by their ids: one text, as with
 * files beside them.
 */
import type { Workspace } from '../port/workspace.ts';
import type { Source } from './source.ts';

const kind = 'stack';

/**
 * Files go before saved plans, and what is in the text already before both. Throws `AgentError`
 * PV6041 for a name that several plans have.
 */
export async function withUsedPlans(source: Source, workspace: Workspace): Promise<Source> {
  if (!source.text.includes('use(')) return source;
  const { bundleStack } = await import('../../dialects/stack/bundle.ts');
  const { findPlan, savedPlans } = await import('../record/plan-store.ts');
  const { runText } = await import('./used-runs.ts');
  const plans = savedPlans(workspace).filter((plan) => plan.dialect === kind);
  const textOf = (given: string): string | undefined => {
    const name = given.replace(/^@/, '');
    const isPlan = plans.some(({ label }) => label === name);
    return isPlan ? findPlan(plans, name).text : runText(name, workspace);
  };
  return { ...source, text: bundleStack(source.text, textOf) };
}
