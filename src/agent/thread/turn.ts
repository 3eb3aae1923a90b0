/**
 * One turn of a conversation: a goal goes its way, knowing what was said before, and what comes of
 * it is said in the thread: answer, run, program, functions, variables.
 */

import { definitionsIn, joined } from '../../dialects/starlark/definitions.ts';
import { conversationInput } from '../../dialects/starlark/resolve/universe.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import type { Said } from '../../engine/journal/threads.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import type { Definition } from '../../program/definition.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { encode } from '../../program/json.ts';
import { describeError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';
import { checkSource } from '../program/check.ts';
import type { ProgramRun } from '../run/run-program.ts';
import type { Work } from '../run/work.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { type Conversation, variablesOf } from './conversation.ts';
import type { Entries } from './entries.ts';

export interface Turning {
  /** With the model and the system message of the conversation. */
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly conversation: Conversation;
  readonly entries: Entries;
}

export interface Written {
  readonly text: string;
  readonly dialect: string;
}

/** One reply of the model, by a run like any other. */
export function directTurn({ conversation }: Turning, question: string): Written {
  const given = conversation.background().messages.length > 0 ? conversationInput : '';
  const call = `llm_call([${given}], ${JSON.stringify(question)})`;
  return { text: `reply = ${call}\nanswer(reply)\n`, dialect: 'starlark' };
}

/** `run` is undefined where the program does not pass the check. */
export interface WrittenRun extends Pick<ProgramRun, 'source' | 'diagnostics'> {
  readonly run: Omit<ProgramRun, keyof Work | 'sequential'> | undefined;
}

/** A program that is there already, checked, with what earlier turns have left. */
export async function checkWritten(
  { workspace, toolbox, conversation, entries }: Turning,
  { text, dialect }: Written,
  title: string,
): Promise<WrittenRun> {
  const source = { text, file: 'program', title };
  const inputs = conversation.inputs(entries.data);
  const { program, diagnostics } = await checkSource(source, {
    ...{ dialect, specs: toolbox.specs, inputs: [...inputs.keys()] },
    limits: workspace.settings.limits,
  });
  // Its text is a person's; what it is given is what earlier turns have left.
  const left = [...inputs.keys()].filter((name) => !entries.own.has(name));
  const earlier = { inputs: left, program: false };
  const run = program && { source, program, dialect, diagnostics, inputs, earlier };
  return { source, diagnostics, run };
}

/** Says in the thread what came of a run, and keeps what later turns can use. */
export async function endTurn(
  turning: Omit<Turning, 'workspace'>,
  journal: Journal,
  result: RunResult,
): Promise<Defined> {
  const { conversation, entries, toolbox } = turning;
  const { program } = readPast(journal.events(result.run));
  conversation.sayEnd(result, program);
  if (result.status !== 'done') return nothingDefined;
  await entries.take([], variablesOf(result));
  const isCode = program?.dialect === 'starlark';
  const defined = isCode ? define(turning, program.text, toolbox.specs) : nothingDefined;
  await entries.take(defined.changed, {});
  keepVariables(turning);
  return defined;
}

/** What is said of a turn that came to no run. Throws what is no error of any layer. */
export function failureSaid(error: unknown): Said {
  const { code, message } = describeError(error);
  if (!(error instanceof PlanFailure) && code === 'PV6099') throw error;
  return {
    ...{ role: 'assistant', content: `No program came of it: ${code} ${message}` },
    ...{ at: Date.now(), status: 'failed' },
  };
}

/** What has become of the functions of a program. */
export interface Defined {
  /** Those that are new in the conversation, or other ones than before. */
  readonly changed: readonly Definition[];
  /** Names of those that took the place of earlier ones. */
  readonly replaced: readonly string[];
  /** Those that stay with their program, since they need what is not there. */
  readonly bound: ReturnType<typeof definitionsIn>['bound'];
}

const nothingDefined: Defined = { changed: [], replaced: [], bound: [] };

/** Functions of a program become those of the conversation. */
export function define(
  { conversation, entries }: Pick<Turning, 'conversation' | 'entries'>,
  text: string,
  tools: ReadonlyMap<string, ToolSpec>,
): Defined {
  const { definitions: known } = conversation.thread;
  const environment = { tools, inputs: [...entries.data.keys()] };
  const { definitions, bound } = definitionsIn(text, known, environment);
  const texts = new Map(known.map((one) => [one.name, one.text]));
  const changed = definitions.filter((one) => texts.get(one.name) !== one.text);
  if (changed.length > 0) conversation.change({ definitions: joined(known, changed) });
  const replaced = changed.flatMap(({ name }) => (texts.has(name) ? [name] : []));
  return { changed, replaced, bound };
}

/** What entries and programs have left is there when the conversation is gone on with. */
export function keepVariables({
  conversation,
  entries,
}: Pick<Turning, 'conversation' | 'entries'>): void {
  const values = [...entries.data].map(([name, value]) => [name, encode(value)]);
  conversation.change({ variables: Object.fromEntries(values) });
}
