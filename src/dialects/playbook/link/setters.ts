/**
 * What of all that an agent calls may set one of its variables that a trigger is about: a reply
 * that goes on behind such a call is held until it is known what that has set off. Which variables
 * a call sets, for the lines behind it that read them, `steps/effects.ts` says.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { functionEffects } from '../source/code.ts';
import { isOpenWait } from '../steps/wait-lines.ts';
import { writtenName } from '../text/variables.ts';
import { firingOf } from './may-fire.ts';

/** Playbooks by their ids, functions of the agent's blocks by their names. */
export function settersOf(
  agent: CompiledAgent,
  agents: readonly CompiledAgent[],
): ReadonlySet<string> {
  const { names } = firingOf(agent, agents);
  if (names.size === 0) return new Set();
  const bodies = new Map(agents.flatMap((one) => bodiesOf(one)));
  const found = new Set<string>();
  const isSetter = ({ owner, sets }: Body): boolean =>
    owner === agent && sets.some((one) => one === '*' || names.has(one));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [key, body] of bodies) {
      if (isSetter(body) || body.calls.some((one) => found.has(one))) found.add(key);
    }
  }
  const own = `${agent.name}#`;
  return new Set(
    [...found].flatMap((key) => {
      if (key.startsWith(own)) return [key.slice(own.length)];
      return key.includes('#') ? [] : [key];
    }),
  );
}

interface Body {
  readonly owner: CompiledAgent;
  /** Variables of its agent, as written; `*` for any. */
  readonly sets: readonly string[];
  /** The keys of what it may call. */
  readonly calls: readonly string[];
}

/** By ids of playbooks, and `Agent#name` of functions. */
function bodiesOf(owner: CompiledAgent): (readonly [string, Body])[] {
  const functions = [...functionEffects(owner.code)];
  const keys = new Map([
    ...owner.playbooks.map(({ name }) => [name, `${owner.name}.${name}`] as const),
    ...functions.map(([name]) => [name, `${owner.name}#${name}`] as const),
  ]);
  const keyOf = (name: string): string => keys.get(name) ?? name;
  // Who waits for people may hear what sets off whatever there is.
  const heard = owner.playbooks
    .filter(({ triggers }) => triggers.some(({ code }) => code !== 'BGN'))
    .map(({ name }) => keyOf(name));
  const bodyOf = (one: CompiledPlaybook): Body => {
    const parameters = one.parameters.filter(({ scope }) => scope === 'state').map(writtenName);
    if (one.mode === 'raw') return { owner, sets: parameters, calls: [] };
    if (one.mode === 'code')
      return { owner, sets: parameters, calls: [`${owner.name}#${one.name}`] };
    const steps = flatSteps(one.steps);
    const isAny = one.mode !== 'steps' || steps.some(isOpen);
    const calls = steps.flatMap(({ call }) => (call ? [keyOf(call.callee)] : []));
    const sets = [...parameters, ...steps.flatMap(({ writes }) => writes), ...(isAny ? ['*'] : [])];
    return { owner, sets, calls: steps.some(isHearing) ? [...calls, ...heard] : calls };
  };
  return [
    ...owner.playbooks.map((one) => [`${owner.name}.${one.name}`, bodyOf(one)] as const),
    ...functions.map(([name, { changes, sets, words }]): readonly [string, Body] => {
      // What it is given may be anybody's.
      const all = changes.length > 0 ? [...sets, '*'] : sets;
      return [`${owner.name}#${name}`, { owner, sets: all, calls: [...words].map(keyOf) }];
    }),
  ];
}

/** What only a model understands may mean any variable, and any playbook. */
const isOpen = ({ code, isAmbiguous }: Step): boolean => code === 'EXE' && isAmbiguous === true;

const isHearing = (step: Step): boolean =>
  step.waits === 'user' || step.waits === 'event' || step.waits === 'timer' || isOpenWait(step);
