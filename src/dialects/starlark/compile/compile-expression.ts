/** Code for expressions: each leaves exactly one value on the operand stack. */
import type { Label } from '../../../program/builder.ts';
import { packArguments } from '../../../program/opcodes.ts';
import { mandatory, type Value } from '../../../program/value.ts';
import type {
  Argument,
  Attribute,
  BinaryOperator,
  Call,
  Chain,
  Clause,
  Comprehension,
  Expression,
  Format,
  FunctionNode,
  Replacement,
  Slice,
} from '../parse/syntax.ts';
import { areCounted } from '../resolve/given.ts';
import { isOuter, pathOf } from '../resolve/tool-names.ts';
import { conversationInput, guestFunctions } from '../resolve/universe.ts';
import { at, type Emitter, load, store } from './emitter.ts';
import { loweredAsk, modelCalls, sourcedBuiltins } from './model-calls.ts';

const opcodes: Readonly<Record<Exclude<BinaryOperator, 'and' | 'or' | 'not in' | '**'>, string>> = {
  '==': 'EQ',
  '!=': 'NE',
  '<': 'LT',
  '<=': 'LE',
  '>': 'GT',
  '>=': 'GE',
  in: 'IN',
  '+': 'ADD',
  '-': 'SUB',
  '*': 'MUL',
  '/': 'DIV',
  '//': 'FLOORDIV',
  '%': 'MOD',
  '&': 'AND',
  '|': 'OR',
  '^': 'XOR',
  '<<': 'SHL',
  '>>': 'SHR',
};

const unary = { not: 'NOT', '+': 'POS', '-': 'NEG', '~': 'INVERT' } as const;

export function expression(to: Emitter, node: Expression): void {
  const { chunk } = to;
  switch (node.kind) {
    case 'name':
      load(to, node);
      return;
    case 'literal':
      at(to, node.at).constant(node.value);
      return;
    case 'tuple':
    case 'list':
      for (const item of node.items) expression(to, item);
      at(to, node.at).emit(node.kind === 'list' ? 'LIST' : 'TUPLE', node.items.length);
      return;
    case 'dict':
      at(to, node.at).emit('DICT', 0);
      for (const { key, value, operatorAt } of node.entries) {
        expression(to, key);
        expression(to, value);
        at(to, operatorAt).emit('PUTNEW', 1);
      }
      return;
    case 'unary':
      expression(to, node.operand);
      at(to, node.at).emit(unary[node.operator]);
      return;
    case 'binary':
      binary(to, node.operator, node.left, node.right, node.operatorAt);
      return;
    case 'chain':
      chain(to, node);
      return;
    case 'conditional': {
      const [otherwise, end] = [chunk.label(), chunk.label()];
      expression(to, node.condition);
      chunk.jump('JF', otherwise);
      expression(to, node.then);
      chunk.jump('JMP', end).place(otherwise);
      expression(to, node.orElse);
      chunk.place(end);
      return;
    }
    case 'attribute': {
      const tool = toolAt(to, node);
      if (tool !== undefined) {
        at(to, node.at).constant(tool);
        return;
      }
      expression(to, node.object);
      at(to, node.operatorAt).emit('ATTR', chunk.constantSlot(node.name));
      return;
    }
    case 'index':
      expression(to, node.object);
      expression(to, node.index);
      at(to, node.operatorAt).emit('INDEX');
      return;
    case 'slice':
      slice(to, node);
      return;
    case 'call':
      call(to, node);
      return;
    case 'lambda':
      closure(to, node.function);
      return;
    case 'comprehension':
      comprehension(to, node);
      return;
    case 'format':
      format(to, node);
      return;
  }
}

/** The tool that a name with dots means; undefined where it is an attribute of a value. */
function toolAt({ module }: Emitter, node: Attribute): Value | undefined {
  const path = pathOf(node);
  return path && isOuter(path.root) ? module.predeclared(path.text) : undefined;
}

function binary(
  to: Emitter,
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  operatorAt: number,
): void {
  const { chunk } = to;
  if (operator === 'and' || operator === 'or') {
    const end = chunk.label();
    expression(to, left);
    at(to, operatorAt).jump(operator === 'and' ? 'JFK' : 'JTK', end);
    expression(to, right);
    chunk.place(end);
    return;
  }
  if (operator === '**') chunk.builtin('pow');
  expression(to, left);
  expression(to, right);
  operation(to, operator, operatorAt);
}

/** The operation on the two values on top. */
export function operation(
  to: Emitter,
  operator: Exclude<BinaryOperator, 'and' | 'or'>,
  operatorAt: number,
): void {
  const chunk = at(to, operatorAt);
  if (operator === '**') chunk.call(2);
  else if (operator === 'not in') chunk.emit('IN').emit('NOT');
  else chunk.emit(opcodes[operator]);
}

/** Of a and b makes b and a < b, so that b can be compared again; b a a b on the way. */
function chain(to: Emitter, { first, links }: Chain): void {
  const { chunk } = to;
  const [failed, end] = [chunk.label(), chunk.label()];
  expression(to, first);
  links.forEach(({ operator, operatorAt, right }, i) => {
    expression(to, right);
    if (i === links.length - 1) {
      operation(to, operator, operatorAt);
      chunk.jump('JMP', end);
      return;
    }
    chunk.emit('EXCH').emit('DUP2').emit('EXCH');
    operation(to, operator, operatorAt);
    chunk.emit('EXCH').emit('POP').jump('JFK', failed);
  });
  chunk.place(failed).emit('EXCH').emit('POP').place(end);
}

function slice(to: Emitter, { object, low, high, step, operatorAt }: Slice): void {
  expression(to, object);
  for (const bound of [low, high, step]) {
    if (bound) expression(to, bound);
    else to.chunk.constant(null);
  }
  at(to, operatorAt).emit('SLICE');
}

/** The call as it is compiled: one that asks a model is given what only the compiler knows. */
function loweredCall(to: Emitter, node: Call): Call {
  const { module } = to;
  const { callee } = node;
  if (callee.kind === 'attribute' && callee.name === 'ask' && module.definitions) {
    const isOther = toolAt(to, callee) !== undefined || !module.predeclared('table_ask');
    return (isOther ? undefined : loweredAsk(node, module.definitions())) ?? node;
  }
  if (callee.kind !== 'name') return node;
  if (callee.binding?.scope === 'universal' && module.definitions) {
    const known = Object.hasOwn(sourcedBuiltins, callee.name) && sourcedBuiltins[callee.name];
    return known ? known(node, module.definitions()) : node;
  }
  if (callee.binding?.scope !== 'predeclared') return node;
  const known = Object.hasOwn(modelCalls, callee.name) ? modelCalls[callee.name] : undefined;
  return known && module.definitions ? known.lower(node, module.definitions()) : node;
}

/** A call; of `print`, `answer`, `result` and `say` it is an instruction. */
function call(to: Emitter, written: Call): void {
  const node = loweredCall(to, written);
  const { callee, operatorAt } = node;
  const name = callee.kind === 'name' && callee.binding?.scope === 'universal' ? callee.name : '';
  if (name === 'print') {
    to.chunk.builtin('native:print');
    passArguments(to, node.arguments, operatorAt);
    at(to, operatorAt).emit('EMIT', to.chunk.constantSlot('print')).constant(null);
    return;
  }
  const [only] = node.arguments;
  if (name === 'messages' && !only) {
    messages(to, node);
    return;
  }
  const isSingle = node.arguments.length === 1 && only?.kind === 'positional';
  if (isSingle && (name === 'answer' || name === 'result')) {
    to.module.answers = true;
    expression(to, only.value);
    at(to, operatorAt).emit('ANSWER').constant(null);
    return;
  }
  if (isSingle && name === 'say') {
    expression(to, only.value);
    at(to, operatorAt).emit('EMIT', to.chunk.constantSlot('say')).constant(null);
    return;
  }
  if (
    callee.kind === 'attribute' &&
    areCounted(node.arguments) &&
    toolAt(to, callee) === undefined
  ) {
    expression(to, callee.object);
    at(to, callee.nameAt).constant(callee.name);
    passArguments(to, node.arguments, operatorAt, 'METHOD');
    return;
  }
  if (isPlainOrder(name, node.arguments)) to.chunk.builtin(`native:${name}`);
  else expression(to, callee);
  passArguments(to, node.arguments, operatorAt);
}

/** A new list of what the run was given of the conversation: an input, where there is one. */
function messages(to: Emitter, { operatorAt }: Call): void {
  const chunk = at(to, operatorAt);
  if (!to.module.hasConversation) {
    chunk.emit('LIST', 0);
    return;
  }
  const slot = to.module.program.global(conversationInput);
  chunk.builtin('list').emit('GLOBAL', slot).emit('CALL', packArguments(1, 0));
}

/** Whether the machine's own function can do it, since no function is called by it. */
const isPlainOrder = (name: string, given: readonly Argument[]): boolean =>
  guestFunctions.has(name) &&
  given.every((one) => one.kind !== 'starstar' && (one.kind !== 'named' || one.name !== 'key')) &&
  given.filter(({ kind }) => kind === 'positional').length <= (name === 'sorted' ? 1 : Infinity);

function passArguments(
  to: Emitter,
  given: readonly Argument[],
  operatorAt: number,
  plain: 'CALL' | 'METHOD' = 'CALL',
): void {
  const { chunk } = to;
  let [positional, named] = [0, 0];
  let star: Expression | undefined;
  let starstar: Expression | undefined;
  for (const argument of given) {
    switch (argument.kind) {
      case 'positional':
        positional++;
        expression(to, argument.value);
        break;
      case 'named':
        named++;
        at(to, argument.at).constant(argument.name);
        expression(to, argument.value);
        break;
      case 'star':
        star = argument.value;
        break;
      case 'starstar':
        starstar = argument.value;
        break;
    }
  }
  if (!star && !starstar) {
    at(to, operatorAt).emit(plain, packArguments(positional, named));
    return;
  }
  for (const more of [star, starstar]) {
    if (more) expression(to, more);
    else chunk.constant(null);
  }
  at(to, operatorAt).emit('SPREAD', packArguments(positional, named));
}

/** Pushes a function: its default values are evaluated here and now. */
export function closure(to: Emitter, node: FunctionNode): void {
  const values = defaultsOf(node);
  for (const value of values) {
    if (value) expression(to, value);
    else to.chunk.constant(mandatory);
  }
  at(to, node.at).emit('TUPLE', values.length).emit('FUNC', to.module.compileFunction(node));
}

/**
 * Default values from the first parameter that has one, in the machine's order; undefined for a
 * parameter behind it that has none.
 */
export function defaultsOf({ parameters }: FunctionNode): (Expression | undefined)[] {
  const values: (Expression | undefined)[] = [];
  for (const parameter of parameters) {
    if (parameter.kind === 'optional') values.push(parameter.value);
    else if (parameter.kind === 'parameter' && values.length > 0) values.push(undefined);
  }
  return values;
}

function comprehension(to: Emitter, { result, clauses, at: place }: Comprehension): void {
  const { chunk } = to;
  at(to, place).emit(result.kind === 'entry' ? 'DICT' : 'LIST', 0);
  const before = to.iterators;
  const open: { top: Label; end: Label }[] = [];
  for (const clause of clauses) clauseOf(to, clause, open);
  const depth = to.iterators - before;
  if (result.kind === 'entry') {
    expression(to, result.key);
    expression(to, result.value);
    at(to, result.operatorAt).emit('PUT', depth + 1);
  } else {
    expression(to, result);
    at(to, result.at).emit('APPEND', depth + 1);
  }
  for (const { top, end } of open.reverse()) {
    chunk.jump('JMP', top).place(end).emit('ENDITER');
    to.iterators--;
  }
}

function clauseOf(to: Emitter, clause: Clause, open: { top: Label; end: Label }[]): void {
  const { chunk } = to;
  if (clause.kind === 'for') {
    const [top, end] = [chunk.label(), chunk.label()];
    expression(to, clause.iterable);
    at(to, clause.at).emit('ITER').place(top).jump('NEXT', end);
    to.iterators++;
    open.push({ top, end });
    assignTo(to, clause.target);
    return;
  }
  expression(to, clause.condition);
  const loop = open.at(-1);
  if (loop) chunk.jump('JF', loop.top);
}

/** Pieces of text joined; each value through `str` or `repr`, or formatted where it says how. */
function format(to: Emitter, { parts, at: place }: Pick<Format, 'parts' | 'at'>): void {
  for (const part of parts) {
    if (typeof part === 'string') to.chunk.constant(part);
    else if (part.format.length > 0) formatted(to, part);
    else textOf(to, part);
  }
  at(to, place).emit('TEMPLATE', parts.length);
}

function textOf(to: Emitter, { conversion, value, at: place }: Replacement): void {
  to.chunk.builtin(conversion === 'r' ? 'repr' : 'str');
  expression(to, value);
  at(to, place).call(1);
}

/** `{value:format}` */
function formatted(to: Emitter, part: Replacement): void {
  to.chunk.builtin('_format');
  if (part.conversion === 'r') textOf(to, part);
  else expression(to, part.value);
  format(to, { parts: part.format, at: part.at });
  at(to, part.at).call(2);
}

/** Pops the top into a target. */
export function assignTo(to: Emitter, target: Expression): void {
  const { chunk } = to;
  switch (target.kind) {
    case 'name':
      store(to, target);
      return;
    case 'tuple':
    case 'list':
      at(to, target.at).emit('UNPACK', target.items.length);
      for (const item of target.items) assignTo(to, item);
      return;
    case 'index':
      expression(to, target.object);
      chunk.emit('EXCH');
      expression(to, target.index);
      at(to, target.operatorAt).emit('EXCH').emit('SETINDEX');
      return;
    case 'attribute':
      expression(to, target.object);
      chunk.emit('EXCH');
      at(to, target.operatorAt).emit('SETFIELD', chunk.constantSlot(target.name));
      return;
    default:
      throw new TypeError(`a ${target.kind} is no target`);
  }
}
