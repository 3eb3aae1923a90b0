/** Code that several parts of a plan need: values written out, results in a list. */
import type { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import { isDict, type Value } from '../../program/value.ts';
import type { Environment } from '../dialect.ts';
import type { Plan, PlanTree } from './plan.ts';

export interface Lowering {
  readonly program: ProgramBuilder;
  readonly chunk: ChunkBuilder;
  readonly tree: PlanTree;
  readonly plan: Plan;
  readonly environment: Environment;
}

/** Pushes a value: lists and dicts are made anew, since constants never change. */
export function pushValue(chunk: ChunkBuilder, value: Value): void {
  if (typeof value === 'object' && value?.kind === 'list') {
    for (const item of value.items) pushValue(chunk, item);
    chunk.emit('LIST', value.items.length);
  } else if (isDict(value)) {
    let count = 0;
    for (const slot of value.slots) {
      if (!slot) continue;
      chunk.constant(slot[0]);
      pushValue(chunk, slot[1]);
      count++;
    }
    chunk.emit('DICT', count);
  } else chunk.constant(value);
}

/** Pushes a list of results, one after the other: there may be very many. */
export function pushList({ program, chunk }: Lowering, ids: readonly string[]): void {
  chunk.emit('LIST', 0);
  for (const id of ids) chunk.emit('GLOBAL', program.global(id)).emit('APPEND', 1);
}
