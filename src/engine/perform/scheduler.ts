/**
 * Which effect starts next. What it owns: the queues and the counts of what runs. What it does not
 * own: the effects themselves, budgets and time. It never acts by itself: the execution asks.
 *
 * Invariants:
 * - S1 No more than `concurrency` tasks run, and of one tool no more than its own bound; a bound
 *   below one counts as one, since nothing would ever end otherwise; unless it holds for a while.
 * - S2 Of all tasks whose tool has room, the oldest is next.
 * - S3 Every operation has constant cost, spread over the tasks.
 */
import { Queue } from './queue.ts';
import type { Task } from './task.ts';

/** The tasks of one tool. */
interface Lane {
  /** What its tool allows. */
  readonly own: number;
  /** What holds at the moment. */
  bound: number;
  running: number;
  /** Tasks that were next while the lane was full: older than all of this tool in the queue. */
  readonly waiting: Queue<Task>;
  /** Whether it stands in `#freed`; it does whenever it has room and someone waiting. */
  freed: boolean;
}

export class Scheduler {
  readonly #concurrency: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #queue = new Queue<Task>();
  readonly #freed = new Queue<Lane>();
  readonly #tasks = new Map<string, Task>();
  #running = 0;

  constructor(concurrency: number) {
    this.#concurrency = Math.max(1, concurrency);
  }

  /** How many tasks hold a slot. */
  get running(): number {
    return this.#running;
  }

  /** Queued and running tasks, in order of arrival. */
  tasks(): Iterable<Task> {
    return this.#tasks.values();
  }

  /** Bounds what runs of a tool for a while, also by none; undefined takes that back. */
  bound(tool: string, most: number | undefined): void {
    const lane = this.#lanes.get(tool);
    if (!lane) return;
    lane.bound = most ?? lane.own;
    this.#free(lane);
  }

  find(effect: string): Task | undefined {
    return this.#tasks.get(effect);
  }

  enqueue(task: Task): void {
    this.#tasks.set(task.request.id, task);
    this.#queue.push(task);
  }

  /** The task that may start now. It stays the next one until `start` or `remove` takes it. */
  peek(): Task | undefined {
    if (this.#running >= this.#concurrency) return undefined;
    for (let lane = this.#freed.peek(); lane; lane = this.#freed.peek()) {
      const head = firstQueued(lane.waiting);
      if (head && lane.running < lane.bound) return head;
      this.#freed.shift();
      lane.freed = false;
    }
    for (let task = firstQueued(this.#queue); task; task = firstQueued(this.#queue)) {
      const lane = this.#lane(task);
      if (lane.running < lane.bound) return task;
      this.#queue.shift();
      lane.waiting.push(task);
    }
    return undefined;
  }

  /** Gives a slot to the task that `peek` has named. */
  start(task: Task): void {
    const lane = this.#lane(task);
    if (lane.waiting.peek() === task) lane.waiting.shift();
    else this.#queue.shift();
    task.place = 'running';
    this.#running++;
    lane.running++;
  }

  /** Takes a task out, wherever it is, and gives its slot back. */
  remove(task: Task): void {
    if (task.place === 'running') {
      const lane = this.#lane(task);
      this.#running--;
      lane.running--;
      this.#free(lane);
    }
    task.place = 'gone';
    this.#tasks.delete(task.request.id);
  }

  /** It may have room for those that wait in it. */
  #free(lane: Lane): void {
    if (lane.freed || !lane.waiting.peek()) return;
    lane.freed = true;
    this.#freed.push(lane);
  }

  #lane(task: Task): Lane {
    const { name, limits } = task.tool.spec;
    const known = this.#lanes.get(name);
    if (known) return known;
    const own = Math.max(1, limits?.concurrency ?? Infinity);
    const lane: Lane = { own, bound: own, running: 0, waiting: new Queue(), freed: false };
    this.#lanes.set(name, lane);
    return lane;
  }
}

/** The first task that is still queued; those removed meanwhile are dropped on the way. */
function firstQueued(queue: Queue<Task>): Task | undefined {
  for (let task = queue.peek(); task; task = queue.peek()) {
    if (task.place === 'queued') return task;
    queue.shift();
  }
  return undefined;
}
