/**
 * Which triggers what a playbook does may set off. Each call of a playbook has triggers of its own,
 * so one that stands in the place of its call would set them off less often.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { type FunctionEffects, functionEffects } from '../source/code.ts';
import { isOpenWait } from '../steps/wait-lines.ts';
import { clockOf } from '../text/times.ts';
import { unique, writtenName } from '../text/variables.ts';
import { isPlaybook } from './callees.ts';
import { mayBeSetAt } from './may-set.ts';

/** What an agent does that sets something off, and the playbook that is played then. */
export interface Firing {
  /** By the variable that it is about, as written. */
  readonly names: ReadonlyMap<string, string>;
  /** The first one that is about what people say. */
  readonly message: string | undefined;
  /** What functions of the agent do, by their names. */
  readonly functions: ReadonlyMap<string, FunctionEffects>;
}

/** Its own triggers, and public ones of others. */
export function firingOf(agent: CompiledAgent, agents: readonly CompiledAgent[]): Firing {
  const found = agents
    .flatMap(({ playbooks }) =>
      playbooks.filter((one) => one.isPublic || agent.playbooks.includes(one)),
    )
    .flatMap(({ name, triggers }) =>
      triggers.flatMap(({ code, names, text }) =>
        code === 'BGN' || clockOf(text) ? [] : [{ playbook: name, names }],
      ),
    );
  const message = found.find(({ names }) => names.length === 0)?.playbook;
  const byName = found.flatMap(({ names, playbook }) =>
    names.map((one) => [one, playbook] as const),
  );
  return { names: new Map(byName), message, functions: functionEffects(agent.code) };
}

/** What of it a playbook may set off by itself, and by what; undefined for nothing. */
export function reasonOfTriggers(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
  { functions, names, message }: Firing,
): string | undefined {
  const steps = flatSteps(playbook.steps);
  if (message !== undefined && steps.some(isHearing)) {
    return `it hears what people say, which may set off ${message}`;
  }
  const set = unique([
    ...playbook.parameters.filter(({ scope }) => scope === 'state').map(writtenName),
    ...steps.flatMap((step) => setBy(step, agent, functions)),
  ]);
  const [name] = [...names.keys()].filter((one) => set.includes(one) || set.includes('*'));
  return name && `it may set ${name}, which may set off ${names.get(name)}`;
}

const isHearing = (step: Step): boolean =>
  step.waits === 'user' || step.waits === 'event' || isOpenWait(step);

/** Variables that a step may set, as written; `*` for any. */
function setBy(
  step: Step,
  agent: CompiledAgent,
  functions: Firing['functions'],
): readonly string[] {
  const { call, reads, writes } = step;
  if (!call || isPlaybook(agent, call.callee)) return mayBeSetAt(step);
  const { changes = [], sets = [] } = functions.get(call.callee) ?? {};
  return [...writes, ...sets, ...(changes.length > 0 ? reads : [])];
}
