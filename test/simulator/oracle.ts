/**
 * What a program comes to, one effect at a time, with no engine around it: the bare machine with a
 * window of one, each outcome handed in before the next request. Outcomes are those that the journal
 * has, and otherwise what the world would have answered.
 */

import { hashOf } from '../../src/engine/request-hash.ts';
import { createMachine } from '../../src/machine/create.ts';
import type { Machine, Turn } from '../../src/machine/machine.ts';
import type { Outcome, Request } from '../../src/program/effect.ts';
import { encode, stringify, toJson } from '../../src/program/json.ts';
import type { Limits } from '../../src/program/limits.ts';
import type { Program } from '../../src/program/program.ts';
import type { Value } from '../../src/program/value.ts';
import { isWrite, specs, type World } from './world.ts';

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
  /** By effect id. */
  readonly requests: ReadonlyMap<string, { readonly tool: string; readonly hash: string }>;
}

export function expectedOf(
  program: Program,
  world: World,
  recorded: ReadonlyMap<string, Outcome>,
  limits: Partial<Limits>,
): Expected {
  const one = { ...limits, windowEntries: 1, memoryBytes: Infinity };
  const machine = createMachine(program, { tools: specs, limits: one });
  const requests = new Map<string, { tool: string; hash: string }>();
  const written: string[] = [];
  const said: string[] = [];
  const open = new Map<string, Request>();
  for (let turns = 0; turns < 1e5; turns++) {
    const turn: Turn = machine.run(1e6);
    for (const { channel, value, step } of turn.emits)
      said.push(`${channel} ${encode(value)} ${step}`);
    for (const request of turn.requests) open.set(request.id, request);
    for (const id of turn.cancels) open.delete(id);
    if (turn.status === 'done' || turn.status === 'failed') {
      return { ...endOf(machine), written, said, requests };
    }
    if (turn.status === 'ready') continue;
    const [request] = open.values();
    if (!request) throw new Error('the oracle is blocked with nothing open');
    open.delete(request.id);
    requests.set(request.id, { tool: request.tool, hash: hashOf(request) });
    settle(machine, request, world, recorded, written);
  }
  throw new Error('the program does not end');
}

function settle(
  machine: Machine,
  request: Request,
  world: World,
  recorded: ReadonlyMap<string, Outcome>,
  written: string[],
): void {
  const key = `${request.id}/${hashOf(request)}`;
  if (request.race) {
    machine.settle(request.id, recorded.get(request.id) ?? { ok: true, value: '0' });
    return;
  }
  const outcome = recorded.get(request.id) ?? world.outcome(request.tool, key);
  if (outcome.ok && isWrite(request.tool)) written.push(key);
  if (request.stream) {
    const parts = world.fate(request.tool, key).parts.map((part) => JSON.stringify(part));
    const whole = parts.length === 0 && outcome.ok ? [outcome.value] : parts;
    for (const [i, part] of whole.entries()) machine.part(request.id, i, part);
  }
  machine.settle(request.id, outcome);
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
