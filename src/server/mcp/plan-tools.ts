/** Saved plans as tools of planvm's own server: each has a name that says what it is for. */
import type { SavedPlan } from '../../engine/journal/saved-plans.ts';

export interface PlanTool extends SavedPlan {
  readonly tool: string;
}

const nameMax = 60;

/** By its label, or the words of its goal; two of a name have their ids behind it. */
export function planTools(plans: readonly SavedPlan[]): readonly PlanTool[] {
  const named = plans.map((plan) => ({ ...plan, tool: `plan_${wordsOf(plan)}` }));
  const counts = Map.groupBy(named, ({ tool }) => tool);
  return named.map((plan) =>
    counts.get(plan.tool)?.length === 1 ? plan : { ...plan, tool: `${plan.tool}_${plan.id}` },
  );
}

function wordsOf({ label, goal, id }: SavedPlan): string {
  const words = (label === '' ? goal : label)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, nameMax)
    .replace(/^_+|_+$/g, '');
  return words === '' ? id : words;
}
