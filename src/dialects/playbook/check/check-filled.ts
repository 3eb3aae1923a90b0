/** Variables that are filled in where a description has them, and that nothing sets. */
import type { CompiledAgent, CompiledPlaybook } from '../compiled/compiled.ts';
import { bracesOf, filledOf, placeholder } from '../compiled/filled.ts';
import { lastResult } from '../compiled/last-result.ts';
import { type Report, warn } from '../report.ts';
import type { Names } from '../steps/names/names.ts';
import { innerCalls } from '../text/calls.ts';
import { isObject } from '../text/filling.ts';
import { stateNames } from '../text/variables.ts';
import { readPlaceholder, strangeNames } from '../weave/placeholders.ts';
import { checkWithin, isWritten, noSuch } from './check-calls.ts';
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

/** What looks as if it were to be filled into a description, and stays as it stands. */
export function checkPlaceholders(
  playbook: CompiledPlaybook,
  agent: CompiledAgent,
  names: Names,
  report: Report,
): void {
  const { callees } = names;
  const step = playbook.name;
  for (const { isCode, place, text } of bracesOf(playbook)) {
    const inner = text.slice(1, -1).trim();
    const read = readPlaceholder(inner);
    const strange = read && strangeNames(read, playbook, agent);
    if (!isCode && strange?.length === 0) checkWithin(`"${text}"`, names, place, step, report);
    const isPartKnown = read !== undefined && (strange?.length ?? 0) < read.names.size;
    if (isCode || strange?.length === 0 || !(isPartKnown || isMeant(inner))) continue;
    const called = [...innerCalls(inner, (name) => strange?.includes(name) ?? false)];
    const unknown = called.find(({ call }) => !callees.has(call.callee))?.call.callee;
    if (unknown !== undefined) {
      warn(report, 'unknownCall', place, ...noSuch(unknown, callees.keys(), step));
      continue;
    }
    const why = strange ? `names ${strange.join(', ')}` : 'is no expression';
    const message = `got ${text} in a description, which ${why}: it stays as it stands`;
    warn(report, 'unfilled', place, message, { hint, step });
  }
}

/** Whether braces can be there for nothing else; those of data are their own. */
function isMeant(inner: string): boolean {
  const variables = stateNames(inner);
  if (isObject.test(inner) || variables.includes(lastResult)) return false;
  return (
    variables.length > 0 || [...innerCalls(inner, () => true)].some((one) => isWritten(one.call))
  );
}

const hint =
  'variables of the agent, parameters, functions of its blocks and playbooks are what can be ' +
  'filled in there';
