/**
 * `task(tool, args, *results)`: a call whose arguments name results of others. It waits for nothing
 * and takes one entry: when all results are there its arguments are filled in and it is requested
 * as any effect. What it gives is a struct of how it went, as `try_call` has it; the failure of one
 * task is the failure of those that need it, none of which is requested, and of no others.
 *
 * - T1 Its effect has its id from the call on, whether or not it is ever requested.
 * - T2 What it gave is frozen: results are shared by all that need them, and never copied.
 */
import { findTool, unknownToolHint } from '../program/tool-names.ts';
import { isDict, settled, typeName, type Value } from '../program/value.ts';
import { aBool, type Check, Mismatch, misused } from './builtins/arguments.ts';
import type { CallArguments } from './call.ts';
import { siteHere } from './failure.ts';
import { taskResult } from './result-struct.ts';
import type { State } from './state.ts';
import { checkNodes } from './task-arguments.ts';
import { faults } from './values/fault.ts';
import { need } from './values/pendings.ts';
import { issueTask, type TaskCall } from './window/issue.ts';

const call = { name: 'task' };

export function task(state: State, { positional, named }: CallArguments): Value {
  if (positional.length < 2) {
    throw misused(call, `missing argument for ${positional.length === 0 ? 'tool' : 'args'}`);
  }
  const name = argument(need(positional[0] ?? null), 'tool', aToolName);
  const given = argument(need(positional[1] ?? null), 'args', aDict);
  const results = positional.slice(2);
  const options = optionsIn(named);
  const spec = findTool(state.tools, name);
  if (!spec) return taskResult(null, unknownTool(state, name));
  const starred = checkNodes(given, results.length);
  const { step, needs, handled, plain, again } = options;
  const whole = { step, needs, handled, plain, again, starred, results };
  return issueTask(state, spec.name, given, whole, siteHere(state));
}

/**
 * `step` and `needs` for people, `handled` and `plain` for plans; see `TaskWork`. `again`: it is
 * made although another one has asked for the same.
 */
function optionsIn(named: CallArguments['named']): Omit<TaskCall, 'starred' | 'results'> {
  const found = { step: '', needs: none, handled: true, plain: false, again: false };
  for (const pair of named) {
    // Taken apart by hand: each task has some, and a pattern goes through an iterator.
    const name = pair[0];
    const given = need(pair[1]);
    switch (name) {
      case 'step':
        found.step = argument(given, name, aText);
        break;
      case 'needs':
        found.needs = argument(given, name, texts);
        break;
      case 'handled':
      case 'plain':
      case 'again':
        found[name] = argument(given, name, aBool);
        break;
      default:
        throw misused(call, `unexpected keyword argument ${JSON.stringify(name)}`);
    }
  }
  return found;
}

const none: readonly string[] = [];

function argument<T>(value: Value, name: string, check: Check<T>): T {
  try {
    return check(value, unbounded);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw misused(call, `for parameter ${name}: ${error.message}`);
  }
}

const unbounded = { valueBytes: Infinity };

function unknownTool({ tools }: State, name: string) {
  const message = `there is no tool ${JSON.stringify(name)}`;
  const hint = unknownToolHint(tools, name);
  return { code: faults.taskTool, message: `${message}; ${hint}` };
}

const aToolName: Check<string> = (value) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value?.kind === 'tool') return value.name;
  throw new Mismatch(`got ${typeName(value)}, want a tool or its name`);
};

const aDict: Check<Extract<Value, { kind: 'dict' }>> = (value) => {
  if (isDict(value)) return value;
  throw new Mismatch(`got ${typeName(value)}, want a dict by parameter name`);
};

const aText: Check<string> = (value) => {
  if (typeof value === 'string') return value;
  throw new Mismatch(`got ${typeName(value)}, want a string`);
};

const texts: Check<readonly string[]> = (value) => {
  const isSequence =
    typeof value === 'object' && (value?.kind === 'list' || value?.kind === 'tuple');
  if (!isSequence) throw new Mismatch(`got ${typeName(value)}, want a list of names`);
  return value.items.map((item) => aText(settled(item), unbounded));
};
