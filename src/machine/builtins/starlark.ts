/** The library functions of Starlark by name, and which of them it has everywhere. */

import { foreignAttribute } from '../values/foreign-attributes.ts';
import { attributes } from './attributes.ts';
import { type Builtins, builtinsOf } from './builtins.ts';
import { conversions } from './conversions.ts';
import { jsonFunctions } from './json.ts';
import { mathFunctions } from './math.ts';
import { methods } from './methods.ts';
import { moduleFunctions } from './modules.ts';
import { numbers } from './numbers.ts';
import { plan } from './plan.ts';
import { sequences } from './sequences.ts';
import { uncertainty } from './uncertainty.ts';

const starlark = [...conversions, ...sequences, ...attributes, ...numbers];

const all = [
  ...plan,
  ...uncertainty,
  ...starlark,
  ...jsonFunctions,
  ...mathFunctions,
  ...moduleFunctions,
];

/**
 * Of some names, programs bring a function in guest code along, which calls a `key=` or releases
 * what it is given; the one of the machine is found as `native:sorted` as well.
 */
const native = all.filter(({ name }) => ['sorted', 'min', 'max', 'print'].includes(name));

export const starlarkBuiltins: Builtins = builtinsOf(
  new Map([
    ...all.map((spec) => [spec.name, spec] as const),
    ...native.map((spec) => [`native:${spec.name}`, spec] as const),
  ]),
  methods,
  foreignAttribute,
);

/**
 * The names that a Starlark program finds without declaring them. `struct`, `sum`, `round` and
 * `pow` are not in the specification: a profile adds them.
 */
export const universal: readonly string[] = starlark
  .map((spec) => spec.name)
  .filter((name) => !name.startsWith('_') && !['struct', 'sum', 'round', 'pow'].includes(name));
