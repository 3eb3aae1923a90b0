/**
 * The lines of playbooks as steps of the run that plays them: `Main:03`, with the agent in front
 * where there are several, as the loop names them. Playbooks without lines are a step each.
 */
import type { Step } from '../../../program/program.ts';
import type { LinkedFile, LinkedPlaybook } from './linked.ts';

export function stepsOf({ agents }: LinkedFile, file: string): Step[] {
  const isAlone = agents.length === 1;
  return agents.flatMap(({ playbooks }) =>
    playbooks.flatMap((playbook) =>
      linesOf(playbook, isAlone ? playbook.name : playbook.id).map((step) => ({ file, ...step })),
    ),
  );
}

function linesOf({ lines, mode, place, written }: LinkedPlaybook, name: string): Step[] {
  if (mode !== 'steps') return [{ label: name, kind: mode, objective: written, ...place }];
  return [...lines].map(([number, { step }]) => {
    return { label: `${name}:${number}`, kind: step.code, objective: step.text, ...step.place };
  });
}
