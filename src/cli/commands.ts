/**
 * Every command of planvm, in the order of the help. A new one is a line here and a file in
 * `commands/`; its code is loaded when it is called.
 */
import type { Command } from '@commander-js/extra-typings';
import type { ExitCode } from './exit.ts';

export interface CommandEntry {
  readonly name: string;
  /** One sentence for the list of commands. */
  readonly about: string;
  readonly load: () => Promise<CommandModule>;
  /** Not for people: shells call it. */
  readonly hidden?: true;
}

/** What a file in `commands/` exports. */
export interface CommandModule {
  /** Gives the command its arguments, options, examples and action; see `acting` in help.ts. */
  define(command: Command, end: (code: ExitCode) => void): void;
}

export const commands: readonly CommandEntry[] = [
  { name: 'run', about: 'Run a program.', load: () => import('./commands/run.ts') },
  {
    name: 'check',
    about: 'Say what is wrong with a program, without running it.',
    load: () => import('./commands/check.ts'),
  },
  {
    name: 'compile',
    about: 'Print a program as assembly.',
    load: () => import('./commands/compile.ts'),
  },
  {
    name: 'disasm',
    about: 'Print the code of a program or of a run, beside its source.',
    load: () => import('./commands/disasm.ts'),
  },
  {
    name: 'repl',
    about: 'Talk: goals, questions and Starlark, turn by turn.',
    load: () => import('./commands/repl.ts'),
  },
  {
    name: 'chat',
    about: 'Talk with a program of playbooks.',
    load: () => import('./commands/chat.ts'),
  },
  {
    name: 'thread',
    about: 'List, show and keep conversations.',
    load: () => import('./commands/thread.ts'),
  },
  {
    name: 'spec',
    about: 'Print the description of a dialect that goes into prompts.',
    load: () => import('./commands/spec.ts'),
  },
  {
    name: 'plan',
    about: 'Let a model write a program for a goal.',
    load: () => import('./commands/plan.ts'),
  },
  {
    name: 'ask',
    about: 'Let a model write a program for a goal, and run it.',
    load: () => import('./commands/ask.ts'),
  },
  {
    name: 'revise',
    about: 'Let a model change the program of a run, and run that as a fork.',
    load: () => import('./commands/revise.ts'),
  },
  {
    name: 'judge',
    about: 'Let a model judge the answer of a run.',
    load: () => import('./commands/judge.ts'),
  },
  {
    name: 'bench',
    about: 'Ask the questions of a dataset, and compare ways of planning.',
    load: () => import('./commands/bench.ts'),
  },
  {
    name: 'plans',
    about: 'Save, list and show plans that have served well.',
    load: () => import('./commands/plans.ts'),
  },
  { name: 'runs', about: 'List the runs.', load: () => import('./commands/runs.ts') },
  { name: 'show', about: 'Show what a run has done.', load: () => import('./commands/show.ts') },
  {
    name: 'debug',
    about: 'Go through what a run has done, forward and back.',
    load: () => import('./commands/debug.ts'),
  },
  { name: 'resume', about: 'Go on with a run.', load: () => import('./commands/resume.ts') },
  {
    name: 'replay',
    about: 'Run a run again from its journal, and say what differs.',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'test',
    about: 'Run a folder of cases, as a regression suite.',
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'fork',
    about: 'Make a new run that differs from another from a step on.',
    load: () => import('./commands/fork.ts'),
  },
  {
    name: 'tree',
    about: 'Show a run with its forks and what it was forked from.',
    load: () => import('./commands/tree.ts'),
  },
  {
    name: 'diff',
    about: 'Show what differs between two runs.',
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'answer',
    about: 'Answer a question of a run.',
    load: () => import('./commands/answer.ts'),
  },
  {
    name: 'approve',
    about: 'Let a run do what it asks for.',
    load: () => import('./commands/approve.ts'),
  },
  {
    name: 'deny',
    about: 'Do not let a run do what it asks for.',
    load: () => import('./commands/deny.ts'),
  },
  { name: 'cancel', about: 'Cancel a run.', load: () => import('./commands/cancel.ts') },
  {
    name: 'export',
    about: 'Write a run into one file.',
    load: () => import('./commands/export.ts'),
  },
  {
    name: 'import',
    about: 'Take in a run from a file.',
    load: () => import('./commands/import.ts'),
  },
  {
    name: 'delete',
    about: 'Delete runs, or undo that.',
    load: () => import('./commands/delete.ts'),
  },
  {
    name: 'gc',
    about: 'Drop for good what was deleted, and old runs.',
    load: () => import('./commands/gc.ts'),
  },
  { name: 'tools', about: 'List, show and call tools.', load: () => import('./commands/tools.ts') },
  {
    name: 'mcp',
    about: 'Serve MCP, and list the servers whose tools programs may call.',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'prices',
    about: 'List the prices of models.',
    load: () => import('./commands/prices.ts'),
  },
  {
    name: 'ingest',
    about: 'Load files into the knowledge base.',
    load: () => import('./commands/ingest.ts'),
  },
  {
    name: 'demo',
    about: 'See a goal planned, run and answered, without a key or a network.',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'doctor',
    about: 'Check the installation and say where each setting comes from.',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'init',
    about: 'Set up a folder: configuration, tools and a first plan.',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'completion',
    about: 'Print a script that completes commands in a shell.',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'complete',
    about: 'Answer a shell that completes a command.',
    hidden: true,
    load: () => import('./commands/complete.ts'),
  },
];
