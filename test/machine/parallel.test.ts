/** `parallel`: one fiber per element, results in order, the lowest failure. */
import { describe, expect, test } from 'vitest';
import { drive, variable } from '../support/starlark-machine.ts';

const branches = `
def look(i):
    found = read(x = i)
    if "1" in found:
        return read(x = found)
    return found
`;

test('each element branches on its own results, and results come in order', () => {
  const ran = drive(`${branches}xs = parallel(look, range(12))`, {
    pick: (open) => open.length - 1,
  });
  const expected = Array.from({ length: 12 }, (_, i) =>
    String(i).includes('1') ? `<<${i}>>` : `<${i}>`,
  );
  expect(variable(ran, 'xs')).toEqual(expected);
  expect(ran.most).toBe(12);
});

test('ids are the path of the fiber and a count of its own, whatever comes first', () => {
  const source = `${branches}a = parallel(look, [1, 2])\nb = parallel(look, [3, 1])`;
  const first = drive(source, { pick: () => 0 });
  const last = drive(source, { pick: (open) => open.length - 1 });
  const expected = ['0.1#1', '0.1#2', '0.2#1', '0.3#1', '0.4#1', '0.4#2'];
  expect(first.ids.toSorted()).toEqual(expected);
  expect(last.ids.toSorted()).toEqual(expected);
});

test('it does not wait: what comes after it starts as well', () => {
  const ran = drive(`${branches}xs = parallel(look, [2, 3])\ny = read(x = 9)`);
  expect(ran.most).toBe(3);
});

test('calls of tools, of library functions and of methods need no function around them', () => {
  const ran = drive(
    'a = parallel(read, [1, 2])\nb = parallel(len, ["ab", []])\nc = parallel("-".join, [["x", "y"]])',
  );
  expect(variable(ran, 'a')).toEqual(['<1>', '<2>']);
  expect(variable(ran, 'b')).toEqual([2, 0]);
  expect(variable(ran, 'c')).toEqual(['x-y']);
});

test('what is ordered and changes nothing keeps its order in its own fiber', () => {
  const source = `
def look(i):
    read(x = i)
    pause(x = i)
    return read(x = i + 10)
xs = parallel(look, [1, 2])`;
  const ran = drive(source, { pick: (open) => open.length - 1 });
  expect(variable(ran, 'xs')).toEqual(['<11>', '<12>']);
  expect(ran.ids).toEqual(['0.1#1', '0.2#1', '0.2#2', '0.2#3', '0.1#2', '0.1#3']);
});

test('nothing for nothing', () => {
  expect(variable(drive('xs = parallel(read, [])'), 'xs')).toEqual([]);
});

test('what fibers print and answer comes in order of the elements', () => {
  const source = `
def look(i):
    print(read(x = i))
    answer(i)
print("before")
parallel(look, range(3))
print("after")`;
  const ran = drive(source, { pick: (open) => open.length - 1 });
  expect(ran.emits).toEqual(['before', '<0>', 0, '<1>', 1, '<2>', 2, 'after']);
});

describe('failures', () => {
  const failing = `
def look(i):
    print("to", i)
    found = read(x = i)
    print("from", i)
    return read(x = found)
parallel(look, range(6))
print("behind")`;
  const answer = (x: unknown): unknown =>
    x === 2 || x === '<4>' ? new Error(`no ${x}`) : `<${String(x)}>`;

  test('the lowest wins, whichever comes first, with what was released before it', () => {
    for (const pick of [() => 0, (open: readonly unknown[]) => open.length - 1]) {
      const ran = drive(failing, { answer, pick });
      expect(ran.error).toBe('PV4200 no 2');
      expect(ran.emits).toEqual(['to 0', 'from 0', 'to 1', 'from 1', 'to 2']);
    }
  });

  test('the higher ones are cancelled', () => {
    const ran = drive(failing, { answer, pick: (open) => Math.min(2, open.length - 1) });
    expect(ran.cancels).toEqual(['0.4#1', '0.5#1', '0.6#1']);
  });

  test('the back-trace leads through the call of parallel', () => {
    const { trace, line, step } = drive(failing, { answer }).machine.view().error ?? {};
    expect(trace?.map(({ name, line }) => `${name} ${line}`)).toEqual(['<toplevel> 7', 'look 4']);
    expect([line, step]).toEqual([4, '7']);
  });

  test('a failure before it wins over its own', () => {
    const ran = drive(`early = read(x = 2)\n${failing}`, {
      answer,
      pick: (open) => open.length - 1,
    });
    expect(ran.error).toBe('PV4200 no 2');
    expect(ran.machine.view().error?.line).toBe(1);
    expect(ran.emits).toEqual([]);
  });

  test('a call that does not fit is the failure of its element', () => {
    const ran = drive('def two(a, b):\n    return a\nparallel(two, [1])');
    expect(ran.error).toBe('PV3007 function two missing 1 argument (b)');
  });
});

test('a write inside is refused, with a way out', () => {
  const source = 'def save(i):\n    write(x = i)\nparallel(save, [1, 2])';
  const ran = drive(source);
  expect(ran.error).toBe('PV3021 write writes, and what runs in parallel must not write');
  expect(ran.writes).toEqual([]);
  expect(ran.machine.view().error?.hint).toContain('write in a loop over the results');
});

test('behind an open write it does not start, and a write behind it waits for all of it', () => {
  const ran = drive('write(x = 1)\nxs = parallel(read, [2, 3])\nwrite(x = 4)', {
    pick: (open) => open.length - 1,
  });
  expect(ran.ids).toEqual(['0#1', '0.1#1', '0.2#1', '0#2']);
  expect(ran.most).toBe(2);
});

describe('what fibers are handed is frozen', () => {
  const frozen = 'it was handed to parallel, whose calls run at the same time';
  test.each([
    ['an argument', 'def f(x):\n    x.append(1)\nparallel(f, [[]])'],
    ['an argument, later', 'def f(x):\n    return 1\nxs = [[]]\nparallel(f, xs)\nxs[0].append(1)'],
    ['a global variable', 'seen = []\ndef f(x):\n    seen.append(x)\nparallel(f, [1])'],
    [
      'a global variable of a function that it calls',
      'seen = {}\ndef g(x):\n    seen[x] = 1\ndef f(x):\n    g(x)\nparallel(f, [1])',
    ],
    [
      'a captured variable',
      'def run():\n    seen = []\n    parallel(lambda x: seen.append(x), [1])\nrun()',
    ],
    [
      'a value that was not there yet',
      'def f(x):\n    x.append(1)\nparallel(f, [read(x = "list")])',
    ],
  ])('%s', (_, source) => {
    const ran = drive(source, { answer: (x) => (x === 'list' ? [1] : x) });
    expect(ran.error).toMatch(/PV3010 .*cannot .* frozen/);
    expect(ran.machine.view().error?.hint).toContain(frozen);
  });

  test('and nothing else: what the code cannot name stays as it is', () => {
    const ran = drive(
      'other = []\ndef f(x):\n    return [x]\nxs = parallel(f, [1])\nother.append(2)',
    );
    expect(variable(ran, 'other')).toEqual([2]);
  });

  test('what they make and return is not', () => {
    const ran = drive('xs = parallel(lambda x: [x], [1, 2])\nxs.append(3)\nxs[0].append(4)');
    expect(variable(ran, 'xs')).toEqual([[1, 4], [2], 3]);
  });
});

describe('what fibers see is what was there at the call', () => {
  test('a global variable that is set anew', () => {
    const ran = drive(
      'n = 1\ndef f(x):\n    return (read(x = x), n)\nxs = parallel(f, [1])\nn = 2',
    );
    expect(variable(ran, 'xs')).toEqual([['<1>', 1]]);
  });

  test('a captured variable that is set anew, and a function that calls itself', () => {
    const source = `
def run():
    n = 1
    def down(i):
        return [n] + (down(i - 1) if i > 0 else [])
    def f(x):
        read(x = x)
        return down(x)
    xs = parallel(f, [2])
    n = 2
    return (xs, down(0))
xs = run()`;
    expect(variable(drive(source), 'xs')).toEqual([[[1, 1, 1]], [2]]);
  });
});

test('a fiber starts when its own argument is there', () => {
  const source =
    'def f(x):\n    return read(x = x + "!")\nxs = parallel(f, [read(x = i) for i in [1, 2]])';
  const ran = drive(source, { pick: (open) => (open.length === 2 ? 1 : open.length - 1) });
  expect(ran.ids).toEqual(['0#1', '0#2', '0.2#1', '0.1#1']);
  expect(variable(ran, 'xs')).toEqual(['<<1>!>', '<<2>!>']);
});

test('no more are alive than the window has room for, and all get their turn', () => {
  const source = 'xs = parallel(lambda i: len(parallel(read, range(i))), range(9))';
  const ran = drive(source, { limits: { windowEntries: 4 } });
  expect(variable(ran, 'xs')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(ran.most).toBeLessThanOrEqual(8);
  const one = drive(source, { limits: { windowEntries: 1 } });
  expect(variable(one, 'xs')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(one.most).toBe(1);
});

test('parallel within parallel without end meets the limit of calls', () => {
  const source = 'def f(x):\n    return parallel(f, [x])\nf(1)';
  expect(drive(source, { limits: { callDepth: 20 } }).error).toMatch(/PV3013 calls nest deeper/);
});

test.each([
  ['parallel(1, [])', 'parallel: for parameter f: got int, want callable'],
  ['parallel(len, 1)', 'parallel: for parameter xs: got int, want iterable'],
  ['parallel(len)', 'parallel: missing argument for xs'],
  ['parallel(attempt, [len])', 'got attempt, want a function of the program or a tool'],
])('%s says what is wrong', (source, message) => {
  expect(drive(source).error).toContain(message);
});
