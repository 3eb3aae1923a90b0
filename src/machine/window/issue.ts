/**
 * What takes an entry in the window: effects, races, lifted operations, emits. Each waits while the
 * window is full; what it is given is fixed here, so that later changes cannot leak in.
 */
import { type EffectClass, type Request, raceTool, type ToolSpec } from '../../program/effect.ts';
import { decode, encode } from '../../program/json.ts';
import { unpackPosition } from '../../program/program.ts';
import { refNode } from '../../program/task.ts';
import {
  dict,
  dictEntries,
  dictGet,
  dictSet,
  isDict,
  isPending,
  list,
  type Pending,
  settled,
  type Value,
} from '../../program/value.ts';
import { copied } from '../memory.ts';
import { tellMended } from '../result-struct.ts';
import {
  type EffectWork,
  type EmitWork,
  type Entry,
  type IssueOptions,
  type IssueSite,
  pathOf,
  type Race,
  type Rounds,
  type State,
  shownStep,
} from '../state.ts';
import { Fault, faults } from '../values/fault.ts';
import { copyAround, isMutable, pendingsIn, writeDown } from '../values/pendings.ts';
import { certain, single } from '../values/uncertain.ts';
import { elementId } from './fan.ts';
import { missingBefore, needsNothing, noteCall, questionsFor } from './prerequisites.ts';
import { propose } from './race.ts';
import { argumentsThere, enter, needRoom, ready, retire, wake } from './window.ts';

/**
 * Requests an effect and gives its pending result. Waits while the window is full. With `tries` the
 * result says how it went, so that a failed outcome is no failure of the program.
 */
export function issueEffect(
  state: State,
  tool: string,
  args: Value,
  site: IssueSite,
  { tries = false, stream, roomless = false, bound = false, barrier = false }: IssueOptions = {},
): Pending {
  const spec = callable(state, tool);
  if (!roomless) needRoom(state, 'call');
  const open = pendingsIn([args]);
  const text = open.size === 0 ? certain(writeDown(single(tool, args), state.around)) : undefined;
  const copy = text === undefined ? copied(state, copyAround(args)) : undefined;
  const result: Pending = { kind: 'pending', entry: state.next, value: undefined };
  const work: EffectWork = {
    kind: 'effect',
    id: nextId(state),
    tool,
    class: classOf(spec),
    args: copy,
    arrived: undefined,
    text,
    tries,
    bound,
    rounds: barrier ? roundsOf(state, site, state.next) : undefined,
    stream,
    race: undefined,
    task: undefined,
    result,
  };
  const entry = takePlace(state, spec, work, open, site);
  if (open.size === 0) ready(state, entry, work.class);
  return result;
}

/** The declaration of a tool that may be called here. */
function callable(state: State, tool: string): ToolSpec {
  const spec = state.tools.get(tool);
  if (!spec) throw new Fault(faults.unknownTool, `this run has no tool ${tool}`);
  if (spec.effect === 'write') refuseInParallel(state, tool);
  return spec;
}

/** What it counts as in the window. */
const classOf = ({ effect, ordered, blind }: ToolSpec): EffectClass => {
  if (ordered) return 'write';
  return blind ? 'pure' : effect;
};

const nextId = (state: State): string => `${pathOf(state)}#${++state.issued}`;

/** A call stands where it was made, for whatever comes behind it. */
function takePlace(
  state: State,
  spec: ToolSpec,
  work: EffectWork,
  open: ReadonlySet<Pending>,
  site: IssueSite,
): Entry {
  const entry = enter(state, work, open, site);
  state.effects.set(work.id, entry);
  noteCall(state, work.tool, entry);
  // Behind a pause, or the answer of a person, what was read may be otherwise, too.
  if (spec.effect === 'write' || spec.ordered) state.epoch = work.id;
  if (work.class === 'write') state.writes.push(entry.seq);
  return entry;
}

/**
 * Asks which of some candidates comes first; see race.ts. It takes no room: a state waits for one
 * at a time. Only the journal decides, so it goes out like an effect.
 */
export function issueRace(state: State, race: Race, text: string, site: IssueSite): Pending {
  const result: Pending = { kind: 'pending', entry: state.next, value: undefined };
  const work: EffectWork = {
    kind: 'effect',
    id: nextId(state),
    tool: raceTool,
    class: 'pure',
    args: undefined,
    arrived: undefined,
    text,
    tries: false,
    bound: false,
    rounds: undefined,
    stream: undefined,
    race,
    task: undefined,
    result,
  };
  const entry = enter(state, work, new Set(), site);
  state.effects.set(work.id, entry);
  for (const pending of race.candidates) {
    if (isPending(pending)) state.entries.get(pending.entry)?.dependents.push(entry.seq);
  }
  ready(state, entry, work.class);
  propose(state, entry);
  return result;
}

/**
 * Calls what has to come before a call and was not called (Q2); the caller has looked for room.
 * True where there was any: they take no room of their own, a window of one has room for a call
 * and for what it waits for. `chain` are the calls that this one is for.
 */
export function callBefore(
  state: State,
  spec: ToolSpec,
  site: IssueSite,
  chain: readonly string[] = [],
): boolean {
  let any = false;
  for (const name of missingBefore(state, spec)) {
    const needed = state.tools.get(name);
    if (!needed || !needsNothing(needed) || chain.includes(name)) continue;
    callBefore(state, needed, site, [...chain, spec.name]);
    issueEffect(state, name, dict(), site, { tries: true, roomless: true });
    state.around.warn?.(`${spec.name} comes after ${name}, which was called first`);
    any = true;
  }
  if (any) tellMended(state);
  return any;
}

/** What `task` is given beside the tool. */
export interface TaskCall {
  readonly step: string;
  readonly needs: readonly string[];
  readonly handled: boolean;
  readonly plain: boolean;
  readonly again: boolean;
  readonly starred: boolean;
  readonly results: readonly Value[];
}

/**
 * Requests an effect whose arguments name results, once they are there; gives how it went. Its
 * charges are the entry's to pay, so that they never depend on what was there at the call.
 */
export function issueTask(
  state: State,
  tool: string,
  given: Value,
  whole: TaskCall,
  site: IssueSite,
): Pending {
  const spec = callable(state, tool);
  needRoom(state, 'call');
  callBefore(state, spec, site);
  const asked = spec.requires ? withAnswers(state, spec, given, whole, site) : undefined;
  const { args, call } = asked ?? { args: given, call: whole };
  const { step, needs, handled, plain, again, starred, results } = call;
  const open = results.length === 0 ? pendingsIn([args]) : openAmong(args, results);
  const result: Pending = { kind: 'pending', entry: state.next, value: undefined };
  const work: EffectWork = {
    kind: 'effect',
    id: nextId(state),
    tool,
    class: classOf(spec),
    args: open.size === 0 ? args : ownCopy(state, args),
    arrived: undefined,
    text: undefined,
    tries: true,
    bound: false,
    rounds: undefined,
    stream: undefined,
    race: undefined,
    task: {
      step,
      needs,
      handled,
      plain,
      starred,
      once: again ? undefined : onceOf(state, spec),
      results: open.size === 0 ? results : results.map(kept),
      fan: undefined,
    },
    result,
  };
  const entry = takePlace(state, spec, work, open, site);
  if (open.size === 0) argumentsThere(state, entry, work);
  return result;
}

/** Asks a person for what the arguments leave out: the answers are results that they name. */
function withAnswers(
  state: State,
  spec: ToolSpec,
  args: Value,
  call: TaskCall,
  site: IssueSite,
): { readonly args: Value; readonly call: TaskCall } | undefined {
  const questions = questionsFor(spec, args, state.tools);
  if (questions.length === 0 || !isDict(args)) return undefined;
  const { results } = call;
  const whole = dict(dictEntries(args));
  const answers = questions.map(({ parameter, tool, args: question }, index) => {
    dictSet(whole, parameter, refNode(results.length + index));
    return issueEffect(state, tool, question, site, { tries: true, roomless: true });
  });
  return { args: whole, call: { ...call, results: [...results, ...answers] } };
}

/** What a task asks for is asked for once, where asking again would give the same. */
function onceOf(state: State, spec: ToolSpec): string | undefined {
  const isSame = spec.effect !== 'write' && !spec.ordered && spec.idempotent;
  if (!isSame || spec.kind === 'clock') return undefined;
  return spec.effect === 'pure' ? '' : state.epoch;
}

/** The pending values among arguments and results; what tasks gave has none inside. */
function openAmong(args: Value, results: readonly Value[]): ReadonlySet<Pending> {
  const open = new Set<Pending>();
  for (const pending of pendingsIn([args])) open.add(pending);
  for (const result of results) {
    const seen = settled(result);
    if (isPending(seen)) open.add(seen);
    else if (isMutable(seen)) for (const pending of pendingsIn([seen])) open.add(pending);
  }
  return open;
}

/** Arguments are few and flat as a rule, and each task has some. */
const partsMax = 32;

function ownCopy(state: State, args: Value): Value {
  const budget = { left: partsMax };
  const small = smallCopy(args, budget);
  return small === undefined ? copied(state, copyAround(args)) : small;
}

/** A copy of few parts; undefined where there are more. Tuples are shared: they never change. */
function smallCopy(value: Value, budget: { left: number }): Value | undefined {
  if (budget.left-- <= 0) return undefined;
  if (value === null || typeof value !== 'object') return value;
  switch (value.kind) {
    case 'list': {
      const made = list([]);
      for (const item of value.items) {
        const copy = smallCopy(item, budget);
        if (copy === undefined) return undefined;
        made.items.push(copy);
      }
      return made;
    }
    case 'dict': {
      const made = dict();
      for (const slot of value.slots) {
        const copy = slot && smallCopy(slot[1], budget);
        if (slot && copy === undefined) return undefined;
        if (slot) dictSet(made, slot[0], copy as Value);
      }
      return made;
    }
    default:
      return isMutable(value) ? undefined : value;
  }
}

/** A result as it is now; what tasks gave never changes (T2). */
function kept(value: Value): Value {
  const seen = settled(value);
  return isMutable(seen) ? copyAround(seen) : seen;
}

/** Defers a pure operation until its pending operands are there; gives its pending result. */
export function issueLift(
  state: State,
  op: number,
  operand: Value,
  operands: readonly Value[],
  open: ReadonlySet<Pending>,
  site: IssueSite,
): Pending {
  needRoom(state, 'lift');
  const result: Pending = { kind: 'pending', entry: state.next, value: undefined };
  enter(state, { kind: 'lift', op, operand, operands, held: 0, result }, open, site);
  state.lifts++;
  return result;
}

/** Queues a value for release in program order. */
export function issueEmit(state: State, channel: string, value: Value, site: IssueSite): void {
  needRoom(state, 'emit');
  const open = pendingsIn([value]);
  const text = open.size === 0 ? writeDown(value, state.around) : undefined;
  const args = text === undefined ? copied(state, copyAround(value)) : undefined;
  const work: EmitWork = { kind: 'emit', channel, args, arrived: undefined, text };
  const entry = enter(state, work, open, site);
  if (open.size === 0) entry.state = 'done';
  retire(state);
}

// The requests of effects, and whose they are.

/** The state that has issued an effect; undefined where it is gone. */
export function issuerOf(main: State, id: string): State | undefined {
  const { hub } = main;
  if (hub.byPath.size === 1) return main;
  const path = id.slice(0, id.indexOf('#'));
  const generation = path.lastIndexOf('~');
  // One behind the last dot is the fiber's own, and no part of the path that it goes by.
  const isOwn = generation > path.lastIndexOf('.');
  return hub.byPath.get(isOwn ? path.slice(0, generation) : path);
}

/** The request of an entry that is open; of a task with several calls, that of one of them. */
export function requestOf(state: State, entry: Entry, work: EffectWork, element?: number): Request {
  const site = state.fiber ? siteOutside(state, entry.site) : entry.site;
  const { trace } = site;
  const chunk = state.program.chunks[trace.at(-2) ?? 0];
  const { task, stream, race, rounds } = work;
  const made: { -readonly [Key in keyof Request]: Request[Key] } = {
    id: element === undefined ? work.id : elementId(work, element),
    tool: work.tool,
    args: (element === undefined ? work.text : task?.fan?.texts[element]) ?? '{}',
    step: task?.step || shownStep(state, site),
    site: unpackPosition(chunk?.positions[trace.at(-1) ?? 0] ?? 0),
  };
  if (stream) made.stream = true;
  if (rounds && rounds.left > 0) made.barrier = true;
  if (task?.once !== undefined) made.once = task.once;
  if (race) made.race = { timeoutMs: race.timeoutMs };
  const isHandled = task?.handled ?? work.tries;
  if (isHandled || (state.fiber && isAttempt(state))) made.handled = true;
  return made;
}

/** A fiber that calls a tool and nothing else has no frame: the place is that of its parent. */
function siteOutside({ fiber }: State, site: IssueSite): IssueSite {
  return site.trace.length > 0 || !fiber ? site : siteOutside(fiber.parent, fiber.entry.site);
}

const isAttempt = ({ fiber }: State): boolean =>
  fiber !== undefined && (fiber.work.mode === 'attempt' || isAttempt(fiber.parent));

// Tools that write, and functions that run in parallel: their order would be that of time.

/** PV3021 in a fiber whose neighbours run at the same time, and in what runs inside of one. */
export function refuseInParallel({ fiber }: State, tool: string): void {
  if (!fiber) return;
  if (fiber.work.mode === 'attempt') refuseInParallel(fiber.parent, tool);
  else {
    throw new Fault(
      faults.parallelWrite,
      `${tool} writes, and what runs in parallel must not write`,
      'let the function return what is to be written, and write in a loop over the results',
    );
  }
}

// A call that looks further once more of the program is there: the wider scopes of binding. Its
// first request goes out as any read does. Where the outcome is `{"barrier": …}`, the call is not
// over: the same request is made again, with that as one more argument.
//
// - Round 2, `0#7.1`, starts when all that stands before the *group* has succeeded: the oldest call
//   of the same place in the program that was still open when this one was issued. So the elements
//   of a loop look further side by side, and none waits for what another one of them comes to.
// - Round 3, `0#7.1.1`, starts when all that stands before the call itself has succeeded (W1): who
//   asks a person asks in the order of the program, and for what is reached.
//
// Until a round starts the call is nobody's: it holds no slot of the engine, so that what it waits
// for always has one.

/** The rounds of a call that is issued now as the entry `seq`. */
function roundsOf(state: State, { trace }: IssueSite, seq: number): Rounds {
  for (const { work, site } of state.entries.values()) {
    if (work.kind !== 'effect' || !work.rounds) continue;
    const isSamePlace =
      site.trace.length === trace.length && site.trace.every((at, i) => at === trace[i]);
    if (isSamePlace) return { left: roundsMore, group: work.rounds.group, after: seq };
  }
  return { left: roundsMore, group: seq, after: seq };
}

const roundsMore = 2;

/** Takes an outcome of an effect that is to be asked again; false for any other outcome. */
export function askAgain(state: State, entry: Entry, work: EffectWork, outcome: string): boolean {
  const { rounds } = work;
  const found = decode(outcome);
  const args = decode(work.text ?? '{}');
  if (!rounds || rounds.left === 0 || !isDict(found) || !isDict(args)) return false;
  const soFar = dictGet(found, 'barrier');
  if (soFar === undefined) return false;
  dictSet(args, 'barrier', soFar);
  const left = rounds.left - 1;
  const again: EffectWork = {
    ...work,
    id: `${work.id}.1`,
    class: 'write',
    rounds: { ...rounds, left, after: left === 0 ? entry.seq : rounds.group },
    text: encode(args),
  };
  const next: Entry = { ...entry, work: again };
  state.entries.set(entry.seq, next);
  state.effects.set(again.id, next);
  ready(state, next, again.class);
  wake(state);
  return true;
}
