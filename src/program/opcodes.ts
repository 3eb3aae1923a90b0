/**
 * The instruction set: one table that feeds the machine, the verifier, the assembler, the
 * disassembler and the reference document, which has its sentences from `opcode-notes.ts`.
 *
 * A stack picture reads `before NAME after`, top of the stack on the right; `-` stands for nothing,
 * and `| after` says what is there when a jump is taken, where that differs. `lifts` marks an
 * operation that, given a pending operand, pushes a new pending instead of waiting (design rule 3);
 * every other operation that needs a value waits for it. Moving a value never waits.
 */

/**
 * The numbers of the opcodes, in the low byte of an instruction. Hashes of chunks, by which
 * snapshots know them, depend on them: a number never changes, a new opcode goes to the end.
 */
export const opcodeNumbers = {
  NOP: 0,
  POP: 1,
  DUP: 2,
  DUP2: 3,
  EXCH: 4,
  CONST: 5,
  LOCAL: 6,
  SETLOCAL: 7,
  CELL: 8,
  SETCELL: 9,
  CAPTURED: 10,
  GLOBAL: 11,
  SETGLOBAL: 12,
  ADD: 13,
  SUB: 14,
  MUL: 15,
  DIV: 16,
  FLOORDIV: 17,
  MOD: 18,
  NEG: 19,
  POS: 20,
  AND: 21,
  OR: 22,
  XOR: 23,
  INVERT: 24,
  SHL: 25,
  SHR: 26,
  EQ: 27,
  NE: 28,
  LT: 29,
  LE: 30,
  GT: 31,
  GE: 32,
  IN: 33,
  NOT: 34,
  JMP: 35,
  JF: 36,
  JT: 37,
  JFK: 38,
  JTK: 39,
  RETURN: 40,
  ITER: 41,
  NEXT: 42,
  ENDITER: 43,
  LIST: 44,
  TUPLE: 45,
  DICT: 46,
  APPEND: 47,
  PUT: 48,
  INDEX: 49,
  SETINDEX: 50,
  FIELD: 51,
  UNPACK: 52,
  TEMPLATE: 53,
  FUNC: 54,
  CALL: 55,
  STEP: 56,
  EMIT: 57,
  ANSWER: 58,
  BARRIER: 59,
  FAIL: 60,
  MORE: 61,
  SPREAD: 62,
  SLICE: 63,
  IADD: 64,
  IOR: 65,
  PUTNEW: 66,
  FREEZE: 67,
  ONCE: 68,
  ATTR: 69,
  METHOD: 70,
  SETFIELD: 71,
  SEAL: 72,
} as const;

export type OpcodeName = keyof typeof opcodeNumbers;

/** What an operand means; `none` where there is none. */
export type Operand =
  | 'none'
  | 'constant'
  | 'name'
  | 'local'
  | 'cell'
  | 'captured'
  | 'global'
  | 'address'
  | 'count'
  | 'below'
  | 'step'
  | 'chunk'
  | 'arguments';

export interface Opcode {
  readonly code: number;
  readonly name: OpcodeName;
  readonly operand: Operand;
  readonly picture: string;
  /** How many values have to be on the stack, given the operand. */
  readonly needs: (operand: number) => number;
  /** Change of the stack's height, given the operand, where control goes on behind it. */
  readonly effect: (operand: number) => number;
  /** The same where it jumps. */
  readonly jumpEffect: (operand: number) => number;
  readonly lifts: boolean;
  /** Whether it may ask for something that fails later, behind what comes after it. */
  readonly issues: boolean;
  /** Whether it changes what a handler sees: a variable, a step, a value that was there before. */
  readonly lasts: boolean;
  readonly group: string;
}

/** Operands are signed 24-bit integers; none that means something is negative. */
export const operandMax: number = 2 ** 23 - 1;
export const positionalMax = 255;
export const namedMax: number = operandMax >> 8;

/** Positional count in the low 8 bits, count of named pairs above them. Throws `RangeError`. */
export function packArguments(positional: number, named: number): number {
  if (positional > positionalMax || named > namedMax) {
    const got = `${positional} positional and ${named} named arguments`;
    throw new RangeError(`got ${got}, want at most ${positionalMax} and ${namedMax}`);
  }
  return positional | (named << 8);
}

const table: Opcode[] = [];
let group = '';

interface Details {
  readonly lifts?: true;
  /** What lifts issues, too. */
  readonly issues?: true;
  readonly lasts?: true;
  /** Where it differs from the effect. */
  readonly jumpEffect?: number;
  /** Where the picture does not say it by its number of words. */
  readonly needs?: (operand: number) => number;
}

const lifts: Details = { lifts: true };
const lasts: Details = { lasts: true };
const all = (operand: number): number => operand;

function op(
  name: OpcodeName,
  operand: Operand,
  picture: string,
  effect: number | ((operand: number) => number),
  details: Details = {},
): void {
  const change = typeof effect === 'number' ? () => effect : effect;
  const jumpEffect = details.jumpEffect;
  table.push({
    code: opcodeNumbers[name],
    name,
    operand,
    picture,
    needs: details.needs ?? wordsBefore(picture, name),
    effect: change,
    jumpEffect: jumpEffect === undefined ? change : () => jumpEffect,
    lifts: details.lifts ?? false,
    issues: details.issues ?? details.lifts ?? false,
    lasts: details.lasts ?? false,
    group,
  });
}

function wordsBefore(picture: string, name: string): () => number {
  const words = picture.split(' ');
  const count = words[0] === '-' ? 0 : words.indexOf(name);
  return () => count;
}

group = 'stack';
op('NOP', 'none', '- NOP -', 0);
op('POP', 'none', 'x POP -', -1);
op('DUP', 'none', 'x DUP x x', 1);
op('DUP2', 'none', 'x y DUP2 x y x y', 2);
op('EXCH', 'none', 'x y EXCH y x', 0);
op('CONST', 'constant', '- CONST value', 1);

group = 'names';
op('LOCAL', 'local', '- LOCAL value', 1);
op('SETLOCAL', 'local', 'value SETLOCAL -', -1, lasts);
op('CELL', 'cell', '- CELL value', 1);
op('SETCELL', 'cell', 'value SETCELL -', -1, lasts);
op('CAPTURED', 'captured', '- CAPTURED value', 1);
op('GLOBAL', 'global', '- GLOBAL value', 1);
op('SETGLOBAL', 'global', 'value SETGLOBAL -', -1, lasts);

group = 'operators';
op('ADD', 'none', 'x y ADD x+y', -1, lifts);
op('SUB', 'none', 'x y SUB x-y', -1, lifts);
op('MUL', 'none', 'x y MUL x*y', -1, lifts);
op('DIV', 'none', 'x y DIV x/y', -1, lifts);
op('FLOORDIV', 'none', 'x y FLOORDIV x//y', -1, lifts);
op('MOD', 'none', 'x y MOD x%y', -1, lifts);
op('NEG', 'none', 'x NEG -x', 0, lifts);
op('POS', 'none', 'x POS +x', 0, lifts);
op('AND', 'none', 'x y AND x&y', -1, lifts);
op('OR', 'none', 'x y OR x|y', -1, lifts);
op('XOR', 'none', 'x y XOR x^y', -1, lifts);
op('INVERT', 'none', 'x INVERT ~x', 0, lifts);
op('SHL', 'none', 'x y SHL x<<y', -1, lifts);
op('SHR', 'none', 'x y SHR x>>y', -1, lifts);
op('EQ', 'none', 'x y EQ bool', -1);
op('NE', 'none', 'x y NE bool', -1);
op('LT', 'none', 'x y LT bool', -1);
op('LE', 'none', 'x y LE bool', -1);
op('GT', 'none', 'x y GT bool', -1);
op('GE', 'none', 'x y GE bool', -1);
op('IN', 'none', 'x y IN bool', -1);
op('NOT', 'none', 'x NOT bool', 0);

group = 'flow';
op('JMP', 'address', '- JMP -', 0);
op('JF', 'address', 'x JF -', -1);
op('JT', 'address', 'x JT -', -1);
op('JFK', 'address', 'x JFK - | x', -1, {
  jumpEffect: 0,
});
op('JTK', 'address', 'x JTK - | x', -1, {
  jumpEffect: 0,
});
op('RETURN', 'none', 'value RETURN -', -1);

group = 'iteration';
op('ITER', 'none', 'iterable ITER iterator', 0);
op('NEXT', 'address', 'iterator NEXT iterator item | iterator', 1, { jumpEffect: 0 });
op('ENDITER', 'none', 'iterator ENDITER -', -1);

group = 'data';
op('LIST', 'count', 'x1 … xn LIST list', (n) => 1 - n, {
  needs: all,
});
op('TUPLE', 'count', 'x1 … xn TUPLE tuple', (n) => 1 - n, {
  needs: all,
});
op('DICT', 'count', 'k1 v1 … kn vn DICT dict', (n) => 1 - 2 * n, {
  needs: (n) => 2 * n,
});
op('APPEND', 'below', 'list … x APPEND list …', -1, {
  needs: (n) => n + 1,
});
op('PUT', 'below', 'dict … k v PUT dict …', -2, {
  needs: (n) => n + 2,
});
op('INDEX', 'none', 'x i INDEX x[i]', -1, lifts);
op('SETINDEX', 'none', 'x i v SETINDEX -', -3, lasts);
op('FIELD', 'name', 'x FIELD x.name', 0, lifts);
op('UNPACK', 'count', 'x UNPACK xn … x1', (n) => n - 1);
op('TEMPLATE', 'count', 'x1 … xn TEMPLATE text', (n) => 1 - n, {
  ...lifts,
  needs: all,
});
op('FUNC', 'chunk', 'defaults FUNC function', 0);

group = 'calls';
op(
  'CALL',
  'arguments',
  'f x1 … xp k1 v1 … kn vn CALL result',
  (n) => 0 - (n & 255) - 2 * (n >> 8),
  { issues: true, needs: (n) => 1 + (n & 255) + 2 * (n >> 8) },
);
op('STEP', 'step', '- STEP -', 0, lasts);
op('EMIT', 'name', 'x EMIT -', -1);
op('ANSWER', 'none', 'x ANSWER -', -1);
op('BARRIER', 'none', '- BARRIER -', 0);
op('FAIL', 'name', 'message FAIL -', -1);
op('MORE', 'none', '- MORE -', 0);

group = 'starlark';
op(
  'SPREAD',
  'arguments',
  'f x1 … xp k1 v1 … kn vn args kwargs SPREAD result',
  (n) => -2 - (n & 255) - 2 * (n >> 8),
  { issues: true, needs: (n) => 3 + (n & 255) + 2 * (n >> 8) },
);
op('SLICE', 'none', 'x lo hi step SLICE x[lo:hi:step]', -3, lifts);
op('IADD', 'none', 'x y IADD x+=y', -1, {
  ...lifts,
  ...lasts,
});
op('IOR', 'none', 'x y IOR x|=y', -1, {
  ...lifts,
  ...lasts,
});
op('PUTNEW', 'below', 'dict … k v PUTNEW dict …', -2, { needs: (n) => n + 2 });
op('FREEZE', 'none', 'x FREEZE -', -1, lasts);
op('ONCE', 'none', '- ONCE -', 0);

op('ATTR', 'name', 'x ATTR x.name', 0, lifts);
op(
  'METHOD',
  'arguments',
  'x name x1 … xp k1 v1 … kn vn METHOD result',
  (n) => -1 - (n & 255) - 2 * (n >> 8),
  { ...lifts, needs: (n) => 2 + (n & 255) + 2 * (n >> 8) },
);

op('SETFIELD', 'name', 'x v SETFIELD -', -2, lasts);
op('SEAL', 'global', '- SEAL -', 0, lasts);

export const opcodes: readonly Opcode[] = table;

export const opcodeOf: ReadonlyMap<string, Opcode> = new Map(table.map((row) => [row.name, row]));

/** The row of an instruction's opcode; undefined for a byte that is none. */
export const opcodeAt = (instruction: number): Opcode | undefined => opcodes[instruction & 255];

export const operandOf = (instruction: number): number => instruction >> 8;

export const instruction = (code: number, operand = 0): number => (operand << 8) | code;
