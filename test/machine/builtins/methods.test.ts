/** The methods of strings, bytes, lists, dicts and sets. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { methods } from '../../../src/machine/builtins/starlark.ts';
import { repr } from '../../../src/machine/values/text.ts';
import { callMethod } from '../../../src/machine/window/lift.ts';
import * as V from '../../../src/program/value.ts';
import { around, b, d, library, method, s, shown, t, value } from './library.ts';

type Row = [receiver: unknown, name: string, args: unknown[], result: string];

describe('strings', () => {
  test.each<Row>([
    ['abc', 'elems', [], '"abc".elems()'],
    ['abc', 'codepoint_ords', [], '"abc".codepoint_ords()'],
    ['hello', 'capitalize', [], '"Hello"'],
    ['HELLO World', 'capitalize', [], '"Hello world"'],
    ['', 'capitalize', [], '""'],
    ['ǆx', 'capitalize', [], '"ǅx"'],
    ['straße', 'upper', [], '"STRAßE"'],
    ['ÀÉ', 'lower', [], '"àé"'],
    ['ΑΣ', 'lower', [], '"ας"'.replace('ς', 'σ')],
    ['hElLo wOrLd', 'title', [], '"Hello World"'],
    ["they're x2y", 'title', [], '"They\'Re X2Y"'],
    ['ǆuro', 'title', [], '"ǅuro"'],
    ['abc1é', 'isalnum', [], 'True'],
    ['a b', 'isalnum', [], 'False'],
    ['', 'isalnum', [], 'False'],
    ['aé', 'isalpha', [], 'True'],
    ['a1', 'isalpha', [], 'False'],
    ['12٣', 'isdigit', [], 'True'],
    ['1.5', 'isdigit', [], 'False'],
    ['abc1', 'islower', [], 'True'],
    ['aBc', 'islower', [], 'False'],
    ['123', 'islower', [], 'False'],
    ['ABC1', 'isupper', [], 'True'],
    [' \t\n\u00a0\u3000', 'isspace', [], 'True'],
    ['', 'isspace', [], 'False'],
    ['Hello World 1', 'istitle', [], 'True'],
    ['HeLlo', 'istitle', [], 'False'],
    ['hello', 'istitle', [], 'False'],
    ['1', 'istitle', [], 'False'],
    ['banana', 'count', ['a'], '3'],
    ['banana', 'count', ['ana'], '1'],
    ['banana', 'count', ['a', 2], '2'],
    ['banana', 'count', ['a', -3, -1], '1'],
    ['abc', 'count', [''], '4'],
    ['banana', 'find', ['na'], '2'],
    ['banana', 'find', ['na', 3], '4'],
    ['banana', 'find', ['x'], '-1'],
    ['banana', 'find', ['', 9], '6'],
    ['banana', 'find', ['b', 3, 1], '-1'],
    ['banana', 'rfind', ['na'], '4'],
    ['banana', 'rfind', ['na', 0, -1], '2'],
    ['banana', 'index', ['nan'], '2'],
    ['banana', 'index', ['x'], 'error: index: substring not found'],
    ['banana', 'rindex', ['an', null, 3], '1'],
    ['banana', 'rindex', ['x'], 'error: rindex: substring not found'],
    ['banana', 'find', [1], 'error: find: for parameter 1: got int, want string'],
    ['banana', 'find', ['a', 'b'], 'error: find: invalid start index: got string, want int'],
    ['a.b', 'startswith', ['a.'], 'True'],
    ['a.b', 'startswith', [t('x', 'a')], 'True'],
    ['abc', 'startswith', ['b', 1], 'True'],
    ['abc', 'startswith', ['', 5], 'True'],
    ['abc', 'startswith', [['a']], 'error: startswith: got list, want string or tuple of string'],
    ['abc', 'startswith', [t(1)], 'error: startswith: want string, got int, for element 0'],
    ['abc', 'endswith', ['b', 0, 2], 'True'],
    ['abc', 'endswith', [t()], 'False'],
    ['  a b\t', 'strip', [], '"a b"'],
    ['  a ', 'lstrip', [], '"a "'],
    ['  a ', 'rstrip', [], '"  a"'],
    ['xxaxyx', 'strip', ['yx'], '"a"'],
    ['xxa', 'rstrip', ['x'], '"xxa"'],
    ['😀a😀', 'strip', ['😀'], '"a"'],
    ['   ', 'strip', [], '""'],
    ['a.b.c', 'partition', ['.'], '("a", ".", "b.c")'],
    ['abc', 'partition', ['.'], '("abc", "", "")'],
    ['a.b.c', 'rpartition', ['.'], '("a.b", ".", "c")'],
    ['abc', 'rpartition', ['.'], '("", "", "abc")'],
    ['abc', 'partition', [''], 'error: partition: empty separator'],
    ['prefix-x', 'removeprefix', ['prefix-'], '"x"'],
    ['x', 'removeprefix', ['y'], '"x"'],
    ['x.star', 'removesuffix', ['.star'], '"x"'],
    ['x', 'removesuffix', [''], '"x"'],
    ['banana', 'replace', ['a', 'o'], '"bonono"'],
    ['banana', 'replace', ['a', 'o', 2], '"bonona"'],
    ['banana', 'replace', ['a', 'o', 0], '"banana"'],
    ['banana', 'replace', ['x', 'o'], '"banana"'],
    ['abc', 'replace', ['', '-'], '"-a-b-c-"'],
    ['abc', 'replace', ['', '-', 2], '"-a-bc"'],
    ['', 'replace', ['', '-'], '"-"'],
    ['aaa', 'replace', ['aa', 'b'], '"ba"'],
    ['a$b', 'replace', ['$', '$&'], '"a$&b"'],
    [', ', 'join', [['a', 'b', 'c']], '"a, b, c"'],
    ['', 'join', [[]], '""'],
    ['-', 'join', [{ a: 1, b: 2 }], '"a-b"'],
    [',', 'join', [['a', 1]], 'error: join: in list, want string, got int'],
    [',', 'join', ['abc'], 'error: join: for parameter 1: got string, want iterable'],
    ['a,b,,c', 'split', [','], '["a", "b", "", "c"]'],
    ['a,b,c', 'split', [',', 1], '["a", "b,c"]'],
    ['a,b,c', 'split', [',', 0], '["a,b,c"]'],
    ['a,b,c', 'rsplit', [',', 1], '["a,b", "c"]'],
    ['a,b,c', 'rsplit', [',', 9], '["a", "b", "c"]'],
    [' a  b c ', 'split', [], '["a", "b", "c"]'],
    [' a  b c ', 'split', [null, 1], '["a", "b c "]'],
    [' a  b c ', 'split', [null, 0], '["a  b c "]'],
    [' a  b c ', 'rsplit', [null, 1], '[" a  b", "c"]'],
    [' a  b c ', 'rsplit', [null, 0], '[" a  b c"]'],
    ['  ', 'split', [], '[]'],
    ['', 'split', [','], '[""]'],
    ['a', 'split', [''], 'error: split: empty separator'],
    ['a', 'split', [1], 'error: split: got int for separator, want string'],
    ['a\nb\n', 'splitlines', [], '["a", "b"]'],
    ['a\n\nb', 'splitlines', [true], '["a\\n", "\\n", "b"]'],
    ['a\n', 'splitlines', [true], '["a\\n"]'],
    ['', 'splitlines', [], '[]'],
    ['abc', 'upper', [1], 'error: upper: got 1 arguments, want 0'],
    ['abc', 'nope', [], 'error: string has no .nope field or method'],
    [
      'abc',
      'startwith',
      ['a'],
      'error: string has no .startwith field or method (did you mean .startswith?)',
    ],
  ])('%j.%s %j is %s', (receiver, name, args, result) => {
    expect(method(receiver, name, args)).toBe(result);
  });

  test.each<[string, unknown[], Record<string, unknown>, string]>([
    ['{} {}', [1, 'a'], {}, '"1 a"'],
    ['{1} {0}', [1, 2], {}, '"2 1"'],
    ['{x}-{y!r}', [], { x: 'a', y: 'b' }, '"a-\\"b\\""'],
    ['{{}} {}', [1], {}, '"{} 1"'],
    ['a}}b', [], {}, '"a}b"'],
    ['{!s}', [['x']], {}, '"[\\"x\\"]"'],
    ['{}', [], {}, 'error: format: tuple index out of range'],
    ['{2}', [1], {}, 'error: format: tuple index out of range'],
    [
      '{} {0}',
      [1],
      {},
      'error: format: cannot switch from automatic field numbering to manual field specification',
    ],
    [
      '{0} {}',
      [1],
      {},
      'error: format: cannot switch from manual field specification to automatic field numbering',
    ],
    ['{x}', [], {}, 'error: format: keyword x not found'],
    [
      '{x.y}',
      [],
      {},
      'error: format: attribute syntax x.y is not supported in replacement fields: x.y',
    ],
    [
      '{a[0]}',
      [],
      {},
      'error: format: element syntax a[i] is not supported in replacement fields: a[0]',
    ],
    ['{:.2f}', [1], {}, '"1.00"'],
    ['{:.2q}', [1], {}, 'error: got the format .2q, want one such as .2f, >8, 05d, x, e or %'],
    ['{!x}', [1], {}, 'error: format: unknown conversion "x"'],
    ['a}b', [], {}, "error: format: single '}' in format"],
    ['a{b', [], {}, "error: format: unmatched '{' in format"],
  ])('%j.format %j %j is %s', (format, args, named, result) => {
    expect(method(format, 'format', args, named)).toBe(result);
  });

  test('split and join are inverse', () => {
    const word = fc.string({ maxLength: 4 });
    const separator = fc.string({ minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), separator, fc.boolean(), (words, by, right) => {
        const text = words.join(by);
        const parts = callMethod(library, text, right ? 'rsplit' : 'split', [by, 3], new Map());
        expect(callMethod(library, by, 'join', [parts], new Map())).toBe(text);
        expect((parts as V.List).items.length).toBeLessThanOrEqual(4);
      }),
    );
  });

  test('what would be too long is refused before it is made', () => {
    const long = 'x'.repeat(10_000);
    const tooLarge = expect.objectContaining({ code: 'PV3012' });
    const run =
      (text: string, name: string, ...args: V.Value[]) =>
      () =>
        callMethod(library, text, name, args, new Map());
    expect(run(long, 'replace', 'x', long)).toThrow(tooLarge);
    expect(run(long, 'replace', '', long)).toThrow(tooLarge);
    expect(run(long, 'join', V.list(Array(200).fill('')))).toThrow(tooLarge);
    expect(run('{0}'.repeat(200), 'format', long)).toThrow(tooLarge);
    expect(run('x'.repeat(200_000), 'split', 'x')).toThrow(tooLarge);
  });
});

/** A method's result, then its receiver: what is left of the first line on failure is unchanged. */
function changed(receiver: V.Value, name: string, ...args: unknown[]): string {
  const result = shown(() => callMethod(library, receiver, name, args.map(value), new Map()));
  return `${result} ${repr(receiver, around)}`;
}

describe('containers', () => {
  test.each<[V.Value, string, unknown[], string]>([
    [value([1]), 'append', [2], 'None [1, 2]'],
    [value([1]), 'append', [], 'error: append: got 0 arguments, want 1 [1]'],
    [value([1]), 'clear', [], 'None []'],
    [value([1]), 'extend', [t(2, 3)], 'None [1, 2, 3]'],
    [value([1]), 'extend', [5], 'error: extend: for parameter 1: got int, want iterable [1]'],
    [value([1, 2, 1]), 'index', [1], '0 [1, 2, 1]'],
    [value([1, 2, 1]), 'index', [1, 1], '2 [1, 2, 1]'],
    [value([1, 2, 1]), 'index', [1, -2, -1], 'error: index: value not in list [1, 2, 1]'],
    [value([1, 2]), 'insert', [0, 0], 'None [0, 1, 2]'],
    [value([1, 2]), 'insert', [-1, 0], 'None [1, 0, 2]'],
    [value([1, 2]), 'insert', [-9, 0], 'None [0, 1, 2]'],
    [value([1, 2]), 'insert', [9, 0], 'None [1, 2, 0]'],
    [value([1, 2]), 'pop', [], '2 [1]'],
    [value([1, 2]), 'pop', [-2], '1 [2]'],
    [value([1, 2]), 'pop', [2], 'error: pop: list index 2 out of range [-2:1] [1, 2]'],
    [value([]), 'pop', [], 'error: pop: index -1 out of range: empty list []'],
    [value([1, 2, 1]), 'remove', [1], 'None [2, 1]'],
    [value([1]), 'remove', [2], 'error: remove: element not found [1]'],
    [value({ a: 1 }), 'get', ['a'], '1 {"a": 1}'],
    [value({ a: 1 }), 'get', ['b'], 'None {"a": 1}'],
    [value({ a: 1 }), 'get', ['b', 2], '2 {"a": 1}'],
    [value({ a: null }), 'get', ['a', 1], 'None {"a": None}'],
    [value({ a: null }), 'pop', ['a', 1], 'None {}'],
    [value({ a: null }), 'pop', ['a'], 'None {}'],
    [value({ a: 1 }), 'get', [[]], 'error: get: unhashable type: list {"a": 1}'],
    [value({ a: 1 }), 'items', [], '[("a", 1)] {"a": 1}'],
    [value({ a: 1 }), 'keys', [], '["a"] {"a": 1}'],
    [value({ a: 1 }), 'values', [], '[1] {"a": 1}'],
    [value({ a: 1, b: 2 }), 'pop', ['a'], '1 {"b": 2}'],
    [value({ a: 1 }), 'pop', ['b', 7], '7 {"a": 1}'],
    [value({ a: 1 }), 'pop', ['b', null], 'None {"a": 1}'],
    [value({ a: 1 }), 'pop', ['b'], 'error: pop: missing key {"a": 1}'],
    [value({ a: 1, b: 2 }), 'popitem', [], '("a", 1) {"b": 2}'],
    [value({}), 'popitem', [], 'error: popitem: empty dict {}'],
    [value({ a: 1 }), 'setdefault', ['a', 2], '1 {"a": 1}'],
    [value({ a: 1 }), 'setdefault', ['b'], 'None {"a": 1, "b": None}'],
    [value({ a: 1 }), 'update', [[t('b', 2)]], 'None {"a": 1, "b": 2}'],
    [
      value({ a: 1 }),
      'update',
      [[t('b', 2), t([], 3)]],
      'error: update: unhashable type: list {"a": 1}',
    ],
    [d([1, 'x']), 'get', [V.float(1)], '"x" {1: "x"}'],
    [value({ a: 1 }), 'clear', [], 'None {}'],
    [s(1), 'add', [2], 'None set([1, 2])'],
    [s(1), 'add', [V.float(1)], 'None set([1])'],
    [s(1), 'add', [[]], 'error: add: unhashable type: list set([1])'],
    [s(1), 'clear', [], 'None set([])'],
    [s(1, 2), 'difference', [[2, 3]], 'set([1]) set([1, 2])'],
    [s(1, 2), 'discard', [2], 'None set([1])'],
    [s(1, 2), 'discard', [3], 'None set([1, 2])'],
    [s(1, 2), 'intersection', [[2, 3]], 'set([2]) set([1, 2])'],
    [s(1), 'issubset', [[1, 2]], 'True set([1])'],
    [s(1), 'issubset', [[2]], 'False set([1])'],
    [s(1, 2), 'issuperset', [[2]], 'True set([1, 2])'],
    [s(1, 2), 'pop', [], '1 set([2])'],
    [s(), 'pop', [], 'error: pop: empty set set([])'],
    [s(1), 'remove', [1], 'None set([])'],
    [s(1), 'remove', [2], 'error: remove: missing key set([1])'],
    [s(1, 2), 'symmetric_difference', [[3, 2]], 'set([1, 3]) set([1, 2])'],
    [s(1), 'union', [[2], [3]], 'set([1, 2, 3]) set([1])'],
    [s(1), 'union', [1], 'error: union: argument #1 is not iterable: int set([1])'],
    [s(1), 'update', [[2], [3]], 'None set([1, 2, 3])'],
    [b('ab'), 'elems', [], 'b"ab".elems() b"ab"'],
  ])('%#: .%s %j', (receiver, name, args, result) => {
    expect(changed(receiver, name, ...args)).toBe(result);
  });

  const mutators: readonly (readonly [V.Value, string, unknown[], string])[] = [
    [value([1]), 'append', [2], 'append: cannot append to frozen list'],
    [value([1]), 'clear', [], 'clear: cannot clear frozen list'],
    [value([1]), 'extend', [[2]], 'extend: cannot extend frozen list'],
    [value([1]), 'insert', [0, 2], 'insert: cannot insert into frozen list'],
    [value([1]), 'pop', [], 'pop: cannot pop from frozen list'],
    [value([1]), 'remove', [1], 'remove: cannot remove from frozen list'],
    [value({ a: 1 }), 'clear', [], 'clear: cannot clear frozen hash table'],
    [value({ a: 1 }), 'pop', ['a'], 'pop: cannot delete from frozen hash table'],
    [value({ a: 1 }), 'popitem', [], 'popitem: cannot delete from frozen hash table'],
    [value({ a: 1 }), 'setdefault', ['b'], 'setdefault: cannot insert into frozen hash table'],
    [value({ a: 1 }), 'update', [{ b: 1 }], 'update: cannot insert into frozen hash table'],
    [s(1), 'add', [2], 'add: cannot insert into frozen hash table'],
    [s(1), 'clear', [], 'clear: cannot clear frozen hash table'],
    [s(1), 'discard', [1], 'discard: cannot delete from frozen hash table'],
    [s(1), 'pop', [], 'pop: cannot delete from frozen hash table'],
    [s(1), 'remove', [1], 'remove: cannot delete from frozen hash table'],
    [s(1), 'update', [[2]], 'update: cannot insert into frozen hash table'],
  ];

  test.each(mutators)('%#: .%s %j respects locks', (receiver, name, args, message) => {
    const target = receiver as V.List | V.Dict | V.SetValue;
    const before = repr(target, around);
    target.frozen = true;
    expect(changed(target, name, ...args)).toBe(`error: ${message} ${before}`);
    target.frozen = false;
    target.iterating = 1;
    const during = message.replace(' frozen', '').concat(' during iteration');
    expect(changed(target, name, ...args)).toBe(`error: ${during} ${before}`);
  });

  test('the table says which methods change their receiver', () => {
    const all = Object.values(methods).flatMap((of) => [...of.values()]);
    const changing = all.filter((spec) => spec.mutates).map((spec) => spec.name);
    expect([...new Set(changing)].sort()).toEqual(
      [...new Set(mutators.map(([, name]) => name))].sort(),
    );
    expect(all.filter((spec) => spec.mutates && spec.lifts)).toEqual([]);
  });

  test('what is only stored may be pending', () => {
    const pending: V.Pending = { kind: 'pending', entry: 1, value: undefined };
    const append = methods.list.get('append');
    const list = V.list([]);
    expect(append?.stores).toBe(true);
    append?.call([list, pending], new Map(), around);
    expect(list.items).toEqual([pending]);
  });

  test('dicts and sets stay in order and of one size through any changes', () => {
    const step = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const dict = V.dict();
        const set = V.set();
        const model = new Map<number, number>();
        for (const [adds, key] of steps) {
          if (adds) V.dictSet(dict, key, key);
          else callMethod(library, dict, 'pop', [key, null], new Map());
          callMethod(library, set, adds ? 'add' : 'discard', [key], new Map());
          if (adds) model.set(key, key);
          else model.delete(key);
        }
        expect([...V.dictEntries(dict)]).toEqual([...model]);
        for (const key of model.keys()) expect(V.dictGet(dict, key)).toBe(key);
        const members = callMethod(library, set, 'union', [], new Map()) as V.SetValue;
        expect(members.slots).toEqual([...model.keys()]);
      }),
    );
  });

  test('taking all items from the front keeps their order, and pays for the gaps it looks at', () => {
    const dict = V.dict(Array.from({ length: 1000 }, (_, i) => [i, i]));
    let units = 0;
    const charge = (n: number): void => {
      units += n;
    };
    const taken: string[] = [];
    while (dict.index.size > 0) {
      taken.push(
        repr(
          callMethod({ ...library, around: { ...around, charge } }, dict, 'popitem', [], new Map()),
          around,
        ),
      );
    }
    expect(taken).toEqual(Array.from({ length: 1000 }, (_, i) => `(${i}, ${i})`));
    expect(dict.slots.length).toBeLessThan(10);
    expect(units).toBeGreaterThan(1000);
  });
});
