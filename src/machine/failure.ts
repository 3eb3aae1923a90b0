/** From a place of issue to the error a person reads, and to the handler that takes it. */
import type { EffectError, GuestError, TraceFrame } from '../program/effect.ts';
import { opcodeNumbers } from '../program/opcodes.ts';
import { type Handler, isOfAnother, type Step, unpackPosition } from '../program/program.ts';
import { dict, settled } from '../program/value.ts';
import { methodsOf } from './builtins/builtins.ts';
import {
  type Entry,
  type Fiber,
  type IssueSite,
  pathOf,
  type State,
  shownStep,
  type Work,
} from './state.ts';
import { bareError, faultOf, faults, Wait } from './values/fault.ts';
import { bare } from './values/text.ts';
import { isVoid, voidFault } from './window/call-off.ts';
import { clear, leaveStreams, takeBack, unlock } from './window/give-up.ts';
import { issuerOf } from './window/issue.ts';
import { forgetBehind } from './window/prerequisites.ts';
import { releaseFibers } from './window/release.ts';
import { retire } from './window/window.ts';

const { CALL, METHOD, SPREAD } = opcodeNumbers;

/** Where the machine stands now. The innermost frame's `pc` has been stored. */
export function siteHere(state: State): IssueSite {
  const trace: number[] = [];
  for (const frame of state.frames) trace.push(frame.chunk, frame.pc);
  const { step, label } = state;
  const visit = state.visits[step] ?? 0;
  return label === '' ? { trace, step, visit } : { trace, step, visit, label };
}

/** `builtin` is the library function that failed, if one did. */
export function guestError(
  state: State,
  error: EffectError,
  site: IssueSite,
  builtin?: string,
): GuestError {
  const trace: TraceFrame[] = [];
  for (let i = 0; i < site.trace.length; i += 2) {
    const chunk = state.program.chunks[site.trace[i] ?? 0];
    const place = unpackPosition(chunk?.positions[site.trace[i + 1] ?? 0] ?? 0);
    const { name = '', file } = chunk ?? {};
    trace.push(
      chunk?.role === 'builtin'
        ? builtinFrame(name)
        : { name, ...place, ...(file === undefined ? {} : { file }) },
    );
  }
  const innermost = trace.findLast(({ file }) => file === undefined) ??
    trace.findLast(({ file }) => file !== builtinFile) ?? { line: 0, column: 0 };
  // What a library function in guest code is made of is its own business.
  const isInside = trace.at(-1)?.file === builtinFile;
  const found = {
    ...error,
    line: innermost.line,
    column: innermost.column,
    step: shownStep(state, site),
    trace: builtin === undefined || isInside ? trace : [...trace, builtinFrame(builtin)],
  };
  return isOfAnother(state.program) ? { ...found, ...placeInOther(state, site, trace) } : found;
}

/** An error that nothing in the program has made, placed where this line of it stands now. */
export const errorHere = (state: State, error: EffectError): GuestError =>
  errorAt(state, error, siteHere(state));

/** One about an effect, placed where that was asked for; undefined where it is not open. */
export function errorAbout(
  main: State,
  error: EffectError,
  effect: string,
): GuestError | undefined {
  const issuer = issuerOf(main, effect);
  const entry = issuer?.effects.get(effect);
  return issuer && entry && errorAt(issuer, error, entry.site);
}

function errorAt(state: State, error: EffectError, site: IssueSite): GuestError {
  const own = placedAtStep(state, guestError(state, error, site), site);
  return state.fiber ? withinFiber(callsAround(state.fiber, error), own) : own;
}

/** Where a fiber was begun, and those around it. */
function callsAround({ parent, entry }: Fiber, error: EffectError): GuestError {
  const own = placedAtStep(parent, guestError(parent, error, entry.site), entry.site);
  return parent.fiber ? withinFiber(callsAround(parent.fiber, error), own) : own;
}

/** Of a program that carries out another text: where code stands there, with the calls there. */
function placeInOther(
  { program: { steps, variables } }: State,
  { label = '' }: IssueSite,
  trace: readonly TraceFrame[],
): Partial<GuestError> {
  const own = trace.filter((frame) => frame.file !== builtinFile && frame.line > 0);
  // Its own steps are nobody's business.
  if (!own.some(isOfText)) return label === '' ? { step: '' } : {};
  const step = stepBy(steps, label);
  const entered = step ? [{ ...placeOf(step), name: bareLabel(label) }] : [];
  // Code may call what has entered the step: its line is further in than that code then.
  const depth = 1 + own.findLastIndex((one) => !isOfText(one) && one.name === variables?.call);
  const [outer, inner] = [own.slice(0, depth), own.slice(depth)].map((all) => all.filter(isOfText));
  const around: readonly TraceFrame[] = [...(outer ?? []), ...entered, ...(inner ?? [])];
  const calls = withoutBodies(around);
  const { line = 0, column = 0, file = '' } = calls.at(-1) ?? {};
  const shown = calls.map((frame) => frameFrom(file, frame));
  return { line, column, file, step: label, trace: shown };
}

const isOfText = ({ file }: TraceFrame): boolean => file !== undefined;

/** The expression of a step is the step itself. */
const withoutBodies = (calls: readonly TraceFrame[]): readonly TraceFrame[] =>
  calls.filter(({ name, line }, at) => {
    const before = calls[at - 1];
    return name !== 'lambda' || before?.line !== line || !before.name.includes(':');
  });

const bareLabel = (step: string): string => step.replace(/@\d+$/, '');

/** Frames name their file where that is not the one of the error. */
const frameFrom = (wanted: string, { name, line, column, file }: TraceFrame): TraceFrame =>
  file === undefined || file === wanted ? { name, line, column } : { name, line, column, file };

/** What has steps, `Main`, and is none itself, stands where the first of these does. */
function stepBy(steps: readonly Step[], label: string): Step | undefined {
  const name = bareLabel(label);
  const own = steps.find((one) => one.label === name);
  return own ?? steps.find((one) => name !== '' && one.label.startsWith(`${name}:`));
}

const placeOf = ({
  line = 0,
  column = 0,
  file,
}: Step): Pick<TraceFrame, 'line' | 'column' | 'file'> =>
  file === undefined ? { line, column } : { line, column, file };

/** What traces say for the file of library functions. */
const builtinFile = '<builtin>';

const builtinFrame = (name: string): TraceFrame => ({
  name: bare(name),
  file: builtinFile,
  line: 0,
  column: 0,
});

/** The library function that the running instruction calls; the stack is as it was (M2). */
function builtinHere(state: State): string | undefined {
  const { stack, program, builtins } = state;
  const frame = state.frames.at(-1);
  const word = program.chunks[frame?.chunk ?? 0]?.code[frame?.pc ?? 0] ?? 0;
  const op = word & 255;
  if (op !== CALL && op !== SPREAD && op !== METHOD) return undefined;
  const packed = word >> 8;
  const top = op === SPREAD ? stack.length - 2 : stack.length;
  const at = top - 1 - (packed & 255) - 2 * (packed >> 8);
  const callee = settled(stack[at] ?? null);
  if (op === METHOD) {
    const receiver = settled(stack[at - 1] ?? null);
    return methodsOf(receiver, builtins.methods).has(String(callee)) ? String(callee) : undefined;
  }
  if (callee === null || typeof callee !== 'object') return undefined;
  const isHere = callee.kind === 'builtin' && !state.library.has(callee.name);
  return isHere || callee.kind === 'method' ? callee.name : undefined;
}

/** The oldest entry has failed: its handler takes over, or the program has failed. */
export function failEntry(state: State, entry: Entry): void {
  const error = entry.error ?? {
    code: faults.defect,
    message: 'an effect failed and did not say how',
  };
  takeBack(state, entry.seq);
  forgetBehind(state, entry.seq);
  const { work } = entry;
  const found = guestError(state, error, entry.site, builtinOf(work));
  const isAsking = work.kind === 'effect' || work.kind === 'fibers';
  const outer = isAsking ? placedAtStep(state, found, entry.site) : found;
  const inner = work.kind === 'fibers' ? work.failure?.error : undefined;
  if (work.kind === 'fibers') releaseFibers(state, entry, work);
  finish(state, inner ? withinFiber(outer, inner) : outer, entry.site);
}

/** The library function that has failed later than it was called. */
function builtinOf(work: Work): string | undefined {
  if (work.kind === 'lift') {
    return work.op === CALL || work.op === METHOD ? String(work.operand) : undefined;
  }
  // What it cannot be made of has come behind the call.
  const isBinding = work.kind === 'effect' && work.rounds && work.text === undefined;
  return isBinding ? 'llm_bind' : undefined;
}

/** Where no code of another text stands, the place is the line of it that is being done. */
function placedAtStep({ program }: State, error: GuestError, site: IssueSite): GuestError {
  if (error.file !== undefined || !site.label) return error;
  const step = stepBy(program.steps, site.label);
  return step?.file === undefined ? error : { ...error, ...placeOf(step), trace: [] };
}

/** A fiber has failed: the way to it is that of its parent, then its own. */
function withinFiber(outer: GuestError, inner: GuestError): GuestError {
  const { line, column, file, step } = inner;
  if (file !== undefined) {
    return { ...outer, line, column, file, step, trace: wayTo(inner, outer, file) };
  }
  if (outer.file !== undefined || inner.trace.length === 0) return outer;
  return { ...outer, line, column, trace: [...outer.trace, ...inner.trace] };
}

/** Both may have the line that is being done, which stands there once. */
function wayTo(inner: GuestError, outer: GuestError, wanted: string): readonly TraceFrame[] {
  const { file, line, column, step } = outer;
  if (file === undefined) return inner.trace;
  const calls = outer.trace.length > 0 ? outer.trace : [{ name: bareLabel(step), line, column }];
  const around = calls.map((frame) => frameFrom(wanted, { file, ...frame }));
  const isThere = around.some(({ name }) => name === inner.trace[0]?.name);
  return withoutBodies([...around, ...inner.trace.slice(isThere ? 1 : 0)]);
}

/**
 * Gives control to the innermost handler whose region the failing place lies in, or ends the
 * program. Everything still open was issued later, so it is void either way.
 */
export function finish(state: State, error: GuestError, site: IssueSite): void {
  clear(state);
  state.ending = undefined;
  state.blocked = undefined;
  // The line may have run ahead of what has failed.
  state.label = site.label ?? '';
  const innermost = error.final ? -1 : state.frames.length - 1;
  for (let depth = innermost; depth >= 0; depth--) {
    const handler = handlerAt(state, depth, site);
    if (!handler) continue;
    const frame = state.frames[depth];
    if (!frame) continue;
    state.frames.length = depth + 1;
    const locals = state.program.chunks[frame.chunk]?.locals.length ?? 0;
    unlock(state.stack, frame.base + locals + handler.depth);
    state.stack.push(
      dict([
        ['code', error.code],
        ['message', error.message],
      ]),
    );
    frame.pc = handler.target;
    state.generation++;
    state.epoch = pathOf(state);
    state.issued = 0;
    state.spawned = 0;
    return;
  }
  state.ended = 'failed';
  state.error = error;
}

function handlerAt(state: State, depth: number, site: IssueSite): Handler | undefined {
  const frame = state.frames[depth];
  if (!frame || site.trace[2 * depth] !== frame.chunk) return undefined;
  const failedAt = site.trace[2 * depth + 1] ?? -1;
  const covers = (handler: Handler, pc: number): boolean => pc >= handler.start && pc < handler.end;
  return state.program.chunks[frame.chunk]?.handlers.find(
    (handler) => covers(handler, failedAt) && covers(handler, frame.pc),
  );
}

const waitsForVoid = (state: State, { blocked }: Wait): boolean =>
  blocked.on === 'value' && isVoid(state, blocked.pending);

/** Limits are met by the step that is being done, not by what carries it out. */
const ofSteps: ReadonlySet<string> = new Set([faults.valueSize, faults.stepVisits, faults.nesting]);

/** An instruction threw: wait, or begin to end in an error. */
export function interrupted(state: State, thrown: unknown): void {
  if (thrown instanceof Wait && !waitsForVoid(state, thrown)) {
    state.blocked = thrown.blocked;
    return;
  }
  const fault = thrown instanceof Wait ? voidFault() : faultOf(thrown);
  if (!fault) throw thrown;
  const error = bareError(fault);
  const builtin = thrown instanceof Wait ? undefined : builtinHere(state);
  const here = siteHere(state);
  const found = guestError(state, error, here, builtin);
  const isOfStep = ofSteps.has(error.code);
  const about = fault.step === undefined ? undefined : stepBy(state.program.steps, fault.step);
  if (about)
    state.ending = { error: { ...found, ...placeOf(about), step: about.label, trace: [] } };
  else state.ending = { error: isOfStep ? placedAtStep(state, found, here) : found };
  leaveStreams(state);
  retire(state);
}
