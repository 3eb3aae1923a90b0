/** Pausing at steps, setting variables there, and what is seen of the state. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { StepVisit } from '../../src/machine/turn.ts';
import { sampledRuns } from '../support/depth.ts';
import { bodies, sourceOf } from '../support/random-starlark.ts';
import {
  compile,
  type Driven,
  drive,
  outcomeOf,
  tools,
  variable,
  variablesOf,
} from '../support/starlark-machine.ts';

const at =
  (id: string) =>
  (step: StepVisit): boolean =>
    step.id === id;

/** A machine that has entered a step; outcomes are handed in where it cannot get there else. */
function pausedAt(source: string, id: string, outcomes: Record<string, unknown> = {}): Machine {
  const machine = createMachine(compile(source), { tools });
  const left = Object.entries(outcomes);
  for (;;) {
    const { status } = machine.run(1e6, at(id));
    if (status === 'paused') return machine;
    const next = left.shift();
    if (status !== 'blocked' || !next) throw new Error(`${status}, and never at ${id}`);
    machine.settle(next[0], outcomeOf(next[1]));
  }
}

test('the machine stops before anything of the step is done', () => {
  const machine = pausedAt('a = 1\nb = a + 1\nc = b + 1\n', '2');
  expect([...machine.view().variables]).toEqual([['a', 1]]);
  const turn = machine.run(1e6, at('3'));
  expect(turn.status).toBe('paused');
  expect(turn.steps.map(({ id }) => id)).toEqual(['3']);
  expect([...machine.view().variables]).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(machine.run(1e6).status).toBe('done');
});

test('no fuel, no step: a pause is no instruction that is done twice', () => {
  const program = compile('a = 1\nb = 2\n');
  const whole = createMachine(program, { tools });
  const { instructions } = whole.run(1e6);
  const stepped = createMachine(program, { tools });
  const seen: string[] = [];
  for (let status = 'ready'; status !== 'done'; ) {
    const turn = stepped.run(1, () => true);
    seen.push(...turn.steps.map(({ id }) => id));
    status = turn.status;
    if (status === 'done') expect(turn.instructions).toBe(instructions);
  }
  expect(seen).toEqual(['1', '2']);
});

test('a pause is no part of the state', () => {
  const source = 'a = 1\nb = 2\n';
  const machine = pausedAt(source, '2');
  const again = restoreMachine(compile(source), { tools }, machine.snapshot());
  expect(again.inspect().status).toBe('ready');
  expect(again.inspect().lines).toEqual(machine.inspect().lines);
  expect(again.run(1e6).status).toBe('done');
});

test('pausing at every step changes nothing of programs with fibers', () => {
  fc.assert(
    fc.property(bodies, fc.boolean(), (drawn, restored) => {
      const program = compile(sourceOf(drawn));
      // Fibers take turns in another order: so do requests, and those that a failure makes void.
      const seen = ({ machine, most: _, ids, cancels: __, ...rest }: Driven): unknown => ({
        ...rest,
        ids: rest.status === 'done' ? ids.toSorted() : [],
        // A failure does not take back what containers hold by then.
        variables: rest.status === 'done' ? variablesOf({ ...rest, machine } as Driven) : [],
      });
      const found = drive(program, { pause: () => true, restored });
      expect(seen(found)).toEqual(seen(drive(program)));
    }),
    sampledRuns(300),
  );
});

test('a variable is set as an assignment there would', () => {
  const machine = pausedAt('a = 1\nb = a + 1\n', '2');
  expect(machine.assign('a', 41)).toBe(true);
  expect(machine.assign('nobody', 41)).toBe(false);
  machine.run(1e6);
  expect(machine.view().variables.get('b')).toBe(42);
});

test('what was set behind a call that fails is taken back', () => {
  const source = 'a = 1\nb = read(1)\nc = a\n';
  const machine = pausedAt(source, '3');
  machine.assign('a', 41);
  machine.settle('0#1', outcomeOf(new Error('no')));
  expect(machine.run(1e6).status).toBe('failed');
  expect(machine.view().variables.get('a')).toBe(1);
});

test('frames with their variables and operands, innermost last', () => {
  const source = [
    'def outer(x):',
    '    note = "n"',
    '    def inner(y):',
    '        return [y, note, 1 if read(y) else 2]',
    '    return [x, inner(x + 1)]',
    'r = outer(1)',
  ].join('\n');
  const machine = createMachine(compile(`${source}\n`), { tools });
  machine.run(1e6);
  const { lines, status } = machine.inspect();
  expect(status).toBe('blocked');
  expect(lines).toHaveLength(1);
  const [main] = lines;
  expect(main?.step).toBe('6');
  const shown = main?.frames.map(({ name, line, locals, operands }) => ({
    name,
    line,
    locals: Object.fromEntries(
      [...locals].filter(([, value]) => typeof value !== 'object' || value === null),
    ),
    operands: operands.length,
  }));
  expect(shown).toEqual([
    { name: '<toplevel>', line: 6, locals: {}, operands: 1 },
    { name: 'outer', line: 5, locals: { x: 1, note: 'n' }, operands: 2 },
    { name: 'inner', line: 4, locals: { y: 2, note: 'n' }, operands: 3 },
  ]);
  expect(main?.waits).toMatchObject({
    on: 'value',
    entry: { kind: 'effect', id: '0#1', name: 'read', state: 'open', line: 4, step: '6' },
  });
});

test('what is open, what waits for it, and whose a pending value is', () => {
  const source = 'a = read(1)\nb = "<%s>" % a\nc = read(b)\nprint(c)\nif a:\n    d = 1\n';
  const machine = createMachine(compile(source), { tools });
  machine.run(1e6);
  const { lines, globals, pendings } = machine.inspect();
  expect(
    lines[0]?.open.map(({ kind, name, state, missing, id }) => [kind, name, state, missing, id]),
  ).toEqual([
    ['effect', 'read', 'open', 0, '0#1'],
    ['lift', 'mod', 'waiting', 1, undefined],
    ['effect', 'read', 'waiting', 1, '0#2'],
    ['lift', 'print', 'waiting', 1, undefined],
    ['emit', 'print', 'waiting', 1, undefined],
  ]);
  const entryOf = (name: string): unknown => {
    const value = globals.get(name);
    return typeof value === 'object' && value?.kind === 'pending'
      ? pendings.get(value)?.seq
      : value;
  };
  expect(['a', 'b', 'c', 'd'].map(entryOf)).toEqual([0, 1, 2, undefined]);
});

test('fibers stand behind the main line, with what they wait for', () => {
  const source =
    'def look(x):\n    return 1 if read(x) else 2\n\ny = parallel(look, [1, 2])\nz = y[0]\n';
  const machine = createMachine(compile(source), { tools });
  machine.run(1e6);
  const { lines } = machine.inspect();
  expect(lines.map(({ path, waits }) => [path, waits?.on])).toEqual([
    ['0', 'end'],
    ['0.1', 'value'],
    ['0.2', 'value'],
  ]);
  expect(lines[0]?.open.map(({ kind, name, id }) => [kind, name, id])).toEqual([
    ['fibers', 'parallel', '0.1'],
    ['lift', 'index', undefined],
  ]);
});

test('nothing stands anywhere after the end', () => {
  const { machine } = drive('a = 1\n');
  const { status, lines, error } = machine.inspect();
  expect([status, error, lines[0]?.frames]).toEqual(['done', undefined, []]);
  expect(variable(drive('a = 1\n'), 'a')).toBe(1);
});
