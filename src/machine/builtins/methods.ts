/** The methods of each type, by name; the receiver is the first argument. */
import type { BuiltinSpec } from './builtin.ts';
import type { Methods, MethodTables } from './builtins.ts';
import { bytesMethods, dictMethods, listMethods } from './container-methods.ts';
import { setMethods } from './set-methods.ts';
import { characterMethods } from './string-methods.ts';
import { searchMethods } from './string-search.ts';

const table = (specs: readonly BuiltinSpec[]): Methods =>
  new Map(specs.map((spec) => [spec.name, spec]));

export const methods: MethodTables = {
  string: table([...characterMethods, ...searchMethods]),
  bytes: table(bytesMethods),
  list: table(listMethods),
  dict: table(dictMethods),
  set: table(setMethods),
};
