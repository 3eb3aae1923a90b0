/**
 * Code for what gives values. An operand is one value, pushed as it is, or any number of them, kept
 * in two lists: the values, and where each came from.
 */
import { literalOf } from './check-helper.ts';
import { lowerForeach } from './lower-foreach.ts';
import { pushHelperCall } from './lower-helper.ts';
import {
  at,
  type Entry,
  type Lowering,
  newLocal,
  pushEntrySource,
  pushEntryValue,
  pushLists,
  pushOrigin,
  pushTogether,
  takeEntries,
  takeTop,
  variable,
} from './lowering.ts';
import type { ModelCall, Operand } from './nodes.ts';
import { modelTool } from './tools.ts';

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
      pushTogether(to, takeEntries(to, operand.count));
      return;
    case 'foreach':
      pushTogether(to, [lowerForeach(to, operand)]);
      return;
    case 'use':
      pushTogether(to, [to.make.use(to, operand)]);
      return;
    case 'get':
      chunk.emit('GLOBAL', to.program.global(variable(to, operand.name)));
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

/** Values that data takes off the stack are a list, unless it is one by its number. */
function pushData(to: Lowering, value: Operand): void {
  const isOne = value.kind === 'take' && value.count === 1;
  const isMany = value.kind === 'foreach' || value.kind === 'use';
  if (isMany || (value.kind === 'take' && !isOne)) {
    pushLists(to, entriesOf(to, value), pushEntryValue);
  } else pushValue(to, value);
}

/** The values of an operand; one that is not on the stack is computed, and kept in a variable. */
export function entriesOf(to: Lowering, operand: Operand): readonly Entry[] {
  if (operand.kind === 'take') return takeEntries(to, operand.count);
  if (operand.kind === 'foreach') return [lowerForeach(to, operand)];
  if (operand.kind === 'use') return [to.make.use(to, operand)];
  if (operand.kind === 'get') {
    const source = to.origins.get(operand.name) ?? '';
    return [{ kind: 'one', value: { global: variable(to, operand.name) }, source }];
  }
  const value = newLocal(to, 'value');
  pushValue(to, operand);
  at(to, operand).emit('SETLOCAL', value);
  const text = sourceOf(operand);
  if (!to.element || text === '') return [{ kind: 'one', value: { local: value }, source: text }];
  const source = newLocal(to, 'source');
  pushOrigin(to, text);
  to.chunk.emit('SETLOCAL', source);
  return [{ kind: 'one', value: { local: value }, source: { local: source } }];
}

/** The statement that gives a value; what is written out in a program says itself what it is. */
export function sourceOf(operand: Operand): string {
  switch (operand.kind) {
    case 'data':
      return literalOf(operand.value) ? '' : operand.source;
    case 'model':
    case 'helper':
    case 'foreach':
    case 'use':
      return operand.source;
    default:
      return '';
  }
}

/** Of a list that a program writes out for a model, each value is one of its own. */
const eachOf = (operand: Operand): readonly Operand[] =>
  operand.kind === 'list' ? operand.items.flatMap(eachOf) : [operand];

function pushModelCall(to: Lowering, call: ModelCall): void {
  const { chunk } = to;
  const operands = call.operands?.flatMap(eachOf);
  const entries = operands?.flatMap((one) => entriesOf(to, one)) ?? takeTop(to);
  at(to, call).tool(modelTool).constant('values');
  pushLists(to, entries, pushEntryValue);
  chunk.constant('instruction');
  pushValue(to, call.instruction);
  at(to, call).constant('sources');
  pushLists(to, entries, pushEntrySource);
  chunk.call(0, 3);
}
