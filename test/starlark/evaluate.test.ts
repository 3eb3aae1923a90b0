/** Modules of Starlark evaluated for a host: values in and out, errors as data, limits. */
import { describe, expect, test } from 'vitest';
import { type EvaluateOptions, starlark } from '../../src/starlark/index.ts';

const { evaluate } = starlark;

/** Global variables as data. */
function globals(source: string, options: EvaluateOptions = {}): Record<string, unknown> {
  const result = evaluate(source, options);
  expect(result.error).toBeUndefined();
  const data = [...result.globals].filter(([, { type }]) => type !== 'function');
  return Object.fromEntries(data.map(([name, value]) => [name, value.data()]));
}

/** The message of the error that ends a module. */
const failure = (source: string, options: EvaluateOptions = {}): string | undefined =>
  evaluate(source, options).error?.message;

describe('values', () => {
  test('go in as data and come out as data', () => {
    const predeclared = {
      nothing: null,
      yes: true,
      n: 2,
      big: 2n ** 70n,
      half: 0.5,
      text: 'é',
      list: [1, [2]],
      dict: { a: 1 },
      map: new Map([[1, 'one']]),
      set: new Set([1, 2]),
      raw: Uint8Array.of(1, 2),
    };
    const names = Object.keys(predeclared);
    const source = `got = [type(x) for x in [${names.join(', ')}]]\nsame = [n + 1, big, list[1]]`;
    expect(globals(source, { predeclared })).toEqual({
      got: [
        ...['NoneType', 'bool', 'int', 'int', 'float', 'string'],
        ...['list', 'dict', 'dict', 'set', 'bytes'],
      ],
      same: [3, 2n ** 70n, [2]],
    });
  });

  test('a whole float is an int unless it says that it is none', () => {
    const predeclared = { a: 1.0, b: starlark.float(1), zero: -0 };
    expect(globals('t = [str(a), str(b), str(zero)]', { predeclared })).toEqual({
      t: ['1', '1.0', '-0.0'],
    });
  });

  test('what no data is, is refused with a reason', () => {
    expect(() => evaluate('', { predeclared: { x: Symbol('x') } })).toThrow('got a symbol');
    expect(() => evaluate('', { predeclared: { x: new Date(0) } })).toThrow('object of Date');
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => evaluate('', { predeclared: { x: loop } })).toThrow('or is a cycle');
  });

  test('globals show as the program shows them, and are frozen', () => {
    const { globals: all } = evaluate('def f(): pass\nxs = [1.0, f, len]', {});
    expect(String(all.get('xs'))).toBe('[1.0, <function f>, <built-in function len>]');
    expect(all.get('f')?.type).toBe('function');
    expect(() => all.get('f')?.data()).toThrow('got a function, want data');
    const touch = { predeclared: { xs: starlark.frozen([1]) } };
    expect(failure('xs.append(2)', touch)).toBe('append: cannot append to frozen list');
  });

  test('what a program could not do with a value, the host cannot either', () => {
    const value = evaluate('x = [1]\nx.append(x)\nx').value;
    expect(String(value)).toBe('[1, [...]]');
    expect(() => value?.equals(value)).toThrow(TypeError);
    expect(() => value?.data()).toThrow('nesting deeper');
  });

  test('the value of a last expression, answers and prints are kept apart', () => {
    const printed: string[] = [];
    const result = evaluate('print("a", 1)\nanswer(2)\nprint("b")\n1 + 2', {
      print: (text) => printed.push(text),
    });
    expect(result.value?.data()).toBe(3);
    expect(result.answers.map((one) => one.data())).toEqual([2]);
    expect(printed).toEqual(['a 1', 'b']);
    expect(evaluate('x = 1').value).toBeUndefined();
  });
});

describe('profiles', () => {
  test('conformance has what the specification has', () => {
    const messages = (source: string): string[] =>
      evaluate(source, { profile: 'conformance' }).diagnostics.map(({ message }) => message);
    expect(messages('x = sum([1])\ny = set()\nstruct()\njson')).toEqual([
      'undefined: sum',
      'this Starlark dialect does not support sets',
      'undefined: struct',
      'undefined: json',
    ]);
  });

  test('an option turns on one thing', () => {
    const options = { profile: 'conformance', options: { set: true } } as const;
    expect(globals('n = len(set([1, 1]))', options)).toEqual({ n: 1 });
    expect(evaluate('for x in []: pass', options).diagnostics[0]?.message).toContain('for loop');
  });

  test('recursion is banned by function body, the library apart', () => {
    const source = `
def f(n): return n if n < 1 else f(n - 1)
xs = sorted([3, 1], key = lambda n: max([n, 2], key = lambda m: min(m, n)))
`;
    expect(globals(source, { profile: 'conformance', predeclared: {} }).xs).toEqual([1, 3]);
    expect(failure(`${source}f(2)`, { profile: 'conformance' })).toBe(
      'function f called recursively',
    );
    expect(failure(`${source}f(2)`)).toBeUndefined();
  });
});

describe('static errors', () => {
  test('parse mode gives the first, resolve mode all, and nothing runs', () => {
    const source = 'x = y\nz = w\n';
    expect(evaluate(source, { mode: 'parse' })).toMatchObject({ ok: true, diagnostics: [] });
    const found = evaluate(source, { mode: 'resolve', file: 'a.star', firstLine: 10 });
    expect(found.diagnostics.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '10: undefined: y',
      '11: undefined: w',
    ]);
    expect(found.error).toMatchObject({
      message: 'undefined: y',
      position: { file: 'a.star', line: 10, column: 5 },
      frames: [],
    });
    expect(evaluate('x = (', { mode: 'resolve' }).diagnostics).toHaveLength(1);
  });

  test('the names of the language can be others', () => {
    const options = { mode: 'resolve', universal: ['U'] } as const;
    expect(evaluate('U', options).ok).toBe(true);
    expect(evaluate('len', options).diagnostics[0]?.message).toBe('undefined: len');
  });
});

describe('errors', () => {
  test('have frames in the coordinates of the program, and a text like the Go one', () => {
    const source = `
def f(x):
  return 1//x

def g():
  return min([1, 0], key=f)

g()`;
    const { error } = evaluate(source, { file: 'crash.star' });
    expect(error?.position).toEqual({ file: 'crash.star', line: 3, column: 11 });
    expect(error?.frames.map((frame) => frame.function)).toEqual(['<toplevel>', 'g', 'min', 'f']);
    expect(error?.backtrace).toBe(`Traceback (most recent call last):
  crash.star:8:2: in <toplevel>
  crash.star:6:13: in g
  <builtin>: in min
  crash.star:3:11: in f
Error: floored division by zero`);
  });

  test('show nothing of what library functions are made of', () => {
    const { error } = evaluate('\nmax([1], key=3)', { file: 'a' });
    expect(error?.backtrace).toBe(`Traceback (most recent call last):
  a:2:4: in <toplevel>
Error in max: max: for parameter "key": got int, want callable`);
  });

  test('name the library function that failed', () => {
    const { error } = evaluate('def f(): return [].index(1)\nf()', { file: 'a' });
    expect(error?.frames.at(-1)).toEqual({
      function: 'index',
      file: '<builtin>',
      line: 0,
      column: 0,
    });
    expect(error?.position).toEqual({ file: 'a', line: 1, column: 25 });
    expect(error?.backtrace).toMatch(/: in f\nError in index: index: value not in list$/);
  });

  test.each([
    ['def f():\n  print(x)\n  x = 1\nf()', 'local variable x referenced before assignment'],
    [
      'def f():\n  def g(): return x\n  g()\n  x = 1\nf()',
      'local variable x referenced before assignment',
    ],
    [
      'def f():\n  def g():\n    def h(): return x\n    h()\n  g()\n  x = 1\nf()',
      'local variable x referenced before assignment',
    ],
    ['def f(): return x\nf()\nx = 1', 'global variable x referenced before assignment'],
    ['a, b = 1', 'got int in sequence assignment'],
    ['xs = [1]\nfor x in xs: xs += [1]', 'cannot apply += to list during iteration'],
    ['{1: 1, 1.0: 2}', 'duplicate key: 1.0'],
    ['{"a": 1, "a": 2}', 'duplicate key: "a"'],
    ['{range(3): 1}', 'unhashable: range'],
    ['{json: 1}', 'unhashable: module'],
    ['{struct(a=(1, [2])): 1}', 'unhashable type: list'],
    ['[] in set([1])', 'unhashable type: list'],
    ['dict(a=1, **{"a": 2})', 'dict: duplicate keyword arg: "a"'],
    ['json.a = 1', "can't assign to .a field of module"],
    ['x = [1]\nx.a += 1', 'list has no .a field or method'],
    ['x = [1]\nx[0] = x\nx == x', 'comparison exceeded maximum recursion depth'],
    ['sorted([1, 2, None, 3])', 'int < NoneType not implemented'],
    ['sorted([1, "one"])', 'string < int not implemented'],
    ['sorted([1], key=None)', 'sorted: for parameter "key": got NoneType, want callable'],
    ['max(1, key=len)', 'max: for parameter "iterable": got int, want iterable'],
    [
      'json.decode(\'{"a": 1 "b": 2}\')',
      `json.decode: at offset 8, in object, got '"', want ',' or '}'`,
    ],
    ['json.indent("!")', "json.indent: invalid character at offset 0: unexpected character '!'"],
  ])('%s', (source, message) => {
    expect(failure(source)).toBe(message);
  });

  test('what is no error', () => {
    expect(
      globals('a = [] in {1: 2}\nb = b"abc"[1] == b"b"\ndef f(a, *b, **c,): return c\n'),
    ).toEqual(expect.objectContaining({ a: false, b: true }));
  });
});

describe('limits', () => {
  test('instructions', () => {
    const { error, instructions } = evaluate('while True: pass', { limits: { instructions: 500 } });
    expect(error?.message).toBe('Starlark computation cancelled: too many steps');
    expect(instructions).toBe(500);
  });

  test('depth and size', () => {
    const deep = 'def f(): f()\nf()';
    expect(failure(deep, { limits: { callDepth: 20 } })).toContain('deeper than 20 frames');
    const growing = 'xs = [0]\nfor i in range(100): xs.append([0] * 1000)';
    expect(evaluate(growing, { limits: { memoryBytes: 100_000 } }).error?.code).toBe('PV3204');
    expect(failure('"x" * 100', { limits: { valueBytes: 50 } })).toContain('excessive repeat');
  });
});
