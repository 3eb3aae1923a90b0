/** Names in assembly become numbers: slots, addresses, indexes. */

import { seal } from '../../../src/program/builder.ts';
import { encode } from '../../../src/program/json.ts';
import {
  instruction,
  namedMax,
  operandMax,
  packArguments,
  positionalMax,
} from '../../../src/program/opcodes.ts';
import type { Capture, Chunk, Handler } from '../../../src/program/program.ts';
import type { Value } from '../../../src/program/value.ts';
import { type ChunkDraft, type Draft, type Line, report, reportUnknown } from './assembly-draft.ts';
import { constantIn, nameIn, type Token } from './assembly-text.ts';

/** The chunk that a draft describes; what is wrong with it is reported. */
export function chunkOf(draft: Draft, chunk: ChunkDraft): Chunk {
  const pool = new ConstantPool(chunk.constants);
  const code = chunk.lines.map((line) => {
    const operand = operandOf(draft, chunk, pool, line);
    return instruction(line.row.code, operand);
  });
  const gap = pool.gap();
  if (gap !== undefined) {
    report(draft, chunk.token, 'PV1904', `${chunk.name}: nothing declares the constant #${gap}`);
  }
  return seal({
    name: chunk.name,
    role: chunk.role,
    code,
    constants: pool.values(),
    positions: chunk.lines.map((line) => line.position),
    locals: chunk.locals,
    parameters: chunk.parameters,
    cells: chunk.cells.map((token) => localSlot(draft, chunk, token)),
    captures: chunk.captures.map((operands) => captureOf(draft, chunk, operands)),
    handlers: chunk.handlers.map((operands) => handlerOf(draft, chunk, operands)),
  });
}

/** Constants in use get the lowest slots that no directive has taken, in order of first use. */
class ConstantPool {
  readonly #values: Map<number, Value>;
  readonly #inline = new Map<string, number>();
  #next = 0;

  constructor(declared: ReadonlyMap<number, Value>) {
    this.#values = new Map(declared);
  }

  has(slot: number): boolean {
    return this.#values.has(slot);
  }

  slot(value: Value): number {
    const text = encode(value);
    const known = this.#inline.get(text);
    if (known !== undefined) return known;
    while (this.#values.has(this.#next)) this.#next++;
    this.#values.set(this.#next, value);
    this.#inline.set(text, this.#next);
    return this.#next;
  }

  /** The first slot that nothing filled although a higher one is in use. */
  gap(): number | undefined {
    for (let slot = 0; slot < this.#values.size; slot++) if (!this.#values.has(slot)) return slot;
    return undefined;
  }

  /** In order of slots. */
  values(): Value[] {
    return Array.from(this.#values.keys(), (_, slot) => this.#values.get(slot) ?? null);
  }
}

function operandOf(draft: Draft, chunk: ChunkDraft, pool: ConstantPool, line: Line): number {
  const { row, token, operands } = line;
  const [first, ...more] = operands;
  const extra = row.operand === 'none' ? first : row.operand === 'arguments' ? undefined : more[0];
  if (extra) report(draft, extra, 'PV1903', `${row.name}: got ${extra.text}, want the line to end`);
  if (!first) {
    if (row.operand === 'none') return 0;
    report(draft, token, 'PV1903', `${row.name}: got nothing, want ${wanted[row.operand]}`);
    return 0;
  }
  switch (row.operand) {
    case 'none':
      return 0;
    case 'constant':
    case 'name':
      return constantSlot(draft, pool, first);
    case 'local':
    case 'cell':
      return localSlot(draft, chunk, first);
    case 'captured':
      return slotOf(draft, first, 'captured variable', () => chunk.captures.map(capturedName));
    case 'global':
      return globalSlot(draft, first);
    case 'address':
      return addressOf(draft, chunk, first);
    case 'count':
    case 'below':
      return numberIn(draft, first, wanted[row.operand]) ?? 0;
    case 'step':
      return slotOf(draft, first, 'step', () => draft.steps.map((step) => step.label));
    case 'chunk':
      return slotOf(draft, first, 'function', () => draft.chunks.map((other) => other.name));
    case 'arguments':
      return argumentsOf(draft, operands);
  }
}

const wanted = {
  constant: 'a constant',
  name: 'a name',
  local: 'a local variable',
  cell: 'a local variable',
  captured: 'a captured variable',
  global: 'a global variable',
  address: 'a label',
  count: 'a count',
  below: 'a number of places',
  step: 'a step',
  chunk: 'a function',
  arguments: 'a count of arguments',
};

function constantSlot(draft: Draft, pool: ConstantPool, token: Token): number {
  const slot = /^#(\d+)$/.exec(token.text)?.[1];
  if (slot !== undefined) {
    if (pool.has(Number(slot))) return Number(slot);
    report(draft, token, 'PV1904', `there is no constant ${token.text}`, 'declare it: .constant');
    return 0;
  }
  const value = readConstant(draft, token);
  return value === undefined ? 0 : pool.slot(value);
}

/** The constant that a token writes; undefined, and reported, where it writes none. */
export function readConstant(draft: Draft, token: Token): Value | undefined {
  try {
    return constantIn(token);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = `got ${token.text}, want a constant: ${error.message}`;
    const hint = 'write text as "text", a tool as tool:name, a library function as builtin:name';
    report(draft, token, 'PV1906', message, hint);
    return undefined;
  }
}

const localSlot = (draft: Draft, chunk: ChunkDraft, token: Token): number =>
  slotOf(draft, token, 'local variable', () => chunk.locals);

/** A number as it is, or the place of a name among the names. */
function slotOf(draft: Draft, token: Token, what: string, all: () => readonly string[]): number {
  if (/^\d+$/.test(token.text)) return numberIn(draft, token, `a ${what}`) ?? 0;
  const name = nameIn(token) ?? '';
  const names = all();
  const slot = names.indexOf(name);
  if (slot < 0) reportUnknown(draft, token, what, names);
  else if (names.includes(name, slot + 1)) {
    report(draft, token, 'PV1905', `two ${what}s are called ${name}`, `write its number: ${slot}`);
  }
  return Math.max(slot, 0);
}

/** A global needs no declaration: its first use is one. */
function globalSlot(draft: Draft, token: Token): number {
  if (/^\d+$/.test(token.text)) return numberIn(draft, token, wanted.global) ?? 0;
  const name = nameIn(token);
  if (name === undefined) {
    report(draft, token, 'PV1903', `got ${token.text}, want ${wanted.global}`);
    return 0;
  }
  const known = draft.globals.get(name);
  if (known === undefined) draft.globals.set(name, draft.globals.size);
  return known ?? draft.globals.size - 1;
}

function addressOf(draft: Draft, chunk: ChunkDraft, token: Token | undefined): number {
  if (!token) return 0;
  if (/^\d+$/.test(token.text)) return numberIn(draft, token, wanted.address) ?? 0;
  const at = chunk.labels.get(token.text);
  if (at === undefined) reportUnknown(draft, token, 'label', chunk.labels.keys());
  return at ?? 0;
}

function argumentsOf(draft: Draft, [first, word, second, ...more]: readonly Token[]): number {
  if (!first) return 0;
  const positional = numberIn(draft, first, wanted.arguments, positionalMax);
  if (word && (word.text !== 'named' || !second || more.length > 0)) {
    report(draft, word, 'PV1903', `got ${word.text}, want \`named\` and a count, or nothing`);
    return 0;
  }
  const named = second ? numberIn(draft, second, wanted.arguments, namedMax) : 0;
  return packArguments(positional ?? 0, named ?? 0);
}

/** A whole number from 0 to `most`; undefined, and reported, where the token is none. */
export function numberIn(
  draft: Draft,
  token: Token | undefined,
  want: string,
  most: number = operandMax,
): number | undefined {
  if (token && /^\d+$/.test(token.text) && Number(token.text) <= most) return Number(token.text);
  if (token) {
    report(draft, token, 'PV1903', `got ${token.text}, want ${want}, a number from 0 to ${most}`);
  }
  return undefined;
}

const capturedName = (operands: readonly Token[]): string =>
  operands.length === 1 ? (nameIn(operands[0] as Token) ?? '') : '';

/** `local 2`, `captured 0`, or the name of either in the chunk that makes the function. */
function captureOf(draft: Draft, chunk: ChunkDraft, operands: readonly Token[]): Capture {
  const [first, second] = operands;
  const nothing: Capture = { from: 'local', index: 0 };
  if (!first) return nothing;
  if (second) {
    const index = numberIn(draft, second, 'a slot') ?? 0;
    if (first.text === 'local' || first.text === 'captured') return { from: first.text, index };
    report(draft, first, 'PV1903', `got ${first.text}, want local, captured, or a name alone`);
    return nothing;
  }
  const maker = draft.chunks.find((other) => other.lines.some((line) => makes(draft, line, chunk)));
  const name = nameIn(first) ?? '';
  const local = maker?.locals.indexOf(name) ?? -1;
  if (local >= 0) return { from: 'local', index: local };
  const names = maker?.captures.map(capturedName) ?? [];
  if (!names.includes(name)) {
    const known = [...(maker?.locals ?? []), ...names];
    reportUnknown(draft, first, `variable where ${chunk.name} is made, called`, known);
    return nothing;
  }
  return { from: 'captured', index: names.indexOf(name) };
}

function makes(draft: Draft, { row, operands }: Line, chunk: ChunkDraft): boolean {
  const [token] = operands;
  if (row.operand !== 'chunk' || !token) return false;
  if (/^\d+$/.test(token.text)) return draft.chunks[Number(token.text)] === chunk;
  return nameIn(token) === chunk.name;
}

function handlerOf(draft: Draft, chunk: ChunkDraft, operands: readonly Token[]): Handler {
  const [start, end, target, depth] = operands;
  return {
    start: addressOf(draft, chunk, start),
    end: addressOf(draft, chunk, end),
    target: addressOf(draft, chunk, target),
    depth: numberIn(draft, depth, 'a height of the stack') ?? 0,
  };
}
