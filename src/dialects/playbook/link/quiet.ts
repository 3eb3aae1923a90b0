/**
 * What nobody notices when it runs, so that it may run beside others: playbooks and functions of
 * blocks that only compute, read and return, and call only such ones.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { findTool } from '../../../program/tool-names.ts';
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { mayBeSetAt } from '../compiled/may-set.ts';
import { isOpenWait } from '../steps/statements/wait-lines.ts';
import { writtenName } from '../text/variables.ts';
import { isPlaybook, playbookOf } from './callees.ts';
import { quietFunctions } from './quiet-code.ts';

export interface Quiet {
  readonly playbooks: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

/** Whether a name means no tool, or one of which a program notices when it is called. */
export const isWriteOf =
  (tools: ReadonlyMap<string, ToolSpec>) =>
  (name: string): boolean => {
    const spec = findTool(tools, name);
    return !spec || spec.effect === 'write' || spec.ordered === true;
  };

/** Words of steps that only a model understands, which may have it talk to somebody. */
const talks = /\b(?:user|ask|tell|say|show|suggest|offer|describe|explain|reply|greet|inform)\b/i;

/** Those of an agent, by their names. */
export function quietIn(agent: CompiledAgent, isWrite: (tool: string) => boolean): Quiet {
  const functions = quietFunctions(agent.code, isWrite);
  const isLoudCall = (callee: string): boolean =>
    !isPlaybook(agent, callee) && !functions.has(callee) && isWrite(callee);
  const shared = sharedBy(agent);
  const isLoud = (step: Step): boolean =>
    step.say !== undefined ||
    mayBeSetAt(step).some((name) => shared.has(name)) ||
    (step.code === 'YLD' && step.waits !== 'call' && step.waits !== 'return') ||
    (step.isAmbiguous === true && talks.test(`${step.text} ${step.block ?? ''}`)) ||
    isOpenWait(step) ||
    (step.call !== undefined && isLoudCall(step.call.callee));
  // A parameter of its agent is the same to whoever comes next.
  const isSilent = ({ mode, parameters, steps }: CompiledPlaybook): boolean =>
    parameters.every(({ scope }) => scope === 'local') &&
    (mode === 'raw' || (mode === 'steps' && !flatSteps(steps).some(isLoud)));
  const quiet = agent.playbooks.filter((one) => reachedFrom(one, agent).every(isSilent));
  return { playbooks: new Set(quiet.map(({ name }) => name)), functions };
}

/** The variables of an agent, as written, as far as lines name them. */
function sharedBy({ playbooks }: CompiledAgent): ReadonlySet<string> {
  const named = playbooks.flatMap(({ parameters, steps }) => [
    ...parameters.map(writtenName),
    ...flatSteps(steps).flatMap(({ reads, writes }) => [...reads, ...writes]),
  ]);
  return new Set(named.filter((name) => name.startsWith('$')));
}

/** A playbook, and all of its agent that are played for it. */
function reachedFrom(first: CompiledPlaybook, agent: CompiledAgent): readonly CompiledPlaybook[] {
  const reached = new Set([first]);
  for (const { steps } of reached) {
    for (const { call } of flatSteps(steps)) {
      const callee = playbookOf(agent, call?.callee);
      if (callee && callee.mode !== 'code') reached.add(callee);
    }
  }
  return [...reached];
}
