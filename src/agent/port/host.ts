/**
 * What an agent needs of the face that it works for. Every member may be absent: then nobody looks
 * on, nobody is asked, and what needs a person ends as waiting.
 */
import type { Environment } from '../../dialects/dialect.ts';
import type { WatchEvent } from '../../engine/events.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { Gate } from '../../engine/perform/gate.ts';
import type { Person } from '../../engine/perform/person.ts';
import type { RunResult } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { SayingPiece } from '../../planner/playbook/turn.ts';
import type { Program } from '../../program/program.ts';
import type { Notice, RunBegan } from './events.ts';

/** A run that this process has, for whoever shows, traces or guards it. */
export interface LiveRun {
  readonly handle: RunHandle;
  readonly program: Program;
  readonly title: string;
  readonly loop?: RunBegan['loop'];
  /** What happened before, where it goes on or was forked: shown as done, not again. */
  readonly past?: readonly WatchEvent[];
  /** Whether it calls functions of tools files, which may keep the process from all else. */
  readonly callsFunctions: boolean;
  /** Whether another process can resume it: its journal is no memory of this one. */
  readonly isDurable: boolean;
  /** What the session ends with where the process has to end within this run. */
  endWith(result: RunResult): RunEnd;
}

/** The run that a session ends with, and the text that its places are of. */
export interface RunEnd {
  readonly result: RunResult;
  readonly text: string;
  readonly file: string;
  /** Of a run of playbooks: what these are; `text` is the program that plays them. */
  readonly playbooks?: string | undefined;
}

export interface Host {
  notice?(notice: Notice): void;
  /** Called before the first event of a run; gives the function that ends what it began. */
  watch?(run: LiveRun): () => void;
  /** Who answers and approves while a run goes on. */
  readonly person?: Person | undefined;
  /** Goes through a program step by step in place of watching it. */
  goThrough?(run: HeldRun): Promise<RunResult>;
  /** Hears what playbooks say while a model still writes it. */
  saying?(piece: SayingPiece): void;
  /** Looks at a program before it runs; gives it as it is to run, or throws. */
  review?(program: Review): Promise<string>;
}

/** A run that begins once somebody holds its gate. */
export interface HeldRun {
  readonly journal: Journal;
  readonly title: string;
  readonly dialect: string;
  readonly program: Program;
  readonly callsFunctions: boolean;
  start(more: { readonly gate: Gate }): RunHandle;
}

/** A program that a model wrote, for a person to look at. */
export interface Review {
  readonly text: string;
  readonly dialect: string;
  /** What it may name. */
  environment(): Environment;
  /** Whether it must not run before somebody has agreed to it. */
  readonly confirm: boolean;
  /** Somebody who could look at it went on with it: enough where nobody can be asked. */
  readonly isAgreed: boolean;
  /** The run to resume later, where nobody can be asked now. */
  readonly resumes: string | undefined;
}
