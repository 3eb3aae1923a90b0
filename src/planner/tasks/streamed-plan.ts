/**
 * A plan that arrives as text, as parts of a stream: each task once its line and all that it refers
 * to have arrived, and at the end what the plan comes to. Owns what of it is not reported yet.
 *
 * - P1 A task comes behind all tasks that it needs, so whoever gets it has their results.
 * - P2 A task that is wrong is reported with its problem: it has a failed result, and no other task
 *   is held up by it.
 */
import type { Environment } from '../../dialects/dialect.ts';
import { giveId, type Ids } from '../../dialects/llmcompiler/ids.ts';
import type { CallItem, Item } from '../../dialects/llmcompiler/item.ts';
import { PlanReader } from '../../dialects/llmcompiler/reader.ts';
import { joinOf, type Made, sourceOf, taskOf } from '../../dialects/llmcompiler/task-of.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { GuestValue } from '../../program/json.ts';
import type { Task } from '../../program/task.ts';
import { subPlanSpec } from './specs.ts';

/** A task of a plan, as a control loop gets it. */
export interface TaskPart {
  readonly kind: 'task';
  /** In the run; `number` is what the plan calls it. */
  readonly id: string;
  readonly number: string;
  readonly thought: string;
  /** `search["x"]`, without its number. */
  readonly action: string;
  readonly tool: string;
  /** A dict with nodes. */
  readonly args: unknown;
  readonly needs: readonly string[];
  /** Whether it has to wait for the whole text: it writes, or keeps its order as writes do. */
  readonly writes: boolean;
  /** Whether it is a goal that a plan of its own is made for. */
  readonly isPlan: boolean;
  /** Why it cannot be called; empty where it can. */
  readonly problem: string;
}

/** The last part of every plan. */
export interface EndPart {
  readonly kind: 'end';
  /** Whether it can be gone on with: the text is whole and a plan, and nothing of it is lost. */
  readonly ok: boolean;
  /** Whether nothing in it is wrong: only then its writes may start. */
  readonly sound: boolean;
  readonly problem: string;
  /** The text, where the model is to be shown what is wrong with it; else empty. */
  readonly said: string;
  /** Ids in the run by the numbers of the plan. */
  readonly ids: Readonly<Record<string, string>>;
  /** What `join` was given to answer with; null where a joiner decides. */
  readonly answer: { readonly value: unknown; readonly needs: readonly string[] } | null;
}

export interface StreamOptions {
  readonly environment: Environment;
  readonly ids: Ids;
  readonly task: (part: TaskPart) => void;
  readonly warn: (message: string) => void;
}

export class StreamedPlan {
  readonly #options: StreamOptions;
  readonly #reader = new PlanReader();
  readonly #reported: Set<string>;
  /** What is wrong with the text, and with tasks. */
  readonly #problems: string[] = [];
  #flawed = 0;
  #waiting: CallItem[] = [];
  #text = '';
  #join: CallItem | undefined;
  #tasks = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#reported = new Set(options.ids.given);
  }

  /** The next piece of the text. */
  add(piece: string): void {
    this.#text += piece;
    this.#take(this.#reader.feed(piece));
  }

  /** The text is whole; `broken` says why it is not. */
  end(broken = ''): EndPart {
    this.#take(this.#reader.end());
    this.#reportRest();
    const { ids } = this.#options;
    const made = this.#join && joinOf(this.#join, ids);
    for (const diagnostic of made?.diagnostics ?? []) this.#tell(diagnostic);
    const isPlan = this.#tasks > 0 || this.#join !== undefined;
    const isOwn = this.#problems.length > 0;
    const nothing = isPlan ? [] : ['there is no task and no join() in it'];
    const answer = made?.made?.answer;
    return {
      kind: 'end',
      ok: isPlan && broken === '' && !isOwn,
      sound: isPlan && broken === '' && !isOwn && this.#flawed === 0,
      problem: broken === '' ? [...nothing, ...this.#problems].join('\n') : broken,
      said: isPlan ? '' : this.#text,
      ids: Object.fromEntries(ids.own),
      answer: answer ? { value: new GuestValue(answer.value), needs: answer.needs } : null,
    };
  }

  #take(items: readonly Item[]): void {
    for (const item of items) {
      if (item.kind === 'diagnostic') this.#tell(item.diagnostic);
      else if (item.kind === 'join') this.#join = item;
      else if (item.kind === 'task') this.#number(item);
    }
  }

  #tell(diagnostic: Diagnostic): void {
    if (diagnostic.severity === 'warning') this.#options.warn(lineOf(diagnostic));
    else this.#problems.push(lineOf(diagnostic));
  }

  #number(item: CallItem): void {
    const { ids } = this.#options;
    if (ids.own.has(item.id)) {
      const where = `${item.line}:${item.column}`;
      this.#problems.push(`${where}: PV2605 there are two tasks ${item.id}; the first was taken`);
      return;
    }
    giveId(item.id, ids);
    this.#tasks++;
    this.#waiting.push(item);
    this.#settle();
  }

  /** Reports what waits for nothing more, until nothing is left of that. */
  #settle(): void {
    for (let before = -1; before !== this.#waiting.length; ) {
      before = this.#waiting.length;
      this.#waiting = this.#waiting.filter((item) => !this.#reportIfReady(item));
    }
  }

  #reportIfReady(item: CallItem): boolean {
    const { environment, ids } = this.#options;
    const task = taskOf(item, environment, ids);
    if (!task.made && mayYetBeNamed(task.diagnostics)) return false;
    if (task.made && !task.made.needs.every((id) => this.#reported.has(id))) return false;
    this.#report(item, task);
    return true;
  }

  #report(item: CallItem, { made, diagnostics }: Made<Task>): void {
    const { environment, ids } = this.#options;
    const wrong = diagnostics.filter(({ severity }) => severity === 'error').map(lineOf);
    for (const one of diagnostics) if (one.severity === 'warning') this.#tell(one);
    if (!made) this.#flawed++;
    const id = ids.own.get(item.id) ?? item.id;
    this.#reported.add(id);
    const spec = environment.tools.get(made?.tool ?? '');
    this.#options.task({
      kind: 'task',
      ...{ id, number: item.id, thought: item.thought, action: actionOf(item, made?.tool) },
      ...{ tool: made?.tool ?? item.name, args: made ? new GuestValue(made.args) : {} },
      ...{ needs: made?.needs ?? [], writes: spec?.effect === 'write' || spec?.ordered === true },
      ...{ isPlan: spec === subPlanSpec, problem: wrong.join('\n') },
    });
  }

  /** What is left names tasks that there are not, or needs such a task, or goes in circles. */
  #reportRest(): void {
    const { environment, ids } = this.#options;
    const isNamed = (item: CallItem): boolean => taskOf(item, environment, ids).made !== undefined;
    const unnamed = this.#waiting.filter((item) => !isNamed(item));
    this.#waiting = this.#waiting.filter(isNamed);
    for (const item of unnamed) this.#report(item, taskOf(item, environment, ids));
    this.#settle();
    const circling = this.#waiting;
    this.#waiting = [];
    for (const item of circling) {
      const needs = taskOf(item, environment, ids).made?.needs ?? [];
      const message = `task ${item.id} waits for ${needs.join(', ')}, and these for it`;
      const { line, column } = item;
      this.#report(item, {
        diagnostics: [{ code: 'PV2609', severity: 'error', message, line, column }],
      });
    }
  }
}

const lineOf = ({ code, line, column, message, hint }: Diagnostic): string =>
  `${line}:${column}: ${code} ${message}${hint === undefined ? '' : ` (${hint})`}`;

/** A reference to a task that may still come. */
const mayYetBeNamed = (diagnostics: readonly Diagnostic[]): boolean => {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.every(({ code }) => code === 'PV2607');
};

const actionOf = (item: CallItem, tool = item.name): string =>
  sourceOf({ ...item, name: tool }).replace(/^\d+\. /, '');
