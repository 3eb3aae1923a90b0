/**
 * Which effect starts next. What it owns: the queues and the counts of what runs. What it does not
 * own: the effects themselves, budgets and time. It never acts by itself: the execution asks.
 *
 * Invariants:
 * - S1 No more than `concurrency` jobs run, and of one tool no more than its own bound, in the run
 *   and all around and within it (`Slots`); a bound below one counts as one, since nothing would
 *   ever end otherwise; unless it holds for a while. What goes on behind a run within it has its
 *   slot at once, though there may be one too many then.
 * - S2 Of all jobs whose tool has room, the oldest is next. A tool has no room while one that
 *   it conflicts with runs, or has an older job that only such a conflict keeps waiting.
 * - S3 Every operation has constant cost, spread over the jobs; times the number of tools that
 *   conflict, or have got room since the last job started.
 */
import type { ToolSpec } from '../../program/effect.ts';
import type { Job } from './job.ts';

/** The jobs of one tool. */
interface Lane {
  /** What its tool allows. */
  readonly own: number;
  /** What holds at the moment. */
  bound: number;
  /** Whether none may start for now: as many have begun as may within a minute. */
  held: boolean;
  running: number;
  /** Jobs that were next while the lane was full: older than all of this tool in the queue. */
  readonly waiting: Queue<Job>;
}

export class Scheduler {
  readonly #concurrency: number;
  readonly #lanes = new Map<string, Lane>();
  /** By tool, those whose calls never run beside it: what either side declares. */
  readonly #against = new Map<string, Set<string>>();
  readonly #queue = new Queue<Job>();
  /** Lanes that may have room and someone waiting. */
  readonly #freed = new Set<Lane>();
  readonly #jobs = new Map<string, Job>();
  readonly #held = new Set<Lane>();
  /** Those of the runs around and within this one as well. */
  readonly #slots: Slots;
  readonly #look: () => void;
  /** Whether a job of this run waits for a slot that another one has, until that gives one back. */
  #isRefused = false;
  #isClosed = false;
  #queued = 0;
  #running = 0;

  /** `wake` is called where another run has given back a slot that was wanted here. */
  constructor(concurrency: number, slots: Slots = new Slots(concurrency), wake = (): void => {}) {
    this.#concurrency = Math.max(1, concurrency);
    this.#slots = slots;
    this.#look = () => {
      this.#isRefused = false;
      for (const lane of this.#lanes.values()) {
        if (lane.own !== Infinity && lane.waiting.peek()) this.#freed.add(lane);
      }
      wake();
    };
  }

  /** How many jobs hold a slot. */
  get running(): number {
    return this.#running;
  }

  /** Queued and running jobs, in order of arrival. */
  jobs(): Iterable<Job> {
    return this.#jobs.values();
  }

  /** Bounds what runs of a tool for a while, also by none; undefined takes that back. */
  bound(tool: string, most: number | undefined): void {
    const lane = this.#lanes.get(tool);
    if (!lane) return;
    lane.bound = most ?? lane.own;
    this.#freeAround(tool, lane);
  }

  /** Lets none of a tool start until it is taken back. */
  hold(tool: string, held: boolean): void {
    const lane = this.#lanes.get(tool);
    if (!lane) return;
    lane.held = held;
    if (held) this.#held.add(lane);
    else this.#held.delete(lane);
    this.#freeAround(tool, lane);
  }

  /** Whether jobs wait for another run, or the end of a `hold`, once `peek` has found no more. */
  get isHeldUp(): boolean {
    const isHeld = [...this.#held].some(({ waiting }) => firstQueued(waiting) !== undefined);
    return isHeld || (this.#isRefused && this.#jobs.size > this.#running);
  }

  find(effect: string): Job | undefined {
    return this.#jobs.get(effect);
  }

  enqueue(job: Job): void {
    job.place = 'queued';
    this.#jobs.set(job.request.id, job);
    job.order = ++this.#queued;
    this.#queue.push(job);
  }

  /** The job that may start now. It stays the next one until `start` or `remove` takes it. */
  peek(): Job | undefined {
    if (this.#running >= this.#concurrency) return undefined;
    if (this.#slots.isFull && this.#jobs.size > this.#running) return this.#refuse();
    let oldest: Job | undefined;
    for (const lane of this.#freed) {
      const head = firstQueued(lane.waiting);
      if (!head || !this.#hasRoom(lane, head)) this.#freed.delete(lane);
      else if (!oldest || head.order < oldest.order) oldest = head;
    }
    // Whoever waits in a lane is older than all that have not been looked at.
    if (oldest) return oldest;
    for (let job = this.#queue.peek(); job; job = this.#queue.peek()) {
      // Those that were removed meanwhile are dropped on the way.
      const lane = job.place === 'queued' ? this.#lane(job) : undefined;
      if (lane && this.#hasRoom(lane, job)) return job;
      this.#queue.shift();
      lane?.waiting.push(job);
    }
    return undefined;
  }

  /** Gives a slot to the job that `peek` has named. */
  start(job: Job): void {
    const lane = this.#lane(job);
    if (lane.waiting.peek() === job) lane.waiting.shift();
    else this.#queue.shift();
    job.place = 'running';
    this.#running++;
    lane.running++;
    this.#count(job, lane, 1);
  }

  /** A run within it begins: as long as one goes on, the slot is for what that performs. */
  lend(job: Job): void {
    if (job.place === 'running') this.#count(job, this.#lane(job), -1);
    job.within++;
  }

  /** The run within it has ended. */
  takeBack(job: Job): void {
    job.within--;
    if (job.place === 'running') this.#count(job, this.#lane(job), 1);
  }

  /** Nothing starts any more, and what runs is given up. */
  close(): void {
    for (const job of this.#jobs.values()) {
      if (job.place === 'running') this.#count(job, this.#lane(job), -1);
    }
    this.#isClosed = true;
    this.#slots.leave(this.#look);
  }

  /** With a run within it, a job has lent its slot. */
  #count({ tool: { spec }, within }: Job, { own }: Lane, by: 1 | -1): void {
    if (within === 0 && !this.#isClosed) this.#slots.count(spec.name, own, by);
  }

  #refuse(): undefined {
    this.#isRefused = true;
    this.#slots.wait(this.#look);
  }

  /** Takes a job out, wherever it is, and gives its slot back. */
  remove(job: Job): void {
    const lane = this.#lane(job);
    const wasRunning = job.place === 'running';
    job.place = 'gone';
    if (wasRunning) {
      this.#running--;
      lane.running--;
      this.#count(job, lane, -1);
    }
    this.#freeAround(job.tool.spec.name, lane);
    this.#jobs.delete(job.request.id);
  }

  #hasRoom(lane: Lane, job: Job): boolean {
    if (!hasOwnRoom(lane)) return false;
    if (this.#slots.isFullOf(job.tool.spec.name, lane.own)) {
      this.#refuse();
      return false;
    }
    if (this.#against.size === 0) return true;
    for (const name of this.#against.get(job.tool.spec.name) ?? none) {
      const other = this.#lanes.get(name);
      if (other && (other.running > 0 || (other !== lane && this.#isAhead(other, job)))) {
        return false;
      }
    }
    return true;
  }

  /** Whether a lane has an older job that could start but for what it conflicts with. */
  #isAhead(lane: Lane, job: Job): boolean {
    const head = hasOwnRoom(lane) ? firstQueued(lane.waiting) : undefined;
    return head !== undefined && head.order < job.order;
  }

  /** It may have room now, and so may those that it conflicts with. */
  #freeAround(tool: string, lane: Lane): void {
    if (lane.waiting.peek()) this.#freed.add(lane);
    if (this.#against.size === 0) return;
    for (const name of this.#against.get(tool) ?? none) {
      const other = this.#lanes.get(name);
      if (other?.waiting.peek()) this.#freed.add(other);
    }
  }

  #lane({ tool: { spec } }: Job): Lane {
    return this.#lanes.get(spec.name) ?? this.#newLane(spec);
  }

  #newLane({ name, limits, conflicts = [] }: ToolSpec): Lane {
    for (const other of conflicts) {
      this.#againstOf(name).add(other);
      this.#againstOf(other).add(name);
    }
    const own = Math.max(1, limits?.concurrency ?? Infinity);
    const waiting = new Queue<Job>();
    const lane: Lane = { own, bound: own, held: false, running: 0, waiting };
    this.#lanes.set(name, lane);
    return lane;
  }

  #againstOf(tool: string): Set<string> {
    const known = this.#against.get(tool) ?? new Set();
    this.#against.set(tool, known);
    return known;
  }
}

const none: readonly string[] = [];

const hasOwnRoom = ({ running, bound, held }: Lane): boolean => running < bound && !held;

/** The first job that is still queued; those removed meanwhile are dropped on the way. */
function firstQueued(queue: Queue<Job>): Job | undefined {
  for (let job = queue.peek(); job; job = queue.peek()) {
    if (job.place === 'queued') return job;
    queue.shift();
  }
  return undefined;
}

/** First in, first out, at constant cost. */
export class Queue<T> {
  #items: T[] = [];
  #head = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  peek(): T | undefined {
    return this.#items[this.#head];
  }

  shift(): T | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head++;
    // What has left is cut off once it is the larger half, so that each item is moved once or less.
    if (this.#head > 32 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}

/**
 * What may run at once in a run and all that are within its effects, however deep. It knows counts
 * alone; who is next is each scheduler's business. An effect that waits for a run within it is not
 * counted meanwhile (`Scheduler.lend`): so what has a slot needs nobody else's to come to its end.
 */
export class Slots {
  readonly #most: number;
  #running = 0;
  /** Of tools with a bound of their own. */
  readonly #byTool = new Map<string, number>();
  /** Schedulers that have found no room, in that order. */
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#most = Math.max(1, most);
  }

  get isFull(): boolean {
    return this.#running >= this.#most;
  }

  /** Whether as many of a tool run as may: of these `own`. */
  isFullOf(tool: string, own: number): boolean {
    return own !== Infinity && (this.#byTool.get(tool) ?? 0) >= own;
  }

  /** `by` is 1, or -1 where something has ended; whoever waits for room looks again then. */
  count(tool: string, own: number, by: 1 | -1): void {
    this.#running += by;
    if (own !== Infinity) this.#byTool.set(tool, (this.#byTool.get(tool) ?? 0) + by);
    if (by > 0 || this.#waiting.size === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const look of waiting) look();
  }

  /** Has `look` called once when there may be room. */
  wait(look: () => void): void {
    this.#waiting.add(look);
  }

  leave(look: () => void): void {
    this.#waiting.delete(look);
  }
}
