/** Names what a state holds by slots and addresses, for whoever debugs a program. */
import type { Site } from '../program/effect.ts';
import { opcodeAt, opcodeNumbers } from '../program/opcodes.ts';
import { type Chunk, unpackPosition } from '../program/program.ts';
import { type Pending, settled, unshared, type Value } from '../program/value.ts';
import { inPathOrder } from './fibers.ts';
import type { FrameView, Inspection, LineView, OpenEntry, Waiting } from './inspection.ts';
import { capturedName } from './instructions.ts';
import type { Place } from './machine.ts';
import { indexOf } from './named-step.ts';
import { shownValue } from './result-struct.ts';
import { type Entry, type Frame, type State, shownStep, stepHere, type Work } from './state.ts';
import { entryOf } from './stream.ts';
import type { MachineStatus } from './turn.ts';
import { pendingsIn } from './values/pendings.ts';
import { bare } from './values/text.ts';

const { CALL, JMP, METHOD, STEP } = opcodeNumbers;

export function inspect(state: State, status: MachineStatus): Inspection {
  const { byPath } = state.hub;
  const pendings = new Map<Pending, OpenEntry>();
  const byEntry = new Map<Entry, OpenEntry>();
  const states = inPathOrder(byPath.values());
  for (const one of states) {
    for (const entry of one.entries.values()) {
      const view = openEntry(one, entry);
      byEntry.set(entry, view);
      if (entry.work.kind !== 'emit') pendings.set(entry.work.result, view);
    }
  }
  const globals = new Map<string, Value>();
  state.program.globals.forEach((name, slot) => {
    const value = state.globals[slot];
    if (value !== undefined) globals.set(name, shownValue(state, value));
  });
  const origins = originsIn(states, pendings);
  const lines = states.map((one) => lineView(one, origins, byEntry));
  return { status, globals, lines, pendings, answers: [...state.answers], error: state.error };
}

/** The entries that values come from: of an operation, that of a value that it waits for. */
function originsIn(
  states: readonly State[],
  pendings: ReadonlyMap<Pending, OpenEntry>,
): ReadonlyMap<Pending, OpenEntry> {
  const origins = new Map(pendings);
  // What an operation waits for stands before it.
  for (const { work } of states.flatMap(({ entries }) => [...entries.values()])) {
    if (work.kind !== 'lift') continue;
    const [awaited] = pendingsIn(work.operands);
    const origin = awaited && origins.get(awaited);
    if (origin) origins.set(work.result, origin);
  }
  return origins;
}

export function place({ frames, program }: State): Place {
  const { chunk = -1, pc = 0 } = frames.at(-1) ?? {};
  const code = program.chunks[chunk];
  const at = behindJumps(code, pc);
  const { line } = unpackPosition(code?.positions[at] ?? 0);
  return { depth: frames.length, chunk, line, isStep: ((code?.code[at] ?? 0) & 255) === STEP };
}

/** The place of an instruction; of a jump, that of where it leads. */
const siteOf = (chunk: Chunk | undefined, pc: number): Site =>
  unpackPosition(chunk?.positions[behindJumps(chunk, pc)] ?? 0);

function behindJumps(chunk: Chunk | undefined, pc: number): number {
  let at = pc;
  for (let hops = 0; hops < hopsMost; hops++) {
    const word = chunk?.code[at] ?? 0;
    if ((word & 255) !== JMP) break;
    at = word >> 8;
  }
  return at;
}

/** A jump may lead to itself. */
const hopsMost = 8;

function lineView(
  state: State,
  origins: ReadonlyMap<Pending, OpenEntry>,
  byEntry: ReadonlyMap<Entry, OpenEntry>,
): LineView {
  const { fiber, generation, issued, spawned, step, label, frames } = state;
  return {
    path: fiber?.path ?? '0',
    generation,
    issued,
    spawned,
    step: stepHere(state),
    stepIndex: (label === '' ? undefined : indexOf(state, label)) ?? step,
    frames: state.ended === 'done' ? [] : frames.map((_, at) => frameView(state, at)),
    waits: waiting(state, origins, byEntry),
    open: [...state.entries.values()].flatMap((entry) => byEntry.get(entry) ?? []),
  };
}

function frameView(state: State, at: number): FrameView {
  const { frames, stack, program } = state;
  const frame = frames[at] as Frame;
  const chunk = program.chunks[frame.chunk] as Chunk;
  const locals = new Map<string, Value>();
  const note = (name: string, value: Value | undefined): void => {
    const found = unshared(value);
    if (found !== undefined) locals.set(name, settled(found));
  };
  chunk.locals.forEach((name, slot) => {
    note(name, stack[frame.base + slot]);
  });
  frame.captured.forEach((cell, index) => {
    note(capturedName(program, frame.chunk, index), cell);
  });
  const first = frame.base + chunk.locals.length;
  const operands = stack.slice(first, frames[at + 1]?.base ?? stack.length);
  return {
    name: bare(chunk.name),
    ...(chunk.file === undefined ? {} : { file: chunk.file }),
    ...siteOf(chunk, frame.pc),
    locals,
    operands: operands.map((value) => settled(value ?? null)),
  };
}

function waiting(
  { blocked, ending, ended, entries }: State,
  origins: ReadonlyMap<Pending, OpenEntry>,
  byEntry: ReadonlyMap<Entry, OpenEntry>,
): Waiting | undefined {
  if (ended !== undefined) return undefined;
  if (blocked === undefined) return ending === undefined ? undefined : { on: 'end' };
  if (blocked.on === 'value') return { on: 'value', entry: origins.get(blocked.pending) };
  if (blocked.on !== 'part') return { on: blocked.on };
  const call = entries.get(entryOf(blocked.stream));
  return { on: 'part', entry: call && byEntry.get(call) };
}

function openEntry(state: State, entry: Entry): OpenEntry {
  const { site, seq, missing, work } = entry;
  const chunk = state.program.chunks[site.trace.at(-2) ?? 0];
  return {
    kind: work.kind,
    path: state.fiber?.path ?? '0',
    seq,
    step: shownStep(state, site),
    state: entry.state,
    ...idOf(work),
    name: nameOf(work),
    missing,
    ...unpackPosition(chunk?.positions[site.trace.at(-1) ?? 0] ?? 0),
  };
}

function idOf(work: Work): Pick<OpenEntry, 'id' | 'args'> {
  if (work.kind === 'effect') {
    const { id, text } = work;
    return { id, ...(text === undefined ? {} : { args: text }) };
  }
  return work.kind === 'fibers' ? { id: `${work.path}.${work.first}` } : {};
}

function nameOf(work: Work): string {
  switch (work.kind) {
    case 'effect':
      return work.tool;
    case 'emit':
      return work.channel;
    case 'fibers':
      return work.mode;
    case 'lift': {
      const isCall = work.op === CALL || work.op === METHOD;
      return isCall ? bare(String(work.operand)) : (opcodeAt(work.op)?.name ?? '').toLowerCase();
    }
  }
}
