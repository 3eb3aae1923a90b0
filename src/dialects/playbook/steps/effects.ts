/** Which variables of its agent a playbook may set, by itself or by what it calls. */
import type { Draft } from './draft.ts';
import { meaningOf } from './step-text.ts';

export interface Body {
  readonly drafts: readonly Draft[];
  readonly locals: ReadonlySet<string>;
  /** Whether there are no steps that would say it. */
  readonly isOpen: boolean;
}

/**
 * By the names that steps call playbooks by. `*` is among the names where a step says in words what
 * to do, which may be anything.
 */
export function effectsOf(
  bodies: ReadonlyMap<string, Body>,
  agent: string,
): (callee: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  const own = (callee: string): string =>
    callee.startsWith(`${agent}.`) ? callee.slice(agent.length + 1) : callee;
  /** Each with all that it can reach, so that circles are no trouble. */
  return (callee) => {
    const start = own(callee);
    const found = known.get(start);
    if (found) return found;
    const effects = new Set<string>();
    const seen = new Set<string>();
    const open = [start];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      const body = bodies.get(name);
      if (!body) continue;
      if (body.isOpen) effects.add('*');
      for (const { code, text, isAmbiguous } of flat(body.drafts)) {
        const { asks, call, writes } = meaningOf(code, text, body.locals);
        for (const variable of writes) if (variable.startsWith('$')) effects.add(variable);
        // What a person has said may matter to whoever comes next.
        if (isAmbiguous || asks) effects.add('*');
        if (call) open.push(own(call.callee));
      }
    }
    known.set(start, effects);
    return effects;
  };
}

export function flat(drafts: readonly Draft[]): Draft[] {
  return drafts.flatMap((draft) => [draft, ...flat(draft.children)]);
}
