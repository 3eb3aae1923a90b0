/**
 * What comes in one go: a program asks for no more, and for nothing else, than it does when it is
 * handed the same outcomes in the same order, one by one, and goes on as far as it can between
 * them. That is how a replay hands them in.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Request } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { ofSample, sampledRuns } from '../support/depth.ts';
import { hashOf, random } from '../support/draw.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import { compile, outcomeOf, tools } from '../support/starlark-machine.ts';

interface Course {
  /** What was asked for. */
  readonly ids: readonly string[];
  /** Effects in the order in which their outcomes were handed in. */
  readonly order: readonly string[];
}

interface CourseOptions {
  readonly windowEntries: number;
  readonly answer: (request: Request) => unknown;
  /** Of the effects that are open, those whose outcomes come next, in order. */
  readonly next: (open: readonly Request[]) => readonly Request[];
  /** Whether the machine is taken apart and put together whenever it was handed something. */
  readonly restored?: boolean;
}

function courseOf(program: Program, options: CourseOptions): Course {
  const { windowEntries, answer, next, restored = false } = options;
  const given = { tools, limits: { windowEntries } };
  let machine = createMachine(program, given);
  const again = (): void => {
    const snapshot = JSON.parse(JSON.stringify(machine.snapshot()));
    machine = restoreMachine(program, given, snapshot);
  };
  const [open, ids, order] = [new Map<string, Request>(), new Set<string>(), [] as string[]];
  for (;;) {
    const turn = machine.run(1e6);
    // It asks again for all that is open.
    if (restored) open.clear();
    for (const request of turn.requests) {
      ids.add(request.id);
      open.set(request.id, request);
    }
    for (const id of turn.cancels) open.delete(id);
    if (turn.status !== 'blocked') return { ids: [...ids].sort(), order };
    const coming = next([...open.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));
    if (coming.length === 0) throw new Error('nothing comes, and it waits');
    for (const request of coming) {
      if (restored) again();
      open.delete(request.id);
      order.push(request.id);
      machine.settle(request.id, outcomeOf(answer(request)));
    }
  }
}

/** Some of what is open, in any order. */
function someOf(seed: number): CourseOptions['next'] {
  const draw = random(seed);
  return (open) => {
    const left = [...open];
    const many = 1 + draw(Math.min(6, left.length));
    return Array.from({ length: many }, () => left.splice(draw(left.length), 1)).flat();
  };
}

/** What comes next of an order that another course had; what that has asked for no more, last. */
function inOrderOf({ order }: Course): CourseOptions['next'] {
  const rank = new Map(order.map((id, index) => [id, index]));
  const rankOf = ({ id }: Request): number => rank.get(id) ?? Infinity;
  return (open) => {
    const first = Math.min(...open.map(rankOf));
    return open.filter((one) => rankOf(one) === first).slice(0, 1);
  };
}

test('room is given away as one by one: two that end at once leave it to the same fibers', () => {
  // The first two calls of each kind fail behind their reads, since they would write.
  const program = compile(`
def inner(x):
    parallel(read, [x])
    write(x = x)
def outer(x):
    a = parallel(inner, [x, "a", "b"])
    b = parallel(inner, [x, a])
    return [a, b]
parallel(outer, ["x", "y"])`);
  const batches = [['0.1.2.1#1', '0.1.4.1#1', '0.2.4.1#1']];
  const next: CourseOptions['next'] = (open) => {
    const batch = batches.shift();
    return batch ? open.filter(({ id }) => batch.includes(id)) : open.slice(0, 1);
  };
  const answer = (): string => 'r';
  const atOnce = courseOf(program, { windowEntries: 8, answer, next });
  const oneByOne = courseOf(program, { windowEntries: 8, answer, next: inOrderOf(atOnce) });
  expect(oneByOne.ids).toEqual(expect.arrayContaining([...atOnce.ids]));
});

test('the room of an attempt is first for the next one of its fiber, not for later fibers', () => {
  const program = compile(`
def twice(x):
    a = attempt(read, x = x).ok
    return attempt(read, x = a).ok
def once(x):
    return read(x = x)
parallel(twice, ["x", "a", "b"])
b = try_call(read, x = "x").value or "none"
parallel(once, ["x", "a", b])
parallel(once, ["x"])`);
  const batches = [['0.1.1#1', '0#1', '0.3.1#1'], ['0.2.1#1'], ['0.4#1']];
  const next: CourseOptions['next'] = (open) => {
    const batch = batches.shift();
    return batch ? open.filter(({ id }) => batch.includes(id)) : open.slice(0, 1);
  };
  const answer = ({ id }: Request): unknown => (id === '0.4#1' ? new Error('broke') : 'r');
  const atOnce = courseOf(program, { windowEntries: 8, answer, next });
  const oneByOne = courseOf(program, { windowEntries: 8, answer, next: inOrderOf(atOnce) });
  expect(oneByOne.ids).toEqual(expect.arrayContaining([...atOnce.ids]));
});

test('whatever comes at once, one by one asks for at least as much', () => {
  let batches = 0;
  const property = fc.property(
    bodies,
    fc.constantFrom(3, 5, 8),
    fc.integer({ min: 0, max: 1e6 }),
    (drawn, windowEntries, seed) => {
      const program = compile(sourceOf(drawn));
      const answer = ({ id }: Request): unknown => {
        const hash = hashOf(`${seed}${id}`);
        return hash % 9 === 0 ? new Error(`${id} broke`) : `r${hash % 100}`;
      };
      const atOnce = courseOf(program, { windowEntries, answer, next: someOf(seed) });
      const oneByOne = courseOf(program, { windowEntries, answer, next: inOrderOf(atOnce) });
      expect(oneByOne.ids).toEqual(expect.arrayContaining([...atOnce.ids]));
      const next = someOf(seed);
      expect(courseOf(program, { windowEntries, answer, next, restored: true })).toEqual(atOnce);
      batches += atOnce.order.length;
    },
  );
  fc.assert(property, sampledRuns(400));
  expect(batches).toBeGreaterThan(ofSample(400));
});
