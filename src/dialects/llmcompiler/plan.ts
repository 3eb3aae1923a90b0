/** A whole plan: its items, the tasks that they ask for, and what it ends with. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import type { Task } from '../../program/task.ts';
import type { Value } from '../../program/value.ts';
import { readJson, valueOfNode } from '../../text/json-text.ts';
import type { Environment } from '../dialect.ts';
import { giveId, type Ids, idsAfter } from './ids.ts';
import type { CallItem, Item, TextItem } from './item.ts';
import { readItems } from './reader.ts';
import { namedInputs } from './reading.ts';
import { found, report, take } from './report.ts';
import { type Join, joinOf, type Made, taskOf } from './task-of.ts';

/** What stands in a text, in the order of the text. */
export interface PlanTree {
  readonly items: readonly Item[];
  readonly tasks: readonly CallItem[];
  /** Undefined where the plan does not say its end: all results are joined then. */
  readonly join: CallItem | undefined;
  /** Empty where there is none. */
  readonly question: string;
}

/** A plan against the tools of a run. */
export interface Plan {
  /** In the order of the text, those that are wrong left out. */
  readonly tasks: readonly Task[];
  /** The same tasks, each behind those that it needs; those of a circle are left out. */
  readonly inOrder: readonly Task[];
  /** Calls that wait for each other, where there are any, each for the next. */
  readonly cycle: readonly Linked[];
  /** What each call refers to, also of those that are wrong, in the order of the text. */
  readonly links: readonly Linked[];
  readonly join: Join;
  /** What observations of the text say of tasks, by their ids: results, where they are to count. */
  readonly observed: ReadonlyMap<string, Value>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A call and the ids of those that it needs. */
export interface Linked extends Site {
  readonly id: string;
  readonly needs: readonly string[];
}

export function treeOf(items: readonly Item[]): PlanTree {
  const calls = items.filter((item) => item.kind === 'task' || item.kind === 'join') as CallItem[];
  const questions = items.filter(({ kind }) => kind === 'question') as TextItem[];
  return {
    items,
    tasks: calls.filter(({ kind }) => kind === 'task'),
    join: calls.find(({ kind }) => kind === 'join'),
    question: questions[0]?.text ?? '',
  };
}

export const readPlan = (text: string): PlanTree => treeOf(readItems(text));

/** Checking and lowering ask for the same plan. */
const plans = new WeakMap<PlanTree, { readonly environment: Environment; readonly plan: Plan }>();

export function planOf(tree: PlanTree, environment: Environment): Plan {
  const known = plans.get(tree);
  if (known?.environment === environment) return known.plan;
  const plan = makePlan(tree, environment);
  plans.set(tree, { environment, plan });
  return plan;
}

function makePlan(tree: PlanTree, environment: Environment): Plan {
  const ids = idsAfter();
  for (const item of tree.tasks) giveId(item, ids);
  ids.isWhole = true;
  const all = report();
  const tasks: Task[] = [];
  const links: Linked[] = [];
  for (const item of tree.tasks) {
    const task = taskOf(item, environment, ids);
    keep(task, (one) => tasks.push(one));
    const { line, column } = item;
    links.push({ id: ids.own.get(item.id) ?? item.id, needs: task.needs, line, column });
  }
  let join: Join = {};
  if (tree.join) {
    keep(joinOf(tree.join, ids, namedInputs(environment)), (made) => {
      join = made;
    });
  }
  const { inOrder } = sorted(tasks);
  const { cycle } = tasks.length === links.length ? sorted(tasks) : sorted(links);
  const observed = observedIn(tree, ids);
  return { tasks, inOrder, cycle, links, join, observed, diagnostics: found(all) };

  function keep<T>({ made, diagnostics }: Made<T>, to: (made: T) => void): void {
    for (const diagnostic of diagnostics) take(all, diagnostic);
    if (made !== undefined) to(made);
  }
}

/** The value of an observation: what its JSON says, or its text. */
function observedValue(text: string): Value {
  const { node, error, repairs } = readJson(text);
  return node && !error && repairs.length === 0 ? valueOfNode(node) : text;
}

function observedIn({ items }: PlanTree, ids: Ids): Map<string, Value> {
  const observed = new Map<string, Value>();
  for (const item of items) {
    const id = item.kind === 'observation' ? ids.own.get(item.of) : undefined;
    if (id === undefined || item.kind !== 'observation' || observed.has(id)) continue;
    observed.set(id, observedValue(item.text));
  }
  return observed;
}

/** Where a task stands in a walk along what tasks need. */
type Mark = 'open' | 'done';

/** Behind what they need, else in the order of the text. No recursion: chains may be long. */
export function sorted<T extends Linked>(
  tasks: readonly T[],
): { readonly inOrder: T[]; readonly cycle: T[] } {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const marks = new Map<string, Mark>();
  const inOrder: T[] = [];
  let cycle: T[] = [];
  for (const first of tasks) {
    const path: { readonly task: T; next: number }[] = [];
    const enter = (task: T): void => {
      marks.set(task.id, 'open');
      path.push({ task, next: 0 });
    };
    if (!marks.has(first.id)) enter(first);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const need = top.task.needs[top.next++];
      const needed = need === undefined ? undefined : byId.get(need);
      if (need === undefined) {
        marks.set(top.task.id, 'done');
        inOrder.push(top.task);
        path.pop();
      } else if (needed && marks.get(need) === 'open') {
        const from = path.findIndex(({ task }) => task.id === need);
        if (cycle.length === 0) cycle = path.slice(from).map(({ task }) => task);
      } else if (needed && !marks.has(need)) enter(needed);
    }
  }
  return { inOrder, cycle };
}
