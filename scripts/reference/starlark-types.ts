/** The types of the language, for its page. A test holds the names against the machine. */

export interface TypeRow {
  /** As `type(x)` says it. */
  readonly name: string;
  /** An expression that gives a value of the type. */
  readonly example: string;
  readonly about: string;
}

const type = (name: string, example: string, about: string): TypeRow => ({ name, example, about });

export const typeRows: readonly TypeRow[] = [
  type('NoneType', 'None', 'Nothing. False as a condition.'),
  type('bool', 'True', 'True or False; no number.'),
  type('int', '2 ** 100', 'A whole number of any size. `//` and `%` round down.'),
  type('float', '1.5', 'A number of double precision; `/` always gives one.'),
  type('string', '"text"', 'Text. It has an index and slices, but is not iterable.'),
  type('bytes', 'b"\\x00\\xff"', 'Numbers from 0 to 255.'),
  type('list', '[1, "a"]', 'Can be changed; not while a loop goes over it.'),
  type('tuple', '(1, "a")', 'A list that cannot be changed.'),
  type('dict', '{"a": 1}', 'In the order of insertion. Keys cannot be changed: no list, no dict.'),
  type('set', 'set(["a", "b"])', 'In the order of insertion. `|`, `&`, `-` and `^` combine sets.'),
  type('range', 'range(3)', 'Numbers that are made as they are needed.'),
  type('struct', 'struct(a = 1)', 'Named fields, read as s.a. It cannot be changed.'),
  type(
    'function',
    'lambda x: x + 1',
    'Defined by def or lambda; a closure over what is around it.',
  ),
  type('builtin_function_or_method', 'len', 'A function of the library, or a method of a value.'),
  type('module', 'json', 'Functions of the library under one name.'),
];
