/** Triggers that can never fire: on what nothing sets, or on what cannot be. */
import type { CompiledAgent, CompiledPlaybook, Trigger } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { type Report, warn } from '../report.ts';
import { near, stateOf } from './check-variables.ts';
import { holdsNever, shownTypes, sureTypes } from './never-holds.ts';

/** `given` are the variables that something else than playbooks sets, `*` for any. */
export function checkTriggers(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
  given: readonly string[],
  report: Report,
): void {
  const { name, triggers } = playbook;
  if (triggers.length === 0) return;
  const others = agent.playbooks.filter((one) => one !== playbook);
  const elsewhere = new Set([...given, ...others.flatMap(stateOf)]);
  const written = new Set([...elsewhere, ...stateOf(playbook)]);
  for (const trigger of triggers) {
    const { condition, id, names, place, text } = trigger;
    const step = `${name}:${id}`;
    const unset = written.has('*') ? [] : names.filter((one) => !written.has(one));
    const [first] = unset;
    const oneIsEnough = condition === undefined || /\bor\b/.test(condition);
    if (first !== undefined && (!oneIsEnough || unset.length === names.length)) {
      const message = `got a trigger on ${first}, which nothing sets: it can never fire`;
      const hint = near(first, written);
      warn(report, 'deadTrigger', place, message, {
        ...{ step, about: first, ...(hint && { hint }) },
      });
    } else if (holdsNever(condition, text)) {
      warn(report, 'deadTrigger', place, `got ${text}, which never holds`, { step });
    } else if (!written.has('*')) {
      const types = sureTypes(names, agent, given);
      if (!holdsNever(condition, text, types)) continue;
      const why = `the lines that set it say ${shownTypes(types)}`;
      const message = `got ${text}, which never holds: ${why}`;
      warn(report, 'deadTrigger', place, message, { step });
    }
  }
  const own = triggers.map((trigger) => neededOf(trigger, elsewhere));
  const [needed] = own;
  const [trigger] = triggers;
  if (!needed || !trigger || !written.has(needed) || own.includes(undefined)) return;
  if (isCalled(playbook, agent)) return;
  const why = `which only ${name} itself sets, and nothing calls it`;
  const message = `got a trigger on ${needed}, ${why}`;
  const step = `${name}:${trigger.id}`;
  warn(report, 'deadTrigger', trigger.place, message, { step, about: needed });
}

/** A variable that has to be set for a trigger to fire, and that nothing else sets. */
function neededOf(
  { condition, names }: Trigger,
  elsewhere: ReadonlySet<string>,
): string | undefined {
  const isSure = condition !== undefined && !unsure.test(condition);
  if (!isSure || elsewhere.has('*')) return undefined;
  return names.find((name) => !elsewhere.has(name));
}

/** A condition that may hold although a variable in it is not set. */
const unsure = /== None|(?<!\bnot )\bin \[None|\bnot\b(?! in )|\bor\b/;

/** Whether something may start a playbook besides its triggers: what is in words may call any. */
function isCalled(playbook: CompiledPlaybook, { code, playbooks }: CompiledAgent): boolean {
  const { isPublic, name } = playbook;
  return (
    isPublic ||
    code.some(({ text }) => text.includes(name)) ||
    playbooks.some(
      ({ mode, steps }) =>
        mode === 'react' ||
        flatSteps(steps).some(
          ({ isAmbiguous, text }) => isAmbiguous === true || text.includes(`${name}(`),
        ),
    )
  );
}
