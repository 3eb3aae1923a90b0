/**
 * A plan that arrives as text, as parts of a stream: each task once its line and all that it refers
 * to have arrived, and at the end what the plan comes to. Owns what of it is not reported yet.
 *
 * - P1 A task comes behind all tasks that it needs, so whoever gets it has their results.
 * - P2 A task that is wrong is reported with its problem: it has a failed result, and no other task
 *   is held up by it.
 */
import type { Environment } from '../../dialects/dialect.ts';
import { checkLines } from '../../dialects/llmcompiler/check.ts';
import { replyForm } from '../../dialects/llmcompiler/form.ts';
import { giveId, type Ids } from '../../dialects/llmcompiler/ids.ts';
import type { CallItem, Item } from '../../dialects/llmcompiler/item.ts';
import { treeOf } from '../../dialects/llmcompiler/plan.ts';
import { PlanReader } from '../../dialects/llmcompiler/reader.ts';
import { beginsPlan } from '../../dialects/llmcompiler/shapes.ts';
import { joinOf, type Made, sourceOf, taskOf } from '../../dialects/llmcompiler/task-of.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { GuestValue } from '../../program/json.ts';
import type { Task } from '../../program/task.ts';
import { dictGet, isDict, type Value } from '../../program/value.ts';
import { blanked, hasLateThought } from '../../text/thoughts.ts';
import { isSubPlan } from './specs.ts';

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

/** How much of a text tells how it begins. */
const headMax = 300;

const lateThought =
  'what stands before the closing tag of the thoughts was read as the plan: write the plan alone';

interface Waiting {
  readonly item: CallItem;
  left: number;
}

export class StreamedPlan {
  readonly #options: StreamOptions;
  readonly #reader = new PlanReader();
  readonly #items: Item[] = [];
  readonly #reported: Set<string>;
  /** What is wrong with the text, and with tasks. */
  readonly #problems: string[] = [];
  #flawed = 0;
  /** Tasks that are not reported yet, in the order of their lines. */
  readonly #open = new Set<CallItem>();
  /** What is to be looked at next. */
  readonly #ready: CallItem[] = [];
  /** By what they wait for: `number 3` to come, `result 3` to be reported. */
  readonly #waiting = new Map<string, Waiting[]>();
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
    this.#reportRest();
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
      ids: Object.fromEntries(ids.own),
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
    const { ids } = this.#options;
    if (ids.own.has(item.id)) {
      const where = `${item.line}:${item.column}`;
      this.#problems.push(`${where}: PV2605 there are two tasks ${item.id}; the first was taken`);
      return;
    }
    giveId(item, ids);
    this.#tasks++;
    this.#open.add(item);
    this.#ready.push(item);
    this.#came(`number ${item.id}`);
    this.#settle();
  }

  /** Looks at what waits for nothing any more, until nothing is left of that. */
  #settle(): void {
    for (const item of this.#ready) this.#look(item);
    this.#ready.length = 0;
  }

  /** Reports a task, or has it wait: for tasks it names to come, or for those it needs. */
  #look(item: CallItem): void {
    if (!this.#open.has(item)) return;
    const { environment, ids } = this.#options;
    const task = taskOf(item, environment, ids);
    if (task.made) {
      const missing = task.made.needs.filter((id) => !this.#reported.has(id));
      if (missing.length === 0) this.#report(item, task);
      else this.#wait(item, missing.map(resultOf));
    } else if (mayYetBeNamed(task.diagnostics)) {
      const missing = namedIn(item).filter((number) => !ids.own.has(number));
      this.#wait(
        item,
        missing.map((number) => `number ${number}`),
      );
    } else {
      this.#report(item, task);
    }
  }

  /** Nothing to wait for: only the end of the plan shows what becomes of it. */
  #wait(item: CallItem, events: readonly string[]): void {
    const waiting = { item, left: events.length };
    for (const event of events) {
      const others = this.#waiting.get(event) ?? [];
      others.push(waiting);
      this.#waiting.set(event, others);
    }
  }

  #came(event: string): void {
    for (const waiting of this.#waiting.get(event) ?? []) {
      waiting.left--;
      if (waiting.left === 0) this.#ready.push(waiting.item);
    }
    this.#waiting.delete(event);
  }

  #report(item: CallItem, { made, diagnostics }: Made<Task>): void {
    const { environment, ids } = this.#options;
    const wrong = diagnostics.filter(({ severity }) => severity === 'error').map(lineOf);
    for (const one of diagnostics) if (one.severity === 'warning') this.#tell(one);
    if (!made) this.#flawed++;
    const id = ids.own.get(item.id) ?? item.id;
    this.#open.delete(item);
    this.#reported.add(id);
    this.#came(resultOf(id));
    const spec = environment.tools.get(made?.tool ?? '');
    this.#options.task({
      kind: 'task',
      ...{ id, number: item.id, thought: item.thought, action: actionOf(item, made?.tool) },
      ...{ tool: made?.tool ?? item.name, args: made ? new GuestValue(made.args) : {} },
      ...{ needs: made?.needs ?? [], writes: writesWith(spec, made?.args) },
      ...{ isPlan: isSubPlan(spec), problem: wrong.join('\n') },
    });
  }

  /** What is left names tasks that there are not, or needs such a task, or goes in circles. */
  #reportRest(): void {
    const { environment, ids } = this.#options;
    for (const item of [...this.#open]) {
      const task = taskOf(item, environment, ids);
      if (!task.made) this.#report(item, task);
    }
    // What was waiting for a number that came in the end waits for its result now.
    this.#waiting.clear();
    this.#ready.push(...this.#open);
    this.#settle();
    for (let item = this.#inCircle(); item; item = this.#inCircle()) {
      const { line, column } = item;
      const message = `task ${item.id} waits for tasks that wait for it`;
      this.#report(item, {
        needs: [],
        diagnostics: [{ code: 'PV2609', severity: 'error', message, line, column }],
      });
      this.#settle();
    }
  }

  /** A task that is still open and needs itself by way of others; undefined where none is open. */
  #inCircle(): CallItem | undefined {
    const { environment, ids } = this.#options;
    const byId = new Map([...this.#open].map((item) => [ids.own.get(item.id), item]));
    const seen = new Set<CallItem>();
    let [item] = this.#open;
    while (item && !seen.has(item)) {
      seen.add(item);
      const needs: readonly string[] = taskOf(item, environment, ids).made?.needs ?? [];
      item = needs.map((id) => byId.get(id)).find((needed) => needed !== undefined);
    }
    return item;
  }
}

/** A plan within a plan writes where it says so. */
function writesWith(spec: ToolSpec | undefined, args: Value | undefined): boolean {
  if (!isSubPlan(spec)) return spec?.effect === 'write' || spec?.ordered === true;
  return isDict(args) && dictGet(args, 'writes') === true;
}

const resultOf = (id: string): string => `result ${id}`;

/** Numbers of tasks that a call may refer to. One of many figures is rather an amount. */
const namedIn = ({ call }: CallItem): string[] => [
  ...new Set([...call.text.matchAll(/\$\{?(\d{1,5})(?!\d)/g)].map(([, number = '']) => number)),
];

const lineOf = ({ code, line, column, message, hint }: Diagnostic): string =>
  `${line}:${column}: ${code} ${message}${hint === undefined ? '' : ` (${hint})`}`;

/** A reference to a task that may still come. */
const mayYetBeNamed = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ code }) => code === 'PV2607');

const actionOf = (item: CallItem, tool = item.name): string =>
  sourceOf({ ...item, name: tool }).replace(/^\d+\. /, '');
