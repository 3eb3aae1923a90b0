/**
 * The library functions that call functions of the program: written in guest code, so that no host
 * code stands between two guest frames (design rule 2). A program gets a chunk of role `builtin`
 * for each that it names; to the program they are built-in functions like any other.
 */
import { ChunkBuilder, type ProgramBuilder } from '../../../program/builder.ts';
import type { Chunk } from '../../../program/program.ts';
import { builtin, type Value } from '../../../program/value.ts';
import { conformance } from '../parse/options.ts';
import { parse } from '../parse/parser.ts';
import { resolve } from '../resolve/resolver.ts';
import { compileFunction } from './compile-function.ts';
import type { ModuleContext } from './emitter.ts';

export interface LibraryFunction {
  /** Where no `key` is given, the machine's own function of the name does the work. */
  readonly source: string;
  /** What optional parameters are when they are not given: different from each other. */
  readonly defaults: readonly Value[];
}

/** Stands for a `key` that the program does not give: None would be a mistake. */
const notGiven = builtin('_not_given');

const functions: ReadonlyMap<string, LibraryFunction> = new Map([
  [
    'sorted',
    {
      source: `
def sorted_(iterable, key=_not_given, reverse=False):
    if key == _not_given:
        return sorted(iterable, reverse=reverse)
    items = _items_for("sorted", iterable, key)
    return _sorted_by(items, [key(item) for item in items], reverse)
`,
      defaults: [notGiven, false],
    },
  ],
  ['min', { source: extreme('min'), defaults: [notGiven] }],
  ['max', { source: extreme('max'), defaults: [notGiven] }],
  // For programs that pass them on; a plain call of one is an instruction.
  [
    'print',
    { source: 'def print_(*args, sep=" "):\n    print(*args, sep=sep)\n', defaults: [' '] },
  ],
  ['answer', { source: 'def answer_(x):\n    answer(x)\n', defaults: [] }],
  ['say', { source: 'def say_(x):\n    say(x)\n', defaults: [] }],
  ['result', { source: 'def result_(x):\n    result(x)\n', defaults: [] }],
]);

function extreme(name: string): string {
  return `
def ${name}_(*args, key=_not_given):
    if key == _not_given or len(args) == 0:
        return ${name}(*args)
    items = _items_for("${name}", args[0] if len(args) == 1 else args, key)
    return _${name}_by(items, [key(item) for item in items])
`;
}

/** Adds the functions that a program names, as far as they are among these and not there yet. */
export function addLibrary(program: ProgramBuilder, names: Iterable<string>): void {
  for (const name of names) {
    if (program.hasBuiltin(name)) continue;
    const found = functions.get(name);
    if (name === 'catch') program.add(catching());
    else if (found) addFunction(program, name, found);
  }
}

/** Adds a function in the language; another dialect may have some of its own. */
export function addFunction(
  program: ProgramBuilder,
  name: string,
  { source, defaults }: LibraryFunction,
): void {
  const { file } = parse(source, conformance);
  const [node] = file?.body ?? [];
  if (!file || node?.kind !== 'def') throw new TypeError(`the prelude has no function ${name}`);
  resolve(file, { options: conformance, predeclared: () => false, universal: () => true });
  const module: ModuleContext = {
    program,
    options: { ...conformance, recursion: true },
    globals: file.globals,
    prefix: '',
    file: undefined,
    predeclared: () => undefined,
    wanted: new Set(),
    compileFunction: () => {
      throw new TypeError('the prelude has functions inside functions');
    },
  };
  compileFunction(module, { ...node.function, name }, { role: 'builtin', defaults });
}

/** `catch(f)` calls f and gives the message of its error, or None. */
function catching(): Chunk {
  const chunk = new ChunkBuilder('catch');
  chunk.emit('LOCAL', 0).call(0).emit('POP').emit('BARRIER');
  const end = chunk.address;
  chunk.constant(null).emit('RETURN');
  chunk.handler({ start: 0, end, target: chunk.address, depth: 0 });
  chunk.constant('message').emit('INDEX').emit('RETURN');
  const parameters = { positional: 1, named: 0, defaults: 0 };
  return chunk.seal({ role: 'builtin', locals: ['f'], parameters });
}
