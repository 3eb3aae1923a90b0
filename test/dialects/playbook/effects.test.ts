/** What waits for a call since that may set a variable: by arguments, functions, triggers. */
import { expect, test } from 'vitest';
import { stepsOf } from './written.ts';

const waits = (call: string, rest: string, read = 'Say("level {$level}")'): boolean =>
  stepsOf(`- $level = 1\n- ${call}\n- ${read}`, rest)[2] === '03:YLD for call';

const put = '\n## Put($level, other=1)\n### Steps\n- Say("set")\n';

test.each([
  ['Put(20)', true],
  ['Put(other=2, level=20)', true],
  ['Put(*all)', true],
  ['Put($level)', false],
  ['Put($level, 3)', false],
  ['Put(level=$level)', false],
])('%s gives $level another value: %s', (call, want) => {
  expect(waits(call, put)).toBe(want);
});

test('a playbook that calls one with another argument sets it, too', () => {
  const via = (call: string): string => `\n## A\n### Steps\n- Say("a")\n- ${call}\n${put}`;
  expect(waits('A()', via('Put(20)'))).toBe(true);
  expect(waits('A()', via('Put($level)'))).toBe(false);
});

test.each([
  ['Write a poem about {topic}.', false],
  ['Write a poem like {Other(topic)}.', true],
])('what is completed alone sets nothing, unless calls fill it in: %s', (about, want) => {
  const poem = `\n## Poem(topic)\nexecution_mode: raw\n\n${about}\n`;
  expect(waits('Poem("tea")', `${poem}\n## Other(topic)\n### Steps\n- $level = 2\n`)).toBe(want);
});

const tools = (code: string): string => `\n\`\`\`tools\n${code}\n\`\`\`\n`;
const b = '\n## B\n### Steps\n- Say("b")\n- $level = 20\n';

const read = (line: string, name: string): string =>
  `def F():\n    ${line}\n    ${name}.append(1)\n    return ${name}`;

test.each<[string, string, boolean]>([
  ['plays what sets it', 'def F():\n    B()\n    return 1', true],
  ['calls one that does', 'def G():\n    B()\n\ndef F():\n    G()\n    return 1', true],
  ['plays one that has it as a parameter', 'def F():\n    Put(3)\n    return 1', true],
  ['sets it', 'def F():\n    state["level"] = 20\n    return 1', true],
  ['reads it', 'def F():\n    return state["level"] + 1', false],
  [
    'reads it in other words',
    'def F():\n    return state.get("level", 0) if "level" in state else 0',
    false,
  ],
  [
    'reads all',
    'def F():\n    return [k for k in state if state[k]] + sorted(state.keys())',
    false,
  ],
  ['reads it and changes what is made of it', read('all = sorted(state["level"])', 'all'), false],
  ['sets it by a method', 'def F():\n    return state.setdefault("level", 1)', true],
  ['takes it away', 'def F():\n    return state.pop("level")', true],
  ['sets any', 'def F(k):\n    state[k] = 1', true],
  ['sets some', 'def F(k):\n    state.update(k)', true],
  ['gives the state to another', 'def F():\n    s = state\n    s["level"] = 1', true],
  ['adds to it', 'def F():\n    state["level"].append(1)', true],
  ['adds to what it has of it', read('all = state["level"]', 'all'), true],
  ['adds to a part of it', read('all = state["level"]["a"] or []', 'all'), true],
  ['adds to each of it', 'def F():\n    for one in state["level"]:\n        one["n"] = 1', true],
  ['adds one to it', 'def F():\n    state["level"] += 1', true],
  ['adds a list to it', 'def F():\n    all = state.get("level")\n    all += [1]', true],
  ['sets another', 'def F():\n    state["flag"] = 20\n    return 1', false],
  ['is none of those', 'def G():\n    B()\n\ndef F():\n    return 1', false],
])('a function that %s', (_what, code, want) => {
  expect(waits('F()', b + put + tools(code))).toBe(want);
});

const add = 'def Add(xs, n=1):\n    xs.append(n)\n    return len(xs)\n\n';
const kept = 'def F():\n    rows = [n for n in state["level"]]\n    Add(rows)\n    return rows';

test.each<[string, string, string, boolean]>([
  ['that it is given', add, 'Add($level)', true],
  ['that it is given by name', add, 'Add(n=3, xs=$level)', true],
  ['of a part of that', add, 'Add($level[0])', true],
  ['that is another one', add, 'Add($other, $level)', false],
  [
    'that another gets from it',
    `${add}def G(a, b):\n    Add(b)\n    return a`,
    'G(1, $level)',
    true,
  ],
  ['that another does not', `${add}def G(a, b):\n    Add(b)\n    return a`, 'G($level, [])', false],
  ['of the agent by another', `${add}def F():\n    return Add(state["level"])`, 'F()', true],
  ['of the agent by a name', `${add}def F():\n    return Add(xs=state["level"])`, 'F()', true],
  ['of its own', `${add}${kept}`, 'F()', false],
])('a function that changes a list %s', (_what, code, call, want) => {
  expect(waits(call, tools(code))).toBe(want);
});

test('a playbook that has a function change a list of the agent sets that', () => {
  const via = (list: string): string => `\n## A\n### Steps\n- own = [1]\n- Add(${list})\n`;
  expect(waits('A()', via('$level') + tools(add))).toBe(true);
  expect(waits('A()', via('own') + tools(add))).toBe(false);
});

const trigger = (text: string): string =>
  `\n## T\n### Triggers\n- ${text}\n### Steps\n- Say("t")\n- $level = 20\n`;

test.each([
  ['When $flag == 1', true],
  ['When $else == 1', false],
])('what a call sets plays what sets it: %s', (when, want) => {
  const a = '\n## A\n### Steps\n- $flag = 1\n- Say("a")\n';
  expect(waits('A()', a + trigger(when))).toBe(want);
  const flagged = '\n## A($flag)\n### Steps\n- Say("a")\n';
  expect(waits('A(1)', flagged + trigger(when))).toBe(want);
  expect(waits('$flag = F()', tools('def F():\n    return 1') + trigger(when))).toBe(want);
});
