/** What expressions may call: it is computed, and no playbook or function of anybody's. */
const computing = [
  'len',
  'str',
  'int',
  'float',
  'bool',
  'abs',
  'min',
  'max',
  'sum',
  'sorted',
] as const;

export type Computing = (typeof computing)[number];

export const isComputing = (name: string): name is Computing =>
  computing.some((one) => one === name);

/** What else expressions have from where people know it: no call of anything that there is not. */
export const isLibrary = (name: string): boolean => isComputing(name) || library.has(name);

const library: ReadonlySet<string> = new Set([
  ...['all', 'any', 'dict', 'enumerate', 'list', 'map', 'filter', 'print', 'range', 'repr'],
  ...['reversed', 'round', 'set', 'tuple', 'type', 'zip', 'now', 'today', 'date', 'random', 'sqrt'],
]);
