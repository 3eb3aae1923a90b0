/**
 * The instruction set: one table that feeds the machine, the verifier, the assembler, the
 * disassembler and the reference document.
 *
 * A stack picture reads `before NAME after`, top of the stack on the right; `-` stands for nothing,
 * and `| after` says what is there when a jump is taken, where that differs. `lifts` marks an
 * operation that, given a pending operand, pushes a new pending instead of waiting (design rule 3);
 * every other operation that needs a value waits for it. Moving a value never waits.
 */
import { type OpcodeName, opcodeNumbers } from './opcode-numbers.ts';

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
  readonly about: string;
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
  about: string,
  details: Details = {},
): void {
  const change = typeof effect === 'number' ? () => effect : effect;
  const jumpEffect = details.jumpEffect;
  table.push({
    code: opcodeNumbers[name],
    name,
    operand,
    picture,
    about,
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
op('NOP', 'none', '- NOP -', 0, 'Does nothing.');
op('POP', 'none', 'x POP -', -1, 'Drops the top.');
op('DUP', 'none', 'x DUP x x', 1, 'Repeats the top.');
op('DUP2', 'none', 'x y DUP2 x y x y', 2, 'Repeats the two on top.');
op('EXCH', 'none', 'x y EXCH y x', 0, 'Swaps the two on top.');
op('CONST', 'constant', '- CONST value', 1, 'Pushes a constant.');

group = 'names';
op('LOCAL', 'local', '- LOCAL value', 1, 'Pushes a local variable; an unset one is an error.');
op('SETLOCAL', 'local', 'value SETLOCAL -', -1, 'Sets a local variable.', lasts);
op('CELL', 'cell', '- CELL value', 1, 'Pushes a local variable that closures share.');
op('SETCELL', 'cell', 'value SETCELL -', -1, 'Sets a local variable that closures share.', lasts);
op('CAPTURED', 'captured', '- CAPTURED value', 1, 'Pushes a variable of an enclosing function.');
op('GLOBAL', 'global', '- GLOBAL value', 1, 'Pushes a global variable; an unset one is an error.');
op('SETGLOBAL', 'global', 'value SETGLOBAL -', -1, 'Sets a global variable.', lasts);

group = 'operators';
op('ADD', 'none', 'x y ADD x+y', -1, 'Adds numbers; joins strings, lists, tuples.', lifts);
op('SUB', 'none', 'x y SUB x-y', -1, 'Subtracts.', lifts);
op('MUL', 'none', 'x y MUL x*y', -1, 'Multiplies numbers; repeats a string, list or tuple.', lifts);
op('DIV', 'none', 'x y DIV x/y', -1, 'Divides; the result is a float.', lifts);
op('FLOORDIV', 'none', 'x y FLOORDIV x//y', -1, 'Divides, rounding towards minus infinity.', lifts);
op('MOD', 'none', 'x y MOD x%y', -1, 'Remainder, with the sign of the divisor.', lifts);
op('NEG', 'none', 'x NEG -x', 0, 'Negates.', lifts);
op('POS', 'none', 'x POS +x', 0, 'A number as it is.', lifts);
op('AND', 'none', 'x y AND x&y', -1, 'Bits of ints; intersection of sets.', lifts);
op('OR', 'none', 'x y OR x|y', -1, 'Bits of ints; union of sets and of dicts.', lifts);
op('XOR', 'none', 'x y XOR x^y', -1, 'Bits of ints; symmetric difference of sets.', lifts);
op('INVERT', 'none', 'x INVERT ~x', 0, 'Inverts the bits of an int.', lifts);
op('SHL', 'none', 'x y SHL x<<y', -1, 'Shifts an int left.', lifts);
op('SHR', 'none', 'x y SHR x>>y', -1, 'Shifts an int right.', lifts);
op('EQ', 'none', 'x y EQ bool', -1, 'Whether x equals y.');
op('NE', 'none', 'x y NE bool', -1, 'Whether x differs from y.');
op('LT', 'none', 'x y LT bool', -1, 'Whether x is less than y.');
op('LE', 'none', 'x y LE bool', -1, 'Whether x is at most y.');
op('GT', 'none', 'x y GT bool', -1, 'Whether x is greater than y.');
op('GE', 'none', 'x y GE bool', -1, 'Whether x is at least y.');
op('IN', 'none', 'x y IN bool', -1, 'Whether x is an element, a key or a substring of y.');
op('NOT', 'none', 'x NOT bool', 0, 'Whether x is false.');

group = 'flow';
op('JMP', 'address', '- JMP -', 0, 'Continues at the address.');
op('JF', 'address', 'x JF -', -1, 'Continues at the address if x is false.');
op('JT', 'address', 'x JT -', -1, 'Continues at the address if x is true.');
op('JFK', 'address', 'x JFK - | x', -1, 'Like JF, but leaves x there when it jumps.', {
  jumpEffect: 0,
});
op('JTK', 'address', 'x JTK - | x', -1, 'Like JT, but leaves x there when it jumps.', {
  jumpEffect: 0,
});
op('RETURN', 'none', 'value RETURN -', -1, 'Ends the function, or the program.');

group = 'iteration';
op('ITER', 'none', 'iterable ITER iterator', 0, 'Starts an iteration and locks what is iterated.');
op(
  'NEXT',
  'address',
  'iterator NEXT iterator item | iterator',
  1,
  'Pushes the next item; jumps when there is none.',
  { jumpEffect: 0 },
);
op('ENDITER', 'none', 'iterator ENDITER -', -1, 'Ends an iteration and unlocks.');

group = 'data';
op('LIST', 'count', 'x1 … xn LIST list', (n) => 1 - n, 'Makes a list.', {
  needs: all,
});
op('TUPLE', 'count', 'x1 … xn TUPLE tuple', (n) => 1 - n, 'Makes a tuple.', {
  needs: all,
});
op('DICT', 'count', 'k1 v1 … kn vn DICT dict', (n) => 1 - 2 * n, 'Makes a dict of n pairs.', {
  needs: (n) => 2 * n,
});
op('APPEND', 'below', 'list … x APPEND list …', -1, 'Appends to the list n places below x.', {
  needs: (n) => n + 1,
});
op('PUT', 'below', 'dict … k v PUT dict …', -2, 'Sets a key of the dict n places below k.', {
  needs: (n) => n + 2,
});
op('INDEX', 'none', 'x i INDEX x[i]', -1, 'An element of a sequence, a value of a dict.', lifts);
op('SETINDEX', 'none', 'x i v SETINDEX -', -3, 'Sets an element or a key.', lasts);
op(
  'FIELD',
  'name',
  'x FIELD x.name',
  0,
  'A field of a struct, a key of a dict or JSON text.',
  lifts,
);
op(
  'UNPACK',
  'count',
  'x UNPACK xn … x1',
  (n) => n - 1,
  'Spreads the items of x, exactly n, the first on top.',
);
op('TEMPLATE', 'count', 'x1 … xn TEMPLATE text', (n) => 1 - n, 'Joins the texts of values.', {
  ...lifts,
  needs: all,
});
op('FUNC', 'chunk', 'defaults FUNC function', 0, 'Makes a closure from a tuple of default values.');

group = 'calls';
op(
  'CALL',
  'arguments',
  'f x1 … xp k1 v1 … kn vn CALL result',
  (n) => 0 - (n & 255) - 2 * (n >> 8),
  'Calls a function; of a tool, requests an effect and pushes its pending result.',
  { issues: true, needs: (n) => 1 + (n & 255) + 2 * (n >> 8) },
);
op('STEP', 'step', '- STEP -', 0, 'Enters a step of the source and counts the visit.', lasts);
op('EMIT', 'name', 'x EMIT -', -1, 'Releases x, in order, on the channel the constant names.');
op('ANSWER', 'none', 'x ANSWER -', -1, 'Records x as an answer of the run.');
op('BARRIER', 'none', '- BARRIER -', 0, 'Waits until everything issued so far has succeeded.');
op('FAIL', 'name', 'message FAIL -', -1, 'Ends in an error with the constant as its code.');
op(
  'MORE',
  'none',
  '- MORE -',
  0,
  'Goes on in the next main chunk; waits for it while text arrives.',
);

group = 'starlark';
op(
  'SPREAD',
  'arguments',
  'f x1 … xp k1 v1 … kn vn args kwargs SPREAD result',
  (n) => -2 - (n & 255) - 2 * (n >> 8),
  'Calls with the items of an iterable and of a dict behind the rest; None stands for neither.',
  { issues: true, needs: (n) => 3 + (n & 255) + 2 * (n >> 8) },
);
op('SLICE', 'none', 'x lo hi step SLICE x[lo:hi:step]', -3, 'A part of a sequence.', lifts);
op('IADD', 'none', 'x y IADD x+=y', -1, 'Extends a list in place; adds anything else.', {
  ...lifts,
  ...lasts,
});
op('IOR', 'none', 'x y IOR x|=y', -1, 'Updates a dict or a set in place; joins anything else.', {
  ...lifts,
  ...lasts,
});
op(
  'PUTNEW',
  'below',
  'dict … k v PUTNEW dict …',
  -2,
  'Like PUT, but a key that is there already is an error.',
  { needs: (n) => n + 2 },
);
op('FREEZE', 'none', 'x FREEZE -', -1, 'Freezes x and everything it holds.', lasts);
op('ONCE', 'none', '- ONCE -', 0, 'An error where the function is being executed already.');

op('ATTR', 'name', 'x ATTR x.name', 0, 'A field of a struct, or a method of a value.', lifts);
op(
  'METHOD',
  'arguments',
  'x name x1 … xp k1 v1 … kn vn METHOD result',
  (n) => -1 - (n & 255) - 2 * (n >> 8),
  'Calls the method of that name; on a pending value a method that changes nothing lifts.',
  { ...lifts, needs: (n) => 2 + (n & 255) + 2 * (n >> 8) },
);

op('SETFIELD', 'name', 'x v SETFIELD -', -2, 'Sets a field of a value of the host.', lasts);
op(
  'SEAL',
  'global',
  '- SEAL -',
  0,
  'Freezes what a global variable holds, if it has a value.',
  lasts,
);

export const opcodes: readonly Opcode[] = table;

export const opcodeOf: ReadonlyMap<string, Opcode> = new Map(table.map((row) => [row.name, row]));

/** The row of an instruction's opcode; undefined for a byte that is none. */
export const opcodeAt = (instruction: number): Opcode | undefined => opcodes[instruction & 255];

export const operandOf = (instruction: number): number => instruction >> 8;

export const instruction = (code: number, operand = 0): number => (operand << 8) | code;
