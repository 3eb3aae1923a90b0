/**
 * Functions of one evaluation in the program of another: their code is appended, with the places
 * it names moved, and the values they come with are copied once, so that what was one object stays
 * one. The evaluation they come from is over, so nothing changes behind their back.
 */
import { seal } from '../program/builder.ts';
import { instruction, opcodeAt, operandOf } from '../program/opcodes.ts';
import type { Chunk, Program } from '../program/program.ts';
import {
  type Cell,
  cell,
  dict,
  dictSet,
  type Func,
  settled,
  type Value,
} from '../program/value.ts';

/** An evaluation that is over: its program, and its global variables by slot. */
export interface Home {
  readonly program: Program;
  readonly globals: readonly (Value | undefined)[];
}

/** A program that others are appended to, and the values that its variables start with. */
export class Linker {
  readonly #base: Program;
  readonly #chunks: Chunk[];
  readonly #globals: string[];
  readonly #inputs: Map<string, Value>;

  constructor(program: Program, inputs: Map<string, Value>) {
    this.#base = program;
    this.#chunks = [...program.chunks];
    this.#globals = [...program.globals];
    this.#inputs = inputs;
  }

  program(): Program {
    return { ...this.#base, chunks: this.#chunks, globals: this.#globals };
  }

  /** Gives what values of the other evaluation are in this one. */
  add({ program, globals }: Home): (value: Value) => Value {
    const by = { chunk: this.#chunks.length, global: this.#globals.length };
    const known = new Set(this.#chunks.filter(isBuiltin).map(({ name }) => name));
    for (const chunk of program.chunks) this.#chunks.push(moved(chunk, by, known));
    const copy = copier(by.chunk);
    program.globals.forEach((name, slot) => {
      const own = `${this.#globals.length}:${name}`;
      this.#globals.push(own);
      const value = globals[slot];
      if (value !== undefined) this.#inputs.set(own, copy(value));
    });
    return copy;
  }
}

const isBuiltin = ({ role }: Chunk): boolean => role === 'builtin';

/** The main line has run and never does again; a library function stands once in a program. */
function moved(
  chunk: Chunk,
  by: { readonly chunk: number; readonly global: number },
  known: ReadonlySet<string>,
): Chunk {
  const { hash: _, ...rest } = chunk;
  const role = isBuiltin(chunk) && !known.has(chunk.name) ? 'builtin' : 'function';
  if (chunk.role === 'main') return seal({ ...rest, role, code: [], positions: [] });
  const code = chunk.code.map((word) => {
    const row = opcodeAt(word);
    if (row?.operand === 'chunk') return instruction(row.code, operandOf(word) + by.chunk);
    if (row?.operand === 'global') return instruction(row.code, operandOf(word) + by.global);
    return word;
  });
  return seal({ ...rest, role, code });
}

/** Copies values that hold functions, each once; the rest stays as it is. */
function copier(chunkBase: number): (value: Value) => Value {
  const copies = new Map<object, Value>();
  const cells = new Map<Cell, Cell>();
  const cellOf = (from: Cell): Cell => {
    const known = cells.get(from);
    if (known) return known;
    const made = cell(undefined);
    cells.set(from, made);
    if (from.value !== undefined) made.value = copy(from.value);
    return made;
  };
  const copy = (value: Value): Value => {
    const from = settled(value);
    if (from === null || typeof from !== 'object') return from;
    const known = copies.get(from);
    if (known !== undefined) return known;
    const all = (items: readonly Value[]): Value[] => items.map(copy);
    const note = <T extends Value>(made: T): T => {
      copies.set(from, made);
      return made;
    };
    switch (from.kind) {
      case 'function': {
        const made: Func & { defaults: Value[]; cells: Cell[] } = note({
          ...from,
          chunk: from.chunk + chunkBase,
          defaults: [],
          cells: [],
        });
        made.defaults.push(...all(from.defaults));
        made.cells.push(...from.cells.map(cellOf));
        return made;
      }
      case 'list': {
        const made = note({ ...from, items: [] as Value[] });
        made.items.push(...all(from.items));
        return made;
      }
      case 'tuple': {
        const items: Value[] = [];
        const made = note({ ...from, items });
        items.push(...all(from.items));
        return made;
      }
      case 'dict': {
        const made = note({ ...dict(), frozen: from.frozen });
        for (const slot of from.slots) if (slot) dictSet(made, copy(slot[0]), copy(slot[1]));
        return made;
      }
      case 'struct':
        return note({ ...from, fields: named(from.fields, copy) });
      case 'module':
        return note({ ...from, members: named(from.members, copy) });
      case 'method':
        return note({ ...from, receiver: copy(from.receiver) });
      default:
        return from;
    }
  };
  return copy;
}

const named = (
  fields: ReadonlyMap<string, Value>,
  copy: (value: Value) => Value,
): ReadonlyMap<string, Value> =>
  new Map([...fields].map(([name, value]) => [name, copy(value)] as const));
