/**
 * Every command of planvm. A new one is a line in each table, and a file in `commands/`, whose code
 * is loaded when it is called.
 */
import type { CommandSpec } from './command.ts';

const modules = {
  run: () => import('./commands/run.ts'),
  check: () => import('./commands/check.ts'),
  compile: () => import('./commands/compile.ts'),
  repl: () => import('./commands/repl.ts'),
  chat: () => import('./commands/chat.ts'),
  thread: () => import('./commands/thread.ts'),
  spec: () => import('./commands/spec.ts'),
  plan: () => import('./commands/plan.ts'),
  ask: () => import('./commands/ask.ts'),
  revise: () => import('./commands/revise.ts'),
  judge: () => import('./commands/judge.ts'),
  bench: () => import('./commands/bench.ts'),
  plans: () => import('./commands/plans.ts'),
  runs: () => import('./commands/runs.ts'),
  show: () => import('./commands/show.ts'),
  debug: () => import('./commands/debug.ts'),
  resume: () => import('./commands/resume.ts'),
  replay: () => import('./commands/replay.ts'),
  test: () => import('./commands/test.ts'),
  fork: () => import('./commands/fork.ts'),
  tree: () => import('./commands/tree.ts'),
  diff: () => import('./commands/diff.ts'),
  answer: () => import('./commands/answer.ts'),
  approve: () => import('./commands/approve.ts'),
  deny: () => import('./commands/deny.ts'),
  cancel: () => import('./commands/cancel.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  delete: () => import('./commands/delete.ts'),
  gc: () => import('./commands/gc.ts'),
  tools: () => import('./commands/tools.ts'),
  mcp: () => import('./commands/mcp.ts'),
  prices: () => import('./commands/prices.ts'),
  ingest: () => import('./commands/ingest.ts'),
  demo: () => import('./commands/demo.ts'),
  doctor: () => import('./commands/doctor.ts'),
  init: () => import('./commands/init.ts'),
  completion: () => import('./commands/completion.ts'),
  complete: () => import('./commands/complete.ts'),
} satisfies Readonly<Record<string, () => Promise<{ readonly command: CommandSpec }>>>;

/** One sentence for each, in the order of the help. */
const sentences: Readonly<Record<keyof typeof modules, string>> = {
  run: 'Run a program.',
  check: 'Say what is wrong with a program, without running it.',
  compile: 'Print a program, or the code of a run, as assembly.',
  repl: 'Talk: goals, questions and Starlark, turn by turn.',
  chat: 'Talk with a program of playbooks.',
  thread: 'List, show and keep conversations.',
  spec: 'Print the description of a dialect that goes into prompts.',
  plan: 'Let a model write a program for a goal.',
  ask: 'Let a model write a program for a goal, and run it.',
  revise: 'Let a model change the program of a run, and run that as a fork.',
  judge: 'Let a model judge the answer of a run.',
  bench: 'Ask the questions of a dataset, and compare ways of planning.',
  plans: 'Save, list and show plans that have served well.',
  runs: 'List the runs.',
  show: 'Show what a run has done.',
  debug: 'Go through what a run has done, forward and back.',
  resume: 'Go on with a run.',
  replay: 'Run a run again from its journal, and say what differs.',
  test: 'Run a folder of cases, as a regression suite.',
  fork: 'Make a new run that differs from another from a step on.',
  tree: 'Show a run with its forks and what it was forked from.',
  diff: 'Show what differs between two runs.',
  answer: 'Answer a question of a run.',
  approve: 'Let a run do what it asks for.',
  deny: 'Do not let a run do what it asks for.',
  cancel: 'Cancel a run.',
  export: 'Write a run into one file.',
  import: 'Take in a run from a file.',
  delete: 'Delete runs, or undo that.',
  gc: 'Drop for good what was deleted, and old runs.',
  tools: 'List, show and call tools.',
  mcp: 'Serve MCP, and list the servers whose tools programs may call.',
  prices: 'List the prices of models.',
  ingest: 'Load files into the knowledge base.',
  demo: 'See a goal planned, run and answered, without a key or a network.',
  doctor: 'Check the installation and say where each setting comes from.',
  init: 'Set up a folder: configuration, tools and a first plan.',
  completion: 'Print a script that completes commands in a shell.',
  complete: 'Answer a shell that completes a command.',
};

export interface CommandEntry {
  readonly name: string;
  /** One sentence for the list of commands. */
  readonly about: string;
  readonly load: () => Promise<{ readonly command: CommandSpec }>;
  /** Not for people: shells call it. */
  readonly hidden: boolean;
}

export const commands: readonly CommandEntry[] = Object.entries(modules).map(([name, load]) => ({
  name,
  about: sentences[name as keyof typeof modules],
  load,
  hidden: name === 'complete',
}));
