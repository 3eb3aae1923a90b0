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

/** What calls of an agent may do to its variables. */
export interface Setters {
  readonly sets: SetBy;
  /** What may set a variable that a trigger is about. */
  readonly setting: ReadonlySet<string>;
}

/** Of each agent, by ids of playbooks and names of its own functions. */
export function settersIn(agents: readonly CompiledAgent[]): ReadonlyMap<CompiledAgent, Setters> {
  const bodies = new Map(agents.flatMap((one) => bodiesOf(one)));
  return new Map(
    agents.map((agent) => {
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
      return [agent, { sets: new Map(sets), setting: new Set(setting) }];
    }),
  );
}

interface Reached {
  /** What it, and what it calls, sets of the variables of the agent; `*` for any. */
  readonly own: Set<string>;
  /** Whether what a trigger plays for it, or somebody else meanwhile, may set anything. */
  isAnybodys: boolean;
}

function reachedBy(
  agent: CompiledAgent,
  bodies: ReadonlyMap<string, Body>,
): ReadonlyMap<string, Reached> {
  const all = new Map(
    [...bodies].map(([key, { owner, sets, calls, isAnybodys }]): [string, Reached] => {
      const own = new Set(owner === agent ? sets : []);
      return [key, { own, isAnybodys: isAnybodys || calls.some((one) => one.startsWith('$')) }];
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
        for (const name of from.own) to.own.add(name);
        isChanged ||= to.own.size > size || (from.isAnybodys && !to.isAnybodys);
        to.isAnybodys ||= from.isAnybodys;
      }
    }
  }
  return all;
}

/** As the agent calls it: functions of others it does not. */
function callable(key: string, { name }: CompiledAgent): readonly string[] {
  const own = `${name}#`;
  if (key.startsWith(own)) return [key.slice(own.length)];
  return key.includes('#') ? [] : [key];
}

/** What may write, as an agent calls it; `isWriting` says of a name that it is a tool that does. */
export function writersIn(
  agents: readonly CompiledAgent[],
  isWriting: (name: string) => boolean,
): ReadonlyMap<CompiledAgent, readonly string[]> {
  const bodies = new Map(agents.flatMap((one) => bodiesOf(one)));
  const found = new Set<string>();
  const isWriter = ({ calls, isAnybodys, isFree }: Body): boolean =>
    isAnybodys ||
    isFree ||
    calls.some((one) => one.startsWith('$') || isWriting(one) || found.has(one));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [key, body] of bodies) if (isWriter(body)) found.add(key);
  }
  return new Map(
    agents.map((agent) => [agent, [...found].flatMap((key) => callable(key, agent))] as const),
  );
}

interface Body {
  readonly owner: CompiledAgent;
  /** Variables of its agent, as written; `*` for any. */
  readonly sets: readonly string[];
  /** The keys of what it may call. */
  readonly calls: readonly string[];
  /** Whether it waits, or speaks to other agents: what is done meanwhile is anybody's. */
  readonly isAnybodys: boolean;
  /** Whether a model decides what is called. */
  readonly isFree: boolean;
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
    const alone = { owner, sets: parameters, isAnybodys: false, isFree: false };
    if (one.mode === 'raw') return { ...alone, calls: [] };
    if (one.mode === 'code') return { ...alone, calls: [`${owner.name}#${one.name}`] };
    const steps = flatSteps(one.steps);
    const isAny = one.mode !== 'steps' || steps.some(isOpen);
    const calls = steps.flatMap(({ call }) => (call ? [keyOf(call.callee)] : []));
    const sets = [...parameters, ...steps.flatMap(({ writes }) => writes), ...(isAny ? ['*'] : [])];
    const hears = steps.some(isHearing);
    const isAnybodys =
      hears || steps.some(({ say, waits }) => isOther(say?.to) || waits === 'agent');
    return { owner, sets, calls: hears ? [...calls, ...heard] : calls, isAnybodys, isFree: isAny };
  };
  return [
    ...owner.playbooks.map((one) => [`${owner.name}.${one.name}`, bodyOf(one)] as const),
    ...functions.map(([name, { changes, sets, words }]): readonly [string, Body] => {
      // What it is given may be anybody's.
      const all = changes.length > 0 ? [...sets, '*'] : sets;
      const calls = [...words].map(keyOf);
      const alone = { isAnybodys: false, isFree: false };
      return [`${owner.name}#${name}`, { owner, sets: all, calls, ...alone }];
    }),
  ];
}

/** What only a model understands may mean any variable, and any playbook. */
const isOpen = ({ code, isAmbiguous }: Step): boolean => code === 'EXE' && isAmbiguous === true;

const isHearing = (step: Step): boolean =>
  step.waits === 'user' || step.waits === 'event' || step.waits === 'timer' || isOpenWait(step);

const isOther = (to: string | undefined): boolean => to !== undefined && to !== 'user';
