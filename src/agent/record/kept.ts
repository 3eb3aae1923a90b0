/**
 * What the record of a run keeps beside what the engine reads back (`engine/settings.ts`): all that
 * commands put there, so that another process goes on with the same. Written as `settings` of a run
 * that is started, read by `keptOf` alone.
 */
import type { Environment, UsableProgram } from '../../dialects/dialect.ts';
import type { Chat, Strictness } from '../../dialects/playbook/manner.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import type { CompiledTurn } from '../../planner/compile.ts';
import type { Background, Goal, Route } from '../../planner/goal.ts';
import type { GoalAndProgram } from '../../planner/prompt.ts';
import type { PromptLanguage } from '../../planner/tasks/languages.ts';
import type { TaskLoop } from '../../planner/tasks/task-loops.ts';
import type { ToolSpec } from '../../program/effect.ts';
import type { Talk } from './talk.ts';

export interface Kept {
  /** The file that the program was read from. */
  readonly file?: string;
  /** Whether the model joins what tasks come to. */
  readonly joins?: boolean;
  /** What the run is for, and which tools it may not call: the engine reads these, too. */
  readonly goal?: string;
  readonly withheld?: readonly string[];
  /** What `ask` was called for. */
  readonly asked?: Asked;
  /** Encoded: the inputs of what a loop works on, where they are not its own. */
  readonly values?: string;
  // Which control loop it is a run of, and what its effects are made of; at most one is there.
  readonly talking?: KeptTalking;
  readonly planning?: KeptPlanning;
  readonly changing?: KeptChanging;
  readonly judging?: KeptJudging;
  readonly transpiling?: boolean;
  readonly taskLoop?: KeptTaskLoop;
  readonly playbook?: KeptPlaying;
  /** A plan that is saved once it is written. */
  readonly compiling?: KeptCompiling;
}

/**
 * What `ask` was called for, as each run that it leads to keeps it: planning, the plan's own run,
 * its repairs, judging. So whichever of them was stopped, another process goes on to the answer.
 */
export interface Asked {
  readonly goal: Goal;
  /** How often the model may correct what it writes for one purpose. */
  readonly corrections: number;
  /** How often a run that fails may still be repaired. */
  readonly repairs: number;
  /** How often an answer that is rejected may still be revised; absent: answers are not judged. */
  readonly revisions?: number | undefined;
  /** Programs that have failed, or whose answers were rejected. */
  readonly refused: readonly string[];
  /** What is planned in, where that is said. */
  readonly dialect?: string | undefined;
  /** Whether it is answered by a program; absent: it is. */
  readonly route?: Route | undefined;
  /** Nothing that a model wrote runs before a person has said yes to it. */
  readonly confirm?: true | undefined;
  /** The program is written a few statements at a time; this is how far that has come. */
  readonly talk?: Talk | undefined;
  /** One effect at a time. */
  readonly sequential: boolean;
  /** The run that this one came behind. */
  readonly from?: string | undefined;
}

/** What a program that a model writes may name. */
export interface KeptEnvironment {
  readonly tools: readonly ToolSpec[];
  readonly inputs: readonly string[];
  readonly programs?: readonly UsableProgram[];
}

export interface KeptTalking extends KeptEnvironment {
  readonly base?: string;
}

export interface KeptPlanning extends KeptEnvironment {
  readonly dialect: string;
  readonly saved?: readonly GoalAndProgram[];
  readonly background?: Background | undefined;
  readonly compiling?: readonly CompiledTurn[] | undefined;
}

export interface KeptChanging extends KeptEnvironment {
  readonly base: string;
}

export interface KeptJudging {
  readonly run: string;
  /** Which of its answers, from 0. */
  readonly answer: number;
}

export interface KeptTaskLoop {
  readonly loop: TaskLoop;
  readonly language: PromptLanguage;
  readonly native: boolean;
  readonly examples?: string;
}

export interface KeptPlaying {
  /** What is played: the text of the file, or of the compiled file beside it. */
  readonly text: string;
  /** 2 where the machine does formal lines; runs from before can only be shown. */
  readonly version?: number;
  readonly inlineSteps: number;
  /** Of agents and playbooks, as they were named when it began: none plays lines of another. */
  readonly models?: Readonly<Record<string, string>>;
  readonly strictness: Strictness;
  readonly chat?: Chat;
  readonly sessionTokensMax?: number;
  readonly turns?: number;
  readonly depth?: number;
  readonly slips?: number;
  /** Hashes of the servers that are agents: a run that goes on may have them again. */
  readonly servers?: readonly string[];
}

export interface KeptCompiling {
  readonly name: string;
  readonly goal: string;
}

export const keptOf = ({ settings }: Pick<RunRecord, 'settings'>): Kept => JSON.parse(settings);

export const keptEnvironment = ({ tools, inputs, programs }: Environment): KeptEnvironment => ({
  ...{ tools: [...tools.values()], inputs, ...(programs && { programs }) },
});

export const environmentIn = ({ tools, inputs, programs }: KeptEnvironment): Environment => ({
  ...{ tools: new Map(tools.map((spec) => [spec.name, spec])), inputs },
  ...(programs && { programs }),
});
