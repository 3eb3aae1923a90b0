/**
 * The library functions that more dialects than Starlark call, which a browser has from the start:
 * those of JSON plans, conversions, sequences.
 */
import { type Builtins, builtinsOf } from './builtins.ts';
import { conversions } from './conversions.ts';
import { plan } from './plan.ts';
import { sequences } from './sequences.ts';

export const coreBuiltins: Builtins = builtinsOf(
  new Map([...plan, ...conversions, ...sequences].map((spec) => [spec.name, spec])),
);
