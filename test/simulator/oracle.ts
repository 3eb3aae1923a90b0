/**
 * What a program comes to, one effect at a time, with no engine around it: the bare machine with a
 * window of one, each outcome handed in before the next request. Outcomes are those that the journal
 * has, and otherwise what the world would have answered. A race is told who has won.
 */

import { hashOf } from '../../src/engine/settings.ts';
import { createMachine } from '../../src/machine/create.ts';
import type { Machine } from '../../src/machine/machine.ts';
import type { StepVisit, Turn } from '../../src/machine/turn.ts';
import type { Request } from '../../src/program/effect.ts';
import { encode, fromJson, stringify, toJson } from '../../src/program/json.ts';
import type { Limits } from '../../src/program/limits.ts';
import type { Program } from '../../src/program/program.ts';
import type { Value } from '../../src/program/value.ts';
import type { Assignment, Recorded } from './recorded.ts';
import { isNest, isWrite, specs, type World } from './world.ts';

/** What must not depend on time, chance and accidents. */
export interface Expected {
  readonly status: string;
  readonly error: string;
  /** Effect id and hash of each write that acts, in order. */
  readonly written: readonly string[];
  /** Channel, value and step. */
  readonly said: readonly string[];
  /** JSON text by name; empty unless the program is done. */
  readonly variables: Readonly<Record<string, string>>;
  /** By effect id, in order. */
  readonly requests: ReadonlyMap<string, { readonly tool: string; readonly hash: string }>;
  /** Steps that the main line enters, in order, and how many requests it has made before. */
  readonly steps: readonly { readonly id: string; readonly asked: number }[];
}

export interface Question {
  readonly program: Program;
  readonly world: World;
  readonly recorded: Pick<Recorded, 'outcomes' | 'parts'>;
  readonly limits: Partial<Limits>;
  /** What is set by hand. */
  readonly assignments?: readonly Assignment[];
}

export function expectedOf({ program, limits, assignments = [], ...rest }: Question): Expected {
  const one = { ...limits, windowEntries: 1, memoryBytes: Infinity };
  const machine = createMachine(program, { tools: specs, limits: one });
  const requests = new Map<string, { tool: string; hash: string }>();
  const [written, said]: [string[], string[]] = [[], []];
  const steps: { id: string; asked: number }[] = [];
  const open = new Map<string, Request>();
  let entered: StepVisit | undefined;
  const pause = (step: StepVisit): boolean => {
    entered = step;
    return true;
  };
  for (let turns = 0; turns < 1e5; turns++) {
    const turn: Turn = machine.run(1e6, pause);
    for (const { channel, value, step } of turn.emits)
      said.push(`${channel} ${encode(value)} ${step}`);
    for (const request of turn.requests) open.set(request.id, request);
    for (const id of turn.cancels) open.delete(id);
    if (turn.status === 'done' || turn.status === 'failed') {
      return { ...endOf(machine), written, said, requests, steps };
    }
    if (turn.status === 'paused' && entered) {
      const { id } = entered;
      steps.push({ id, asked: requests.size + open.size });
      for (const { at, set } of assignments) if (at === id) assign(machine, set);
    }
    if (turn.status !== 'blocked') continue;
    const [request] = open.values();
    if (!request) throw new Error('the oracle is blocked with nothing open');
    open.delete(request.id);
    requests.set(request.id, { tool: request.tool, hash: hashOf(request) });
    settle(machine, request, rest, written);
  }
  throw new Error('the program does not end');
}

function assign(machine: Machine, set: Assignment['set']): void {
  for (const [name, value] of Object.entries(set)) machine.assign(name, fromJson(value));
}

function settle(
  machine: Machine,
  request: Request,
  { world, recorded }: Pick<Question, 'world' | 'recorded'>,
  written: string[],
): void {
  const { id, tool, race, stream } = request;
  const key = `${id}/${hashOf(request)}`;
  const known = recorded.outcomes.get(id);
  if (race) {
    machine.settle(id, known ?? { ok: true, value: '0' });
    return;
  }
  const outcome = known ?? world.outcome(tool, key);
  if (outcome.ok && isWrite(tool) && !isNest(tool)) written.push(key);
  if (stream) {
    const parts = known
      ? (recorded.parts.get(id) ?? [])
      : world.fate(tool, key).parts.map((part) => JSON.stringify(part));
    const whole = parts.length === 0 && outcome.ok ? [outcome.value] : parts;
    for (const [i, part] of whole.entries()) machine.part(id, i, part);
  }
  machine.settle(id, outcome);
}

function endOf(machine: Machine): Pick<Expected, 'status' | 'error' | 'variables'> {
  const { status, error, variables } = machine.view();
  return {
    status,
    error: error ? `${error.code} ${error.message} at ${error.step}:${error.line}` : '',
    variables: status === 'done' ? textsOf(variables) : {},
  };
}

function textsOf(variables: ReadonlyMap<string, Value>): Record<string, string> {
  return Object.fromEntries(
    [...variables].flatMap(([name, value]) => {
      try {
        return [[name, stringify(toJson(value))]];
      } catch {
        // A function, or a list that holds itself: nothing that a result shows.
        return [];
      }
    }),
  );
}
