/**
 * A call of a tool. What it leaves out of what the tool asks a person for (`ToolSpec.requires`) is
 * asked first: each question is an effect of its own, journaled and answered as those of programs,
 * and its pending answer becomes an argument of the call, which so waits for it.
 */
import type { ToolSpec } from '../program/effect.ts';
import { type Dict, dict, dictEntries, dictSet, type Pending } from '../program/value.ts';
import type { IssueOptions, IssueSite, State } from './state.ts';
import { copyAround, pendingsIn } from './values/pendings.ts';
import { callBefore, issueEffect } from './window/issue.ts';
import { questionsFor } from './window/missing.ts';
import { missingBefore } from './window/prerequisites.ts';
import { refuseInParallel } from './window/refuse-write.ts';
import { isVoid, voidFault } from './window/void.ts';
import { needRoom } from './window/window.ts';

/** Gives the pending result. Waits while the window is full, with nothing asked. */
export function callTool(
  state: State,
  tool: string,
  args: Dict,
  site: IssueSite,
  options: IssueOptions = {},
): Pending {
  const spec = state.tools.get(tool);
  const questions = questionsFor(spec, args, state.tools);
  if (!spec || (questions.length === 0 && missingBefore(state, spec).length === 0)) {
    return issueEffect(state, tool, args, site, options);
  }
  checkCall(state, spec, args);
  callBefore(state, spec, site);
  // The questions take no room of their own: a window of one has room for a call, and so for what
  // that call waits for.
  const whole = questions.length === 0 ? args : dict(dictEntries(args));
  for (const { parameter, tool: asker, args: question } of questions) {
    dictSet(whole, parameter, issueEffect(state, asker, question, site, { roomless: true }));
  }
  return issueEffect(state, tool, whole, site, { ...options, roomless: true });
}

/** What can go wrong with a call goes wrong before anything that is made for it. */
function checkCall(state: State, spec: ToolSpec, args: Dict): void {
  if (spec.effect === 'write') refuseInParallel(state, spec.name);
  for (const pending of pendingsIn([args])) if (isVoid(state, pending)) throw voidFault();
  copyAround(args);
  needRoom(state, 'call');
}
