/**
 * Builds programs chunk by chunk: constants and globals get slots, labels become addresses, a
 * sealed chunk gets its hash. Compilers and the assembler use it; nothing else makes chunks.
 */
import { encode } from './json.ts';
import { instruction, opcodeOf, operandMax, packArguments } from './opcodes.ts';
import {
  type Capture,
  type Chunk,
  type Handler,
  type Parameters,
  type Program,
  packPosition,
  type Step,
} from './program.ts';
import { sha256 } from './sha256.ts';
import { builtin, tool, type Value } from './value.ts';

/** A place in a chunk that jumps can name before it is known. */
export interface Label {
  address: number | undefined;
  readonly uses: number[];
}

const noParameters: Parameters = { positional: 0, named: 0, defaults: 0 };

/** Stands for a chunk whose place is reserved; a program that still has one does not verify. */
const unfilled: Chunk = {
  name: '',
  role: 'function',
  code: [],
  constants: [],
  positions: [],
  locals: [],
  parameters: noParameters,
  cells: [],
  captures: [],
  handlers: [],
  hash: '',
};

export class ProgramBuilder {
  readonly #chunks: Chunk[] = [];
  readonly #globals: string[] = [];
  readonly #slots = new Map<string, number>();
  readonly #steps: Step[] = [];
  readonly #dialect: string;

  constructor(dialect: string, base?: Program) {
    this.#dialect = dialect;
    if (!base) return;
    this.#chunks.push(...base.chunks);
    this.#steps.push(...base.steps);
    for (const name of base.globals) this.global(name);
  }

  /** The slot of a global variable, made on first use. */
  global(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.#globals.push(name) - 1;
    this.#slots.set(name, slot);
    return slot;
  }

  step(step: Step): number {
    return this.#steps.push(step) - 1;
  }

  /** The index of a chunk that follows later, by `fill`: a function inside it needs a later one. */
  reserve(): number {
    return this.#chunks.push(unfilled) - 1;
  }

  fill(index: number, chunk: Chunk): void {
    if (this.#chunks[index] !== unfilled) throw new RangeError(`chunk ${index} is there already`);
    this.#chunks[index] = chunk;
  }

  /** Adds a sealed chunk and returns its index. */
  add(chunk: Chunk): number {
    return this.#chunks.push(chunk) - 1;
  }

  /** Whether the library function of that name, written in guest code, is there already. */
  hasBuiltin(name: string): boolean {
    return this.#chunks.some((chunk) => chunk.role === 'builtin' && chunk.name === name);
  }

  build(options: Pick<Partial<Program>, 'open' | 'variables'> = {}): Program {
    const { variables } = options;
    return {
      dialect: this.#dialect,
      chunks: [...this.#chunks],
      globals: [...this.#globals],
      steps: [...this.#steps],
      ...(variables && { variables }),
      open: options.open ?? false,
    };
  }
}

export interface ChunkShape {
  readonly role?: Chunk['role'];
  readonly file?: string | undefined;
  readonly locals?: readonly string[];
  readonly parameters?: Parameters;
  readonly cells?: readonly number[];
  readonly captures?: readonly Capture[];
}

export class ChunkBuilder {
  readonly #name: string;
  readonly #code: number[] = [];
  readonly #positions: number[] = [];
  readonly #constants: Value[] = [];
  readonly #constantSlots = new Map<string, number>();
  readonly #handlers: Handler[] = [];
  readonly #labels: Label[] = [];
  #position = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** The place of the instructions that follow; lines and columns count from 1. */
  at(line: number, column: number): this {
    this.#position = packPosition(line, column);
    return this;
  }

  get address(): number {
    return this.#code.length;
  }

  /** Throws `TypeError` for a name that is no opcode, `RangeError` for an operand too large. */
  emit(name: string, operand = 0): this {
    const row = opcodeOf.get(name);
    if (!row) throw new TypeError(`no such opcode: ${name}`);
    if (!(operand >= 0 && operand <= operandMax)) {
      throw new RangeError(`${name}: got operand ${operand}, want 0 to ${operandMax}`);
    }
    this.#code.push(instruction(row.code, operand));
    this.#positions.push(this.#position);
    return this;
  }

  constant(value: Value): this {
    return this.emit('CONST', this.constantSlot(value));
  }

  builtin(name: string): this {
    return this.constant(builtin(name));
  }

  tool(name: string): this {
    return this.constant(tool(name));
  }

  call(positional: number, named = 0): this {
    return this.emit('CALL', packArguments(positional, named));
  }

  /** Equal constants share a slot. They are immutable: literals of lists are built by code. */
  constantSlot(value: Value): number {
    const text = encode(value);
    const known = this.#constantSlots.get(text);
    if (known !== undefined) return known;
    const slot = this.#constants.push(value) - 1;
    this.#constantSlots.set(text, slot);
    return slot;
  }

  label(): Label {
    const label: Label = { address: undefined, uses: [] };
    this.#labels.push(label);
    return label;
  }

  place(label: Label): this {
    if (label.address !== undefined) throw new TypeError(`${this.#name}: a label placed twice`);
    label.address = this.address;
    for (const use of label.uses) this.#patch(use, label.address);
    return this;
  }

  jump(name: string, label: Label): this {
    if (label.address === undefined) label.uses.push(this.address);
    return this.emit(name, label.address ?? 0);
  }

  /** Declares a handler; regions are tried innermost (declared first) to outermost. */
  handler(handler: Handler): this {
    this.#handlers.push(handler);
    return this;
  }

  #patch(at: number, address: number): void {
    this.#code[at] = instruction((this.#code[at] ?? 0) & 255, address);
  }

  /** Throws `TypeError` when a jump names a label that has no place. */
  seal(shape: ChunkShape = {}): Chunk {
    if (this.#labels.some((label) => label.address === undefined && label.uses.length > 0)) {
      throw new TypeError(`${this.#name}: a jump names a label that was never placed`);
    }
    return seal({
      name: this.#name,
      role: shape.role ?? 'main',
      ...(shape.file === undefined ? {} : { file: shape.file }),
      code: this.#code,
      constants: this.#constants,
      positions: this.#positions,
      locals: shape.locals ?? [],
      parameters: shape.parameters ?? noParameters,
      cells: shape.cells ?? [],
      captures: shape.captures ?? [],
      handlers: this.#handlers,
    });
  }
}

/** A chunk with its hash, which depends on what is in the chunk, never on how it was made. */
export function seal(chunk: Omit<Chunk, 'hash'>): Chunk {
  const { positional, named, defaults, rest, keywords } = chunk.parameters;
  const text = JSON.stringify([
    chunk.name,
    chunk.role,
    chunk.code,
    chunk.constants.map((value) => encode(value)),
    chunk.positions,
    chunk.locals,
    [positional, named, defaults, ...(rest ? ['rest'] : []), ...(keywords ? ['keywords'] : [])],
    chunk.cells,
    chunk.captures.map(({ from, index }) => [from, index]),
    chunk.handlers.map(({ start, end, target, depth }) => [start, end, target, depth]),
    ...(chunk.file === undefined ? [] : [chunk.file]),
  ]);
  return { ...chunk, hash: sha256(text) };
}
