/**
 * Which parts of the language a program may use. Starlark leaves them to the host; two profiles
 * name the sets in use: the specification's own, and what programs of models need.
 */

export interface Options {
  /** The built-in `set`. */
  readonly set: boolean;
  /** `while` loops. */
  readonly while: boolean;
  /** `if`, `for` and `while` outside functions. */
  readonly toplevelcontrol: boolean;
  /** Assigning a global variable more than once. */
  readonly globalreassign: boolean;
  /** Functions that call themselves; read by the compiler. */
  readonly recursion: boolean;
  /** `load` binds globals instead of names of the file. */
  readonly loadbindsglobally: boolean;
  /** `f"{x}"`. */
  readonly fstrings: boolean;
  /** `a < b < c`. */
  readonly chainedcomparison: boolean;
  /** `x ** y`. */
  readonly power: boolean;
}

/** The language of the specification and nothing else. */
export const conformance: Options = {
  set: false,
  while: false,
  toplevelcontrol: false,
  globalreassign: false,
  recursion: false,
  loadbindsglobally: false,
  fstrings: false,
  chainedcomparison: false,
  power: false,
};

/** What models write, as far as it is harmless: their programs run without being taught first. */
export const plan: Options = {
  set: true,
  while: true,
  toplevelcontrol: true,
  globalreassign: true,
  recursion: true,
  loadbindsglobally: false,
  fstrings: true,
  chainedcomparison: true,
  power: true,
};
