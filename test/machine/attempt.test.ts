/** `attempt`: a function whose failure is a value, in the place of the main line. */
import { describe, expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import { toJson } from '../../src/program/json.ts';
import { compile, drive, outcomeOf, tools, variable } from '../support/starlark-machine.ts';

const oddFails = (x: unknown): unknown => (Number(x) % 2 === 1 ? new Error(`no ${x}`) : `<${x}>`);
const good = (value: unknown): object => ({ ok: true, value, error: null });
const bad = (code: string, message: string): object => ({
  ok: false,
  value: null,
  error: { code, message },
});

test('a result, a failed effect, and an error of the program', () => {
  const source = `
def run(x, more = ""):
    if x == 4:
        return [][0]
    return read(x = x) + more
a = attempt(run, 2, more = "!")
b = attempt(run, 1)
c = attempt(run, 4)
d = attempt(run)
e = attempt(read, x = 2)`;
  const ran = drive(source, { answer: oddFails });
  expect(variable(ran, 'a')).toEqual(good('<2>!'));
  expect(variable(ran, 'b')).toEqual(bad('PV4200', 'no 1'));
  expect(variable(ran, 'c')).toMatchObject(bad('PV3004', 'index 0 out of range: empty list'));
  expect(variable(ran, 'd')).toMatchObject({ ok: false, error: { code: 'PV3007' } });
  expect(variable(ran, 'e')).toEqual(good('<2>'));
});

test('it waits for its own calls and no others', () => {
  const ran = drive('before = read(x = 2)\na = attempt(lambda: read(x = 4))\nafter = read(x = 6)', {
    pick: (open) => open.length - 1,
  });
  expect(ran.ids).toEqual(['0#1', '0.1#1', '0#2']);
  expect(ran.most).toBe(2);
});

test('a failure before it is no failure of it, and wins', () => {
  const ran = drive('early = read(x = 1)\na = attempt(lambda: read(x = 3))\nprint(a)', {
    answer: oddFails,
    pick: (open) => open.length - 1,
  });
  expect(ran.error).toBe('PV4200 no 1');
  expect(ran.emits).toEqual([]);
});

describe('what is said in it is heard as it comes, once nothing before it is open', () => {
  const telling = `
def tell():
    print("first")
    print("then", read(x = 2))
    write(x = 1)
    print("last")
    return [][0]
`;

  /** What is heard by the time that the effects have come, one after the other. */
  function heard(source: string, effects: readonly string[], restored: boolean): string[][] {
    const program = compile(telling + source);
    let machine = createMachine(program, { tools, limits: {} });
    const run = (): string[] => {
      const said = machine.run(1e6).emits.map(({ value }) => String(toJson(value)));
      if (restored) {
        const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
        machine = restoreMachine(program, { tools, limits: {} }, snapshot);
      }
      return said;
    };
    return [
      run(),
      ...effects.map((id) => {
        machine.settle(id, outcomeOf('ok'));
        return run();
      }),
    ];
  }

  test.each([
    ['one', 'attempt(tell)', '0.1'],
    ['one within another', 'attempt(lambda: attempt(tell))', '0.1.1'],
  ])('%s', (_, call, path) => {
    const source = `early = read(x = 4)\n${call}\nprint("behind")`;
    const [read, write] = [`${path}#1`, `${path}#2`];
    for (const restored of [false, true]) {
      const inOrder = heard(source, ['0#1', read, write], restored);
      expect(inOrder).toEqual([[], ['first'], ['then ok'], ['last', 'behind']]);
      const late = heard(source, [read, '0#1', write], restored);
      expect(late).toEqual([[], [], ['first', 'then ok'], ['last', 'behind']]);
    }
  });

  test('in what runs side by side, all of it comes in order of the elements', () => {
    const source = 'parallel(lambda i: attempt(lambda: print(i, read(x = i))), [1, 2])';
    for (const restored of [false, true]) {
      const all = heard(source, ['0.2.1#1', '0.1.1#1'], restored);
      expect(all).toEqual([[], [], ['1 ok', '2 ok']]);
    }
  });
});

test('writes are allowed, behind everything before them', () => {
  const source = `
def save():
    first = read(x = 2)
    write(x = first)
    return write(x = 6)
early = read(x = 4)
a = attempt(save)
write(x = 8)`;
  for (const pick of [() => 0, (open: readonly unknown[]) => open.length - 1]) {
    const ran = drive(source, { pick });
    expect(ran.writes).toEqual(['<2>', 6, 8]);
    expect(ran.ids.indexOf('0.1#2')).toBeGreaterThan(ran.ids.indexOf('0#1'));
    expect(variable(ran, 'a')).toEqual(good('<6>'));
  }
});

test('a read inside waits behind a write before it, a write inside for the reads before it', () => {
  const ran = drive(
    'write(x = 1)\na = attempt(lambda: read(x = 2))\nb = attempt(lambda: write(x = a.ok))',
  );
  expect(ran.ids).toEqual(['0#1', '0.1#1', '0.2#1']);
  expect(ran.most).toBe(1);
});

test('what it has done before it failed stays done', () => {
  const source = `
seen = []
def run(xs):
    for x in xs:
        seen.append(x)
        print(x)
        write(x = x)
        read(x = x)
xs = [2, 1, 4]
a = attempt(run, xs)
xs.append(6)
ok = [a.ok, seen, xs]`;
  const ran = drive(source, { answer: oddFails });
  expect(variable(ran, 'ok')).toEqual([false, [2, 1], [2, 1, 4, 6]]);
  expect(ran.writes).toEqual([2, 1]);
  expect(ran.emits).toEqual(['2', '1']);
});

test('nothing is frozen', () => {
  const ran = drive('xs = []\ndef add(x):\n    xs.append(x)\nattempt(add, 1)\nxs.append(2)');
  expect(variable(ran, 'xs')).toEqual([1, 2]);
});

describe('nested', () => {
  test('in itself: each takes the failures inside of it', () => {
    const source = `
def inner(x):
    return read(x = x)
def outer(x):
    first = attempt(inner, x)
    return (first.ok, write(x = x + 1))
a = attempt(outer, 2)
b = attempt(outer, 3)`;
    const ran = drive(source, {
      answer: (x, { tool }) => (tool === 'read' ? oddFails(x) : x),
    });
    expect(variable(ran, 'a')).toEqual(good([true, 3]));
    expect(variable(ran, 'b')).toEqual(good([false, 4]));
    expect(ran.ids).toEqual(['0.1.1#1', '0.1#1', '0.2.1#1', '0.2#1']);
  });

  test('in parallel: one failure each, and no writes', () => {
    const source = `
def look(x):
    return attempt(lambda: read(x = x)).ok
def save(x):
    return attempt(lambda: write(x = x)).error.code
a = parallel(look, [1, 2, 3])
b = parallel(save, [1])`;
    const ran = drive(source, { answer: oddFails });
    expect(variable(ran, 'a')).toEqual([false, true, false]);
    expect(variable(ran, 'b')).toEqual(['PV3021']);
  });

  test('parallel in it: the lowest failure is its failure', () => {
    const source = 'a = attempt(lambda: parallel(read, [2, 3, 5]))\nb = read(x = 4)';
    const ran = drive(source, { answer: oddFails, pick: (open) => open.length - 1 });
    expect(variable(ran, 'a')).toEqual(bad('PV4200', 'no 3'));
  });
});

test('a mutation inside waits while an operation outside has yet to read the value', () => {
  const source = `
a = read(x = "list")
b = read(x = "late")
both = "%s %s" % (a, b)
def add():
    a.append(2)
    return len(a)
c = attempt(add)`;
  const ran = drive(source, { answer: (x) => (x === 'list' ? [1] : x) });
  expect(variable(ran, 'both')).toBe('[1] late');
  expect(variable(ran, 'c')).toEqual(good(2));
});

test('endless fibers in fibers meet the limit of calls', () => {
  const ran = drive('def f():\n    return attempt(f)\na = f()', { limits: { callDepth: 12 } });
  let [depth, result] = [0, variable(ran, 'a') as { ok: boolean; value: unknown }];
  for (; result.ok; depth++) result = result.value as typeof result;
  expect(result).toMatchObject({ error: { code: 'PV3013' } });
  expect(depth).toBeLessThan(12);
});

describe('a final failure ends the program, wherever it is attempted', () => {
  const final = (x: unknown): unknown =>
    x === 1 ? Object.assign(new Error('over'), { final: true }) : `<${x}>`;

  test.each([
    ['a call', 'try_call(read, x = 1)'],
    ['a function', 'attempt(lambda: read(x = 1))'],
    ['one within another', 'attempt(lambda: attempt(lambda: read(x = 1) + "!"))'],
    ['some beside each other', 'attempt(lambda: parallel(lambda i: read(x = i), [2, 1, 3]))'],
  ])('%s', (_, call) => {
    const source = `early = read(x = 4)\na = ${call}\nprint("went on")\nlate = read(x = 6)`;
    const fast = drive(source, { answer: final, pick: (open) => open.length - 1 });
    const restored = drive(source, { answer: final, restored: true });
    for (const ran of [fast, restored]) {
      expect(ran.error).toBe('PV4200 over');
      expect(ran.emits).toEqual([]);
    }
  });
});
