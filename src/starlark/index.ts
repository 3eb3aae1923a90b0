/**
 * Starlark for programs of your own: `planvm/starlark`.
 *
 *     import { starlark } from 'planvm/starlark';
 *
 *     const { ok, globals, error } = starlark.evaluate('n = twice(4)', {
 *       predeclared: { twice: (x) => x * 2 },
 *     });
 *     globals.get('n')?.data(); // 8
 */
import { evaluate } from './evaluate.ts';
import { type Library, library } from './library.ts';

export type { EvaluationError, EvaluationFrame, Position } from './error.ts';
export type { Evaluation } from './evaluate.ts';
export type { HostInput, HostValue } from './host-value.ts';
export { Guest } from './host-value.ts';
export type { NativeFunction, ObjectBehaviour } from './library.ts';
export type { EvaluateOptions, LoadedModule, LoadModule } from './static.ts';

export const starlark: { readonly evaluate: typeof evaluate } & Library = {
  evaluate,
  ...library,
};
