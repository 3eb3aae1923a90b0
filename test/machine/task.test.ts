/** `task`: arguments that name results, failures that skip, and one call for each element. */
import { expect, test } from 'vitest';
import { type Answer, drive, variable } from '../support/starlark-machine.ts';

const oddFails: Answer = (x) => (Number(x) % 2 === 1 ? new Error(`no ${x}`) : x);
const itself: Answer = (x) => x;

test('it gives how it went, and waits for nothing', () => {
  const ran = drive(
    'tasks = [task(read, {"x": i}) for i in range(4)]\nok = [one.ok for one in tasks]\n' +
      'texts = [one.value for one in tasks]\nwhy = tasks[1].error.message',
    { answer: oddFails },
  );
  expect(ran.most).toBe(4);
  expect(variable(ran, 'ok')).toEqual([true, false, true, false]);
  expect(variable(ran, 'texts')).toEqual([0, null, 2, null]);
  expect(variable(ran, 'why')).toBe('no 1');
});

test('an error has a hint where its tool gave one', () => {
  const answer: Answer = () => Object.assign(new Error('none'), { hint: 'similar: "Bath"' });
  const ran = drive('a = task(read, {"x": 1})\nhint = a.error.hint', { answer });
  expect(variable(ran, 'hint')).toBe('similar: "Bath"');
});

test('a tool goes by its name, too; a name that no tool has is a failure, with the nearest', () => {
  const ran = drive('a = task("read", {"x": 1})\nb = task("reed", {"x": 2})\nok = [a.ok, b.ok]');
  expect(variable(ran, 'ok')).toEqual([true, false]);
  expect(variable(ran, 'b')).toMatchObject({
    error: {
      code: 'PV3701',
      message: 'there is no tool "reed"; did you mean read? the tools are pure, read, write, pause',
    },
  });
});

const data = {
  city: 'Rome',
  rows: [{ n: 3 }, { n: 4 }],
  text: '{"deep": [1, 2]}',
  odd: 'over 7 of 9',
};

test.each([
  ['("ref", 0)', data],
  ['("ref", 0, "city")', 'Rome'],
  ['("ref", 0, "rows", 1, "n")', 4],
  ['("ref", 0, "rows", -1)', { n: 4 }],
  ['("ref", 0, "text", "deep", 0)', 1],
  ['("text", "in ", ("ref", 0, "city"), ": ", ("ref", 0, "rows", 0))', 'in Rome: {"n":3}'],
  ['("number", ("ref", 0, "rows", 0, "n"), " * 2")', 6],
  ['("number", "7 / ", ("ref", 0, "rows", 1, "n"))', 1.75],
  ['("number", "-2 ** 3")', -8],
  ['("number", "round(2.567, 1)")', 2.6],
  ['("number", "sum(", ("ref", 0, "text", "deep"), ", 10)")', 13],
  ['[1, {"k": ("ref", 0, "city")}, ("pair", ("ref", 0, "city"))]', [1, { k: 'Rome' }, 'pair']],
])('%s is filled in', (node, filled) => {
  const seen: unknown[] = [];
  const answer: Answer = (x) => {
    seen.push(x);
    return data;
  };
  const ran = drive(`task(read, {"x": ${node}}, task(read, {"x": 0}))`, { answer });
  expect(ran.error).toBe('');
  const wanted = Array.isArray(filled)
    ? [...filled.slice(0, 2), { $tuple: ['pair', 'Rome'] }]
    : filled;
  expect(seen[1]).toEqual(wanted);
});

test.each([
  ['("ref", 0, "town")', 'PV3005', '$1.town: got the keys'],
  ['("ref", 0, "rows", 7)', 'PV3004', '$1.rows[7]: got a list of 2, want the element 7'],
  ['("number", ("ref", 0, "odd"), " + 1")', 'PV3704', '$1.odd: got the text "over 7 of 9", want a'],
  ['("number", ("ref", 0, "rows"), " + 1")', 'PV3704', '$1.rows: got list, want a number'],
  ['("number", "1 / 0")', 'PV3704', 'division by zero'],
  ['("ref", 0, "city", "*")', 'PV3705', '$1.city[*]: got text without a JSON list, want a list'],
])('%s is the failure of the task: %s', (node, code, message) => {
  const first = 'a = task(read, {"x": 0})';
  const ran = drive(`${first}\nb = task(read, {"x": ${node}}, a, needs = ["1"])\nok = b.ok`, {
    answer: () => data,
  });
  expect(variable(ran, 'ok')).toBe(false);
  const { error } = variable(ran, 'b') as { error: { code: string; message: string } };
  expect(error.code).toBe(code);
  expect(error.message).toContain(message);
  expect(ran.ids).toEqual(['0#1']);
});

test.each([
  ['("text", ("ref", 0))', 3, '3'],
  ['("text", ("ref", 0))', { a: 1.5 }, '{"a":1.5}'],
  ['("text", ("ref", 0))', null, null],
  ['("text", "", ("ref", 0))', null, 'null'],
  ['("list", ("ref", 0), False)', [1, 'a'], [1, 'a']],
  ['("list", ("ref", 0), True)', [1, 'a', null], ['1', 'a', null]],
  ['("list", ("ref", 0), False)', '[1, 2]', [1, 2]],
  ['("list", ("ref", 0), False)', null, null],
  ['("list", ("ref", 0, "n"), True)', { n: 7 }, ['7']],
  ['("list", ("ref", 0), False)', '[note] see below', ['[note] see below']],
])('%s of %j is %j', (node, given, value) => {
  const asked: unknown[] = [];
  const answer: Answer = (x) => {
    asked.push(x);
    return given;
  };
  const ran = drive(`task(read, {"x": ${node}}, task(read, {"x": 0}), needs = ["1"])`, { answer });
  expect(asked).toEqual([0, value]);
  const isAlone = node.includes('"list"') && !Array.isArray(given) && given !== null;
  const warned = isAlone && given !== '[1, 2]' ? [expect.stringContaining('want a list')] : [];
  expect(ran.warnings).toEqual(warned);
});

test.each([
  ['1,234.5', '+', 1235.5, ['$1: "1,234.5" was read as 1234.5']],
  ['1 234 km', '+', 1235, ['$1: "1 234 km" was read as 1234, without km']],
  [' 12 ', '+', 13, []],
  ['about 7', '+', 8, ['$1: 7 was taken out of "about 7"']],
  [
    { extract: 'It is 8 m high' },
    '+',
    9,
    [
      '$1: its extract was taken; write $1.extract',
      '$1.extract: 8 was taken out of "It is 8 m high", without m',
    ],
  ],
  [0.1, '+', 1.1, []],
  ['[1, "2,5"]', 'max', 2.5, ['$1[1]: "2,5" was read as 2.5']],
  [{ city: 'Paris', people: 7 }, '+', 8, ['$1: its people was taken; write $1.people']],
  ['{"id": 3, "people": 7}', '+', 8, ['$1: its people was taken; write $1.people']],
  [
    { text: '1 234', revision: 5 },
    '+',
    1235,
    ['$1: its text was taken; write $1.text', '$1.text: "1 234" was read as 1234'],
  ],
  [['3 m', 2], 'max', 3, ['$1[0]: "3 m" was read as 3, without m']],
])('the result %j is read as a number', (result, op, value, warnings) => {
  const seen: unknown[] = [];
  const answer: Answer = (x) => {
    seen.push(x);
    return result;
  };
  const pieces = op === 'max' ? '"max(", ("ref", 0), ")"' : '("ref", 0), " + 1"';
  const first = 'task(read, {"x": 0})';
  const ran = drive(`task(read, {"x": ("number", ${pieces})}, ${first}, needs = ["1"])`, {
    answer,
  });
  expect(seen[1]).toBe(value);
  expect(ran.warnings).toEqual(warnings);
});

test('what could be several numbers, or of several units, is the failure of the task', () => {
  const said = (result: unknown, pieces: string): unknown =>
    variable(
      drive(
        `b = task(read, {"x": ("number", ${pieces})}, task(read, {"x": 0}), needs = ["1"])\n` +
          'message = b.error.message',
        { answer: () => result },
      ),
      'message',
    );
  expect(said('3 million', '("ref", 0), " + 1"')).toBe(
    '$1: got the text "3 million", want a number: 3 million is more than a number and its unit: ' +
      'write all of its digits, and * between what is multiplied',
  );
  expect(said('8,848 m or 29,029 ft', '("ref", 0), " + 1"')).toBe(
    '$1: got the text "8,848 m or 29,029 ft", want a number: it has several, 8,848 m and ' +
      '29,029 ft: write the one that is meant',
  );
  expect(said({ text: 'none', revision: 5 }, '("ref", 0), " + 1"')).toBe(
    '$1.text: got the text "none", want a number',
  );
  expect(said({ men: 3, women: 5 }, '("ref", 0), " + 1"')).toBe('$1: got dict, want a number');
  expect(said(['3 km', '5 m'], '"sum(", ("ref", 0), ")"')).toBe(
    'got the units km and m: write the numbers alone, in one unit',
  );
});

test('an observation is data: what looks like a reference in it stays what it is', () => {
  const asked: string[] = [];
  drive(
    'a = task(read, {"x": "first"})\nb = task(read, {"x": ("ref", 0)}, a)\n' +
      'c = task(read, {"x": ("text", "say ", ("ref", 0))}, b)',
    {
      answer: (x, { args }) => {
        asked.push(args);
        return x === 'first' ? { $tuple: ['ref', 0] } : '$1 ("ref", 0)';
      },
    },
  );
  expect(asked[1]).toContain('$tuple');
  expect(asked[2]).toBe('{"x":"say $1 (\\"ref\\", 0)"}');
});

test('a failure skips what needs it, says the root, and nothing else suffers', () => {
  const ran = drive(
    'a = task(read, {"x": 1})\nb = task(read, {"x": ("ref", 0)}, a, needs = ["1"])\n' +
      'c = task(write, {"x": ("ref", 0)}, b, needs = ["2"])\nd = task(read, {"x": 2})\n' +
      'e = write(x = 4)\nok = [a.ok, b.ok, c.ok, d.ok]',
    { answer: oddFails },
  );
  expect(variable(ran, 'ok')).toEqual([false, false, false, true]);
  const message = 'skipped: task 1 failed: no 1';
  expect(variable(ran, 'c')).toMatchObject({ error: { code: 'PV3702', message } });
  expect(ran.ids).toEqual(['0#1', '0#4', '0#5']);
  expect(ran.writes).toEqual([4]);
});

test('results may be values, structs made by hand, and results of try_call', () => {
  const ran = drive(
    'a = task(read, {"x": ("ref", 0, "k")}, {"k": 2})\n' +
      'b = task(read, {"x": ("ref", 0)}, struct(ok = False, value = None, error = ' +
      'struct(code = "X", message = "by hand")))\n' +
      'c = task(read, {"x": ("ref", 0)}, try_call(read, x = 6))\n' +
      'values = [a.value, c.value]\nwhy = b.error.message',
    { answer: itself },
  );
  expect(variable(ran, 'values')).toEqual([2, 6]);
  expect(variable(ran, 'why')).toBe('skipped: result 0 of those it needs failed: by hand');
});

test('what is changed after the call does not reach it; what a task gave cannot be changed', () => {
  const asked: unknown[] = [];
  const ran = drive(
    'held = read(x = 0)\nlst = [1]\nargs = {"x": [("ref", 0), ("ref", 1)]}\n' +
      't = task(read, args, lst, held)\nlst.append(2)\nargs["x"] = 5\nv = task(read, {"x": 9}).value\n' +
      'v.append(1)',
    {
      answer: (x) => {
        asked.push(x);
        return x === 9 ? [] : x;
      },
      pick: (open) => open.length - 1,
    },
  );
  expect(ran.error).toContain('PV3010');
  const late = drive(
    'held = read(x = 0)\nlst = [1]\nt = task(read, {"x": [("ref", 0), ("ref", 1)]}, lst, held)\n' +
      'lst.append(2)\nv = t.value',
    { answer: itself },
  );
  expect(variable(late, 'v')).toEqual([[1], 0]);
});

test('a task that writes keeps its place', () => {
  const ran = drive(
    'a = read(x = 0)\nb = task(write, {"x": ("ref", 0)}, a)\nc = write(x = 2)\nd = read(x = 3)',
    { answer: itself },
  );
  expect(ran.most).toBe(1);
  expect(ran.writes).toEqual([0, 2]);
});

test('* calls once for each element, at the same time, with ids of their own', () => {
  const ran = drive(
    'a = task(read, {"x": 0})\nb = task(read, {"x": ("text", ("ref", 0, "*", "n"), "!")}, a)\n' +
      'v = b.value',
    { answer: (x) => (x === 0 ? [{ n: 1 }, { n: 2 }, { n: 3 }] : x), pick: (o) => o.length - 1 },
  );
  expect(variable(ran, 'v')).toEqual(['1!', '2!', '3!']);
  expect(ran.ids).toEqual(['0#1', '0#2.0', '0#2.1', '0#2.2']);
  expect(ran.most).toBe(3);
});

test('several starred references go in step; of different lengths they are a failure', () => {
  const source = (second: string): string =>
    `a = [1, 2]\nt = task(pure, {"x": [("ref", 0, "*"), ("ref", 1, "*"), ("ref", 0)]}, a, ${second})\n` +
    'v = t.value if t.ok else t.error.message';
  const good = drive(source('"[3, 4]"'), { answer: itself });
  expect(variable(good, 'v')).toEqual([
    [1, 3, [1, 2]],
    [2, 4, [1, 2]],
  ]);
  expect(variable(drive(source('[3]')), 'v')).toMatch(/^got \d elements of .* and \d of .*, want/);
});

test('of no element there is no call', () => {
  const ran = drive('t = task(read, {"x": ("ref", 0, "*")}, [])\nv = t.value');
  expect(variable(ran, 'v')).toEqual([]);
  expect(ran.ids).toEqual([]);
});

test('the lowest failing element is the failure; those above are given up', () => {
  const ran = drive(
    't = task(read, {"x": ("ref", 0, "*")}, [2, 4, 1, 6, 3])\nv = t.error.message',
    {
      answer: oddFails,
      pick: (open) => Math.min(2, open.length - 1),
    },
  );
  expect(variable(ran, 'v')).toBe('element 3 of 5, {"x":1}: no 1');
  expect(ran.cancels).toEqual(['0#1.3', '0#1.4']);
});

test('elements that write go one after another, up to a failure', () => {
  const ran = drive('t = task(write, {"x": ("ref", 0, "*")}, [2, 1, 4])\nok = t.ok', {
    answer: oddFails,
  });
  expect(variable(ran, 'ok')).toBe(false);
  expect(ran.writes).toEqual([2, 1]);
  expect(ran.most).toBe(1);
});

test('plain, it gives the value itself, whatever that is, and a struct where it has failed', () => {
  const ran = drive(
    'a = task(read, {"x": 0}, plain = True)\nb = task(read, {"x": ("ref", 0)}, a, plain = True)\n' +
      'c = task(read, {"x": ("ref", 0, "*")}, [2, 4], plain = True)\n' +
      'd = task(read, {"x": 1}, plain = True)\nok = d.ok',
    { answer: oddFails },
  );
  expect(variable(ran, 'a')).toBe(0);
  expect(variable(ran, 'b')).toBe(0);
  expect(variable(ran, 'c')).toEqual([2, 4]);
  expect(variable(ran, 'ok')).toBe(false);
});

test('its step goes out with its request', () => {
  const steps: string[] = [];
  drive('task(read, {"x": 1}, step = "2.3")', {
    answer: (x, { step, handled }) => {
      steps.push(`${step} ${handled}`);
      return x;
    },
  });
  expect(steps).toEqual(['2.3 true']);
});

test.each([
  ['task()', 'task: missing argument for tool'],
  ['task(read)', 'task: missing argument for args'],
  ['task(3, {})', 'task: for parameter tool: got int, want a tool or its name'],
  ['task(read, [])', 'task: for parameter args: got list, want a dict by parameter name'],
  ['task(read, {"x": ("ref", 1)}, 5)', 'PV3703 task: got a reference to result 1, but 1 results'],
  ['task(read, {"x": ("ref",)})', 'PV3703 task: got a malformed "ref" node'],
  ['task(read, {"x": ("number", 1)})', 'PV3703 task: got a malformed "number" node'],
  ['task(read, {"x": ("ref", 0, "*", "*")}, 5)', 'PV3703 task: got a reference with several *'],
  ['parallel(lambda x: task(write, {"x": x}), [1])', 'PV3021'],
])('%s is an error of the program', (source, message) => {
  expect(drive(source).error).toContain(message);
});

test.each([
  ['alone', 'task(read, {"x": x})'],
  ['with a result', 'task(read, {"x": x}, task(read, {"x": 0}))'],
])('arguments that go round in a circle are refused: %s', (_, call) => {
  expect(drive(`x = []\nx.append(x)\n${call}`).error).toMatch(/PV3017|form a cycle/);
});
