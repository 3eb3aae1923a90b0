/**
 * What is known while code is made, and how values get on the stack and off it. The stack is known
 * before the program runs, but for how many values a foreach leaves there: a value on it is a
 * variable, named after the statement that gave it, and taking one is no more than naming it. Where
 * a statement takes some of the values of a foreach, all that is on the stack goes into one list
 * first, the variable `stack`.
 */
import type { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import type { Site } from '../../program/effect.ts';
import type { Environment } from '../dialect.ts';
import { codeByName } from './codes.ts';
import type { StackFunction } from './library.ts';
import { stackName } from './nodes.ts';
import type { StackTree } from './tree.ts';

export interface Lowering {
  readonly program: ProgramBuilder;
  readonly chunk: ChunkBuilder;
  readonly environment: Environment;
  /** Names of the main chunk's local variables, by slot. */
  readonly locals: string[];
  /** The functions of the library that are called. */
  readonly wanted: Set<StackFunction>;
  /** Where the values of variables came from. */
  readonly origins: Map<string, string>;
  /** The oldest first. */
  readonly stack: Entry[];
  readonly programs: StackTree['programs'];
  /** Inside of a program that another one uses. */
  readonly used: Used | undefined;
  /** Inside of a foreach. */
  readonly element: Element | undefined;
}

/** With the lists that its answers go to. */
export interface Used extends Lists {
  /** Where it is used: its own lines are those of another text. */
  readonly site: Site;
  /** What stands before the names of its variables. */
  readonly prefix: string;
  /** The names that it sets itself; others are inputs. */
  readonly names: ReadonlySet<string>;
}

/** A value on the stack, or any number of them. */
export type Entry = One | Many;

export interface One {
  readonly kind: 'one';
  readonly value: Place;
  readonly source: string | Place;
}

/** Two lists of the same length. */
export interface Many {
  readonly kind: 'many';
  readonly values: Place;
  readonly sources: Place;
}

export type Place = { readonly global: string } | { readonly local: number };

/** The local variables of two lists: of values, and of where each came from. */
export interface Lists {
  readonly values: number;
  readonly sources: number;
}

/** With the lists that results go to. */
export interface Element extends Lists {
  /** The local variable of the element. */
  readonly value: number;
  /** The local variable that says where the element came from. */
  readonly source: number;
}

/** The instructions that follow belong to this place. */
export function at({ chunk, used }: Lowering, site: Site): ChunkBuilder {
  const { line, column } = used?.site ?? site;
  return chunk.at(line, column);
}

/** The global variable of a name. */
export function variable({ used }: Lowering, name: string): string {
  return used?.names.has(name) ? `${used.prefix}${name}` : name;
}

/** Adds what entries hold to two lists, in local variables. */
export function appendEntries(to: Lowering, lists: Lists, entries: readonly Entry[]): void {
  const { chunk } = to;
  for (const entry of entries) {
    for (const [list, pushOf] of [
      [lists.values, pushEntryValue],
      [lists.sources, pushEntrySource],
    ] as const) {
      chunk.emit('LOCAL', list);
      pushOf(to, entry);
      if (entry.kind === 'many') chunk.emit('IADD').emit('POP');
      else chunk.emit('APPEND', 1).emit('POP');
    }
  }
}

/** A new local variable. */
export const newLocal = ({ locals }: Lowering, name: string): number =>
  locals.push(`${name}_${locals.length}`) - 1;

/** Two new lists, which are empty. */
export function emptyLists(to: Lowering, site: Site): Lists {
  const lists = newLists(to);
  at(to, site).emit('LIST', 0).emit('SETLOCAL', lists.values);
  to.chunk.emit('LIST', 0).emit('SETLOCAL', lists.sources);
  return lists;
}

export const newLists = (to: Lowering): Lists => ({
  values: newLocal(to, 'values'),
  sources: newLocal(to, 'sources'),
});

export const manyOf = ({ values, sources }: Lists): Many => ({
  ...{ kind: 'many', values: { local: values }, sources: { local: sources } },
});

/** Pushes a function of the library; its arguments and CALL come next. */
export function pushFunction(to: Lowering, name: StackFunction): ChunkBuilder {
  to.wanted.add(name);
  return to.chunk.builtin(name);
}

/** Pushes the value of a variable. */
export function pushPlace({ chunk, program }: Lowering, place: Place): ChunkBuilder {
  if ('local' in place) return chunk.emit('LOCAL', place.local);
  return chunk.emit('GLOBAL', program.global(place.global));
}

/** Takes entries off the stack: those of all values, or of the newest ones, the oldest first. */
export function takeEntries(to: Lowering, count: number | 'all'): readonly Entry[] {
  const { stack } = to;
  if (count === 'all') return stack.splice(0);
  const top = stack.slice(-count);
  if (top.length === count && top.every(({ kind }) => kind === 'one')) {
    return stack.splice(stack.length - count);
  }
  const all = gather(to);
  guard(to, all, count);
  const taken = takeFrom(to, all, (list) => {
    pushFunction(to, 'stack_take');
    pushPlace(to, list).constant(count).call(2);
  });
  return [taken];
}

/** Takes the newest value, where there is one. */
export function takeTop(to: Lowering): readonly Entry[] {
  const { stack } = to;
  const last = stack.at(-1);
  if (!last || last.kind === 'one') return last ? stack.splice(-1) : [];
  const taken = takeFrom(to, gather(to), (list) => {
    pushFunction(to, 'stack_top');
    pushPlace(to, list).call(1);
  });
  return [taken];
}

/** Keeps what is taken of both lists in local variables. */
function takeFrom(to: Lowering, all: Many, takeOf: (list: Place) => void): Many {
  const lists = newLists(to);
  takeOf(all.values);
  to.chunk.emit('SETLOCAL', lists.values);
  takeOf(all.sources);
  to.chunk.emit('SETLOCAL', lists.sources);
  return manyOf(lists);
}

/** Puts all that is on the stack into one list, which takes the place of it. */
function gather(to: Lowering): Many {
  const { stack, chunk, program } = to;
  const sources = newLocal(to, 'sources');
  pushLists(to, stack, pushEntryValue);
  const list = `${to.used?.prefix ?? ''}${stackName}`;
  chunk.emit('SETGLOBAL', program.global(list));
  pushLists(to, stack, pushEntrySource);
  chunk.emit('SETLOCAL', sources);
  const all: Many = { kind: 'many', values: { global: list }, sources: { local: sources } };
  stack.splice(0, stack.length, all);
  return all;
}

/** Pushes a new list of what entries hold, one after the other. */
export function pushLists(
  to: Lowering,
  entries: readonly Entry[],
  pushOf: (to: Lowering, entry: Entry) => void,
): void {
  const { chunk } = to;
  let isList = false;
  let ones = 0;
  const close = (): void => {
    if (ones === 0 && isList) return;
    chunk.emit('LIST', ones);
    if (isList) chunk.emit('ADD');
    isList = true;
    ones = 0;
  };
  for (const entry of entries) {
    if (entry.kind === 'many') {
      close();
      pushOf(to, entry);
      chunk.emit('ADD');
    } else {
      pushOf(to, entry);
      ones += 1;
    }
  }
  close();
}

export function pushEntryValue(to: Lowering, entry: Entry): void {
  pushPlace(to, entry.kind === 'many' ? entry.values : entry.value);
}

export function pushEntrySource(to: Lowering, entry: Entry): void {
  if (entry.kind === 'many') pushPlace(to, entry.sources);
  else if (typeof entry.source === 'string') to.chunk.constant(entry.source);
  else pushPlace(to, entry.source);
}

/** Pushes one value for any number of them: the only one, or a list. */
export function pushTogether(to: Lowering, entries: readonly Entry[]): void {
  const [first, ...more] = entries;
  if (first?.kind === 'one' && more.length === 0) {
    pushEntryValue(to, first);
    return;
  }
  const isKnown = entries.every(({ kind }) => kind === 'one');
  if (!isKnown) pushFunction(to, 'stack_value');
  pushLists(to, entries, pushEntryValue);
  if (!isKnown) to.chunk.call(1);
}

/** Code that ends in an error where there are too few values: only the run can tell. */
function guard(to: Lowering, { values }: Many, count: number): void {
  const { chunk } = to;
  const enough = chunk.label();
  chunk.builtin('len');
  pushPlace(to, values).call(1).constant(count).emit('LT').jump('JF', enough);
  chunk.constant(`got ${count} to take from the stack: there are only `).builtin('len');
  pushPlace(to, values).call(1).emit('TEMPLATE', 2);
  chunk.emit('FAIL', chunk.constantSlot(codeByName.ranEmpty));
  chunk.place(enough);
}

/**
 * Pushes where a value comes from: the statement that gives it, and inside of a foreach for which
 * element that is.
 */
export function pushOrigin({ chunk, element }: Lowering, text: string): void {
  if (!element || text === '') {
    chunk.constant(text);
    return;
  }
  chunk.constant(`${text} for `).emit('LOCAL', element.source).emit('TEMPLATE', 2);
}
