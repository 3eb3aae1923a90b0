/**
 * What of its variables an agent's calls may set: what a reply has behind one is held to what it
 * computes of the others, and held back where a trigger is about one, until it is known what that
 * has set off. Which variables the lines behind a call have to wait for, `steps/effects.ts` says.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { functionEffects } from '../source/code.ts';
import { isOpenWait } from '../steps/wait-lines.ts';
import { writtenName } from '../text/variables.ts';
import { firingOf } from './may-fire.ts';

/** Variables of an agent, as written, by what it may call; `*` where that may be any. */
export type SetBy = ReadonlyMap<string, ReadonlySet<string>>;

/** What it may call sets of its variables: ids of playbooks, names of its own functions. */
export function setBy(agent: CompiledAgent, agents: readonly CompiledAgent[]): SetBy {
  const { names } = firingOf(agent, agents);
  const bodies = new Map(agents.flatMap((one) => bodiesOf(one)));
  const all = new Map([...bodies.keys()].map((key) => [key, new Set<string>()]));
  const add = (to: Set<string>, key: string, { owner, sets, calls, isAnybodys }: Body): void => {
    // What a trigger plays for it, or somebody else does meanwhile, may set anything.
    if (isAnybodys || calls.some((one) => one.startsWith('$'))) to.add('*');
    if (owner === agent) for (const name of sets) to.add(names.has(name) ? '*' : name);
    for (const one of calls) if (one !== key) for (const name of all.get(one) ?? []) to.add(name);
  };
  for (let size = -1, now = 0; size !== now; ) {
    size = now;
    for (const [key, body] of bodies) add(all.get(key) ?? new Set(), key, body);
    now = [...all.values()].reduce((sum, one) => sum + one.size, 0);
  }
  return new Map([...all].flatMap(([key, sets]) => callable(key, agent).map((one) => [one, sets])));
}

/** As the agent calls it: functions of others it does not. */
function callable(key: string, { name }: CompiledAgent): readonly string[] {
  const own = `${name}#`;
  if (key.startsWith(own)) return [key.slice(own.length)];
  return key.includes('#') ? [] : [key];
}

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
  return new Set([...found].flatMap((key) => callable(key, agent)));
}

interface Body {
  readonly owner: CompiledAgent;
  /** Variables of its agent, as written; `*` for any. */
  readonly sets: readonly string[];
  /** The keys of what it may call. */
  readonly calls: readonly string[];
  /** Whether it waits, or speaks to other agents: what is done meanwhile is anybody's. */
  readonly isAnybodys: boolean;
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
    const alone = { owner, sets: parameters, isAnybodys: false };
    if (one.mode === 'raw') return { ...alone, calls: [] };
    if (one.mode === 'code') return { ...alone, calls: [`${owner.name}#${one.name}`] };
    const steps = flatSteps(one.steps);
    const isAny = one.mode !== 'steps' || steps.some(isOpen);
    const calls = steps.flatMap(({ call }) => (call ? [keyOf(call.callee)] : []));
    const sets = [...parameters, ...steps.flatMap(({ writes }) => writes), ...(isAny ? ['*'] : [])];
    const hears = steps.some(isHearing);
    const isAnybodys =
      hears || steps.some(({ say, waits }) => isOther(say?.to) || waits === 'agent');
    return { owner, sets, calls: hears ? [...calls, ...heard] : calls, isAnybodys };
  };
  return [
    ...owner.playbooks.map((one) => [`${owner.name}.${one.name}`, bodyOf(one)] as const),
    ...functions.map(([name, { changes, sets, words }]): readonly [string, Body] => {
      // What it is given may be anybody's.
      const all = changes.length > 0 ? [...sets, '*'] : sets;
      const calls = [...words].map(keyOf);
      return [`${owner.name}#${name}`, { owner, sets: all, calls, isAnybodys: false }];
    }),
  ];
}

/** What only a model understands may mean any variable, and any playbook. */
const isOpen = ({ code, isAmbiguous }: Step): boolean => code === 'EXE' && isAmbiguous === true;

const isHearing = (step: Step): boolean =>
  step.waits === 'user' || step.waits === 'event' || step.waits === 'timer' || isOpenWait(step);

const isOther = (to: string | undefined): boolean => to !== undefined && to !== 'user';
