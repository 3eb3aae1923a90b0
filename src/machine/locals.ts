/**
 * `locals()`: the values that have names where it stands, those of the function, or outside of
 * functions the global ones, as a dict. It waits until all of them are there, so that it says the
 * same whenever results come. Functions are left out: what has names as data is meant.
 */
import { dict, isPending, settled, unshared, type Value } from '../program/value.ts';
import { parameters } from './builtins/arguments.ts';
import type { CallArguments } from './call.ts';
import { capturedName } from './instructions.ts';
import type { State } from './state.ts';
import { needAll } from './values/pendings.ts';

export function locals(state: State, { positional, named }: CallArguments): Value {
  const { around } = state;
  parameters({ name: 'locals', args: positional, named: new Map(named), around }, {});
  const found: [string, Value][] = [];
  for (const [name, held] of namesHere(state)) {
    const value = isData(held) ? needAll(held) : undefined;
    if (value !== undefined && isData(value)) found.push([name, value]);
  }
  around.charge?.(found.length);
  return dict(found);
}

/** With what each name holds; pending values as they are. */
function* namesHere(state: State): Generator<[string, Value]> {
  const { program, frames, stack, globals } = state;
  const frame = frames.at(-1);
  const chunk = program.chunks[frame?.chunk ?? -1];
  if (!frame || chunk?.role !== 'function') {
    for (const [slot, name] of program.globals.entries()) yield* held(name, globals[slot]);
    return;
  }
  for (const [slot, name] of chunk.locals.entries()) yield* held(name, stack[frame.base + slot]);
  for (const [index, cell] of frame.captured.entries()) {
    yield* held(capturedName(program, frame.chunk, index), cell);
  }
}

/** What the compiler or a file that is loaded calls its own has a name that nobody can write. */
function* held(name: string, value: Value | undefined): Generator<[string, Value]> {
  const found = unshared(value);
  if (found !== undefined && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) yield [name, found];
}

const callables: ReadonlySet<string> = new Set(['function', 'builtin', 'tool', 'method', 'object']);

function isData(value: Value): boolean {
  const seen = settled(value);
  if (seen === null || typeof seen !== 'object' || isPending(seen)) return true;
  return !callables.has(seen.kind);
}
