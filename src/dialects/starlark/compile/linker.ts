/**
 * `load`: puts the files that a program loads into the program. A load statement stands outside of
 * loops and conditions, so the first one that names a file is known here: it runs the file, and any
 * later one only binds names.
 *
 * Invariants:
 * - K1 A file is compiled once and runs once, at the first load statement that execution reaches.
 * - K2 What cannot be loaded is an error of the running program, at its load statement.
 */
import { nearest } from '../../../program/diagnostic.ts';
import type { File, Load, LoadItem, Position } from '../parse/syntax.ts';
import { compileFunction } from './compile-function.ts';
import { compileBody } from './compile-module.ts';
import { at, type Emitter, type ModuleContext, store } from './emitter.ts';

/** What a module is: a file that has been resolved, variables of the host, or nothing. */
export type Loaded =
  | LoadedFile
  /** Global variables that are set before the program runs, by the names to load. */
  | { readonly kind: 'variables'; readonly slots: ReadonlyMap<string, string> }
  | { readonly kind: 'error'; readonly message: string };

export interface LoadedFile
  extends Pick<ModuleContext, 'options' | 'predeclared' | 'variable' | 'hasConversation'> {
  readonly kind: 'file';
  /** What back-traces call it; different for different files. */
  readonly name: string;
  readonly file: File;
}

/** Gives the same module for the same name, as `from` means it. */
export type Loader = (module: string, from: string) => Loaded;

/** Names that can be loaded, and the global variables that hold their values. */
type Exports = ReadonlyMap<string, string>;

/** The load statements of a program; `main` is the name of its own file. */
export function loadWith(loader: Loader, main: string): (to: Emitter, node: Load) => void {
  const done = new Map<File, Exports>();
  const open: File[] = [];
  const link = (to: Emitter, node: Load): void => {
    const found = loader(node.module, to.module.file ?? main);
    if (found.kind === 'error') refuse(to, node, found.message);
    else if (found.kind === 'variables') bindAll(to, node, found.slots);
    else if (open.includes(found.file)) refuse(to, node, 'cycle in load graph');
    else bindAll(to, node, done.get(found.file) ?? run(to, node, found));
  };
  const run = (to: Emitter, node: Load, found: LoadedFile): Exports => {
    const { file } = found;
    open.push(file);
    const module = moduleOf(to.module, found, link);
    const chunk = compileBody(module, file);
    open.pop();
    const exports = new Map(file.globals.map(({ name }) => [name, module.prefix + name] as const));
    done.set(file, exports);
    at(to, node.at).emit('TUPLE', 0).emit('FUNC', chunk).call(0).emit('POP');
    return exports;
  };
  return link;
}

function moduleOf(
  { program, wanted }: ModuleContext,
  { name, file, options, predeclared, variable, hasConversation = false }: LoadedFile,
  load: NonNullable<ModuleContext['load']>,
): ModuleContext {
  const module: ModuleContext = {
    program,
    options,
    globals: file.globals,
    prefix: `${name}:`,
    file: name,
    predeclared,
    ...(variable && { variable }),
    hasConversation,
    wanted,
    load,
    compileFunction: (node) => compileFunction(module, node),
  };
  return module;
}

function bindAll(to: Emitter, node: Load, exports: Exports): void {
  for (const item of node.items) {
    const slot = exports.get(item.from);
    if (slot === undefined) {
      refuseName(to, node, item, exports);
      return;
    }
    at(to, item.at).emit('GLOBAL', to.module.program.global(slot));
    store(to, item.to);
  }
}

function refuseName(
  to: Emitter,
  { module }: Load,
  { at: place, from }: LoadItem,
  exports: Exports,
): void {
  const names = [...exports.keys()].filter((name) => !name.startsWith('_'));
  const near = nearest(from, names);
  const guess = near === undefined ? '' : ` (did you mean ${near}?)`;
  raise(to, place, `load: name ${from} not found in module ${module}${guess}`);
}

const refuse = (to: Emitter, { module, moduleAt }: Load, why: string): void =>
  raise(to, moduleAt, `cannot load ${module}: ${why}`);

function raise(to: Emitter, place: Position, message: string): void {
  const chunk = at(to, place).constant(message);
  chunk.emit('FAIL', chunk.constantSlot('PV3020'));
}
