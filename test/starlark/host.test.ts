/** What a host gives to programs: functions, objects, modules to load. */
import { describe, expect, test } from 'vitest';
import { type EvaluateOptions, Guest, starlark } from '../../src/starlark/index.ts';

const { evaluate } = starlark;

const value = (source: string, options: EvaluateOptions = {}): unknown => {
  const result = evaluate(source, options);
  expect(result.error).toBeUndefined();
  return result.value?.data();
};

const failure = (source: string, options: EvaluateOptions = {}): string | undefined =>
  evaluate(source, options).error?.message;

describe('functions', () => {
  test('get data by position, and any value as it is', () => {
    const seen: unknown[] = [];
    const note = (...args: unknown[]): number => seen.push(...args);
    expect(value('note(1, [2.5, None], {"a": (1,)})', { predeclared: { note } })).toBe(3);
    expect(seen).toEqual([1, [2.5, null], { a: [1] }]);
    expect(value('note(len)', { predeclared: { note } })).toBe(4);
    expect(seen.at(-1)).toBeInstanceOf(Guest);
    expect(failure('note(x=1)', { predeclared: { note } })).toBe(
      'note: unexpected keyword arguments',
    );
  });

  test('with arguments by name get values of the program', () => {
    const keep = starlark.native('keep', (args, named) => [...args, ...named.values()]);
    const source =
      'def f(): pass\nxs = [1]\nkept = keep(xs, f, n=f)\nkept[0].append(2)\nxs + [kept[1] == f, kept[2] == f, str(keep)]';
    expect(value(source, { predeclared: { keep } })).toEqual([
      ...[1, 2, true, true],
      '<built-in function keep>',
    ]);
  });

  test('throw what becomes the error of the call', () => {
    const refuse = (): never => {
      throw new Error('not today');
    };
    const { error } = evaluate('\nrefuse()', { predeclared: { refuse } });
    expect(error).toMatchObject({ code: 'PV3202', message: 'not today', position: { line: 2 } });
    expect(error?.frames.at(-1)).toMatchObject({ function: 'refuse', file: '<builtin>' });
    const later = async (): Promise<number> => 1;
    expect(failure('later()', { predeclared: { later } })).toContain('got a promise');
  });

  test('of one name stay apart, also from those of the language', () => {
    const predeclared = { a: starlark.native('len', () => 1), b: starlark.native('len', () => 2) };
    expect(value('[a(), b(), len([]), str(a)]', { predeclared })).toEqual([
      ...[1, 2, 0],
      '<built-in function len>',
    ]);
  });

  test('catch runs a function and gives the message of its error', () => {
    const predeclared = { catch: starlark.catch };
    expect(value('[catch(lambda: 1), catch(lambda: 1 // 0), str(catch)]', { predeclared })).toEqual(
      [null, 'floored division by zero', '<built-in function catch>'],
    );
    const nested =
      'def f():\n  xs = [1]\n  m = catch(lambda: [xs.append(x) for x in xs])\n  xs.append(m)\n  return xs\nf()';
    expect(value(nested, { predeclared })).toEqual([
      1,
      'append: cannot append to list during iteration',
    ]);
  });
});

describe('objects', () => {
  const box = starlark.object({
    type: 'box',
    text: 'a box',
    fields: { size: 1 },
    setField: (name, to) => (name === 'no' || to.type === 'list' ? `no .${name} field` : undefined),
    item: (index) => (index < 3 ? index * 10 : undefined),
    binary: (operator, left, right) =>
      operator === '+' && right.type === 'box' && left.type === 'list' ? 42 : undefined,
    call: (args) => args.length,
  });
  const predeclared = { box, catch: starlark.catch };

  test.each([
    ['[type(box), str(box), box.size, dir(box)]', ['box', 'a box', 1, ['size']]],
    ['[x for x in box]', [0, 10, 20]],
    ['[[1] + box, box("a", "b"), box == box, {box: 1}[box]]', [42, 2, true, 1]],
    ['box.size += 1\nbox.color = "red"\n[box.size, box.color]', [2, 'red']],
  ])('%s', (source, wanted) => {
    expect(value(source, { predeclared })).toEqual(wanted);
  });

  test.each([
    ['box.no = 1', 'no .no field'],
    ['box.sise = []', 'no .sise field (did you mean .size?)'],
    ['box.sise', 'box has no .sise field or method (did you mean .size?)'],
    ['box + 1', 'unknown binary op: box + int'],
    ['xs = [1]\nxs += box', undefined],
    ['xs = [1]\nxs -= box', 'unknown binary op: list - box'],
  ])('%s fails or not', (source, message) => {
    expect(failure(source, { predeclared })).toBe(message);
  });

  test('are frozen with the module that made them', () => {
    const make = starlark.native('make', () =>
      starlark.object({ type: 'thing', setField: () => undefined }),
    );
    const load = () => ({
      source: 'thing = make()\nthing.a = [1]',
      file: 'm',
      predeclared: { make },
    });
    const source = 'load("m", "thing")\nthing.b = 2';
    expect(failure(source, { load })).toBe('cannot set field on a frozen thing');
    expect(failure('load("m", "thing")\nthing.a.append(2)', { load })).toContain('frozen list');
  });

  test('make structs that are equal only to their own', () => {
    const maker = (): ReturnType<typeof starlark.object> => {
      const symbol = starlark.object({
        type: 'symbol',
        text: 'point',
        call: (_, named) => starlark.struct(Object.fromEntries(named), symbol),
      });
      return symbol;
    };
    const source = 'p = a(x=1)\n[str(p), p == a(x=1), p == b(x=1), type(p), (p + a(y=2)).y]';
    const symbols = { a: maker(), b: maker() };
    expect(value(source, { predeclared: symbols })).toEqual([
      ...['point(x = 1)', true, false, 'struct', 2],
    ]);
    expect(failure('a(x=1) + b(x=1)', { predeclared: symbols })).toContain(
      'different constructors',
    );
  });

  test('are no data', () => {
    expect(() => evaluate('box', { predeclared }).value?.data()).toThrow('got a box, want data');
    expect(failure('json.encode(box)', { predeclared })).toContain('cannot encode box');
  });
});

describe('load', () => {
  const files: Readonly<Record<string, string>> = {
    'a.star':
      'load("b.star", "two")\none = 1\n_hidden = 0\ndef three(): return one + two\nxs = [1]\ndef grow(): xs.append(1)',
    'b.star': 'print("b runs")\ntwo = 2',
    'cycle.star': 'load("round.star", "x")\ny = 1',
    'round.star': 'load("cycle.star", "y")\nx = 1',
    'crash.star': 'x = 1\ny = 1 // 0',
    'wrong.star': 'x = 1\ny = nowhere',
    'unset.star': 'def f(): pass\nif len([]) > 0: x = 1',
  };
  const load = (name: string) => {
    const source = files[name];
    return source === undefined ? { error: 'no such file' } : { source };
  };

  test('runs a file once, and binds what is named', () => {
    const printed: string[] = [];
    const source =
      'load("a.star", "three", first="one")\nload("b.star", "two")\n[first, two, three()]';
    const result = evaluate(source, { load, print: (text) => printed.push(text) });
    expect(result.value?.data()).toEqual([1, 2, 3]);
    expect(printed).toEqual(['b runs']);
    expect([...result.globals.keys()]).toEqual([]);
  });

  test('binds globals where an option says so', () => {
    const options = { load, options: { loadbindsglobally: true } };
    expect([...evaluate('load("b.star", "two")', options).globals.keys()]).toEqual(['two']);
  });

  test('keeps variables of files apart, and those of the host', () => {
    const predeclared = { one: 'host' };
    expect(value('load("a.star", "three")\n[one, three()]', { load, predeclared })).toEqual([
      'host',
      3,
    ]);
  });

  test('takes values of the host as well', () => {
    const given = () => ({ globals: { json: starlark.json, n: 5, f: (x: number) => x + 1 } });
    const source = 'load("x", "json", "n", "f")\n[json.encode(f(n)), dir(json)]';
    expect(value(source, { load: given })).toEqual([
      '6',
      ['decode', 'encode', 'encode_indent', 'indent'],
    ]);
  });

  test.each([
    ['load("nothing", "x")', 'cannot load nothing: no such file'],
    ['load("a.star", "on")', 'load: name on not found in module a.star (did you mean one?)'],
    ['load("a.star", "two")', 'load: name two not found in module a.star'],
    ['load("a.star", "len")', 'load: name len not found in module a.star'],
    ['load("cycle.star", "y")', 'cannot load cycle.star: cycle in load graph'],
    ['load("wrong.star", "x")', 'cannot load wrong.star: wrong.star:2:5: undefined: nowhere'],
    ['load("unset.star", "x")', 'global variable x referenced before assignment'],
    ['load("a.star", "grow")\ngrow()', 'append: cannot append to frozen list'],
  ])('%s', (source, message) => {
    expect(failure(source, { load })).toContain(message);
  });

  test('hidden names and a name twice are static errors', () => {
    const source = 'load("a.star", "_hidden", "one")\none = 2';
    const found = evaluate(source, { load, profile: 'conformance' }).diagnostics;
    expect(found.map(({ message }) => message)).toEqual([
      'load: names with leading underscores are not exported: _hidden',
      'cannot reassign local one declared at <module>:1:28',
    ]);
  });

  test('an error inside shows both files', () => {
    const { error } = evaluate('\nload("crash.star", "x")', { load, file: 'main.star' });
    expect(error?.backtrace).toBe(`Traceback (most recent call last):
  main.star:2:1: in <toplevel>
  crash.star:2:7: in <toplevel>
Error: floored division by zero`);
  });

  test('functions of another evaluation bring their code and their variables along', () => {
    const lib = evaluate(
      `
def counter():
    n = [0]
    def next(step=[1]):
        n[0] += step[0]
        return n[0]
    return next
base = 10
def add(x): return base + x + note()
def order(xs): return sorted(xs, key=lambda x: -x)
count = counter()
box = struct(add=add, again=[add], n=1)
loop = [add]
`,
      { predeclared: { note: () => 1 }, file: 'lib.star' },
    ).globals;
    const source = `
base = 99
load("lib", "box", "order")
[add(1), box.add(2), box.again[0] == box.add, add == box.add, order([1, 3, 2]), str(add), loop[0](0)]
`;
    const load = () => ({ globals: lib });
    const predeclared = { add: lib.get('add'), loop: lib.get('loop') };
    expect(value(source, { load, predeclared })).toEqual([
      ...[12, 13, true, true, [3, 2, 1], '<function add>', 11],
    ]);
    expect(failure('count()', { predeclared: lib })).toBe(
      'cannot assign to element of frozen list',
    );
    expect(failure('add("")', { predeclared: lib })).toBe('unknown binary op: int + string');
    const { error } = evaluate('\nadd(None)', { predeclared: lib, file: 'main.star' });
    expect(error?.frames.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'main.star:2',
      'lib.star:9',
    ]);
  });

  test('functions travel on, and come too late where a program runs already', () => {
    const first = evaluate('def f(x): return x * 2').globals;
    const second = evaluate('def g(x): return f(x) + 1', { predeclared: first }).globals;
    expect(value('[g(3), f(3)]', { predeclared: new Map([...first, ...second]) })).toEqual([7, 6]);
    const late = starlark.native('late', () => first.get('f'));
    expect(failure('late()', { predeclared: { late } })).toContain('comes in before this one runs');
  });

  test('functions of the host work from where they have gone', () => {
    const seen: string[] = [];
    const error = starlark.native('error', (args) => void seen.push(String(args[0])));
    const lib = evaluate('def check(x, y):\n  if x != y: error("%r != %r" % (x, y))', {
      predeclared: { error },
    }).globals;
    evaluate('def f(): pass\ncheck(1, 1)\ncheck(f, [f])', { predeclared: lib });
    expect(seen).toEqual(['<function f> != [<function f>]']);
  });
});
