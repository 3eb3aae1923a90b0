/**
 * What a call waits for before it may start: calls that its tool declares to come `after`, answers
 * of a person, streams that are still read.
 *
 * What comes `after`: before a call of it starts, each of those tools has to have
 * succeeded, earlier in the program.
 *
 * - Q1 Earlier is a matter of program order, never of time: calls behind it do not count, nor those
 *   in fibers beside it. A fiber goes by those of its parents that stand before it as well.
 * - Q2 Where there is no call before and the tool needs no arguments, the machine calls it itself,
 *   and says so. Whether it does is known when the call is made.
 * - Q3 A call that fails without an end of its program is no success; the reason is told on.
 * - Q4 A tool whose description says that it comes before all others is waited for where a call of
 *   it stands before, and only there: nobody calls it where the program does not.
 */
import type { EffectError, JsonSchema, ToolSpec } from '../../program/effect.ts';
import { fromJson } from '../../program/json.ts';
import {
  type Dict,
  dict,
  dictGet,
  dictSet,
  isDict,
  settled,
  type Value,
} from '../../program/value.ts';
import type { Entry, FibersWork, State } from '../state.ts';
import { faults, type Room } from '../values/fault.ts';
import { releaseFibers, releaseText } from './release.ts';

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
  return after?.filter((tool) => !wasCalled(state, tool, state.next)) ?? noTools;
}

const noTools: readonly string[] = [];

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
  if (state.tools.get(tool)?.kind !== 'tool') return undefined;
  for (const name of state.hub.leading) {
    if (name !== tool && standing(state, name, seq) === 'open') return 'open';
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

// What a call leaves out of what its tool asks a person for (`ToolSpec.requires`): which parameters
// those are, and the question about each. Whoever issues the call issues the questions before it.

/** To be asked before a call can be made. */
export interface Question {
  readonly parameter: string;
  /** The tool that asks, and its arguments. */
  readonly tool: string;
  readonly args: Dict;
}

const noQuestions: readonly Question[] = [];

/**
 * One for each parameter, in the order of the declaration. None where this run has no tool that
 * asks people: the call then fails as a wrong one.
 */
export function questionsFor(
  spec: ToolSpec | undefined,
  args: Value,
  tools: ReadonlyMap<string, ToolSpec>,
): readonly Question[] {
  if (!spec?.requires || !isDict(args)) {
    return noQuestions;
  }
  const missing = spec.requires.filter((name) => isMissing(spec, name, args));
  const tool = missing.length === 0 ? undefined : askerAmong(tools);
  if (tool === undefined) return noQuestions;
  return missing.map((parameter) => ({ parameter, tool, args: questionAbout(spec, parameter) }));
}

function askerAmong(tools: ReadonlyMap<string, ToolSpec>): string | undefined {
  for (const { kind, name } of tools.values()) if (kind === 'person') return name;
  return undefined;
}

/** A null that the schema does not allow is how models write that they do not know. */
function isMissing(spec: ToolSpec, name: string, args: Dict): boolean {
  const given = dictGet(args, name);
  if (given === undefined) return true;
  const { type } = schemaOf(spec, name);
  return settled(given) === null && type !== undefined && ![type].flat().includes('null');
}

const schemaOf = ({ parameters }: ToolSpec, name: string): JsonSchema =>
  parameters.properties?.[name] ?? {};

/** `Temperature needs date: The day, as YYYY-MM-DD.` */
function questionAbout(spec: ToolSpec, name: string): Dict {
  const { description, enum: choices, default: _, ...schema } = schemaOf(spec, name);
  const about = description === undefined ? '' : `: ${description}`;
  const made = dict([['question', `${spec.name} needs ${name}${about}`]]);
  if (choices) dictSet(made, 'choices', fromJson(choices));
  else if (Object.keys(schema).length > 0) dictSet(made, 'schema', fromJson(schema));
  return made;
}

// What stands behind a stream that is still read. Its parts are there before its end is, so emits
// behind it are released while parts still come (W3), and in a window of one there is room for
// what its loop asks for. Writes, answers and what runs in `parallel` wait for the end of the
// stream, and so do emits behind them: where it fails, they are void. See settle.ts for that.

/** Releases emits that only streams keep from retiring. */
export function releaseBehindStreams(state: State): void {
  for (const entry of state.entries.values()) {
    if (isStreaming(entry)) continue;
    const { work } = entry;
    if (entry.state !== 'done') return;
    if (work.kind === 'fibers') {
      if (work.mode === 'parallel' || hasAnswered(work)) return;
      releaseFibers(state, entry, work);
      work.emits.clear();
    } else if (work.kind === 'emit') {
      if (work.channel === 'answer') return;
      state.entries.delete(entry.seq);
      state.instructions += entry.charge;
      releaseText(state, entry, work);
    }
  }
}

const hasAnswered = ({ emits }: FibersWork): boolean =>
  [...emits.values()].some((all) => all.some(({ channel }) => channel === 'answer'));

export const isStreaming = ({ state, work }: Entry): boolean =>
  (state === 'open' || state === 'broken') && work.kind === 'effect' && work.stream !== undefined;

/**
 * Whether a full window has room all the same: for an emit beside streams; behind a broken stream
 * for all that comes, unless something is under way that will make room.
 */
export function hasRoomBehind(state: State, room: Room, taken: number): boolean {
  const { entries, hub, limits } = state;
  const broken = hub.broken.has(state);
  if (room !== 'emit' && !broken) return false;
  const count = { streams: 0, open: 0, waiting: 0 };
  for (const entry of entries.values()) {
    if (isStreaming(entry)) count.streams++;
    else if (entry.state === 'open' || entry.state === 'waiting') count[entry.state]++;
  }
  if (!broken) return taken - count.streams < limits.windowEntries;
  return count.open === 0 || count.open + count.waiting < limits.windowEntries;
}
