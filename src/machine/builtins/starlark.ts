/** The library of Starlark: functions, methods and modules by name, and what it has everywhere. */
import { builtin, list, type Module, type Value } from '../../program/value.ts';
import { attributeNames, attributeOf, noAttribute } from '../attribute.ts';
import { foreignAttribute } from '../values/foreign-attributes.ts';
import { anything, aString, define, misused, naming, positional } from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { type Builtins, builtinsOf, type Methods, type MethodTables } from './builtins.ts';
import { bytesMethods, dictMethods, listMethods, setMethods } from './container-methods.ts';
import { conversions } from './conversions.ts';
import { jsonFunctions } from './json.ts';
import { mathConstants, mathFunctions, numbers } from './math.ts';
import { plan, uncertainty } from './plan.ts';
import { sequences } from './sequences.ts';
import { characterMethods, searchMethods } from './string-methods.ts';

const table = (specs: readonly BuiltinSpec[]): Methods =>
  new Map(specs.map((spec) => [spec.name, spec]));

/** The methods of each type, by name; the receiver is the first argument. */
export const methods: MethodTables = {
  string: table([...characterMethods, ...searchMethods]),
  bytes: table(bytesMethods),
  list: table(listMethods),
  dict: table(dictMethods),
  set: table(setMethods),
};

/** The functions that ask for attributes by name, and `struct`. */
const attributes: readonly BuiltinSpec[] = [
  define('dir', {}, (call) => list(attributeNames(positional(call, [anything])[0], methods))),
  define('getattr', {}, (call): Value => {
    const [value, name, otherwise] = positional(call, [anything, aString], [anything]);
    const found = attributeOf(value, name, methods);
    if (found !== undefined) return found;
    if (otherwise !== undefined) return otherwise;
    return naming(call, () => {
      throw noAttribute(value, name, { methods, foreignAttribute });
    });
  }),
  define('hasattr', { lifts: true }, (call) => {
    const [value, name] = positional(call, [anything, aString]);
    return attributeOf(value, name, methods) !== undefined;
  }),
  define('struct', { stores: true }, (call): Value => {
    if (call.args.length > 0) throw misused(call, 'unexpected positional arguments');
    return { kind: 'struct', name: 'struct', fields: new Map(call.named) };
  }),
];

function moduleOf(
  name: string,
  functions: readonly BuiltinSpec[],
  constants: readonly (readonly [string, Value])[] = [],
): Module {
  const members = functions.map((spec) => {
    return [spec.name.slice(name.length + 1), builtin(spec.name)] as const;
  });
  return { kind: 'module', name, members: new Map([...members, ...constants]) };
}

/** The library modules as values, for a program to load or to find under their names. */
export const modules: ReadonlyMap<string, Module> = new Map([
  ['json', moduleOf('json', jsonFunctions)],
  ['math', moduleOf('math', mathFunctions, mathConstants)],
]);

/** `_module("math")`: what the compiler makes of the name of a library module. */
const moduleFunctions: readonly BuiltinSpec[] = [
  define('_module', {}, (call) => {
    const [name] = positional(call, [aString]);
    const found = modules.get(name);
    if (found === undefined) throw misused(call, `there is no module ${name}`);
    return found;
  }),
];

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
