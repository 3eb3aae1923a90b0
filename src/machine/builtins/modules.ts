/** The library modules as values, for a program to load or to find under their names. */
import { builtin, type Module, type Value } from '../../program/value.ts';
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
