/** Errors of the guest program, and of the host that gives the machine what it cannot run. */
import type { EffectError } from '../../program/effect.ts';
import { faults } from './code-names.ts';

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
