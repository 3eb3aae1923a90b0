/**
 * The machine against its oracle, itself with a window of one: whatever the order in which outcomes
 * arrive, and wherever it is taken apart and put together again, a program has the same result.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { Outcome, Request } from '../../src/program/effect.ts';
import { encode, textOf } from '../../src/program/json.ts';
import type { Program } from '../../src/program/program.ts';
import type { Value } from '../../src/program/value.ts';
import { ofSample, sampledRuns } from '../support/depth.ts';
import { hashOf, random } from '../support/draw.ts';
import { compile, type Statement, statements, tools } from '../support/random-program.ts';

/** Everything about a run that must not depend on timing. */
interface Trace {
  readonly status: string;
  readonly error: string;
  readonly writes: string[];
  readonly emits: string[];
  readonly variables: string[];
}

/** A fixed outcome for each effect: by id and arguments, a fifth of them failures. */
function outcomeOf(request: Request, seed: number): Outcome {
  const hash = hashOf(`${seed}${request.id}${request.tool}${request.args}`);
  if (hash % 11 === 0)
    return { ok: false, error: { code: 'PV4200', message: `${request.id} broke` } };
  if (hash % 3 === 0) return { ok: true, value: `["r${hash % 100}",${hash % 10}]` };
  return { ok: true, value: `"r${hash % 100}"` };
}

type Next = (open: number) => number;

/** Runs to the end; `pick` chooses which open effect settles next, `between` may replace the machine. */
function drive(
  machine: Machine,
  seed: number,
  pick: Next,
  fuel: number,
  between: (m: Machine) => Machine,
  pause?: () => boolean,
): Trace {
  let current = machine;
  const open = new Map<string, Request>();
  const performed = new Set<string>();
  const writes: string[] = [];
  const emits: string[] = [];
  for (let turns = 0; turns < 20_000; turns++) {
    const turn = current.run(fuel, pause);
    for (const request of turn.requests) {
      open.set(request.id, request);
      if (request.tool !== 'write' || performed.has(request.id)) continue;
      performed.add(request.id);
      writes.push(`${request.id} ${request.args}`);
    }
    for (const id of turn.cancels) open.delete(id);
    for (const emit of turn.emits) emits.push(`${emit.step} ${textOf(emit.value)}`);
    if (turn.status === 'done' || turn.status === 'failed') break;
    current = between(current);
    if (turn.status === 'ready' || turn.status === 'paused') continue;
    const request = [...open.values()][pick(open.size)];
    if (!request)
      throw new Error(`blocked with nothing open: ${JSON.stringify(current.snapshot())}`);
    open.delete(request.id);
    current.settle(request.id, outcomeOf(request, seed));
  }
  const { status, error, variables } = current.view();
  return {
    status,
    error: error ? `${error.code} ${error.message} at ${error.step}:${error.line}` : '',
    writes,
    emits,
    variables: [...variables].flatMap(([k, v]) => (k === 'pair' ? [] : [k, shown(v)])),
  };
}

/** Canonical text; a list that was put into itself has none. */
function shown(value: Value): string {
  try {
    return encode(value);
  } catch (error) {
    return String(error);
  }
}

/** A failure takes variables back, but not what was changed inside a container. */
function comparable(trace: Trace, body: readonly Statement[]): Trace {
  const whole = trace.status === 'done' || !JSON.stringify(body).includes('"change"');
  return whole ? trace : { ...trace, variables: [] };
}

const same = (machine: Machine): Machine => machine;

const sequential = (program: Program, seed: number): Trace =>
  drive(createMachine(program, { tools, limits: { windowEntries: 1 } }), seed, () => 0, 1e6, same);

const seeds = fc.integer({ min: 0, max: 1e6 });

test('parallel = sequential: status, error, ordered writes, ordered emits, variables', () => {
  let overlapped = 0;
  fc.assert(
    fc.property(statements, seeds, (body, seed) => {
      const program = compile(body);
      const expected = sequential(program, seed);
      for (const order of [seed, seed + 1, seed + 2]) {
        const pick: Next = (open) => {
          overlapped = Math.max(overlapped, open);
          return random(order)(open);
        };
        const found = drive(createMachine(program, { tools }), seed, pick, 1e6, same);
        expect(comparable(found, body)).toEqual(comparable(expected, body));
      }
    }),
    sampledRuns(10000),
  );
  expect(overlapped).toBeGreaterThan(3);
});

test('restore(snapshot) = continue, at every instruction', () => {
  fc.assert(
    fc.property(statements, seeds, (body, seed) => {
      const program = compile(body);
      const expected = sequential(program, seed);
      const found = drive(createMachine(program, { tools }), seed, random(seed), 1, (machine) =>
        restoreMachine(program, { tools }, JSON.parse(JSON.stringify(machine.snapshot()))),
      );
      expect(comparable(found, body)).toEqual(comparable(expected, body));
    }),
    sampledRuns(500),
  );
});

test('pausing at any step, taken apart there or not, changes nothing', () => {
  let paused = 0;
  fc.assert(
    fc.property(statements, seeds, (body, seed) => {
      const program = compile(body);
      const expected = drive(createMachine(program, { tools }), seed, random(seed), 1e6, same);
      for (const between of [
        same,
        (machine: Machine): Machine =>
          restoreMachine(program, { tools }, JSON.parse(JSON.stringify(machine.snapshot()))),
      ]) {
        const choose = random(seed);
        const pause = (): boolean => {
          const chosen = choose(2) === 0;
          if (chosen) paused++;
          return chosen;
        };
        const machine = createMachine(program, { tools });
        const found = drive(machine, seed, random(seed), 1e6, between, pause);
        expect(comparable(found, body)).toEqual(comparable(expected, body));
      }
    }),
    sampledRuns(1000),
  );
  expect(paused).toBeGreaterThan(ofSample(1000));
});

test('a small window changes nothing but the overlap', () => {
  fc.assert(
    fc.property(statements, seeds, fc.integer({ min: 1, max: 5 }), (body, seed, windowEntries) => {
      const program = compile(body);
      const machine = createMachine(program, { tools, limits: { windowEntries } });
      const found = drive(machine, seed, random(seed), 7, same);
      expect(comparable(found, body)).toEqual(comparable(sequential(program, seed), body));
    }),
    sampledRuns(1000),
  );
});
