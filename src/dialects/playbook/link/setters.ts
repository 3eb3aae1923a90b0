/**
 * What of its variables an agent's calls may set: what a reply has behind one is held to what it
 * computes of the others, and held back where a trigger is about one, until it is known what that
 * has set off. Which variables the lines behind a call have to wait for is said by
 * `steps/yields/effects.ts`.
 */
import type { CompiledAgent } from '../compiled/compiled.ts';
import type { Bodies, Body, LinkedAgent } from '../compiled/linked.ts';
import { setBy } from './bodies.ts';
import { firingOf } from './may-fire.ts';

/** What calls of an agent may do to its variables. */
export type Setters = Pick<LinkedAgent, 'sets' | 'setting'>;

/** Of an agent, by ids of playbooks and names of its own functions. */
export function settersIn(
  agent: CompiledAgent,
  agents: readonly CompiledAgent[],
  bodies: Bodies,
): Setters {
  const { names } = firingOf(agent, agents);
  const reached = [...reachedBy(agent, bodies)].flatMap(([key, found]) =>
    callable(key, agent).map((one) => [one, found] as const),
  );
  const isFiring = (name: string): boolean => name === '*' || names.has(name);
  const sets = reached.map(([key, { isAnybodys, own }]): [string, ReadonlySet<string>] => {
    const any = isAnybodys || [...own].some(isFiring) ? ['*'] : [];
    return [key, new Set([...any, ...[...own].filter((name) => !names.has(name))])];
  });
  const setting = reached.flatMap(([key, { own }]) => {
    return names.size > 0 && [...own].some(isFiring) ? [key] : [];
  });
  return { sets: new Map(sets), setting: new Set(setting) };
}

interface Reached {
  /** What it, and what it calls, sets of the variables of the agent; `*` for any. */
  readonly own: Set<string>;
  /** Whether what a trigger plays for it, or somebody else meanwhile, may set anything. */
  isAnybodys: boolean;
}

function reachedBy({ name }: CompiledAgent, bodies: Bodies): ReadonlyMap<string, Reached> {
  const all = new Map(
    [...bodies].map(([key, body]): [string, Reached] => {
      const own = new Set(body.owner === name ? setOf(body) : []);
      return [key, { own, isAnybodys: body.isAnybodys || body.calls.some(isOfVariable) }];
    }),
  );
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const [key, { calls }] of bodies) {
      const to = all.get(key);
      for (const one of calls) {
        const from = all.get(one);
        if (!to || !from) continue;
        const { size } = to.own;
        for (const other of from.own) to.own.add(other);
        isChanged ||= to.own.size > size || (from.isAnybodys && !to.isAnybodys);
        to.isAnybodys ||= from.isAnybodys;
      }
    }
  }
  return all;
}

/** What has no dollar is of a call alone. */
const setOf = (body: Body): readonly string[] =>
  body.isFree ? ['*'] : setBy(body).filter((name) => /^[$*]/.test(name));

/** `$clerk.Count`: of an agent that is known by then. */
const isOfVariable = (callee: string): boolean => callee.startsWith('$');

/** As the agent calls it: functions of others it does not. */
function callable(key: string, { name }: Pick<CompiledAgent, 'name'>): readonly string[] {
  const own = `${name}#`;
  if (key.startsWith(own)) return [key.slice(own.length)];
  return key.includes('#') ? [] : [key];
}

/** What may write, as each agent calls it; `isWriting` says so of the name of a tool. */
export function writersIn(
  agents: readonly Pick<CompiledAgent, 'name'>[],
  bodies: Bodies,
  isWriting: (name: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const found = new Set<string>();
  const isWriter = ({ calls, isAnybodys, isFree }: Body): boolean =>
    isAnybodys ||
    isFree ||
    calls.some((one) => isOfVariable(one) || isWriting(one) || found.has(one));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [key, body] of bodies) if (isWriter(body)) found.add(key);
  }
  return new Map(
    agents.map((agent) => [agent.name, [...found].flatMap((key) => callable(key, agent))]),
  );
}
