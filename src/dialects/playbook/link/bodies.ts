/**
 * What playbooks and functions of a file may do by themselves: which variables of their agent they
 * set, and whom they call. Gathered once, of playbooks as they stand in the file: what stands in
 * the place of a call does what its call had done.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import type { Bodies, Body } from '../compiled/linked.ts';
import { mayBeSetAt } from '../compiled/may-set.ts';
import { type FunctionEffects, functionEffects } from '../source/code.ts';
import { isOpenWait } from '../steps/statements/wait-lines.ts';
import { writtenName } from '../text/variables.ts';
import { isPlaybook } from './callees.ts';

/** By ids of playbooks, and `Agent#name` of functions. */
export const bodiesIn = (agents: readonly CompiledAgent[]): Bodies =>
  new Map(agents.flatMap(bodiesOf));

/** Of a playbook. */
export const idIn = ({ name }: Pick<CompiledAgent, 'name'>, one: { name: string }): string =>
  `${name}.${one.name}`;

/** Variables that it sets, or may: by its arguments, and by itself. */
export const setBy = (body: Body | undefined): readonly string[] =>
  body ? [...body.given, ...body.sets] : [];

function bodiesOf(agent: CompiledAgent): (readonly [string, Body])[] {
  const { code, name: owner, playbooks } = agent;
  const functions = functionEffects(code);
  const keys = new Map([
    ...playbooks.map((one) => [one.name, idIn(agent, one)] as const),
    ...[...functions.keys()].map((name) => [name, `${owner}#${name}`] as const),
  ]);
  const keyOf = (name: string): string => keys.get(name) ?? name;
  // Who waits for people may hear what sets off whatever there is.
  const heard = playbooks
    .filter(({ triggers }) => triggers.some(({ code: kind }) => kind !== 'BGN'))
    .map(({ name }) => keyOf(name));
  const bodyOf = (one: CompiledPlaybook): Body => {
    const given = one.parameters.map(writtenName);
    const alone = { owner, given, sets: [], isAnybodys: false, isFree: false };
    if (one.mode === 'raw') return { ...alone, calls: [] };
    if (one.mode === 'code') return { ...alone, calls: [`${owner}#${one.name}`] };
    if (one.mode !== 'steps') return { ...alone, sets: ['*'], calls: [], isFree: true };
    const steps = flatSteps(one.steps);
    const calls = steps.flatMap(({ call }) => (call ? [keyOf(call.callee)] : []));
    const hears = steps.some(isHearing);
    const isTalking = steps.some(({ say, waits }) => isOther(say?.to) || waits === 'agent');
    return {
      ...{ owner, given },
      sets: steps.flatMap((step) => setAt(step, agent, functions)),
      calls: hears ? [...calls, ...heard] : calls,
      isAnybodys: hears || isTalking,
      isFree: steps.some(isOpen),
    };
  };
  return [
    ...playbooks.map((one) => [idIn(agent, one), bodyOf(one)] as const),
    ...[...functions].map(([name, { changes, sets, words }]): readonly [string, Body] => {
      // What it is given may be anybody's.
      const all = changes.length > 0 ? [...sets, '*'] : sets;
      const alone = { given: [], isAnybodys: false, isFree: false };
      return [`${owner}#${name}`, { owner, sets: all, calls: [...words].map(keyOf), ...alone }];
    }),
  ];
}

/** What a step may set: what its words name, the variable of its call, what a function sets. */
function setAt(
  step: Step,
  agent: CompiledAgent,
  functions: ReadonlyMap<string, FunctionEffects>,
): readonly string[] {
  const { call, reads, writes } = step;
  if (!call || isPlaybook(agent, call.callee)) return mayBeSetAt(step);
  const { changes = [], sets = [] } = functions.get(call.callee) ?? {};
  return [...writes, ...sets, ...(changes.length > 0 ? reads : [])];
}

/** What only a model understands may mean any variable, and any playbook. */
const isOpen = ({ code, isAmbiguous }: Step): boolean => code === 'EXE' && isAmbiguous === true;

const isHearing = (step: Step): boolean =>
  step.waits === 'user' || step.waits === 'event' || step.waits === 'timer' || isOpenWait(step);

const isOther = (to: string | undefined): boolean => to !== undefined && to !== 'user';
