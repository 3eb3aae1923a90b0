/**
 * The ways in which a plan ends.
 *
 * | written | what comes of it |
 * | --- | --- |
 * | `join($7)`, `join("It is $7")` | that value, without a model |
 * | any, with `--no-join` | all results by id; a failed task fails the run |
 * | `join()` without a model | what no task needs: its value where it is one, else by id |
 * | `join()` with a model | what the model makes of all results; it may want another plan |
 */
import { refNode, type Task } from '../../program/task.ts';
import { tuple, type Value } from '../../program/value.ts';
import { type Lowering, pushList, pushValue } from './lowering.ts';
import { readingIn } from './reading.ts';

/** The tool that makes an answer of results. */
const joinTool = 'join';

export interface End {
  /** Whether a failed task is its matter, and not the failure of the run. */
  readonly handlesFailures: boolean;
  emit(): void;
}

export function endOf(to: Lowering): End {
  const { plan, environment } = to;
  const { noJoin } = readingIn(environment);
  const { answer } = plan.join;
  if (noJoin) return { handlesFailures: false, emit: () => answerAll(to, idsOf(plan.tasks)) };
  if (answer) {
    return { handlesFailures: false, emit: () => answerWith(to, answer.value, answer.needs) };
  }
  if (!environment.tools.has(joinTool)) {
    return { handlesFailures: false, emit: () => answerUnneeded(to) };
  }
  return { handlesFailures: true, emit: () => askModel(to) };
}

const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

function unneeded(tasks: readonly Task[]): string[] {
  const needed = new Set(tasks.flatMap(({ needs }) => needs));
  return idsOf(tasks).filter((id) => !needed.has(id));
}

/** Tasks with these ids, and all that those need, in the order of the plan. */
function usedBy(ids: readonly string[], tasks: readonly Task[]): string[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const used = new Set(ids);
  for (const id of used) for (const need of byId.get(id)?.needs ?? []) used.add(need);
  return idsOf(tasks).filter((id) => used.has(id));
}

/** A failure that the answer needs nothing of is told, and no failure of the run. */
function answerWith(to: Lowering, value: Value, needs: readonly string[]): void {
  const { chunk, plan } = to;
  const used = new Set(usedBy(needs, plan.tasks));
  const others = idsOf(plan.tasks).filter((id) => !used.has(id));
  if (others.length > 0) {
    chunk.builtin('task_failures').constant(tuple(others));
    pushList(to, others);
    chunk.call(2).emit('POP');
  }
  // What has failed says so best itself, also where only a task that was skipped needs it.
  if ([...used].some((id) => !needs.includes(id))) {
    chunk.builtin('task_results').constant(tuple([...used]));
    pushList(to, [...used]);
    chunk.call(2).emit('POP');
  }
  chunk.builtin('task_value');
  pushValue(chunk, value);
  chunk.constant(tuple(needs));
  pushList(to, needs);
  chunk.call(3).emit('ANSWER');
}

function answerAll(to: Lowering, ids: readonly string[]): void {
  to.chunk.builtin('task_results').constant(tuple(ids));
  pushList(to, ids);
  to.chunk.call(2).emit('ANSWER');
}

function answerUnneeded(to: Lowering): void {
  const ids = unneeded(to.plan.tasks);
  const [only] = ids;
  note(to, ids);
  if (only !== undefined && ids.length === 1) answerWith(to, refNode(0), ids);
  else answerAll(to, ids);
}

/** Without a model nobody has looked at the results. */
function note({ chunk }: Lowering, ids: readonly string[]): void {
  const shown = ids.slice(0, notedMax).join(', ');
  const more = ids.length > notedMax ? ', …' : '';
  const which = ids.length === 0 ? 'there is none' : `of ${shown}${more}`;
  const text = `no model joins the results: the answer is what no task needs, ${which}`;
  chunk.builtin('task_note').constant(text).call(1).emit('POP');
}

const notedMax = 10;

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
