/**
 * What a tool declares to come `after`: before a call of it starts, each of those tools has to have
 * succeeded, earlier in the program.
 *
 * - Q1 Earlier is a matter of program order, never of time: calls behind it do not count, nor those
 *   in fibers beside it. A fiber goes by those of its parents that stand before it as well.
 * - Q2 Where there is no call before and the tool needs no arguments, the machine calls it itself,
 *   and says so. Whether it does is known when the call is made.
 * - Q3 A call that fails without an end of its program is no success; the reason is told on.
 */
import type { EffectError, ToolSpec } from '../../program/effect.ts';
import type { Entry, State } from '../state.ts';
import { faults } from '../values/code-names.ts';

/** A call has taken its place. */
export function noteCall(state: State, tool: string, { seq }: Entry): void {
  if (!state.hub.watched.has(tool)) return;
  const prior = state.prior.get(tool) ?? { ok: undefined, failed: undefined, open: new Set() };
  state.prior.set(tool, prior);
  prior.open.add(seq);
}

/** A call has ended; true where others may have waited for it. */
export function noteEnd(state: State, tool: string, seq: number, error?: EffectError): boolean {
  const prior = state.prior.get(tool);
  if (!prior?.open.delete(seq)) return false;
  if (error === undefined) prior.ok = Math.min(prior.ok ?? seq, seq);
  else if (!prior.failed || seq < prior.failed.seq) prior.failed = { seq, message: error.message };
  return true;
}

/** What stands behind a failure that was handled has never been called. */
export function forgetBehind({ prior }: State, seq: number): void {
  for (const [tool, { ok, failed, open }] of prior) {
    const kept = {
      ok: ok !== undefined && ok < seq ? ok : undefined,
      failed: failed && failed.seq < seq ? failed : undefined,
      open: new Set([...open].filter((one) => one < seq)),
    };
    if (kept.ok === undefined && !kept.failed && kept.open.size === 0) prior.delete(tool);
    else prior.set(tool, kept);
  }
}

/** An attempt is over, which its parent has waited for: its calls are calls of the parent. */
export function takeOver(parent: State, child: State, seq: number): void {
  for (const [tool, { ok, failed }] of child.prior) {
    const own = parent.prior.get(tool) ?? { ok: undefined, failed: undefined, open: new Set() };
    if (ok !== undefined) own.ok ??= seq;
    if (failed) own.failed ??= { seq, message: failed.message };
    parent.prior.set(tool, own);
  }
}

/** The tools that have to be called before a call that is made here, and have not been. */
export function missingBefore(state: State, { after }: ToolSpec): readonly string[] {
  return after?.filter((tool) => !wasCalled(state, tool, state.next)) ?? none;
}

const none: readonly string[] = [];

function wasCalled(state: State, tool: string, before: number): boolean {
  const prior = state.prior.get(tool);
  const own = prior && [prior.ok, prior.failed?.seq, ...prior.open];
  if (own?.some((seq) => seq !== undefined && seq < before)) return true;
  const { fiber } = state;
  return fiber !== undefined && wasCalled(fiber.parent, tool, fiber.entry.seq);
}

/** Whether the machine can call a tool by itself. */
export const needsNothing = (spec: ToolSpec | undefined): boolean =>
  spec !== undefined && (spec.parameters.required ?? []).length === 0 && !spec.requires?.length;

/** Why a call must not start: `open` while that may change. Undefined where it may. */
export function hindrance(
  state: State,
  tool: string,
  seq: number,
): 'open' | EffectError | undefined {
  // In the order of the declaration, so that the reason is the same whichever ended first.
  for (const name of state.tools.get(tool)?.after ?? []) {
    const found = standing(state, name, seq);
    if (found === 'ok') continue;
    return found === 'open' ? found : refusal(tool, name, found);
  }
  return undefined;
}

/** What the calls before a place have come to: a success counts, wherever it stands. */
function standing(state: State, tool: string, before: number): 'ok' | 'open' | string | null {
  const prior = state.prior.get(tool);
  if (prior?.ok !== undefined && prior.ok < before) return 'ok';
  const { fiber } = state;
  const outer = fiber ? standing(fiber.parent, tool, fiber.entry.seq) : null;
  if (outer === 'ok') return 'ok';
  const isOpen = prior && [...prior.open].some((seq) => seq < before && isUnderWay(state, seq));
  if (isOpen || outer === 'open') return 'open';
  return outer ?? (prior?.failed && prior.failed.seq < before ? `: ${prior.failed.message}` : null);
}

/** One that was given up, as a loser of a race, has no end of its own. */
const isUnderWay = ({ entries }: State, seq: number): boolean => {
  const state = entries.get(seq)?.state;
  return state === 'waiting' || state === 'ready' || state === 'open';
};

function refusal(tool: string, needed: string, failure: string | null): EffectError {
  return failure === null
    ? {
        code: faults.prerequisite,
        message: `${tool} comes after ${needed}, which has not been called`,
        hint: `call ${needed} first, with the arguments that it needs`,
      }
    : {
        code: faults.prerequisite,
        message: `${tool} comes after ${needed}, which has failed${failure}`,
      };
}
