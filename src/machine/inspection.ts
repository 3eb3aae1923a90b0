/**
 * The state of a machine as a person who debugs a program sees it: names and places instead of
 * slots and addresses. Values are the machine's own, so nobody may change them.
 */
import type { GuestError, Site } from '../program/effect.ts';
import type { Pending, Value } from '../program/value.ts';
import type { Emit, MachineStatus } from './turn.ts';

export interface Inspection {
  readonly status: MachineStatus;
  /** Global variables that are set. */
  readonly globals: ReadonlyMap<string, Value>;
  /** The main line, then the fibers that are alive in the order of their paths. */
  readonly lines: readonly LineView[];
  /** What each value that has not settled waits for; one that is missing here never settles. */
  readonly pendings: ReadonlyMap<Pending, OpenEntry>;
  /** Answers that were released. */
  readonly answers: readonly Emit[];
  readonly error: GuestError | undefined;
}

/** The main line or a fiber: something that runs code and waits by itself. */
export interface LineView {
  /** Without its generation: `0` is the main line, `0.2` its second fiber. */
  readonly path: string;
  /** Failures it has handled; a part of the ids of what it issues from here on. */
  readonly generation: number;
  /** Effects, and fibers, that it has issued in this generation. */
  readonly issued: number;
  readonly spawned: number;
  /** Step id with visit; empty before the first. */
  readonly step: string;
  /** Index of that step; -1 before the first. */
  readonly stepIndex: number;
  /** Outermost first. None in a fiber that only calls a tool, and after the end. */
  readonly frames: readonly FrameView[];
  readonly waits: Waiting | undefined;
  /** The window, oldest first. */
  readonly open: readonly OpenEntry[];
}

export interface FrameView extends Site {
  /** Of the function, or of the code outside of functions. */
  readonly name: string;
  readonly file?: string;
  /** Parameters and variables that are set, those included that closures share. */
  readonly locals: ReadonlyMap<string, Value>;
  /** The operand stack of this frame, its top last. */
  readonly operands: readonly Value[];
}

/** An effect, lifted operation, emit or group of fibers that has not taken hold. */
export interface OpenEntry extends Site {
  readonly kind: 'effect' | 'lift' | 'emit' | 'fibers';
  /** Path of the line that issued it. */
  readonly path: string;
  /** Place in program order. */
  readonly seq: number;
  /** Step that issued it. */
  readonly step: string;
  /** `waiting` for values, `ready` but held back, `open` in the world, `done`, `failed`. */
  readonly state: 'waiting' | 'ready' | 'open' | 'broken' | 'done' | 'failed';
  /** Effect id; of fibers, the path of the first. */
  readonly id?: string;
  /** Of an effect: canonical text of its arguments, once all of them are there. */
  readonly args?: string;
  /** The tool, the operation, the channel, or the mode of the fibers. */
  readonly name: string;
  /** How many values it waits for. */
  readonly missing: number;
}

/** What a line waits for before its next instruction. */
export type Waiting =
  /** Of a value that is computed: what it is computed of, not the operation. */
  | { readonly on: 'value' | 'part'; readonly entry: OpenEntry | undefined }
  /** Room in the window, all entries before a barrier, operations that still read a value, … */
  | { readonly on: 'room' | 'barrier' | 'held' | 'outer' | 'text' }
  /** It is over as soon as all it has issued has taken hold. */
  | { readonly on: 'end' };
