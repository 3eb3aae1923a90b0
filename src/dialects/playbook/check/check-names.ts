/** Playbooks and functions whose names lines mean something else by. */
import type { CompiledAgent } from '../compiled/compiled.ts';
import { type Report, warn } from '../report.ts';
import { readCode } from '../source/code.ts';
import type { Place } from '../source/tree.ts';
import { ownCallees } from '../steps/names/names.ts';
import { isStatement } from '../steps/statements/titled.ts';

export function checkNames({ code, playbooks }: CompiledAgent, report: Report): void {
  for (const { isPublic, name, place, triggers } of playbooks) {
    // What is set off, or called by others, need not be called by a line of its agent.
    if (triggers.length === 0 && !isPublic) checkName(name, 'a playbook', place, report);
  }
  for (const block of code) {
    const { functions } = readCode(block);
    for (const { name } of functions) {
      if (ownCallees.has(name)) checkName(name, 'a function', block.place, report);
    }
  }
}

function checkName(name: string, what: string, place: Place, report: Report): void {
  const isOwn = ownCallees.has(name);
  if (!isOwn && !isStatement(name)) return;
  const message = isOwn
    ? `got ${what} of the name ${name}, by which lines mean something else: none can call it`
    : `got ${what} of the name ${name}: a line that is this word alone does not call it`;
  const hint = `give it another name${isOwn ? '' : `, or call it as ${name}()`}`;
  warn(report, 'reservedName', place, message, { hint, about: name });
}
