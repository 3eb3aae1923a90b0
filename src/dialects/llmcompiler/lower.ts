/**
 * Plans as programs: a step for each task, in an order in which each stands behind those that it
 * needs. A step calls `task`, which waits for nothing, and puts its result into the variable of its
 * id; so data alone decides what runs when. The last step makes an answer of the results:
 *
 * | written | what comes of it |
 * | --- | --- |
 * | `join($7)`, `join("It is $7")` | that value, without a model |
 * | any, with `--no-join` | all results by id; a failed task fails the run |
 * | `join()` without a model | what no task needs: its value where it is one, else by id |
 * | `join()` with a model | what the model makes of all results; it may want another plan |
 */
import { ChunkBuilder, ProgramBuilder } from '../../program/builder.ts';
import { packArguments } from '../../program/opcodes.ts';
import type { Program, Step } from '../../program/program.ts';
import { refNode, type Task } from '../../program/task.ts';
import { isDict, tuple, type Value } from '../../program/value.ts';
import type { Environment } from '../dialect.ts';
import { type Plan, type PlanTree, planOf } from './plan.ts';
import { namedInputs, readingIn } from './reading.ts';
import { sourceOf } from './task-of.ts';

interface Lowering {
  readonly program: ProgramBuilder;
  readonly chunk: ChunkBuilder;
  readonly tree: PlanTree;
  readonly plan: Plan;
  readonly environment: Environment;
}

/** `dialect` is the one that the text is written in: plans and transcripts differ in form alone. */
export function lowerPlan(
  tree: PlanTree,
  environment: Environment,
  dialect: 'llmcompiler' | 'react' = 'llmcompiler',
): Program {
  const plan = planOf(tree, environment);
  const program = new ProgramBuilder(dialect);
  const to: Lowering = { program, chunk: new ChunkBuilder('main'), tree, plan, environment };
  for (const name of namedInputs(environment)) program.global(name);
  const { observations, noJoin } = readingIn(environment);
  const isJoined = !noJoin && !plan.join.answer && environment.tools.has(joinTool);
  for (const task of plan.inOrder) {
    const { id: label, thought, source, line, column } = task;
    enter(to, thought, { label, kind: 'task', source, line, column });
    const observed = observations ? plan.observed.get(task.id) : undefined;
    if (observed === undefined) callTask(to, task, isJoined);
    else pushValue(to.chunk, observed);
    to.chunk.emit('SETGLOBAL', program.global(task.id));
  }
  enterEnd(to);
  if (noJoin) answerAll(to, idsOf(plan.tasks));
  else if (plan.join.answer) answerWith(to, plan.join.answer.value, plan.join.answer.needs);
  else if (isJoined) askModel(to);
  else answerUnneeded(to);
  to.chunk.constant(null).emit('RETURN');
  program.add(to.chunk.seal());
  return program.build();
}

function enter({ program, chunk }: Lowering, thought: string, step: Step): void {
  const reason = thought === '' ? {} : { reasoning: thought };
  chunk.at(step.line, step.column);
  chunk.emit('STEP', program.step({ ...reason, ...step }));
}

/** Where a plan does not end with join, it stands behind the last task. */
function enterEnd(to: Lowering): void {
  const { join } = to.tree;
  const last = to.plan.tasks.at(-1);
  const { line, column } = join ?? last ?? { line: 1, column: 1 };
  const source = join ? sourceOf(join) : 'join()';
  const label = join?.id ?? String(Number(last?.id ?? 0) + 1);
  enter(to, join?.thought ?? '', { label, kind: 'join', source, line, column });
}

/** More results than one call takes by position come as a list. */
const resultsMax = 200;

/** `handled`: whether its failure is a matter for the end, and not the failure of the run. */
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

/** Pushes a value: lists and dicts are made anew, since constants never change. */
function pushValue(chunk: ChunkBuilder, value: Value): void {
  if (typeof value === 'object' && value?.kind === 'list') {
    for (const item of value.items) pushValue(chunk, item);
    chunk.emit('LIST', value.items.length);
  } else if (isDict(value)) {
    let count = 0;
    for (const slot of value.slots) {
      if (!slot) continue;
      chunk.constant(slot[0]);
      pushValue(chunk, slot[1]);
      count++;
    }
    chunk.emit('DICT', count);
  } else chunk.constant(value);
}

/** Pushes a list of results, one after the other: there may be very many. */
function pushList({ program, chunk }: Lowering, ids: readonly string[]): void {
  chunk.emit('LIST', 0);
  for (const id of ids) chunk.emit('GLOBAL', program.global(id)).emit('APPEND', 1);
}

// The end.

/** The tool that makes an answer of results. */
const joinTool = 'join';

const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

function answerAll(to: Lowering, ids: readonly string[]): void {
  to.chunk.builtin('task_results').constant(tuple(ids));
  pushList(to, ids);
  to.chunk.call(2).emit('ANSWER');
}

/** Its failures are those of the tasks that the value needs, and of those that these need. */
function answerWith(to: Lowering, value: Value, needs: readonly string[]): void {
  const { chunk, plan } = to;
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const used = new Set(needs);
  for (const id of used) for (const need of byId.get(id)?.needs ?? []) used.add(need);
  const all = [...new Set([...needs.filter((id) => !byId.has(id)), ...byId.keys()])];
  chunk.builtin('task_answer');
  pushValue(chunk, value);
  chunk
    .constant(tuple(needs))
    .constant(tuple(all.filter((id) => used.has(id))))
    .constant(tuple(all));
  pushList(to, all);
  chunk.call(5).emit('ANSWER');
}

function answerUnneeded(to: Lowering): void {
  const { tasks } = to.plan;
  const needed = new Set(tasks.flatMap(({ needs }) => needs));
  const ids = idsOf(tasks).filter((id) => !needed.has(id));
  const [only] = ids;
  tellUnjoined(to, ids);
  if (only !== undefined && ids.length === 1) answerWith(to, refNode(0), ids);
  else answerAll(to, ids);
}

/** Without a model nobody has looked at the results. */
function tellUnjoined({ chunk }: Lowering, ids: readonly string[]): void {
  const shown = ids.slice(0, shownMax).join(', ');
  const more = ids.length > shownMax ? ', …' : '';
  const which = ids.length === 0 ? 'there is none' : `of ${shown}${more}`;
  const text = `no model joins the results: the answer is what no task needs, ${which}`;
  chunk.builtin('task_note').constant(text).call(1).emit('POP');
}

const shownMax = 10;

/** What a plan without a question is joined for. */
const anyQuestion = 'What do these results come to?';

function askModel(to: Lowering): void {
  const { chunk, plan, tree } = to;
  const question = tree.question === '' ? anyQuestion : tree.question;
  chunk.builtin('task_joined').tool(joinTool);
  chunk.constant('question').constant(question).constant('tasks').builtin('task_records');
  chunk.emit('LIST', 0);
  for (const { id, thought, source } of plan.tasks) {
    const action = source.replace(/^\d+\. /, '');
    chunk.constant(tuple([id, thought, action])).emit('APPEND', 1);
  }
  pushList(to, idsOf(plan.tasks));
  chunk.call(2).call(0, 2).call(1).emit('ANSWER');
}
