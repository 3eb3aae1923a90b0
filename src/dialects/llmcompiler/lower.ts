/**
 * Plans as programs: a step for each task, in an order in which each stands behind those that it
 * needs. A step calls `task`, which waits for nothing, and puts its result into the variable of its
 * id; so data alone decides what runs when. The last step makes an answer of the results.
 */
import { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import { packArguments } from '../../program/opcodes.ts';
import type { Program } from '../../program/program.ts';
import type { Task } from '../../program/task.ts';
import { tuple, type Value } from '../../program/value.ts';
import type { Environment } from '../dialect.ts';
import { endOf } from './ends.ts';
import { type Lowering, pushList, pushValue } from './lowering.ts';
import { type PlanTree, planOf } from './plan.ts';
import { namedInputs, readingIn } from './reading.ts';
import { sourceOf } from './task-of.ts';

/** `dialect` is the one that the text is written in: plans and transcripts differ in form alone. */
export function lowerPlan(
  tree: PlanTree,
  environment: Environment,
  dialect: 'llmcompiler' | 'react' = 'llmcompiler',
): Program {
  const plan = planOf(tree, environment);
  const to: Lowering = {
    program: new ProgramBuilder(dialect),
    chunk: new ChunkBuilder('main'),
    tree,
    plan,
    environment,
  };
  for (const name of namedInputs(environment)) to.program.global(name);
  const end = endOf(to);
  const { observations } = readingIn(environment);
  for (const task of plan.inOrder) {
    enter(to, task);
    const observed = observations ? plan.observed.get(task.id) : undefined;
    if (observed === undefined) callTask(to, task, end.handlesFailures);
    else pushValue(to.chunk, observed);
    to.chunk.emit('SETGLOBAL', to.program.global(task.id));
  }
  enterEnd(to);
  end.emit();
  to.chunk.constant(null).emit('RETURN');
  to.program.add(to.chunk.seal());
  return to.program.build();
}

function enter({ program, chunk }: Lowering, task: Task): void {
  const { id: label, thought, source, line, column } = task;
  chunk.at(line, column);
  chunk.emit(
    'STEP',
    program.step({ ...stepOf(thought), label, kind: 'task', source, line, column }),
  );
}

const stepOf = (thought: string): { reasoning?: string } =>
  thought === '' ? {} : { reasoning: thought };

/** Where a plan does not end with join, it stands behind the last task. */
function enterEnd({ program, chunk, tree, plan }: Lowering): void {
  const { join } = tree;
  const last = plan.tasks.at(-1);
  const { line, column } = join ?? last ?? { line: 1, column: 1 };
  const source = join ? sourceOf(join) : 'join()';
  const label = join?.id ?? String(Number(last?.id ?? 0) + 1);
  chunk.at(line, column);
  chunk.emit(
    'STEP',
    program.step({ ...stepOf(join?.thought ?? ''), label, kind: 'join', source, line, column }),
  );
}

/** More results than one call takes by position come as a list. */
const resultsMax = 200;

function callTask(to: Lowering, task: Task, handled: boolean): void {
  const { program, chunk } = to;
  const { tool, args, needs } = task;
  const isMany = needs.length > resultsMax;
  chunk.builtin('task').tool(tool);
  pushValue(chunk, args);
  if (!isMany) for (const id of needs) chunk.emit('GLOBAL', program.global(id));
  const named: [string, Value][] = [];
  if (needs.length > 0) named.push(['needs', tuple(needs)]);
  if (!handled) named.push(['handled', false]);
  named.push(['plain', true]);
  for (const [name, value] of named) chunk.constant(name).constant(value);
  if (!isMany) {
    chunk.call(2 + needs.length, named.length);
    return;
  }
  pushList(to, needs);
  chunk.constant(null).emit('SPREAD', packArguments(2, named.length));
}
