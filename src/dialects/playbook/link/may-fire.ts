/**
 * Which triggers what a playbook does may set off. Each call of a playbook has triggers of its own,
 * so one that stands in the place of its call would set them off less often.
 */
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import type { Body } from '../compiled/linked.ts';
import { isOpenWait } from '../steps/statements/wait-lines.ts';
import { clockOf } from '../text/times.ts';
import { setBy } from './bodies.ts';

/** What an agent does that sets something off, and the playbook that is played then. */
export interface Firing {
  /** By the variable that it is about, as written. */
  readonly names: ReadonlyMap<string, string>;
  /** The first one that is about what people say. */
  readonly message: string | undefined;
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
  return { names: new Map(byName), message };
}

/** What of it a playbook may set off by itself, and by what; undefined for nothing. */
export function reasonOfTriggers(
  { steps }: CompiledPlaybook,
  body: Body | undefined,
  { names, message }: Firing,
): string | undefined {
  if (message !== undefined && flatSteps(steps).some(isHearing)) {
    return `it hears what people say, which may set off ${message}`;
  }
  const set = new Set(setBy(body));
  const [name] = [...names.keys()].filter((one) => set.has(one) || set.has('*'));
  return name && `it may set ${name}, which may set off ${names.get(name)}`;
}

const isHearing = (step: Step): boolean =>
  step.waits === 'user' || step.waits === 'event' || isOpenWait(step);
