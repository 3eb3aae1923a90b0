/**
 * Code for what gives values. A value may be pushed as it is, as an item, which knows where it came
 * from, or as one of a list of items, where there may be any number of them.
 */
import type { ToolSpec } from '../../program/effect.ts';
import { typesOf } from '../signature.ts';
import { allows, typeOf } from '../stackvm/schema-check.ts';
import { bindArguments } from './arguments.ts';
import { literalOf } from './check-helper.ts';
import { canTake, take } from './depth.ts';
import {
  at,
  type Lowering,
  newLocal,
  pushFunction,
  pushOrigin,
  pushStack,
  pushTaken,
} from './lowering.ts';
import { type Foreach, type HelperCall, isMany, type ModelCall, type Operand } from './nodes.ts';
import { helperIn, modelTool } from './tools.ts';

/** Pushes one value; several are a list of them. */
export function pushValue(to: Lowering, operand: Operand): void {
  const chunk = at(to, operand);
  switch (operand.kind) {
    case 'literal':
      chunk.constant(operand.value);
      return;
    case 'hole':
      throw new TypeError(`${operand.text} stands for no value`);
    case 'list':
      for (const item of operand.items) pushValue(to, item);
      at(to, operand).emit('LIST', operand.items.length);
      return;
    case 'object':
      for (const { name, value } of operand.entries) {
        chunk.constant(name);
        pushValue(to, value);
      }
      at(to, operand).emit('DICT', operand.entries.length);
      return;
    case 'take':
      if (operand.count === 1) {
        pushTaken(to, operand);
        chunk.constant(0).emit('INDEX').constant('value').emit('INDEX');
        return;
      }
      pushFunction(to, 'stack_value');
      pushTaken(to, operand);
      chunk.call(1);
      return;
    case 'foreach':
      pushFunction(to, 'stack_value');
      pushResults(to, operand);
      at(to, operand).call(1);
      return;
    case 'get':
      chunk.emit('GLOBAL', to.program.global(operand.name));
      return;
    case 'model':
      pushModelCall(to, operand);
      return;
    case 'helper':
      pushHelperCall(to, operand);
      return;
    case 'data':
      pushData(to, operand.value);
      return;
  }
}

/** Values that data takes off the stack are a list, however many they are but for one alone. */
function pushData(to: Lowering, value: Operand): void {
  if (!isMany(value)) {
    pushValue(to, value);
    return;
  }
  pushFunction(to, 'stack_values');
  pushItems(to, value);
  at(to, value).call(1);
}

/** Pushes a value with where it came from. */
export function pushItem(to: Lowering, operand: Operand): void {
  if (operand.kind === 'take' && operand.count === 1) {
    pushTaken(to, operand);
    to.chunk.constant(0).emit('INDEX');
    return;
  }
  at(to, operand).constant('value');
  pushValue(to, operand);
  at(to, operand).constant('source');
  pushSource(to, operand);
  at(to, operand).emit('DICT', 2);
}

function pushSource(to: Lowering, operand: Operand): void {
  switch (operand.kind) {
    case 'model':
    case 'helper':
    case 'data':
    case 'foreach':
      pushOrigin(to, operand.source);
      return;
    case 'get': {
      const origin = to.origins.get(operand.name);
      if (typeof origin === 'number') to.chunk.emit('LOCAL', origin);
      else to.chunk.constant(origin ?? '');
      return;
    }
    default:
      // What is written out in a program says itself what it is.
      to.chunk.constant('');
  }
}

/** Pushes a list of items: one for each value. */
export function pushItems(to: Lowering, operand: Operand): void {
  if (operand.kind === 'take') pushTaken(to, operand);
  else if (operand.kind === 'foreach') pushResults(to, operand);
  else {
    pushItem(to, operand);
    at(to, operand).emit('LIST', 1);
  }
}

/** Of a list that a program writes out for a model, each value is one of its own. */
function pushEach(to: Lowering, operand: Operand): void {
  if (operand.kind !== 'list') {
    pushItems(to, operand);
    return;
  }
  to.chunk.emit('LIST', 0);
  for (const item of operand.items) {
    pushEach(to, item);
    at(to, item).emit('ADD');
  }
}

function pushModelCall(to: Lowering, call: ModelCall): void {
  const items = newLocal(to, 'items');
  const { chunk } = to;
  if (call.operands) {
    chunk.emit('LIST', 0);
    for (const operand of call.operands) {
      pushEach(to, operand);
      at(to, operand).emit('ADD');
    }
  } else pushTop(to);
  at(to, call).emit('SETLOCAL', items).tool(modelTool).constant('values');
  pushFunction(to, 'stack_values').emit('LOCAL', items).call(1).constant('instruction');
  pushValue(to, call.instruction);
  at(to, call).constant('sources');
  pushFunction(to, 'stack_sources').emit('LOCAL', items).call(1).call(0, 3);
}

/** What a statement takes that is not told what to take: the newest value, where there is one. */
function pushTop(to: Lowering): void {
  const isThere = canTake(to.depth, 1);
  if (isThere === false) {
    to.chunk.emit('LIST', 0);
    return;
  }
  pushFunction(to, 'stack_top');
  pushStack(to).call(1);
  take(to.depth, 1);
}

function pushHelperCall(to: Lowering, call: HelperCall): void {
  const spec = helperIn(to.environment, call.name);
  if (!spec) throw new TypeError(`there is no helper ${call.name}`);
  const { given } = bindArguments(call, spec, to.element !== undefined);
  at(to, call).tool(spec.name);
  for (const { name, value } of given) {
    at(to, value).constant(name);
    pushArgument(to, name, value, spec);
  }
  at(to, call).call(0, given.length);
}

/** What a model or a helper gave may be what the parameter wants but for its notation. */
function pushArgument(to: Lowering, name: string, value: Operand, spec: ToolSpec): void {
  const { properties = {} } = spec.parameters;
  const types = Object.hasOwn(properties, name) ? typesOf(properties[name] ?? {}) : undefined;
  const literal = literalOf(value);
  const own = literal && typeOf(literal);
  if (!types || types.length === 0 || (own !== undefined && allows(types, own))) {
    pushValue(to, value);
    return;
  }
  at(to, value).builtin('conform');
  pushValue(to, value);
  at(to, value).constant(types.join(' ')).call(2);
}

/** The results of a foreach for all elements, one after the other: a list of items. */
function pushResults(to: Lowering, { over, body, ...site }: Foreach): void {
  const { chunk } = to;
  const [results, item, stack] = ['results', 'item', 'stack'].map((name) => newLocal(to, name));
  if (results === undefined || item === undefined || stack === undefined) return;
  const [next, end] = [chunk.label(), chunk.label()];
  at(to, site).emit('LIST', 0).emit('SETLOCAL', results);
  pushFunction(to, 'stack_elements');
  pushItems(to, over);
  at(to, site).call(1).emit('ITER').place(next).jump('NEXT', end).emit('SETLOCAL', item);
  chunk.emit('LOCAL', item).emit('LIST', 1).emit('SETLOCAL', stack);
  const element = { stack, item, results };
  to.act({ ...to, depth: { least: 1, isExact: true }, element }, body);
  at(to, site).jump('JMP', next).place(end).emit('ENDITER').emit('LOCAL', results);
}
