/**
 * Programs with fibers against themselves one call at a time: whatever the order in which outcomes
 * arrive, whatever fails, and wherever the machine is taken apart and put together again.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Program } from '../../src/program/program.ts';
import {
  type Answer,
  compile,
  type Driven,
  drive,
  variablesOf,
} from '../support/starlark-machine.ts';

type Line =
  | { kind: 'call'; tool: 'read' | 'pure' | 'write'; of: number }
  | { kind: 'try'; of: number }
  | { kind: 'branch'; body: Line[] }
  | { kind: 'print' | 'remember' }
  | { kind: 'parallel'; count: number; callee: number }
  | { kind: 'attempt'; callee: number };

const line = (depth: number): fc.Arbitrary<Line> => {
  const of = fc.nat(3);
  const kind = <K extends string>(name: K): fc.Arbitrary<K> => fc.constant(name);
  const callee = fc.nat(1);
  const tool = fc.constantFrom('read' as const, 'read' as const, 'pure' as const, 'write' as const);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: kind('call'), tool, of }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('try'), of }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('print', 'remember') }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: kind('parallel'), count: fc.nat(4), callee }),
    },
    { weight: 2, arbitrary: fc.record({ kind: kind('attempt'), callee }) },
    ...(depth > 0 ? [{ weight: 2, arbitrary: branch() }] : []),
  ) as fc.Arbitrary<Line>;
};

const branch = (): fc.Arbitrary<Line> =>
  fc.record({ kind: fc.constant('branch' as const), body: fc.array(line(0), { maxLength: 3 }) });

const block = fc.array(line(1), { maxLength: 5 });
/** Three functions, each of which calls those before it, and a main line. */
const program = fc.tuple(block, block, block, block);

/** Lines of a body. `level` is the number of functions that it may call. */
const write = (lines: readonly Line[], level: number, indent: string): string[] =>
  lines.flatMap((one, i) => textOf(one, i, level, indent));

function textOf(one: Line, i: number, level: number, indent: string): string[] {
  const names = ['x', 'a', 'b', 'c'];
  const into = names[1 + (i % 3)] ?? 'a';
  const callee = 'callee' in one ? level - 1 - one.callee : -1;
  switch (one.kind) {
    case 'call':
      return [`${indent}${into} = ${one.tool}(x = ${names[one.of]})`];
    case 'try':
      return [`${indent}${into} = try_call(read, x = ${names[one.of]}).value or "none"`];
    case 'print':
      return [`${indent}print(a)`];
    case 'remember':
      return [`${indent}memory.append(a)`];
    case 'branch':
      return [
        `${indent}if "7" in str(a):`,
        `${indent}    c = a`,
        ...write(one.body, level, `${indent}    `),
      ];
    case 'parallel': {
      const xs = names.slice(0, one.count).join(', ');
      if (callee < 0) return [`${indent}${into} = parallel(read, [${xs}])`];
      return [`${indent}${into} = parallel(f${callee}, [${xs}])`];
    }
    case 'attempt':
      if (callee < 0) return [`${indent}${into} = attempt(read, x = a).ok`];
      return [`${indent}t = attempt(f${callee}, a)`, `${indent}${into} = (t.ok, t.value, t.error)`];
  }
}

function sourceOf(bodies: readonly Line[][]): string {
  const lines = ['memory = []'];
  bodies.forEach((body, level) => {
    const isMain = level === bodies.length - 1;
    const indent = isMain ? '' : '    ';
    if (!isMain) lines.push(`def f${level}(x):`);
    lines.push(`${indent}${isMain ? 'x, ' : ''}a, b, c = ${isMain ? '"x", ' : ''}"a", "b", "c"`);
    lines.push(...write(body, level, indent));
    if (!isMain) lines.push(`${indent}return [a, b]`);
  });
  return lines.join('\n');
}

/** A fixed outcome for each effect, by id and arguments. */
const answers =
  (seed: number): Answer =>
  (_, { id, args }) => {
    let hash = 2166136261;
    for (const char of `${seed}${id}${args}`) {
      hash = Math.imul(hash ^ char.charCodeAt(0), 16777619) >>> 0;
    }
    if (hash % 9 === 0) return new Error(`${id} broke`);
    return hash % 4 === 0 ? [`r${hash % 100}`] : `r${hash % 100}`;
  };

/** What must not depend on time. */
function outcome(driven: Driven): unknown {
  const { status, error, emits, writes, machine } = driven;
  const { trace, step } = machine.view().error ?? {};
  const variables = status === 'done' ? variablesOf(driven) : [];
  return { status, error, trace, step, emits, writes, variables };
}

const alone = (one: Program, seed: number): Driven =>
  drive(one, { answer: answers(seed), limits: { windowEntries: 1 } });

function chance(seed: number): (open: readonly unknown[]) => number {
  let state = seed >>> 0;
  return ({ length }) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return length === 0 ? 0 : state % length;
  };
}

const seeds = fc.integer({ min: 0, max: 1e6 });

test('side by side = one at a time: status, error and its trace, writes, emits, variables', () => {
  const seen = { most: 0, deep: 0, done: 0, failed: 0 };
  fc.assert(
    fc.property(program, seeds, (bodies, seed) => {
      const compiled = compile(sourceOf(bodies));
      const expected = alone(compiled, seed);
      seen[expected.status as 'done' | 'failed']++;
      const ids = new Set(expected.ids);
      for (const order of [seed, seed + 1]) {
        const found = drive(compiled, { answer: answers(seed), pick: chance(order) });
        seen.most = Math.max(seen.most, found.most);
        if (found.ids.some((id) => /0\.\d+\.\d+/.test(id))) seen.deep++;
        expect(outcome(found)).toEqual(outcome(expected));
        // Some reads more may have started, but no call has another name.
        if (expected.status === 'done') expect(found.ids).toEqual(expect.arrayContaining([...ids]));
      }
    }),
    { numRuns: 1500 },
  );
  expect(seen.most).toBeGreaterThan(6);
  for (const count of [seen.deep, seen.done, seen.failed]) expect(count).toBeGreaterThan(50);
}, 60_000);

test('restore(snapshot) = continue, at every instruction', () => {
  fc.assert(
    fc.property(program, seeds, (bodies, seed) => {
      const compiled = compile(sourceOf(bodies));
      const options = { answer: answers(seed), pick: chance(seed), fuel: 1, restored: true };
      expect(outcome(drive(compiled, options))).toEqual(outcome(alone(compiled, seed)));
    }),
    { numRuns: 120 },
  );
}, 60_000);

test('a small window changes nothing but the overlap', () => {
  fc.assert(
    fc.property(program, seeds, fc.integer({ min: 2, max: 5 }), (bodies, seed, windowEntries) => {
      const compiled = compile(sourceOf(bodies));
      const limits = { windowEntries };
      const found = drive(compiled, { answer: answers(seed), pick: chance(seed), fuel: 7, limits });
      expect(outcome(found)).toEqual(outcome(alone(compiled, seed)));
    }),
    { numRuns: 400 },
  );
}, 60_000);
