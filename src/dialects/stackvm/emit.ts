/** Code for values: literals, references, templates, lists and objects. */
import type { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import { type Names, staysText } from './names.ts';
import type { Expression, Plan, Reference } from './plan.ts';
import type { Path } from './template.ts';

export interface Emitter {
  readonly plan: Plan;
  readonly program: ProgramBuilder;
  readonly chunk: ChunkBuilder;
  readonly names: Names;
  /** Slots of variables that the instruction has computed and not set yet. */
  readonly computed?: ReadonlyMap<string, number>;
}

/** Pushes the value of an expression. */
export function emit(to: Emitter, expression: Expression): void {
  const { chunk } = to;
  chunk.at(expression.line, expression.column);
  switch (expression.kind) {
    case 'literal':
      chunk.constant(expression.value);
      return;
    case 'reference':
      emitReference(to, expression);
      return;
    case 'template':
      for (const part of expression.parts) {
        if (typeof part !== 'string') emitReference(to, part);
        else chunk.at(expression.line, expression.column).constant(part);
      }
      chunk.at(expression.line, expression.column).emit('TEMPLATE', expression.parts.length);
      return;
    case 'list':
      for (const item of expression.items) emit(to, item);
      chunk.at(expression.line, expression.column).emit('LIST', expression.items.length);
      return;
    case 'object':
      for (const { name, value } of expression.entries) {
        chunk.constant(name);
        emit(to, value);
      }
      chunk.at(expression.line, expression.column).emit('DICT', expression.entries.length);
      return;
  }
}

/** FIELD reaches into objects, lists and texts that hold JSON, by key or by number. */
function emitReference(to: Emitter, reference: Reference): void {
  const { chunk } = to;
  chunk.at(reference.line, reference.column);
  if (staysText(reference, to.plan.dialect, to.names)) {
    if (reference.form !== 'object') chunk.constant(reference.text);
    else chunk.constant('var').constant(reference.text).emit('DICT', 1);
    return;
  }
  emitPath(to, reference);
}

function emitPath(to: Emitter, { name, path }: Path): void {
  const { chunk } = to;
  getVariable(to, name);
  for (const key of path) {
    if (typeof key !== 'object') {
      chunk.emit('FIELD', chunk.constantSlot(String(key)));
      continue;
    }
    chunk.builtin('pick').emit('EXCH');
    emitPath(to, key);
    chunk.call(2);
  }
}

export function getVariable({ chunk, program, computed }: Emitter, name: string): void {
  const slot = computed?.get(name);
  if (slot === undefined) chunk.emit('GLOBAL', program.global(name));
  else chunk.emit('LOCAL', slot);
}
