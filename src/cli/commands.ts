/**
 * Every command of planvm, in the order of the help, with one sentence for it. A new one is a line
 * here, and a file in `commands/`, whose code is loaded when it is called.
 */
import type { CommandSpec } from './command.ts';

type Load = () => Promise<{ readonly command: CommandSpec }>;

const table: Readonly<Record<string, readonly [about: string, load: Load]>> = {
  run: ['Run a program.', () => import('./commands/run.ts')],
  check: [
    'Say what is wrong with a program, without running it.',
    () => import('./commands/check.ts'),
  ],
  compile: [
    'Print a program, or the code of a run, as assembly.',
    () => import('./commands/compile.ts'),
  ],
  repl: ['Talk: goals, questions and Starlark, turn by turn.', () => import('./commands/repl.ts')],
  chat: ['Talk with a program of playbooks.', () => import('./commands/chat.ts')],
  thread: ['List, show and keep conversations.', () => import('./commands/thread.ts')],
  spec: [
    'Print the description of a dialect that goes into prompts.',
    () => import('./commands/spec.ts'),
  ],
  plan: ['Let a model write a program for a goal.', () => import('./commands/plan.ts')],
  ask: ['Let a model write a program for a goal, and run it.', () => import('./commands/ask.ts')],
  revise: [
    'Let a model change the program of a run, and run that as a fork.',
    () => import('./commands/revise.ts'),
  ],
  judge: ['Let a model judge the answer of a run.', () => import('./commands/judge.ts')],
  bench: [
    'Ask the questions of a dataset, and compare ways of planning.',
    () => import('./commands/bench.ts'),
  ],
  plans: ['Save, list and show plans that have served well.', () => import('./commands/plans.ts')],
  runs: ['List the runs.', () => import('./commands/runs.ts')],
  show: ['Show what a run has done.', () => import('./commands/show.ts')],
  debug: ['Go through what a run has done, forward and back.', () => import('./commands/debug.ts')],
  resume: ['Go on with a run.', () => import('./commands/resume.ts')],
  replay: [
    'Run a run again from its journal, and say what differs.',
    () => import('./commands/replay.ts'),
  ],
  test: ['Run a folder of cases, as a regression suite.', () => import('./commands/test.ts')],
  fork: [
    'Make a new run that differs from another from a step on.',
    () => import('./commands/fork.ts'),
  ],
  tree: [
    'Show a run with its forks and what it was forked from.',
    () => import('./commands/tree.ts'),
  ],
  diff: ['Show what differs between two runs.', () => import('./commands/diff.ts')],
  answer: ['Answer a question of a run.', () => import('./commands/answer.ts')],
  approve: [
    'Let a run do what it asks for.',
    async () => ({ command: (await import('./commands/decide.ts')).approve }),
  ],
  deny: [
    'Do not let a run do what it asks for.',
    async () => ({ command: (await import('./commands/decide.ts')).deny }),
  ],
  cancel: ['Cancel a run.', () => import('./commands/cancel.ts')],
  export: ['Write a run into one file.', () => import('./commands/export.ts')],
  import: ['Take in a run from a file.', () => import('./commands/import.ts')],
  delete: ['Delete runs, or undo that.', () => import('./commands/delete.ts')],
  gc: ['Drop for good what was deleted, and old runs.', () => import('./commands/gc.ts')],
  tools: ['List, show and call tools.', () => import('./commands/tools.ts')],
  mcp: [
    'Serve MCP, and list the servers whose tools programs may call.',
    () => import('./commands/mcp.ts'),
  ],
  ingest: ['Load files into the knowledge base.', () => import('./commands/ingest.ts')],
  demo: [
    'See a goal planned, run and answered, without a key or a network.',
    () => import('./commands/demo.ts'),
  ],
  doctor: [
    'Check the installation and say where each setting comes from.',
    () => import('./commands/doctor.ts'),
  ],
  init: [
    'Set up a folder: configuration, tools and a first plan.',
    () => import('./commands/init.ts'),
  ],
  completion: [
    'Print a script that completes commands in a shell.',
    () => import('./commands/completion.ts'),
  ],
  complete: ['Answer a shell that completes a command.', () => import('./commands/complete.ts')],
};

export interface CommandEntry {
  readonly name: string;
  /** One sentence for the list of commands. */
  readonly about: string;
  readonly load: Load;
  /** Not for people: shells call it. */
  readonly hidden: boolean;
}

export const commands: readonly CommandEntry[] = Object.entries(table).map(
  ([name, [about, load]]) => ({ name, about, load, hidden: name === 'complete' }),
);
