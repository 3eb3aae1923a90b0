/**
 * What must hold of a program before a machine runs it. A compiler whose program does not verify
 * has a defect, so the messages speak of chunks and addresses, as the disassembler writes them.
 */
import type { Diagnostic } from '../program/diagnostic.ts';
import { limitDefaults } from '../program/limit-defaults.ts';
import { type Opcode, opcodeAt, operandOf } from '../program/opcodes.ts';
import { type Capture, type Chunk, type Program, unpackPosition } from '../program/program.ts';
import { typeName, type Value } from '../program/value.ts';
import { address, flowOf, handlerProblems, type Problem } from './flow.ts';

/** Everything that is wrong with a program; nothing when a machine can run it. */
export function verify(
  program: Program,
  instructionsMax: number = limitDefaults.programInstructions,
): Diagnostic[] {
  const count = program.chunks.reduce((sum, chunk) => sum + chunk.code.length, 0);
  if (count > instructionsMax) {
    const hint = 'make the plan shorter, or raise the limit programInstructions';
    return [
      {
        ...nowhere,
        code: 'PV2901',
        message: `got ${count} instructions, want at most ${instructionsMax}`,
        hint,
      },
    ];
  }
  const first = program.chunks[0];
  if (first ? first.role !== 'main' : !program.open) {
    return [
      { ...nowhere, code: 'PV2902', message: 'the first chunk of a program must be a main chunk' },
    ];
  }
  return program.chunks.flatMap((chunk) => {
    const problems = [
      ...shapeProblems(chunk),
      ...chunk.code.flatMap((word, at) => instructionProblems(program, chunk, word, at)),
      ...handlerProblems(chunk),
    ];
    const found = problems.length > 0 ? problems : flowOf(chunk).problems;
    return found.map((problem) => diagnostic(chunk, problem));
  });
}

const nowhere = { severity: 'error', line: 0, column: 0 } as const;

function diagnostic(chunk: Chunk, { at, code, message, hint }: Problem): Diagnostic {
  const word = chunk.code[at];
  const name = word === undefined ? '' : ` ${opcodeAt(word)?.name ?? ''}`;
  const place = at < 0 ? chunk.name : `${chunk.name} ${address(at)}${name}`;
  return {
    code,
    severity: 'error',
    message: `${place}: ${message}`,
    ...(hint === undefined ? {} : { hint }),
    ...unpackPosition(chunk.positions[at] ?? 0),
  };
}

/** Says that a part of the chunk as a whole is wrong. */
const shape = (message: string): Problem => ({ at: -1, code: 'PV2902', message });

function shapeProblems(chunk: Chunk): Problem[] {
  const problems: Problem[] = [];
  const { code, positions, locals, cells } = chunk;
  const { positional, named, defaults } = chunk.parameters;
  const parameters = positional + named;
  if (code.length === 0) problems.push(shape('got no instruction, want at least one'));
  if (positions.length !== code.length) {
    problems.push(shape(`got ${positions.length} positions for ${code.length} instructions`));
  }
  if (parameters > locals.length) {
    problems.push(shape(`got ${parameters} parameters, but ${locals.length} locals`));
  }
  if (defaults > parameters) {
    problems.push(shape(`got ${defaults} default values for ${parameters} parameters`));
  }
  if (new Set(locals.slice(0, parameters)).size < parameters && parameters <= locals.length) {
    problems.push(shape('two parameters have one name'));
  }
  if (cells.some((slot) => !(slot in locals)) || new Set(cells).size < cells.length) {
    problems.push(shape('a cell names no local slot, or one that is a cell already'));
  }
  if (chunk.role === 'main' && (parameters > 0 || chunk.captures.length > 0)) {
    problems.push(shape('a main chunk has no parameters and captures nothing'));
  }
  const changing = chunk.constants.find((value) => !isConstant(value));
  if (changing !== undefined) {
    const message = `got a ${typeName(changing)} as a constant, want an immutable value`;
    problems.push({ at: -1, code: 'PV2905', message, hint: 'build it with LIST or DICT' });
  }
  return problems;
}

/** Constants are shared by all who run the chunk, so nothing in them may change. */
function isConstant(value: Value): boolean {
  if (value === null || typeof value !== 'object') return true;
  switch (value.kind) {
    case 'float':
    case 'bytes':
    case 'range':
    case 'builtin':
    case 'tool':
      return true;
    case 'tuple':
      return value.items.every(isConstant);
    case 'struct':
      return [...value.fields.values()].every(isConstant);
    case 'module':
      return [...value.members.values()].every(isConstant);
    case 'object':
    case 'list':
    case 'dict':
    case 'set':
    case 'function':
    case 'method':
    case 'view':
    case 'pending':
    case 'cell':
    case 'iterator':
      return false;
  }
}

function instructionProblems(program: Program, chunk: Chunk, word: number, at: number): Problem[] {
  const row = opcodeAt(word);
  if (!row || word !== (word | 0)) {
    return [{ at, code: 'PV2903', message: `got ${word}, which is no instruction` }];
  }
  const operand = operandOf(word);
  const range = operandProblem(program, chunk, row, operand);
  if (range !== undefined) return [{ at, code: 'PV2904', message: range }];
  if (row.operand === 'name' && typeof chunk.constants[operand] !== 'string') {
    const kind = typeName(chunk.constants[operand] ?? null);
    return [{ at, code: 'PV2905', message: `got a constant of type ${kind}, want a string` }];
  }
  if (row.name === 'MORE' && chunk.role !== 'main') {
    return [{ at, code: 'PV2902', message: 'a function has no next chunk to go on in' }];
  }
  return row.operand === 'chunk' ? captureProblems(program, chunk, operand, at) : [];
}

/** What is wrong with an operand; undefined if nothing. */
function operandProblem(
  program: Program,
  chunk: Chunk,
  row: Opcode,
  operand: number,
): string | undefined {
  switch (row.operand) {
    case 'none':
      return operand === 0 ? undefined : `got operand ${operand}, want none`;
    case 'constant':
    case 'name':
      return outside('constant', operand, chunk.constants.length);
    case 'local':
    case 'cell': {
      const range = outside('local', operand, chunk.locals.length);
      const isCell = chunk.cells.includes(operand);
      if (range !== undefined || isCell === (row.operand === 'cell')) return range;
      return `got local ${operand}, which is ${isCell ? 'a' : 'no'} cell`;
    }
    case 'captured':
      return outside('captured variable', operand, chunk.captures.length);
    case 'global':
      return outside('global', operand, program.globals.length);
    case 'address':
      return outside('address', operand, chunk.code.length);
    case 'step':
      return outside('step', operand, program.steps.length);
    case 'chunk':
      return outside('chunk', operand, program.chunks.length);
    case 'count':
      return operand >= 0 ? undefined : `got ${operand}, want at least 0`;
    case 'below':
      return operand >= 1 ? undefined : `got ${operand}, want at least 1`;
    case 'arguments':
      return operand >= 0 ? undefined : `got ${operand}, want counts of arguments`;
  }
}

function outside(what: string, operand: number, count: number): string | undefined {
  if (operand >= 0 && operand < count) return undefined;
  const some = count === 1 ? 'want 0' : `want 0 to ${count - 1}`;
  const want = count === 0 ? 'but there is none' : some;
  return `got ${what} ${operand}, ${want}`;
}

function captureProblems(program: Program, chunk: Chunk, operand: number, at: number): Problem[] {
  const made = program.chunks[operand];
  if (made?.role !== 'function') {
    return [{ at, code: 'PV2904', message: `got chunk ${operand}, which is no function` }];
  }
  return made.captures.flatMap((capture, i) => {
    const lacking = captureProblem(chunk, capture);
    const message = `captured variable ${i} of ${made.name}: ${lacking}`;
    return lacking === undefined ? [] : [{ at, code: 'PV2911', message }];
  });
}

function captureProblem(chunk: Chunk, { from, index }: Capture): string | undefined {
  if (from === 'captured') return outside('captured variable', index, chunk.captures.length);
  return chunk.cells.includes(index) ? undefined : `got local ${index}, which is no cell`;
}
