/** The rows of the library say what there is: no name too many, none too few. */
import { expect, test } from 'vitest';
import {
  functionRows,
  type LibraryRow,
  methodRows,
  moduleRows,
  nameOf,
} from '../../../src/dialects/starlark/describe/library.ts';
import {
  constants,
  modules as moduleNames,
  planFunctions,
  universe,
} from '../../../src/dialects/starlark/resolve/universe.ts';
import { methods, modules } from '../../../src/machine/builtins/starlark.ts';

const names = (rows: readonly LibraryRow[] = []): string[] => rows.map(nameOf).sort();

test('each function that a program knows has a row, and the profile is right', () => {
  const rest = [...constants.keys(), ...moduleNames];
  expect(names(functionRows)).toEqual([...universe].filter((name) => !rest.includes(name)).sort());
  const planned = functionRows.filter(({ plan }) => plan);
  expect(names(planned)).toEqual([...planFunctions].sort());
});

test.each(Object.keys(methods))('each method of %s has a row', (type) => {
  const known = methods[type as keyof typeof methods];
  expect(names(methodRows[type])).toEqual([...known.keys()].sort());
});

test('each member of a module has a row', () => {
  expect(Object.keys(moduleRows).sort()).toEqual([...moduleNames].sort());
  for (const name of moduleNames) {
    expect(names(moduleRows[name])).toEqual([...(modules.get(name)?.members.keys() ?? [])].sort());
  }
});
