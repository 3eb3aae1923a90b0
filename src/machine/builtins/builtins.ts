/**
 * The library that a machine is made with: functions by name, and the methods of values. All of
 * planvm's stands in `index.ts`; a host that runs few dialects can do with less.
 */
import type { Value } from '../../program/value.ts';
import type { BuiltinSpec } from './builtin.ts';

export type Methods = ReadonlyMap<string, BuiltinSpec>;

/** By the word that `type()` says. */
export type MethodTables = Readonly<Record<'string' | 'bytes' | 'list' | 'dict' | 'set', Methods>>;

export interface Builtins {
  readonly functions: ReadonlyMap<string, BuiltinSpec>;
  readonly methods: MethodTables;
  /** Methods that can be deferred: they change nothing, whatever type they turn out to be of. */
  readonly liftingMethods: ReadonlySet<string>;
  /** What to write instead of an attribute that another language has. */
  readonly foreignAttribute: (value: Value, name: string) => string | undefined;
}

const noMethods: Methods = new Map();

export function builtinsOf(
  functions: Builtins['functions'],
  methods: MethodTables = withoutMethods,
  foreignAttribute: Builtins['foreignAttribute'] = () => undefined,
): Builtins {
  return {
    ...{ functions, methods, foreignAttribute },
    liftingMethods: liftingIn(methods),
  };
}

/** The same library with further functions. */
export const withFunctions = (library: Builtins, more: readonly BuiltinSpec[]): Builtins => ({
  ...library,
  functions: new Map([...library.functions, ...more.map((spec) => [spec.name, spec] as const)]),
});

const withoutMethods: MethodTables = {
  string: noMethods,
  bytes: noMethods,
  list: noMethods,
  dict: noMethods,
  set: noMethods,
};

function liftingIn(methods: MethodTables): ReadonlySet<string> {
  const specs = Object.values(methods).flatMap((table) => [...table.values()]);
  const mutating = new Set(specs.flatMap(({ name, mutates }) => (mutates ? [name] : [])));
  const lifting = specs.filter(({ name, lifts }) => lifts && !mutating.has(name));
  return new Set(lifting.map(({ name }) => name));
}

/** The methods of a settled value. */
export function methodsOf(value: Value, methods: MethodTables): Methods {
  if (typeof value === 'string') return methods.string;
  if (value === null || typeof value !== 'object') return noMethods;
  switch (value.kind) {
    case 'list':
    case 'dict':
    case 'set':
    case 'bytes':
      return methods[value.kind];
    default:
      return noMethods;
  }
}
