/** The library modules as values, for a program to load or to find under their names. */
import { builtin, type Module, type Value } from '../../program/value.ts';
import { aString, define, misused, positional } from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';
import { jsonFunctions } from './json.ts';
import { mathConstants, mathFunctions } from './math.ts';

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

export const modules: ReadonlyMap<string, Module> = new Map([
  ['json', moduleOf('json', jsonFunctions)],
  ['math', moduleOf('math', mathFunctions, mathConstants)],
]);

/** `_module("math")`: what the compiler makes of the name of a library module. */
export const moduleFunctions: readonly BuiltinSpec[] = [
  define('_module', {}, (call) => {
    const [name] = positional(call, [aString]);
    const found = modules.get(name);
    if (found === undefined) throw misused(call, `there is no module ${name}`);
    return found;
  }),
];
