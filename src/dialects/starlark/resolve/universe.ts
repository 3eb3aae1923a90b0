/** The names that every Starlark program knows without defining them. */

/** Library functions of the specification. */
export const functions: readonly string[] = [
  'abs',
  'all',
  'any',
  'bool',
  'bytes',
  'chr',
  'dict',
  'dir',
  'enumerate',
  'fail',
  'float',
  'getattr',
  'hasattr',
  'hash',
  'int',
  'len',
  'list',
  'max',
  'min',
  'ord',
  'print',
  'range',
  'repr',
  'reversed',
  'set',
  'sorted',
  'str',
  'struct',
  'tuple',
  'type',
  'zip',
];

/** Those that may call functions of the program: see `prelude.ts`. */
export const guestFunctions: ReadonlySet<string> = new Set(['sorted', 'min', 'max']);

/** What programs of models use besides; not in the conformance profile. */
export const planFunctions: readonly string[] = [
  'answer',
  'at_step',
  'attempt',
  'first',
  'is_uncertain',
  'llm_bind',
  'locals',
  'messages',
  'parallel',
  'pow',
  'result',
  'round',
  'say',
  'stream',
  'sum',
  'task',
  'try_call',
  'uncertain',
];

/** Names of values, which no program can give others. */
export const constants: ReadonlyMap<string, null | boolean> = new Map<string, null | boolean>([
  ['None', null],
  ['True', true],
  ['False', false],
]);

/** Library modules, there without `load`. */
export const modules: readonly string[] = ['json', 'math'];

/** The specification's names. `set` is one of them: an option turns it off. */
export const conformanceUniverse: ReadonlySet<string> = new Set([
  ...constants.keys(),
  ...functions.filter((name) => name !== 'struct'),
]);

/** All names that programs of models know. */
export const universe: ReadonlySet<string> = new Set([
  ...constants.keys(),
  ...modules,
  ...functions,
  ...planFunctions,
]);

/** The input by which a run is told what was said before it; `messages()` gives it. */
export const conversationInput = 'conversation';
