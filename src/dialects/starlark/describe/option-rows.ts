/** What each option of the language allows, for prompts and for the language page. */
import type { Options } from '../parse/options.ts';

export interface OptionRow {
  /** What it allows. */
  readonly about: string;
  /** As it looks in a program. */
  readonly example: string;
}

const option = (about: string, example: string): OptionRow => ({ about, example });

export const optionRows: Readonly<Record<keyof Options, OptionRow>> = {
  set: option('the type `set`', 'set(["a", "b"])'),
  while: option('`while` loops', 'while x < 3:'),
  toplevelcontrol: option('`if`, `for` and `while` outside functions', 'for x in xs:'),
  globalreassign: option('assigning a global variable more than once', 'n += 1'),
  recursion: option('functions that call themselves', 'def f(n): return f(n - 1)'),
  loadbindsglobally: option('`load` that binds global variables', 'load("m", "f")'),
  fstrings: option('f-strings, with formats', 'f"{name}: {price:.2f}"'),
  chainedcomparison: option('comparisons in a row', '0 <= x < 10'),
  power: option('the operator `**`', 'x ** 2'),
};
