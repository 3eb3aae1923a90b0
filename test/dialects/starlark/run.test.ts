/** Starlark programs on the machine: what their variables are in the end, and what overlaps. */
import { describe, expect, test } from 'vitest';
import { verify } from '../../../src/analysis/verifier.ts';
import { starlark } from '../../../src/dialects/starlark/index.ts';
import { createMachine, restoreMachine } from '../../../src/machine/create.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { toJson } from '../../../src/program/json.ts';
import type { Program } from '../../../src/program/program.ts';

const tools = new Map([
  [
    'fetch',
    toolSpec({
      name: 'fetch',
      description: 'Fetches.',
      effect: 'read',
      parameters: { type: 'object', properties: { url: { type: 'string' } } },
    }),
  ],
]);
const environment = { tools, inputs: ['city'] };
const options = { tools, inputs: new Map([['city', 'Oslo']]) };

function compile(source: string): Program {
  const { tree, diagnostics } = starlark.parse(source);
  if (!tree) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  expect(starlark.check(tree, environment)).toEqual([]);
  const program = starlark.lower(tree, environment);
  expect(verify(program)).toEqual([]);
  return program;
}

interface Ran {
  readonly machine: Machine;
  /** Requests by the turn that released them. */
  readonly turns: string[][];
}

/** Runs to the end; each turn's requests are answered together with the text of their arguments. */
function run(source: string, fuel = 1e6): Ran {
  const program = compile(source);
  let machine = createMachine(program, options);
  const turns: string[][] = [];
  for (let count = 0; count < 1e5; count++) {
    const turn = machine.run(fuel);
    if (turn.requests.length > 0) turns.push(turn.requests.map(({ args }) => args));
    if (turn.status === 'done' || turn.status === 'failed') return { machine, turns };
    for (const { id, args } of turn.requests) {
      machine.settle(id, { ok: true, value: JSON.stringify(`<${JSON.parse(args).url}>`) });
    }
    if (fuel > 1) continue;
    const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
    machine = restoreMachine(program, options, snapshot);
  }
  throw new Error('the program does not end');
}

function variable({ machine }: Ran, name: string): unknown {
  const { error, variables } = machine.view();
  expect(error).toBeUndefined();
  return toJson(variables.get(name) ?? null);
}

const cases: readonly (readonly [what: string, source: string, x: unknown])[] = [
  [
    'arithmetic',
    'x = [1 + 2 * 3, 7 // 2, -7 // 2, 7 % -3, 7 / 2, 2 << 3, 6 & 3, ~5, -(-2)]',
    [7, 3, -4, -2, 3.5, 16, 2, -6, 2],
  ],
  [
    'comparison',
    'x = [1 < 2, 1 == 1.0, "a" in "abc", 3 not in [1], not None, 1 < 2 < 3, 1 < 3 < 2]',
    [true, true, true, true, true, true, false],
  ],
  ['short circuit', 'x = [0 or "b", 1 and "c", "" and fetch, None or 0 or 5]', ['b', 'c', '', 5]],
  ['conditional', 'x = ["yes" if i > 1 else "no" for i in [1, 2]]', ['no', 'yes']],
  ['slices', 'x = ["abcdef"[1:-1], [1, 2, 3][::-1], (1, 2, 3)[-2:]]', ['bcde', [3, 2, 1], [2, 3]]],
  ['unpacking', 'a, (b, c) = 1, [2, 3]\n[d, e] = "f", a\nx = [a, b, c, d, e]', [1, 2, 3, 'f', 1]],
  [
    'elements',
    'd = {"a": [1, 2]}\nd["a"][1] = 5\nd["b"] = 6\nd["b"] += 1\nx = d',
    { a: [1, 5], b: 7 },
  ],
  ['lists in place', 'a = [1]\nb = a\na += [2]\na += (3,)\nx = b', [1, 2, 3]],
  [
    'comprehensions',
    'x = [{k: i * k for k in [1, 2] if k > 1} for i in [1, 2, 3] if i != 2]',
    [{ 2: 2 }, { 2: 6 }],
  ],
  [
    'nested comprehension',
    'x = [a * b for a in [1, 2] for b in [10, 20] if a * b != 20]',
    [10, 40],
  ],
  [
    'loops',
    't = 0\nfor i in [1, 2, 3, 4, 5]:\n  if i == 2: continue\n  if i == 5: break\n  t += i\nwhile t < 50: t *= 2\nx = t',
    64,
  ],
  [
    'parameters',
    'def f(a, b=2, *args, c, d=4, **kw):\n  return [a, b, args, c, d, kw]\nx = [f(1, c=3), f(1, 5, 6, 7, c=8, e=9)]',
    [
      [1, 2, [], 3, 4, {}],
      [1, 5, [6, 7], 8, 4, { e: 9 }],
    ],
  ],
  [
    'spread arguments',
    'def f(*args, **kw): return [args, kw]\nx = f(1, a=4, *[2, 3], **{"b": 5})',
    [[1, 2, 3], { a: 4, b: 5 }],
  ],
  [
    'closures',
    'def counter():\n  n = [0]\n  def inc(by=1):\n    n[0] += by\n    return n[0]\n  return inc\nc = counter()\nc()\nx = [c(5), counter()()]',
    [6, 1],
  ],
  [
    'late binding',
    'def f():\n  fs = []\n  for i in [1, 2]:\n    fs += [lambda: i]\n  return fs\nx = [g() for g in f()]',
    [2, 2],
  ],
  [
    'recursion',
    'def fact(n): return 1 if n < 2 else n * fact(n - 1)\nx = fact(25)',
    15511210043330985984000000n,
  ],
  [
    'return inside loops',
    'def f(xs):\n  for a in xs:\n    for b in xs:\n      if a + b == 5: return [a, b]\nx = [f([1, 2, 3, 4]), f([])]',
    [[1, 4], null],
  ],
  [
    'methods',
    'd = {"a": 1}\nd.update([("b", 2)])\nxs = [3]\nxs.append(1)\nxs.insert(0, 2)\nx = ["a-b".upper().split("-"), d.get("c", 0), d.items(), xs, ", ".join(["p", "q"])]',
    [
      ['A', 'B'],
      0,
      [
        ['a', 1],
        ['b', 2],
      ],
      [2, 3, 1],
      'p, q',
    ],
  ],
  ['bound methods', 'f = "abc".replace\nx = [f("b", "-"), getattr("x", "upper")()]', ['a-c', 'X']],
  [
    'library',
    'x = [len("abc"), str([1, "a", 2.5]), type({}), list(range(3)), list(enumerate(["a"])), "%s=%d" % ("a", 3), sum([1, 2])]',
    [3, '[1, "a", 2.5]', 'dict', [0, 1, 2], [[0, 'a']], 'a=3', 3],
  ],
  [
    'order by key',
    'x = [sorted([3, 1, 2]), sorted(["bb", "a"], key=len, reverse=True), min([3, -1], key=lambda n: -n), max(1, 5, 2)]',
    [[1, 2, 3], ['bb', 'a'], 3, 5],
  ],
  [
    'modules',
    'x = [json.decode("[1, 2.5]"), json.encode({"a": [True, None]}), math.floor(2.7), math.pi > 3]',
    [[1, 2.5], '{"a":[true,null]}', 2, true],
  ],
  ['f-strings', 'n = 3\nx = f"{n} of {[n]!r}"', '3 of [3]'],
  ['power', 'n = 3\nn **= 2\nx = [2 ** 10, n]', [1024, 9]],
  ['inputs', 'x = "in " + city', 'in Oslo'],
];

describe('programs', () => {
  for (const [what, source, x] of cases) {
    test(what, () => {
      expect(variable(run(source), 'x')).toEqual(x);
    });
    test(`${what}, restored at every instruction`, () => {
      const again = run(source, 1);
      expect(variable(again, 'x')).toEqual(variable(run(source), 'x'));
    });
  }
});

test('calls that do not need each other start together', () => {
  const ran = run(
    'pages = [fetch(u) for u in ["a", "b", "c"]]\nx = [fetch("next of " + p) for p in pages]',
  );
  expect(ran.turns).toEqual([
    ['{"url":"a"}', '{"url":"b"}', '{"url":"c"}'],
    ['{"url":"next of <a>"}', '{"url":"next of <b>"}', '{"url":"next of <c>"}'],
  ]);
  expect(variable(ran, 'x')).toEqual(['<next of <a>>', '<next of <b>>', '<next of <c>>']);
});

test('methods of pending text make pending text, and so do templates of it', () => {
  const ran = run(
    'a = fetch("a").strip("<>")\nb = fetch("of " + a.upper())\nx = "%s, %s" % (a, b)',
  );
  expect(ran.turns).toEqual([['{"url":"a"}'], ['{"url":"of A"}']]);
  expect(variable(ran, 'x')).toBe('a, <of A>');
});

test('a list is appended to while its items are pending', () => {
  const ran = run('xs = []\nfor u in ["a", "b"]:\n  xs.append(fetch(u))\nx = ", ".join(xs)');
  expect(ran.turns).toEqual([['{"url":"a"}', '{"url":"b"}']]);
  expect(variable(ran, 'x')).toBe('<a>, <b>');
});

test('print releases text in order, also of what is pending', () => {
  const { machine } = run('p = fetch("a")\nprint("got", p, sep=": ")\nprint([1, "b"], None)');
  expect(machine.view().status).toBe('done');
});

test('answer() records answers; without it the variable answer or result is the answer', () => {
  const answers = (source: string): unknown[] =>
    run(source)
      .machine.view()
      .answers.map(({ value }) => toJson(value));
  expect(answers('answer(1)\nanswer([2])')).toEqual([1, [2]]);
  expect(answers('result = 1 + 1')).toEqual([2]);
  expect(answers('y = 1')).toEqual([]);
});

test('an error names its place in every frame', () => {
  const { machine } = run('def f(d):\n  return d["b"]\n\nx = f({"a": 1})');
  expect(machine.view().error).toMatchObject({
    code: 'PV3005',
    line: 2,
    trace: [
      { name: '<toplevel>', line: 4 },
      { name: 'f', line: 2 },
    ],
  });
});

test('names that nobody defines are found before anything runs, with advice', () => {
  const { tree } = starlark.parse('x = 1\nprin(x)\ny = fetsh("u")');
  if (!tree) throw new Error('does not parse');
  expect(starlark.check(tree, environment).map(({ line, message }) => [line, message])).toEqual([
    [2, 'undefined: prin (did you mean print?)'],
    [3, 'undefined: fetsh (did you mean fetch?)'],
  ]);
});

test('load is refused before anything runs: there is nothing to load from', () => {
  const { tree } = starlark.parse('load("lib.star", "f")\nf()');
  if (!tree) throw new Error('does not parse');
  expect(starlark.check(tree, environment)).toMatchObject([{ code: 'PV2331', line: 1, column: 6 }]);
});

test('the comment above a statement is what its step is for', () => {
  const { steps } = compile('# Not this.\n\n# Say\n#  what.\nx = 1\ny = 2  # nor this\nz = 3');
  expect(steps.map(({ objective }) => objective)).toEqual(['Say what.', undefined, undefined]);
});

test.each([
  ['x = 1\nanswer(x)', true],
  ['# A plan.\n\nfor x in [1]:\n    print(x)', true],
  ['answer(1)', true],
  ['a, b = 1, 2', true],
  ['x == 1', false],
  ['[{"seq_no": 0}]', false],
  ['{"a": 1}', false],
  ['"text"', false],
  ['x = 1 is the answer', false],
  ['Here is the plan: [1]', false],
  ['', false],
  ['\n'.repeat(100_000), false],
])('%j is recognised: %s', (text, isProgram) => {
  expect(starlark.detect(text) > 0).toBe(isProgram);
});

describe('answers', () => {
  const answersOf = (source: string): unknown[] => {
    const { error, answers } = run(source).machine.view();
    expect(error).toBeUndefined();
    return answers.map(({ value }) => toJson(value));
  };

  test.each<[what: string, source: string, answers: unknown[]]>([
    ['each call is one', 'answer(1)\nresult([2])', [1, [2]]],
    ['passed on as values', 'def f(g): g("x")\nf(answer)\n[r(2) for r in [result]]', ['x', 2]],
    ['a variable where no call is', 'answer = fetch(url = "a")', ['<a>']],
    ['result behind it', 'result = 3', [3]],
    ['answer goes first', 'result = 3\nanswer = 4', [4]],
    ['of several targets', 'a, (answer, b) = 1, (2, 3)', [2]],
    ['set in both branches', 'if city: answer = 1\nelse: answer = 2', [1]],
    ['set in a branch', 'if city: result = 1', [1]],
    ['not set after all', 'for x in []: answer = x', []],
    ['the one that is set', 'for x in []: answer = x\nresult = 5', [5]],
    ['calls only, where there are any', 'result = 3\nanswer("is %d" % result)', ['is 3']],
    ['of a function only, when it is called', 'def f(): answer(1)\nresult = 2', []],
    ['none', 'x = 1', []],
  ])('%s', (_what, source, answers) => {
    expect(answersOf(source)).toEqual(answers);
  });

  test('print is a value, too, and prints in order', () => {
    const program = compile(
      'def each(f, xs):\n  for x in xs: f(x, "b", sep = "-")\neach(print, [1, 2])\nprint(print)',
    );
    const { emits } = createMachine(program, options).run(1e6);
    expect(emits.map(({ value }) => value)).toEqual(['1-b', '2-b', '<built-in function print>']);
  });
});
