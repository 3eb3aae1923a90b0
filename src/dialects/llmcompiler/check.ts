/** Everything that can be said about a plan before it runs. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import { findTool } from '../../program/tool-names.ts';
import type { Environment } from '../dialect.ts';
import type { Form } from './form.ts';
import type { CallItem, Item, TextItem, WordsItem } from './item.ts';
import { type PlanTree, planOf } from './plan.ts';
import { readingIn } from './reading.ts';
import { error, found, type Report, report, shortened, take, warn } from './report.ts';
import { checkResults } from './results.ts';
import { isHeading } from './shapes.ts';

/** What reading has found; nothing of it needs to know the tools. */
export function readingOf({ items }: PlanTree): Diagnostic[] {
  const all = report();
  for (const item of items) if (item.kind === 'diagnostic') take(all, item.diagnostic);
  return found(all);
}

export function checkActions(tree: PlanTree, environment: Environment, form: Form): Diagnostic[] {
  const all = report();
  checkText(all, tree, environment, form);
  checkNumbers(all, tree);
  checkThoughts(all, tree);
  checkEnd(all, tree, form);
  checkAlone(all, tree, form);
  const plan = planOf(tree, environment);
  for (const diagnostic of plan.diagnostics) take(all, diagnostic);
  checkOrder(all, tree, environment);
  checkResults(all, plan.tasks, environment);
  checkLimits(all, tree, environment);
  return found(all);
}

/** What can be said of the lines beside what the calls in them are worth, once all are there. */
export function checkLines(tree: PlanTree, environment: Environment, form: Form): Diagnostic[] {
  const all = report();
  checkText(all, tree, environment, form);
  if (tree.tasks.length > 0) checkEnd(all, tree, form);
  return found(all);
}

/** A call behind a number, however the two are parted. */
const numberedCall = /(?:^|\W)(\d{1,6})(?:[).:\]]|\s|[-–—=])*([A-Za-z_][\w.-]{0,80})\s?[[(]/;

/** The line that a text with a numbered call in it should be. */
function lineFor(text: string): string | undefined {
  const [, number, name] = numberedCall.exec(text) ?? [];
  return name && `begin a line with ${number}. ${name}${/^join$/i.test(name) ? '(…)' : '[…]'}`;
}

/** The end of a plan that does nothing answers nothing. */
function checkAlone(all: Report, { tasks, join }: PlanTree, form: Form): void {
  if (tasks.length > 0 || !join || join.call.inside !== '') return;
  const message = `got ${join.name} with nothing before it, want a task whose result it can give`;
  error(all, 'noTasks', join, message, {
    hint: `write ${form.action('1', 'tool')} before it`,
  });
}

/** Lines that are no part of the form. */
function checkText(all: Report, tree: PlanTree, environment: Environment, form: Form): void {
  const { items, tasks, join } = tree;
  const calls = [...tasks, ...(join ? [join] : [])];
  const numbers = new Set(calls.map(({ id }) => id));
  const ends = { first: Number(tasks[0]?.id ?? 0), last: Number((join ?? tasks.at(-1))?.id ?? 0) };
  for (const item of items) {
    if (item.kind === 'words') checkWords(all, item, { numbers, ...ends }, form);
    else if (item.kind === 'thought' && item.of !== '') {
      const got = shortened(item.text.split('\n', 1)[0] ?? '');
      const message = `got ${got}; it was taken as the thought of action ${item.of}`;
      warn(all, 'unlabelledThought', item, message, {
        hint: 'write Thought: at the beginning of the line',
      });
    } else if (item.kind === 'prose' && !isHeading(item.text)) {
      const hint = lineFor(item.text) ?? form.lines;
      warn(all, 'prose', item, `got ${shortened(item.text)}; it was left out`, { hint });
    } else if (item.kind === 'answer') form.checkAnswer(all, item, nextNumber(tasks));
    else if (item.kind === 'observation') {
      const { observations } = readingIn(environment);
      if (!observations || !numbers.has(item.of)) checkObservation(all, item, numbers, form);
    } else if (item.kind === 'task' || item.kind === 'join') form.checkCall(all, item);
  }
}

function checkObservation(
  all: Report,
  item: TextItem,
  numbers: ReadonlySet<string>,
  form: Form,
): void {
  if (!numbers.has(item.of)) {
    warn(all, 'strayObservation', item, 'got an observation of no task; it was left out', {
      hint: 'an observation stands behind its task',
    });
    return;
  }
  const hint = form.observation;
  warn(all, 'inertObservation', item, 'got an observation: results come from tools', { hint });
}

interface Numbers {
  readonly numbers: ReadonlySet<string>;
  readonly first: number;
  readonly last: number;
}

/** A thought may number what it names; where tasks leave that number out, it is one in words. */
function checkWords(
  all: Report,
  item: WordsItem,
  { numbers, first, last }: Numbers,
  form: Form,
): void {
  const { id, text, inThought } = item;
  const name = /^(?:\W*\d+\s*[.)]\s*)?([A-Za-z_][\w./:-]*)$/.exec(text)?.[1] ?? 'tool';
  const wanted = form.action(id, name);
  const isBetween = Number(id) > first && Number(id) < last;
  if (numbers.has(id) || (inThought && !isBetween)) {
    warn(all, 'numberedThought', item, `${shortened(text)} calls no tool; it is no task`, {
      hint: `an action is written ${wanted}`,
    });
    return;
  }
  error(all, 'wordsOnly', item, `got ${shortened(text)}, want ${wanted}`, {
    hint: 'an action calls one tool: its name, and its arguments in brackets, [] for none',
    step: id,
  });
}

const nextNumber = (tasks: readonly CallItem[]): string =>
  String(Number(tasks.at(-1)?.id ?? 0) + 1);

/** Numbers begin with 1 and go up by 1; each stands once. */
function checkNumbers(all: Report, { tasks, join }: PlanTree): void {
  const firsts = new Map<string, CallItem>();
  let before: CallItem | undefined;
  for (const item of [...tasks, ...(join ? [join] : [])]) {
    const { id } = item;
    const first = firsts.get(id);
    const wanted = String(before ? Number(before.id) + 1 : 1);
    if (first) {
      error(all, 'duplicateId', item, `there are two tasks ${id}`, {
        hint: 'each task has a number of its own, which references name',
        notes: [{ line: first.line, column: first.column, message: 'first here' }],
        step: id,
      });
    } else if (id !== wanted) {
      warn(all, 'idGap', item, `got number ${id}, want ${wanted}`, {
        hint: 'numbers begin with 1 and go up by 1',
        step: id,
      });
    }
    if (!first) firsts.set(id, item);
    before = item;
  }
}

/** Said once: where one is missing, often all are. */
function checkThoughts(all: Report, { tasks, join }: PlanTree): void {
  const calls = [...tasks, ...(join ? [join] : [])];
  const lacking = calls.filter(({ thought }) => thought === '');
  const [first] = lacking;
  if (!first) return;
  const ids = lacking.slice(0, 10).map(({ id }) => id);
  const more = lacking.length > ids.length ? ', …' : '';
  const which =
    lacking.length === 1 ? `action ${first.id} has` : `actions ${ids.join(', ')}${more} have`;
  warn(all, 'noThought', first, `${which} no thought before`, {
    hint: 'write a line Thought: before each action, with the reason for it',
  });
}

function checkEnd(all: Report, { items, tasks, join }: PlanTree, form: Form): void {
  if (tasks.length === 0 && !join) {
    const hints = items.map((item) => ('text' in item ? lineFor(item.text) : undefined));
    error(all, 'noTasks', { line: 1, column: 1 }, 'there is no action in the text', {
      hint:
        hints.find((hint) => hint !== undefined) ??
        `an action is written ${form.action('1', 'tool')}, the end ${form.end('2')}`,
    });
  } else if (!join) form.checkEndless(all, lastPlace(items), nextNumber(tasks));
}

/** The last thing that stands in the text. */
function lastPlace(items: readonly Item[]): { line: number; column: number } {
  return items.findLast((item) => item.kind !== 'diagnostic') ?? { line: 1, column: 1 };
}

/** References to what comes later, and circles of them. */
function checkOrder(all: Report, tree: PlanTree, environment: Environment): void {
  const { links, cycle } = planOf(tree, environment);
  const places = new Map(links.map(({ id }, i) => [id, i]));
  for (const [i, task] of links.entries()) {
    for (const need of task.needs) {
      if ((places.get(need) ?? -1) <= i) continue;
      warn(all, 'forward', task, `task ${task.id} needs task ${need}, which comes later`, {
        hint: `write task ${need} before it`,
        step: task.id,
      });
    }
  }
  const [first, ...rest] = cycle;
  if (!first) return;
  const way = [...rest, first].map(({ id }) => id).join(', which needs ');
  error(all, 'cycle', first, `task ${first.id} needs ${way}`, {
    hint: 'leave one of these references out',
    step: first.id,
  });
}

/** Calls that a tool's own limit leaves no room for. One that stands twice is made once. */
function checkLimits(all: Report, { tasks }: PlanTree, { tools }: Environment): void {
  const calls = new Map<string, Set<string>>();
  for (const item of tasks) {
    const { name, limits } = findTool(tools, item.name) ?? {};
    const most = limits?.callsPerRun;
    if (name === undefined || most === undefined) continue;
    const made = calls.get(name) ?? new Set();
    const isOver = made.size === most && !made.has(item.call.text);
    calls.set(name, made.add(item.call.text));
    if (!isOver) continue;
    const times = most === 1 ? 'once' : `${most} times`;
    warn(all, 'tooManyCalls', item.nameAt, `${name} can be called ${times} in a run`, {
      hint: 'leave calls out; else the run stops here until it is given more of them',
      step: item.id,
    });
  }
}
