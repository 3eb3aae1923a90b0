/** The methods of each type, by name; the receiver is the first argument. */
import type { Value } from '../../program/value.ts';
import type { BuiltinSpec } from './builtin.ts';
import { bytesMethods, dictMethods, listMethods } from './container-methods.ts';
import { setMethods } from './set-methods.ts';
import { characterMethods } from './string-methods.ts';
import { searchMethods } from './string-search.ts';

export type Methods = ReadonlyMap<string, BuiltinSpec>;

const table = (specs: readonly BuiltinSpec[]): Methods =>
  new Map(specs.map((spec) => [spec.name, spec]));

/** By the word that `type()` says. */
export const methods: Readonly<Record<'string' | 'bytes' | 'list' | 'dict' | 'set', Methods>> = {
  string: table([...characterMethods, ...searchMethods]),
  bytes: table(bytesMethods),
  list: table(listMethods),
  dict: table(dictMethods),
  set: table(setMethods),
};

const none: Methods = new Map();

/** The methods of a settled value. */
export function methodsOf(value: Value): Methods {
  if (typeof value === 'string') return methods.string;
  if (value === null || typeof value !== 'object') return none;
  switch (value.kind) {
    case 'list':
    case 'dict':
    case 'set':
    case 'bytes':
      return methods[value.kind];
    default:
      return none;
  }
}
