/** A plan that arrives in pieces: the same parts for every cut, each as soon as it can be. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idsAfter } from '../../../src/dialects/llmcompiler/ids.ts';
import { StreamedPlan, type TaskPart } from '../../../src/planner/tasks/streamed-plan.ts';
import { named } from '../scripted.ts';

const environment = {
  tools: new Map([named('search', 'query'), named('look', 'at', 'from')]),
  inputs: [],
};

function parts(pieces: readonly string[]) {
  const told: string[] = [];
  const tasks: TaskPart[] = [];
  const plan = new StreamedPlan({
    environment,
    ids: idsAfter(),
    task: (part) => tasks.push(part),
    warn: (message) => told.push(message),
  });
  const after = pieces.map((piece) => {
    plan.add(piece);
    return tasks.length;
  });
  return { tasks, told, after, end: plan.end() };
}

const texts = [
  'Thought: a\n1. search["x"]\nThought: b\n2. look[$1, "y (z)"]\n3. join()\n<END_OF_PLAN>',
  '1. look[$3]\n2. search("unclosed\n3. search[bare, text]\n4. join("${1} and ${2}")\n',
  '```\n1. serch["x"]\n2. look[$2]\n2. look["again"]\n3. look[$4]\n4. look[$3]\n```',
  'I cannot do that.\n',
  '1. search["under $50, $150"]\n2. look["$149 or $150"]\n150. search["a"]\n',
  '1. search["a\nb"]\nObservation: 2. search["never"]\n2. look({"k": ["$1"]})\n3. join',
];

test.each(texts)('of %j every cut gives the same', (text) => {
  const { after: _, ...whole } = parts([text]);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((to, i) => text.slice(places[i], to));
      const { after: __, ...cut } = parts(pieces);
      expect(cut).toEqual(whole);
    }),
  );
  const { after: ___, ...single } = parts([...text]);
  expect(single).toEqual(whole);
});

test('a task is there with its line, or with the plan where it needs a later one', () => {
  const { tasks, after } = parts(['1. search["x"]\n', '2. look[$3]\n', '3. search["y"]\n']);
  expect(after).toEqual([1, 1, 2]);
  expect(tasks.map(({ id }) => id)).toEqual(['1', '3', '2']);
});

test('tasks in a circle, and those that need what there is not, have problems of their own', () => {
  const { tasks, end } = parts(['1. look[$2]\n2. look[$1]\n3. look[$9]\n4. look[$3]\n5. join()']);
  const problems = new Map(tasks.map(({ id, problem }) => [id, problem]));
  expect(problems.get('1')).toContain('PV2609');
  // Its need has failed: that is all there is to say of it.
  expect(problems.get('2')).toBe('');
  expect(problems.get('3')).toContain('PV2607');
  expect(problems.get('4')).toBe('');
  expect(end).toMatchObject({ ok: true, sound: false });
});

test('a second task of one number is lost to nobody: the plan is not whole', () => {
  const { end } = parts(['1. search["x"]\n1. search["y"]\n2. join()']);
  expect(end).toMatchObject({ ok: false, sound: false, said: '' });
  expect(end.problem).toContain('PV2605');
});

test('words are no plan, and are kept to be shown', () => {
  const { end } = parts(['I cannot do that.']);
  expect(end).toMatchObject({ ok: false, said: 'I cannot do that.' });
});

test('a plan whose every task names the next one is looked at once for each of its lines', () => {
  let looked = 0;
  const counted = {
    ...environment,
    tools: new Proxy(environment.tools, {
      get(target, name) {
        if (name === 'get') looked++;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    }),
  };
  const lines = Array.from({ length: 3000 }, (_, i) => `${i + 1}. search[$${i + 2}]`);
  const order: string[] = [];
  const plan = new StreamedPlan({
    environment: counted,
    ids: idsAfter(),
    task: ({ id }) => order.push(id),
    warn: () => {},
  });
  for (const line of lines) plan.add(`${line}\n`);
  plan.add('3001. search["x"]\n3002. join()\n');
  expect(plan.end()).toMatchObject({ ok: true, sound: true });
  expect(order).toEqual(Array.from({ length: 3001 }, (_, i) => String(3001 - i)));
  expect(looked).toBeLessThan(6 * 3001);
});

test('thousands of tasks that name what never comes end, each with its problem', () => {
  const text = Array.from({ length: 3000 }, (_, i) => `${i + 1}. look[$99, $${4000 + i}]\n`);
  const { tasks, end } = parts(text);
  expect(tasks.filter(({ problem }) => problem.includes('PV2607'))).toHaveLength(3000);
  expect(end).toMatchObject({ ok: true, sound: false });
});

test.each([
  ['prose first', ['Let me see.\n', '1. search["no"]\n', '</think>\n', '1. search["yes"]\n']],
  ['brackets', ['[THINK]\n1. search["no"]\n', '[/THINK]\n1. search["yes"]\n']],
  [
    'a channel',
    [
      '<|channel|>analysis<|message|>\n1. search["no"]\n<|end|>',
      '<|start|>assistant<|channel|>final<|message|>\n1. search["yes"]\n',
    ],
  ],
  ['a tag', ['<thinking>\n1. search["no"]\n', '</thinking>\n1. search["yes"]\n']],
])('no task of a draft is reported: %s', (_name, pieces) => {
  const { tasks, end } = parts(pieces);
  expect(tasks.map(({ action }) => action)).toEqual(['search["yes"]']);
  expect(end.ok).toBe(true);
});

test('tasks that turn out to be thoughts make the plan wrong', () => {
  const { end } = parts(['1. search["no"]\n', '</think>\n2. search["yes"]\n']);
  expect(end).toMatchObject({ ok: false, sound: false });
  expect(end.problem).toContain('closing tag of the thoughts');
});
