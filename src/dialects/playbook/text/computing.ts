/** What expressions may call: it is computed, and no playbook or function of anybody's. */
export const computing = [
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
