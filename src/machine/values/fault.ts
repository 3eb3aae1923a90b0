/**
 * What instructions throw: errors of the guest program, of the host that gives the machine what it
 * cannot run, and what has to wait.
 */
import type { EffectError } from '../../program/effect.ts';
import type { HostObject, Pending } from '../../program/value.ts';

/** Longest message and hint, in characters: what a program puts into them may have any size. */
const messageMax = 10_000;

/** An error of the guest program on its way from an instruction to the run loop. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;
  readonly hint: string | undefined;
  /** The step that it is about, where that is another than the one that found it. */
  readonly step: string | undefined;

  constructor(code: string, message: string, hint?: string, step?: string) {
    super(inBounds(message));
    this.code = code;
    this.hint = hint === undefined ? undefined : inBounds(hint);
    this.step = step;
  }
}

function inBounds(text: string): string {
  const left = text.length - messageMax;
  return left > 0 ? `${text.slice(0, messageMax)}… and ${left} characters more` : text;
}

/**
 * What an instruction threw as an error of the program, if it is one. The host's own bounds (the
 * length of a text, the size of a table, its stack) lie beyond the limits, unless those are raised.
 */
export function faultOf(thrown: unknown): Fault | undefined {
  if (thrown instanceof Fault) return thrown;
  if (!(thrown instanceof RangeError)) return undefined;
  const message = `a value is larger than this machine can hold: ${thrown.message}`;
  return new Fault(faults.valueSize, message, 'make it in smaller parts');
}

/** What an error is by itself, without its place and its stack. */
export const bareError = ({ code, message, hint, final }: Bare): EffectError => ({
  ...{ code, message },
  ...(hint !== undefined && { hint }),
  ...(final && { final }),
});

interface Bare extends Omit<EffectError, 'hint' | 'final'> {
  readonly hint?: string | undefined;
  readonly final?: boolean | undefined;
}

/** The machine was given what it cannot run: a fault of the host, not of the guest program. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

// The codes of the errors a running guest program can end with, and those of wrong use of the
// machine. What they mean stands in `codes.ts`, which a running machine does not need.

const table = {
  defect: 'PV3000',
  undefinedVariable: 'PV3001',
  operandTypes: 'PV3002',
  divisionByZero: 'PV3003',
  indexRange: 'PV3004',
  noKey: 'PV3005',
  notCallable: 'PV3006',
  callArguments: 'PV3007',
  notIterable: 'PV3008',
  unpackCount: 'PV3009',
  locked: 'PV3010',
  unhashable: 'PV3011',
  valueSize: 'PV3012',
  callDepth: 'PV3013',
  stepVisits: 'PV3014',
  notData: 'PV3015',
  unknownTool: 'PV3016',
  nesting: 'PV3017',
  voidValue: 'PV3018',
  recursion: 'PV3019',
  load: 'PV3020',
  parallelWrite: 'PV3021',
  bindHelper: 'PV3040',
  bindList: 'PV3041',
  uncertain: 'PV3042',
  bindResult: 'PV3043',
  taskTool: 'PV3701',
  taskSkipped: 'PV3702',
  taskNode: 'PV3703',
  taskNumber: 'PV3704',
  taskElements: 'PV3705',
  taskReplan: 'PV3706',
  prerequisite: 'PV3707',
  damagedProgram: 'PV3090',
  damagedSnapshot: 'PV3091',
  otherProgram: 'PV3092',
};

export const faults: Readonly<Record<keyof typeof table, string>> = table;

// Waiting: what an instruction throws that needs what is not there yet.

/** What an entry is taken for, as far as the room of a window depends on it. */
export type Room = 'call' | 'emit' | 'lift';

/** What keeps the machine from going on. */
export type Blocked =
  | { readonly on: 'value'; readonly pending: Pending }
  | { readonly on: 'room'; readonly room: Room }
  | { readonly on: 'barrier' }
  | { readonly on: 'held' }
  | { readonly on: 'part'; readonly stream: HostObject; readonly index: number }
  | { readonly on: 'outer'; readonly target: object }
  | { readonly on: 'text' };

/** Thrown by an instruction that has to wait; nothing has moved (M2). */
export class Wait {
  readonly blocked: Blocked;
  constructor(blocked: Blocked) {
    this.blocked = blocked;
  }
}
