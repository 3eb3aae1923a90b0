/** A program while its assembly is being read: names are still tokens, diagnostics pile up. */

import { type Diagnostic, nearest } from '../../../src/program/diagnostic.ts';
import type { Opcode } from '../../../src/program/opcodes.ts';
import type { Chunk, Step } from '../../../src/program/program.ts';
import type { TextVariables } from '../../../src/program/text-variables.ts';
import type { Value } from '../../../src/program/value.ts';
import type { Token } from './assembly-text.ts';

export interface Draft {
  readonly diagnostics: Diagnostic[];
  dialect: string;
  open: boolean;
  /** Slots by name, in order. */
  readonly globals: Map<string, number>;
  readonly steps: Step[];
  variables: TextVariables | undefined;
  readonly chunks: ChunkDraft[];
}

export interface ChunkDraft {
  /** The directive that begins it. */
  readonly token: Token;
  readonly name: string;
  readonly role: Chunk['role'];
  readonly parameters: {
    positional: number;
    named: number;
    defaults: number;
    rest?: true;
    keywords?: true;
  };
  readonly locals: string[];
  /** Constants that a directive gave a slot. */
  readonly constants: Map<number, Value>;
  readonly labels: Map<string, number>;
  readonly lines: Line[];
  readonly cells: Token[];
  readonly captures: (readonly Token[])[];
  readonly handlers: (readonly Token[])[];
}

/** An instruction. */
export interface Line {
  readonly row: Opcode;
  /** The word that names the opcode. */
  readonly token: Token;
  readonly operands: readonly Token[];
  /** Packed. */
  readonly position: number;
}

/** More than this and the text is no assembly; the rest would not help. */
export const diagnosticsMax = 100;

export function report(
  draft: Draft,
  { line, column }: Token,
  code: string,
  message: string,
  hint?: string,
): void {
  if (draft.diagnostics.length >= diagnosticsMax) return;
  const place = { severity: 'error', line, column } as const;
  const short = message.length > 300 ? `${message.slice(0, 300)}…` : message;
  draft.diagnostics.push({
    ...place,
    code,
    message: short,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Reports a name that stands for nothing, with the name that was probably meant. */
export function reportUnknown(
  draft: Draft,
  token: Token,
  what: string,
  names: Iterable<string>,
  code = 'PV1904',
): void {
  const meant = nearest(token.text, names);
  const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
  report(draft, token, code, `there is no ${what} ${token.text}`, hint);
}
