/** States of runs as documents, and what differs between two. */
import { expect, test } from 'vitest';
import type { Handler } from '../../src/engine/handler.ts';
import { type StateAt, stateAt } from '../../src/engine/past/time.ts';
import { diffStates } from '../../src/engine/views/state-diff.ts';
import { stateView } from '../../src/engine/views/state-view.ts';
import { compile } from '../support/starlark-machine.ts';
import { byName, loading, quickTool, start } from './support.ts';

const echo = byName(quickTool('read', ({ x }) => ({ got: x })));

async function ran(source: string, handlers: Map<string, Handler> = echo) {
  const program = compile(source);
  const run = start({ program, handlers, text: source });
  await run.result;
  return (at: string): StateAt =>
    stateAt({ journal: run.journal, run: run.id, load: loading(program), at });
}

const shownAt = (state: StateAt): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(stateView(state, '').variables).map(([name, { type, size, text }]) => [
      name,
      `${type}${size === undefined ? '' : ` ${size}`} ${text}`,
    ]),
  );

test('variables with type, size and text; what is to come by what gives it', async () => {
  const at = await ran(`a = read(x = 1)
b = {"list": [1, 2.5, "three", None, (4,)], "later": a, 5: a}
c = "%s" % a
d = "long " * 1000
e = struct(f = [a], g = len)
def h(i, j = 2):
    return i
end = 1
`);
  expect(shownAt(at('8'))).toEqual({
    a: 'pending ‹0#1 read›',
    b: 'dict 3 {"list": [1, 2.5, "three", null, (4,)], "later": ‹0#1 read›, 5: ‹0#1 read›}',
    c: 'pending ‹mod of step 3›',
    d: `string 5000 "${'long '.repeat(80).slice(0, 398)}…`,
    e: 'struct 2 struct(f = [‹0#1 read›], g = <builtin len>)',
    h: 'function def h(i, j)',
  });
  const { a, d, h } = stateView(at('end'), 'end').variables;
  expect(a?.value).toEqual({ got: 1 });
  expect(d?.value).toBe('long '.repeat(1000));
  expect(h).not.toHaveProperty('value');
});

test('what a value to come became later, and what waits for it', async () => {
  const at = await ran('a = read(x = 1)\nb = read(x = 2)\nc = a\n');
  const { variables, lines, status, moment, step } = stateView(at('3'), '3');
  expect(variables.a?.waits).toMatchObject({ id: '0#1', later: { value: { got: 1 } } });
  expect(lines[0]?.open.map(({ id, later }) => [id, later])).toEqual([
    ['0#1', { value: { got: 1 } }],
    ['0#2', { value: { got: 2 } }],
  ]);
  expect([status, moment, step?.id, step?.source]).toEqual(['going', 'step', '3', 'c = a']);
});

test('a value that is computed, or has a part, that came later is known', async () => {
  const at = await ran(`a = read(x = 1)
b = "got %s" % a["got"]
c = {"part": [a]}
def f(d):
    e = [d]
    if read(x = 2)["got"] == 2:
        return e
f(a)
`);
  // Both reads have started there, and neither outcome is known.
  const { variables, lines } = stateView(at('event:4'), 'event:4');
  expect(variables.b?.later).toEqual({ value: 'got 1' });
  expect(variables.c?.later).toEqual({ value: { part: [{ got: 1 }] } });
  expect(lines[0]?.frames.at(-1)?.locals.e?.later).toEqual({ value: [{ got: 1 }] });
  const atEnd = stateView(at('end'), 'end').variables;
  expect([atEnd.b?.later, atEnd.b?.value]).toEqual([undefined, 'got 1']);
});

test('a value that contains itself, and one of very many parts, end', async () => {
  const at = await ran('a = [1]\na.append(a)\nb = list(range(100000))\nc = 1\n');
  const { a, b } = stateView(at('4'), '4').variables;
  expect(a?.text).toContain('[1, [1, [1');
  expect(b?.text).toHaveLength(400);
  expect(b?.size).toBe(100_000);
});

const changing = `a = {"one": [1, {"x": 1}], "two": 2}
b = read(x = 1)
if b:
    a["one"][1]["x"] = 5
a["one"].append("more")
a.pop("two")
answer(b)
c = a
`;

test('what differs, with the places inside of variables', async () => {
  const at = await ran(changing);
  const { variables, answers, effects } = diffStates([at('2'), at('end')], ['2', 'end']);
  expect(variables).toEqual([
    { change: 'changed', path: 'a.one[1].x', before: '1', after: '5' },
    { change: 'added', path: 'a.one[2]', after: '"more"' },
    { change: 'removed', path: 'a.two', before: '2' },
    { change: 'added', path: 'b', after: '{"got": 1}' },
    { change: 'added', path: 'c', after: expect.stringContaining('"more"') },
  ]);
  expect(answers).toEqual([{ text: '{"got": 1}', step: '7' }]);
  expect(effects).toEqual([{ id: '0#1', name: 'read', step: '2' }]);
});

test('nothing differs between a state and itself, cycles included', async () => {
  const at = await ran('a = [1]\na.append(a)\nb = {"a": a}\nc = read(x = 1)\nd = c\n');
  const { variables, effects } = diffStates([at('5'), at('5')], ['5', '5']);
  expect([variables, effects]).toEqual([[], []]);
});
