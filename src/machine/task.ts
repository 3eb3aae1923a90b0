/**
 * `task(tool, args, *results)`: a call whose arguments name results of others. It waits for nothing
 * and takes one entry: when all results are there its arguments are filled in and it is requested
 * as any effect. What it gives is a struct of how it went, as `try_call` has it; the failure of one
 * task is the failure of those that need it, none of which is requested, and of no others.
 *
 * - T1 Its effect has its id from the call on, whether or not it is ever requested.
 * - T2 What it gave is frozen: results are shared by all that need them, and never copied.
 */
import { nearest } from '../program/diagnostic.ts';
import { settled, typeName, type Value } from '../program/value.ts';
import { aBool, type Check, Mismatch, misused, parameters } from './builtins/arguments.ts';
import type { CallArguments } from './call.ts';
import { faults } from './codes.ts';
import { siteHere } from './failure.ts';
import { issueTask } from './issue.ts';
import { need } from './pendings.ts';
import { taskResult } from './result-struct.ts';
import type { State } from './state.ts';
import { checkNodes } from './task-nodes.ts';

const call = { name: 'task' };

export function task(state: State, { positional, named }: CallArguments): Value {
  const [tool, args, ...results] = positional;
  if (tool === undefined) throw misused(call, 'missing argument for tool');
  if (args === undefined) throw misused(call, 'missing argument for args');
  const given = parameters(
    {
      name: 'task',
      args: [need(tool), need(args)],
      named: new Map(named.map(([name, value]) => [name, need(value)])),
      around: state.around,
    },
    { tool: aToolName, args: aDict, 'step?': aText, 'needs?': texts, 'handled?': aBool },
  );
  if (!state.tools.has(given.tool)) return taskResult(null, unknownTool(state, given.tool));
  checkNodes(given.args, results.length);
  const { step = '', needs = [], handled = true } = given;
  return issueTask(
    state,
    given.tool,
    given.args,
    { step, needs, handled, results },
    siteHere(state),
  );
}

function unknownTool({ tools }: State, name: string) {
  const near = nearest(name, tools.keys());
  const message = `there is no tool ${JSON.stringify(name)}`;
  const listed = [...tools.keys()].slice(0, listedMax).join(', ');
  const hint = near === undefined ? `the tools are ${listed}` : `did you mean ${near}?`;
  return { code: faults.taskTool, message: `${message}; ${hint}` };
}

const listedMax = 20;

const aToolName: Check<string> = (value) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value?.kind === 'tool') return value.name;
  throw new Mismatch(`got ${typeName(value)}, want a tool or its name`);
};

const aDict: Check<Extract<Value, { kind: 'dict' }>> = (value) => {
  if (typeof value === 'object' && value?.kind === 'dict') return value;
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
  return value.items.map((item) => aText(settled(item), { valueBytes: Infinity }));
};
