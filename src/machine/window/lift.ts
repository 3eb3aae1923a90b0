/** The operations that can be deferred over pending operands, on operands that are there. */
import { opcodeNumbers } from '../../program/opcodes.ts';
import type { Value } from '../../program/value.ts';
import { attributeOf, noAttribute } from '../attribute.ts';
import { methodsOf } from '../builtins/builtins.ts';
import type { State } from '../state.ts';
import { Fault, faults } from '../values/fault.ts';
import { fieldOf } from '../values/field.ts';
import { template } from '../values/format.ts';
import { binary, unary } from '../values/operators.ts';
import { need } from '../values/pendings.ts';
import { index, slice } from '../values/sequence.ts';

const { ATTR, CALL, FIELD, INDEX, INVERT, METHOD, NEG, NOP, POS, SLICE, TEMPLATE } = opcodeNumbers;

const noNames: ReadonlyMap<string, Value> = new Map();

/** What operations need of the machine. */
export type Library = Pick<State, 'builtins' | 'around'>;

/** The result of a lifted opcode. CALL takes a builtin's name as operand; NOP is the identity. */
export function apply(
  library: Library,
  op: number,
  operand: Value,
  operands: readonly Value[],
): Value {
  const { around } = library;
  const [x = null, y = null] = operands;
  switch (op) {
    case NOP:
      return x;
    case NEG:
    case POS:
    case INVERT:
      return unary(op, need(x));
    case INDEX:
      return index(x, y, around);
    case FIELD:
      if (typeof x === 'string') around.charge?.(x.length);
      return fieldOf(need(x), String(operand), around);
    case TEMPLATE:
      return template(operands, around);
    case CALL:
      return callBuiltin(library, String(operand), operands, noNames);
    case SLICE:
      return slice(x, operands.slice(1), around);
    case ATTR:
      return attribute(library, need(x), String(operand));
    case METHOD:
      return callMethod(library, x, String(operand), operands.slice(1), noNames);
    default:
      return binary(op, need(x), need(y), around);
  }
}

function attribute({ builtins }: Library, value: Value, name: string): Value {
  const found = attributeOf(value, name, builtins.methods);
  if (found === undefined) throw noAttribute(value, name, builtins);
  return found;
}

export function callBuiltin(
  { builtins, around }: Library,
  name: string,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Value {
  const found = builtins.functions.get(name);
  if (!found) throw new Fault(faults.notCallable, `there is no built-in function ${name}`);
  return found.call(args.map(need), named, around);
}

/** Calls a method of a value; `args` come after the receiver. Throws PV3005 where it has none. */
export function callMethod(
  { builtins, around }: Library,
  receiver: Value,
  name: string,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Value {
  const target = need(receiver);
  const found = methodsOf(target, builtins.methods).get(name);
  if (!found) throw noAttribute(target, name, builtins);
  return found.call([target, ...args.map(need)], named, around);
}
