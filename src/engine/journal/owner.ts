/**
 * Leases and who holds them. A holder is named `host:pid:start`, so that another process of the
 * same machine can tell a dead owner from a live one without waiting for the lease to expire.
 * `start` makes the name unique although pids are reused: on Linux the tick the process was born in
 * and a mark of this boot and pid namespace (`8512345-3fa9c01b`), elsewhere its start in epoch ms.
 */
import { hash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';

interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly start: string;
}

let self: string | undefined;

/** This process as an owner of leases. */
export function processOwner(): string {
  self ??= `${hostname()}:${process.pid}:${ownStart()}`;
  return self;
}

/**
 * Whether the owner is a process of this machine that has certainly ended. False in every doubt:
 * another host, boot or container, a pid whose process hides its start, a name of another form.
 */
export function isGone(name: string): boolean {
  const owner = parse(name);
  if (owner === undefined || owner.host !== hostname()) return false;
  const [ticks, mark] = owner.start.split('-');
  if (mark !== machineMark()) return false;
  if (!isAlive(owner.pid)) return true;
  const born = birthTick(owner.pid);
  return mark !== undefined && born !== undefined && born !== ticks;
}

/** The owner as an error message calls it: `process 4711 on web1`. */
export function describeOwner(name: string): string {
  const owner = parse(name);
  return owner === undefined ? name : `process ${owner.pid} on ${owner.host}`;
}

function parse(name: string): Owner | undefined {
  const [, host, pid, start] = /^(.+):([1-9]\d{0,9}):([^:]+)$/.exec(name) ?? [];
  if (host === undefined || pid === undefined || start === undefined) return undefined;
  return { host, pid: Number(pid), start };
}

function ownStart(): string {
  const born = birthTick(process.pid);
  const mark = machineMark();
  if (born !== undefined && mark !== undefined) return `${born}-${mark}`;
  return String(Math.round(performance.timeOrigin));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM is the answer of a live process that belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Clock ticks between the boot of the machine and the start of a process. */
function birthTick(pid: number): string | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field, the program's name in parentheses, may hold spaces and parentheses itself;
  // the start is the twentieth behind it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** Pids mean something only within one boot and one pid namespace; undefined where unknown. */
function machineMark(): string | undefined {
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = read(() => readlinkSync('/proc/self/ns/pid'));
  if (boot === undefined || namespace === undefined) return undefined;
  return hash('sha256', `${boot}${namespace}`).slice(0, 8);
}

function read(from: () => string): string | undefined {
  try {
    return from();
  } catch {
    return undefined;
  }
}

// When a lease may be taken: the rule both journals share.

/** Who holds a run; `owner` is null when it was released. */
export interface Holder {
  readonly owner: string | null;
  /** Epoch milliseconds at which the lease expires. */
  readonly until: number;
}

/** What a journal takes from its surroundings; tests put their own in. */
export interface JournalOptions {
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Whether an owner is certainly gone, so that its lease need not expire first. */
  readonly isGone?: (owner: string) => boolean;
  /**
   * Opens a file without the files that SQLite keeps beside it, for which a full disk has no room:
   * no other process can have it open meanwhile. To make room.
   */
  readonly isAlone?: boolean;
}

export type World = Required<Pick<JournalOptions, 'now' | 'isGone'>>;

/** The clock and the process table of this machine, unless the caller passes others. */
export function surroundings(options: JournalOptions): World {
  return { now: options.now ?? Date.now, isGone: options.isGone ?? isGone };
}

/** Whether a live process holds the lease now. */
export function isHeld(holder: Holder, { now, isGone }: World): boolean {
  return holder.owner !== null && holder.until > now() && !isGone(holder.owner);
}
