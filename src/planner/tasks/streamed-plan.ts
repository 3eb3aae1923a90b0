/**
 * A plan that arrives as text, as parts of a stream: each task with its line, and at the end what
 * the plan comes to. Owns what of it is not reported yet.
 *
 * - P1 A task comes behind all tasks that it needs, so whoever gets it has their results. One that
 *   names a task that comes later is held back until the plan is whole.
 * - P2 A task that is wrong is reported with its problem: it has a failed result, and no other task
 *   is held up by it.
 */
import type { Environment } from '../../dialects/dialect.ts';
import { checkLines } from '../../dialects/llmcompiler/check.ts';
import { replyForm } from '../../dialects/llmcompiler/form.ts';
import { giveId, type Ids } from '../../dialects/llmcompiler/ids.ts';
import type { CallItem, Item } from '../../dialects/llmcompiler/item.ts';
import { sorted, treeOf } from '../../dialects/llmcompiler/plan.ts';
import { PlanReader } from '../../dialects/llmcompiler/reader.ts';
import { beginsPlan } from '../../dialects/llmcompiler/shapes.ts';
import { joinOf, type Made, taskOf } from '../../dialects/llmcompiler/task-of.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { GuestValue } from '../../program/json.ts';
import type { Task } from '../../program/task.ts';
import { blanked, hasLateThought } from '../../text/thoughts.ts';
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
  /** What `join` was given to answer with; null where a joiner decides. */
  readonly answer: { readonly value: unknown; readonly needs: readonly string[] } | null;
}

export interface StreamOptions {
  readonly environment: Environment;
  readonly ids: Ids;
  readonly task: (part: TaskPart) => void;
  readonly warn: (message: string) => void;
}

/** How much of a text tells how it begins. */
const headMax = 300;

const lateThought =
  'what stands before the closing tag of the thoughts was read as the plan: write the plan alone';

export class StreamedPlan {
  readonly #options: StreamOptions;
  readonly #reader = new PlanReader();
  readonly #items: Item[] = [];
  readonly #reported: Set<string>;
  /** What is wrong with the text, and with tasks. */
  readonly #problems: string[] = [];
  #flawed = 0;
  /** Tasks that name what has not been reported, in the order of their lines. */
  readonly #held: CallItem[] = [];
  #text = '';
  /** Whether the text begins with the plan; undefined before that is known. */
  #isPlan: boolean | undefined;
  #join: CallItem | undefined;
  #tasks = 0;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#reported = new Set([...options.ids.given, ...options.environment.inputs]);
  }

  /** The next piece of the text. */
  add(piece: string): void {
    this.#text += piece;
    if (this.#isPlan) this.#take(this.#reader.feed(piece));
    else if (this.#isPlan === undefined) this.#begin();
  }

  /** A text that begins in another way may be thoughts: nothing of it is a task before its end. */
  #begin(): void {
    const [, line = '', end = ''] = /^\s*([^\n]*)(\n?)/.exec(this.#text.slice(0, headMax)) ?? [];
    if (beginsPlan(line)) {
      this.#isPlan = true;
      this.#take(this.#reader.feed(this.#text));
    } else if (line !== '' && (end !== '' || this.#text.length >= headMax)) this.#isPlan = false;
  }

  /** The text is whole; `broken` says why it is not. */
  end(broken = ''): EndPart {
    if (this.#isPlan !== true) this.#take(this.#reader.feed(blanked(this.#text)));
    else if (hasLateThought(this.#text)) this.#problems.push(lateThought);
    this.#take(this.#reader.end());
    const { environment, ids } = this.#options;
    ids.isWhole = true;
    this.#reportHeld();
    const made = this.#join && joinOf(this.#join, ids, environment.inputs);
    for (const diagnostic of made?.diagnostics ?? []) this.#tell(diagnostic);
    if (broken === '') this.#checkLines();
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
      answer: answer ? { value: new GuestValue(answer.value), needs: answer.needs } : null,
    };
  }

  /** A line that says in words what to do is no task: without a word it would be lost. */
  #checkLines(): void {
    const { environment } = this.#options;
    for (const one of checkLines(treeOf(this.#items), environment, replyForm)) this.#tell(one);
  }

  #take(items: readonly Item[]): void {
    for (const item of items) {
      this.#items.push(item);
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
    const { environment, ids } = this.#options;
    if (ids.own.has(item.id)) {
      const where = `${item.line}:${item.column}`;
      this.#problems.push(`${where}: PV2605 there are two tasks ${item.id}; the first was taken`);
      return;
    }
    giveId(item, ids);
    this.#tasks++;
    const task = taskOf(item, environment, ids);
    const isWhole = task.made?.needs.every((id) => this.#reported.has(id));
    // What is no task yet may come.
    if (isWhole ?? task.diagnostics.every(({ code }) => code !== 'PV2607'))
      this.#report(item, task);
    else this.#held.push(item);
  }

  #report(item: CallItem, { made, diagnostics }: Made<Task>): void {
    const { environment, ids } = this.#options;
    const wrong = diagnostics.filter(({ severity }) => severity === 'error').map(lineOf);
    for (const one of diagnostics) if (one.severity === 'warning') this.#tell(one);
    if (!made) this.#flawed++;
    const id = ids.own.get(item.id) ?? item.id;
    this.#reported.add(id);
    const tool = made?.tool ?? item.name;
    const spec = made && environment.tools.get(tool);
    this.#options.task({
      kind: 'task',
      ...{ id, number: item.id, thought: item.thought, action: `${tool}${item.call.text}` },
      ...{ tool, args: made ? new GuestValue(made.args) : {} },
      ...{ needs: made?.needs ?? [], writes: mayWrite(spec) },
      ...{ isPlan: spec === subPlanSpec, problem: wrong.join('\n') },
    });
  }

  /** Of tasks in a circle, one is reported as wrong, so that the others have its result. */
  #reportHeld(): void {
    const { environment, ids } = this.#options;
    const held = this.#held.map((item) => {
      const task = taskOf(item, environment, ids);
      const { line, column } = item;
      const id = ids.own.get(item.id) ?? item.id;
      return { id, needs: task.made ? task.needs : [], item, task, line, column };
    });
    const byId = new Map(held.map((one) => [one.id, one]));
    for (const { id, needs, item, task } of sorted(held).inOrder) {
      for (const need of needs) {
        const later = byId.get(need);
        if (later && !this.#reported.has(need)) this.#report(later.item, inCircle(later.item));
      }
      if (!this.#reported.has(id)) this.#report(item, task);
    }
  }
}

const inCircle = ({ id, line, column }: CallItem): Made<Task> => {
  const message = `task ${id} waits for tasks that wait for it`;
  return {
    needs: [],
    diagnostics: [{ code: 'PV2609', severity: 'error', message, line, column }],
  };
};

const mayWrite = (spec: ToolSpec | undefined): boolean =>
  spec?.effect === 'write' || spec?.ordered === true;

const lineOf = ({ code, line, column, message, hint }: Diagnostic): string =>
  `${line}:${column}: ${code} ${message}${hint === undefined ? '' : ` (${hint})`}`;
