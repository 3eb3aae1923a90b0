/** The operations that can be deferred over pending operands, on operands that are there. */
import { limitTable } from '../../program/limits.ts';
import { opcodeNumbers } from '../../program/opcode-numbers.ts';
import type { Value } from '../../program/value.ts';
import { attributeOf, noAttribute } from '../attribute.ts';
import { builtins } from '../builtins/index.ts';
import { methodsOf } from '../builtins/methods.ts';
import { faults } from '../values/codes.ts';
import { Fault } from '../values/fault.ts';
import { fieldOf } from '../values/field.ts';
import { binary, unary } from '../values/operators.ts';
import { need } from '../values/pendings.ts';
import { index, slice } from '../values/sequence.ts';
import type { Surroundings } from '../values/surroundings.ts';
import { template } from '../values/template.ts';

const { ATTR, CALL, FIELD, INDEX, INVERT, METHOD, NEG, NOP, POS, SLICE, TEMPLATE } = opcodeNumbers;

const noNames: ReadonlyMap<string, Value> = new Map();

/** The result of a lifted opcode. CALL takes a builtin's name as operand; NOP is the identity. */
export function apply(
  op: number,
  operand: Value,
  operands: readonly Value[],
  around: Surroundings,
): Value {
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
      return callBuiltin(String(operand), operands, noNames, around);
    case SLICE:
      return slice(x, operands.slice(1), around);
    case ATTR:
      return attribute(need(x), String(operand));
    case METHOD:
      return callMethod(x, String(operand), operands.slice(1), noNames, around);
    default:
      return binary(op, need(x), need(y), around);
  }
}

function attribute(value: Value, name: string): Value {
  const found = attributeOf(value, name);
  if (found === undefined) throw noAttribute(value, name);
  return found;
}

export function callBuiltin(
  name: string,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
  around: Surroundings = unmetered,
): Value {
  const found = builtins.get(name);
  if (!found) throw new Fault(faults.notCallable, `there is no built-in function ${name}`);
  return found.call(args.map(need), named, around);
}

/** Where a caller gives no surroundings: the default limits, no fuel. */
const unmetered: Surroundings = { valueBytes: limitTable.valueBytes.default };

/** Calls a method of a value; `args` come after the receiver. Throws PV3005 where it has none. */
export function callMethod(
  receiver: Value,
  name: string,
  args: readonly Value[],
  named: ReadonlyMap<string, Value>,
  around: Surroundings,
): Value {
  const target = need(receiver);
  const found = methodsOf(target).get(name);
  if (!found) throw noAttribute(target, name);
  return found.call([target, ...args.map(need)], named, around);
}
