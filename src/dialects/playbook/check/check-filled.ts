/** Variables that are filled in where a description has them, and that nothing sets. */
import type { CompiledAgent, CompiledPlaybook } from '../compiled/compiled.ts';
import { filledOf, placeholder } from '../compiled/filled.ts';
import { type Report, warn } from '../report.ts';
import { stateNames } from '../text/variables.ts';
import { near } from './check-variables.ts';

/** `written` are the variables that something of the agent sets, `*` for any. */
export function checkFilled(
  playbook: CompiledPlaybook,
  { playbooks }: CompiledAgent,
  written: ReadonlySet<string>,
  report: Report,
): void {
  if (written.has('*')) return;
  // What a playbook in words speaks of, it may well set.
  const spoken = playbooks.flatMap(({ description, steps }) =>
    steps.length > 0 ? [] : stateNames(description.replace(placeholder, '')),
  );
  const said = new Set([...written, ...spoken]);
  for (const { name, place } of filledOf(playbook)) {
    if (said.has(name)) continue;
    said.add(name);
    const hint = near(name, written);
    const message = `got ${name} in a description, which nothing sets`;
    warn(report, 'unsetVariable', place, message, { step: playbook.name, ...(hint && { hint }) });
  }
}
