/** Runs a program against a script under a policy of timing, and writes down what can be seen. */
import { createMachine, restoreMachine } from '../../src/machine/create.ts';
import type { Machine, MachineOptions } from '../../src/machine/machine.ts';
import type { Turn } from '../../src/machine/turn.ts';
import type { GuestError, Outcome, Request } from '../../src/program/effect.ts';
import { decode, encode, NotData } from '../../src/program/json.ts';
import type { Program } from '../../src/program/program.ts';
import type { Value } from '../../src/program/value.ts';
import type { Script } from './script.ts';

export interface Policy {
  /** Instructions of the next turn. */
  fuel(): number;
  /** Which of so many open effects settles next, the oldest being 0. */
  pick(count: number): number;
  /** Whether an outcome arrives although the machine could go on without it. */
  eager(): boolean;
  /** Whether every turn ends in a snapshot, and the next begins in another machine. */
  readonly restore?: boolean;
  readonly windowEntries?: number;
}

export interface Run {
  /** Requests and outcomes as they came, and cancels. */
  readonly trace: readonly string[];
  /** Status, error, emits and variables. */
  readonly result: string;
  /** Writes that started, in order. */
  readonly writes: readonly string[];
  /** Tool and arguments by effect id. */
  readonly requests: ReadonlyMap<string, string>;
  /** Whether an effect failed; then younger reads may or may not have started. */
  readonly failures: boolean;
  /** How often the machine was let run. */
  readonly turns: number;
}

const turnsMax = 50_000;

/** Runs the first of the programs, which grows into the next whenever it waits for text. */
export function drive(stages: readonly Program[], script: Script, policy: Policy): Run {
  const windowEntries = policy.windowEntries ?? script.limits?.windowEntries ?? 1024;
  const options: MachineOptions = { ...script, limits: { ...script.limits, windowEntries } };
  const world = new World(script);
  const [first, ...more] = stages;
  if (!first) throw new Error('no program');
  let program = first;
  let machine = createMachine(program, options);
  for (let turns = 0; turns < turnsMax; turns++) {
    const turn = machine.run(policy.fuel());
    world.see(turn);
    if (policy.restore) machine = restored(program, options, machine);
    if (turn.status === 'done' || turn.status === 'failed') return world.ended(machine, turns + 1);
    if (turn.status === 'ready' && !policy.eager()) continue;
    if (!world.settle(machine, policy)) {
      const next = more.shift();
      if (next) machine.extend(next);
      else if (turn.status === 'blocked') throw new Error('blocked for good');
      program = next ?? program;
    }
    if (policy.restore) machine = restored(program, options, machine);
  }
  throw new Error(`no end after ${turnsMax} turns`);
}

/** The machine in another process: through text, and back to an equal snapshot. */
function restored(program: Program, options: MachineOptions, machine: Machine): Machine {
  const text = JSON.stringify(machine.snapshot());
  const copy = restoreMachine(program, options, JSON.parse(text));
  const again = JSON.stringify(copy.snapshot());
  if (again !== text) throw new Error(`a snapshot came back changed:\n${text}\n${again}`);
  const [before, after] = [machine, copy].map((one) => one.view().open.join(' '));
  if (before !== after) throw new Error(`open were ${before}, now are ${after}`);
  return copy;
}

class World {
  readonly open = new Map<string, Request>();
  readonly #script: Script;
  readonly #trace: string[] = [];
  readonly #writes: string[] = [];
  readonly #requests = new Map<string, string>();
  readonly #emits: string[] = [];
  /** How many parts of each stream were handed in. */
  readonly #parts = new Map<string, number>();
  #failures = false;

  constructor(script: Script) {
    this.#script = script;
  }

  see(turn: Turn): void {
    for (const id of turn.cancels) {
      if (!this.open.delete(id)) throw new Error(`${id} is cancelled but was not open`);
      this.#trace.push(`cancel ${id}`);
    }
    for (const request of turn.requests) this.#request(request);
    for (const { channel, value, step } of turn.emits) {
      this.#emits.push(`${channel} ${shown(value)}${step === '' ? '' : ` at step ${step}`}`);
    }
  }

  #request(request: Request): void {
    const { id, tool, args, step, site } = request;
    const text = `${tool} ${args}`;
    const known = this.#requests.get(id);
    if (known !== undefined) {
      // A restored machine asks again for what is open, and for nothing else.
      if (known !== text) throw new Error(`${id} was ${known}, now is ${text}`);
      if (!this.open.has(id)) throw new Error(`${id} has settled, but is requested again`);
      return;
    }
    this.#requests.set(id, text);
    this.open.set(id, request);
    const place = `${step === '' ? '' : `step ${step}, `}${site.line}:${site.column}`;
    this.#trace.push(`${id} ${text} at ${place}`);
    if (this.#script.tools.get(tool)?.effect === 'write') this.#writes.push(`${id} ${text}`);
  }

  /** Hands in one outcome; false when none is wanted. */
  settle(machine: Machine, policy: Policy): boolean {
    this.#dropStale(machine, policy);
    if (this.open.size === 0) return false;
    const request = [...this.open.values()][policy.pick(this.open.size)];
    if (!request) throw new Error('the policy picked no open effect');
    this.open.delete(request.id);
    const outcome = this.#script.outcome(request);
    if (request.stream && this.#part(machine, request, outcome)) {
      this.open.set(request.id, request);
      return true;
    }
    if (!outcome.ok) this.#failures = true;
    const text = outcome.ok
      ? `= ${outcome.value}`
      : `! ${outcome.error.code} ${outcome.error.message}`;
    this.#trace.push(`${request.id} ${text}`);
    machine.settle(request.id, outcome);
    return true;
  }

  /** Hands in the next part of a stream, whose result is the list of them; false after the last. */
  #part(machine: Machine, { id }: Request, outcome: Outcome): boolean {
    const whole = outcome.ok ? decode(outcome.value) : null;
    const parts = typeof whole === 'object' && whole?.kind === 'list' ? whole.items : [];
    const index = this.#parts.get(id) ?? 0;
    const part = parts[index];
    if (part === undefined) return false;
    const text = encode(part);
    this.#parts.set(id, index + 1);
    this.#trace.push(`${id} part ${text}`);
    machine.part(id, index, text);
    return true;
  }

  /** What a restored machine does not want any more it may drop without a word. */
  #dropStale(machine: Machine, policy: Policy): void {
    const wanted = new Set(machine.view().open);
    for (const id of this.open.keys()) {
      if (wanted.has(id)) continue;
      if (!policy.restore) throw new Error(`${id} is no longer wanted, but was not cancelled`);
      this.open.delete(id);
    }
  }

  ended(machine: Machine, turns: number): Run {
    const { status, error, variables } = machine.view();
    // What a program that failed had in its variables depends on how far it had run ahead.
    const values = status === 'done' ? variables : [];
    const lines = [
      status,
      ...(error ? errorLines(error) : []),
      ...this.#emits,
      ...[...values].map(([name, value]) => `${name} = ${shown(value)}`),
    ];
    return {
      turns,
      trace: this.#trace,
      result: lines.map((line) => `${line}\n`).join(''),
      writes: this.#writes,
      requests: this.#requests,
      failures: this.#failures,
    };
  }
}

function errorLines({ code, message, hint, step, line, column, trace }: GuestError): string[] {
  const place = `${step === '' ? '' : `step ${step}, `}${line}:${column}`;
  return [
    `${code} ${message} at ${place}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...trace.map((frame) => `  in ${frame.name} ${frame.line}:${frame.column}`),
  ];
}

function shown(value: Value): string {
  try {
    return encode(value);
  } catch (error) {
    if (error instanceof NotData) return `<${error.message}>`;
    throw error;
  }
}

/** Whole numbers from 0 up to a bound, the same for the same seed. */
export function randomFrom(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
