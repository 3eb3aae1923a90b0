/**
 * What a benchmark has found so far: a file with a head that says what is measured, and a line for
 * each question and method. A line is on the disk before the next question is begun, so a benchmark
 * that was stopped in whatever way goes on after the last of them.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AgentError, reasonOf } from '../agent/port/errors.ts';
import { shortPath } from '../agent/port/workspace.ts';
import type { RunStatus } from '../engine/journal/run-state.ts';
import type { ResultUsage } from '../engine/result.ts';
import type { Score } from './score.ts';

/** The first line. */
export interface BenchHead {
  readonly type: 'bench';
  readonly format: 1;
  readonly dataset: {
    readonly name: string;
    readonly file: string;
    readonly sha256: string;
    readonly items: number;
  };
  readonly methods: readonly string[];
  readonly model: string;
  /** What else decides the answers: tools, budgets, how often a plan may be corrected. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** What has come of a question by a method. */
export interface BenchLine {
  readonly type: 'item';
  readonly method: string;
  readonly id: string;
  readonly question: string;
  /** What is expected, as text. */
  readonly label: string;
  /** As text; null where there is none. */
  readonly answer: string | null;
  readonly right: Score;
  /** Whether the first plan needed no correction; absent where there was none. */
  readonly firstTry?: boolean;
  /** Of the run that answers, or of planning where it came to nothing. */
  readonly status: RunStatus;
  readonly error?: { readonly code: string; readonly message: string };
  /** Milliseconds from the question to its answer. */
  readonly ms: number;
  /** Of all runs together. */
  readonly usage: ResultUsage;
  /** The run that answers; null where none was begun. */
  readonly run: string | null;
  /** All runs that it took: planning, the program, repairs. */
  readonly runs: readonly string[];
  /** When it ended, epoch milliseconds. */
  readonly at: number;
}

interface Logged {
  readonly head: BenchHead;
  readonly lines: readonly BenchLine[];
}

/** A log that is written to. Owns the file descriptor. */
export class Log {
  readonly file: string;
  /** What an earlier process has found. */
  readonly known: readonly BenchLine[];
  readonly #descriptor: number;

  /** Throws `AgentError` PV6802 as `openLog` does. */
  constructor(path: string, known: readonly BenchLine[]) {
    this.file = shortPath(path);
    this.known = known;
    this.#descriptor = opened(path);
  }

  append(line: BenchHead | BenchLine): void {
    writeSync(this.#descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function opened(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, 'a');
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

const unwritable = (path: string, cause: unknown): AgentError =>
  new AgentError('PV6802', `cannot write the log ${shortPath(path)}: ${reasonOf(cause)}`, {
    hint: 'write another log',
    cause,
  });

/**
 * Begins a log, or goes on with one where `resume` is true and there is one. Throws `AgentError`
 * PV6802 where that would mix two benchmarks, PV6803 for a file that is not a log.
 */
export function openLog(path: string, head: BenchHead, resume: boolean): Log {
  if (!existsSync(path)) return begun(path, head);
  if (!resume) {
    throw new AgentError('PV6802', `the log ${shortPath(path)} is already there`, {
      hint: 'resume it, or write another log',
      facts: { file: path, isResumable: true },
    });
  }
  dropPartialLine(path);
  const logged = readLog(path);
  if (logged === undefined) return begun(path, head);
  const difference = differenceOf(logged.head, head);
  if (difference !== undefined) {
    throw new AgentError(
      'PV6802',
      `the log ${shortPath(path)} is of another benchmark: ${difference}`,
      {
        hint: 'call it as before to go on, or write another log',
      },
    );
  }
  return new Log(path, logged.lines);
}

function begun(path: string, head: BenchHead): Log {
  const log = new Log(path, []);
  log.append(head);
  return log;
}

/** A process that was killed, or a full disk, may have left the beginning of a line. */
function dropPartialLine(path: string): void {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf('\n') + 1;
  if (end < bytes.length) truncateSync(path, end);
}

function differenceOf(before: BenchHead, now: BenchHead): string | undefined {
  if (before.dataset.sha256 !== now.dataset.sha256) {
    return `its questions are those of ${before.dataset.file}, which has changed or is another one`;
  }
  const [was, is] = [before.methods, now.methods].map((names) => names.toSorted().join(', '));
  if (was !== is) return `it has the method ${was}, not ${is}`;
  if (before.model !== now.model) return `it has the model ${before.model}, not ${now.model}`;
  const names = new Set([...Object.keys(before.options), ...Object.keys(now.options)]);
  for (const name of names) {
    const [had, has] = [before, now].map(({ options }) => JSON.stringify(options[name] ?? null));
    if (had !== has) return `it has ${name} ${had}, not ${has}`;
  }
  return undefined;
}

/**
 * What a log says; of a question that was asked again, the last line counts. Undefined for an empty
 * file. A last line that is not whole is passed over. Throws `AgentError` PV6803.
 */
function readLog(path: string): Logged | undefined {
  const file = shortPath(path);
  const text = contentOf(path, file);
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [head, ...lines] = whole.split('\n').flatMap((line, index) => {
    return line.trim() === '' ? [] : [parsed(line, index + 1, file)];
  });
  if (head === undefined) return undefined;
  if (head.type !== 'bench' || head.format !== 1) {
    throw notALog(file, 1, 'want its head');
  }
  const last = new Map<string, BenchLine>();
  for (const [index, line] of lines.entries()) {
    if (line.type !== 'item') throw notALog(file, index + 2, 'want a line of type item');
    last.set(keyOf(line), line);
  }
  return { head, lines: [...last.values()] };
}

function contentOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AgentError('PV6006', `cannot read the log ${file}: ${reasonOf(cause)}`, { cause });
  }
}

/** Which lines are about the same. */
export const keyOf = ({ method, id }: Pick<BenchLine, 'method' | 'id'>): string =>
  JSON.stringify([method, id]);

function parsed(line: string, number: number, file: string): BenchHead | BenchLine {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw notALog(file, number, reasonOf(cause));
  }
}

const notALog = (file: string, line: number, problem: string): AgentError =>
  new AgentError('PV6803', `${file}:${line} is not a line of a benchmark's log: ${problem}`);
