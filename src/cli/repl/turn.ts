/**
 * One turn of a conversation: a goal goes the way of `planvm ask`, knowing what was said before,
 * and what comes of it is said in the thread: answer, run, program, functions, variables.
 */

import { answerGoal } from '../../agent/goal/ask.ts';
import { describeError } from '../../agent/port/errors.ts';
import type { Host } from '../../agent/port/host.ts';
import { journalPath } from '../../agent/port/workspace.ts';
import { checkSource } from '../../agent/program/check.ts';
import { runProgram } from '../../agent/run/run-program.ts';
import { usageOf } from '../../agent/run/usage.ts';
import type { Conversation } from '../../agent/thread/conversation.ts';
import type { Toolbox } from '../../agent/tools/toolbox.ts';
import { answersText } from '../../agent/view/answers-text.ts';
import { definitionsIn, joined } from '../../dialects/starlark/definitions.ts';
import { conversationInput } from '../../dialects/starlark/resolve/universe.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import type { Said, ThreadMode } from '../../engine/journal/threads.ts';
import { readPast } from '../../engine/past/read-past.ts';
import type { RunResult } from '../../engine/result.ts';
import { PlanFailure } from '../../planner/plan-failure.ts';
import type { Definition } from '../../program/definition.ts';
import { encode, fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import type { ExitCode } from '../exit.ts';
import { reportFailure } from '../failure.ts';
import { type AskFlags, pursuitOptions, requestOf } from '../planning/ask-here.ts';
import { sayDiagnostics } from '../program/read-program.ts';
import { terminalHost } from '../run/terminal-host.ts';
import type { Workspace } from '../settings/workspace.ts';
import { sourced } from '../view/answer-sources.ts';
import { say, styleOf } from '../view/output.ts';
import { reportResult } from '../view/result.ts';
import { sayWarnings } from '../view/warnings.ts';
import type { Code } from './code.ts';

export interface Turning {
  /** With the model and the system message of the conversation. */
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly conversation: Conversation;
  readonly code: Code;
  readonly flags: AskFlags;
}

/** Gives whether there is an answer. What fails is said, and is part of the conversation. */
export async function takeTurn(
  turning: Turning,
  text: string,
  as: Exclude<ThreadMode, 'code'>,
): Promise<boolean> {
  const { conversation } = turning;
  const background = { ...conversation.background(), own: [...turning.code.own] };
  const inputs = inputsOf(turning);
  conversation.keep();
  conversation.say({ role: 'user', content: text, at: Date.now(), as });
  if (as === 'direct') {
    const given = background.messages.length > 0 ? [conversationInput] : [];
    const ended = await runWritten(turning, directProgram(text, given), { title: text, inputs });
    return ended?.status === 'done';
  }
  return await counted(turning, async (journal, host) => {
    const { workspace, toolbox, flags } = turning;
    const goal = { text, background };
    const asked = requestOf({ workspace, goal, inputs, flags: { ...flags, route: as } });
    const work = { workspace, toolbox, journal, isDurable: true, host };
    return (await answerGoal({ ...work, ...asked })).result;
  });
}

/** One reply of the model, by a run like any other. */
function directProgram(question: string, given: readonly string[]): Written {
  const call = `llm_call([${given.join(', ')}], ${JSON.stringify(question)})`;
  return { text: `reply = ${call}\nanswer(reply)\n`, dialect: 'starlark' };
}

interface Written {
  readonly text: string;
  readonly dialect: string;
}

interface Beside {
  readonly title: string;
  readonly inputs?: ReadonlyMap<string, Value>;
  /** Whether it is gone through step by step where that is wanted of programs. */
  readonly steps?: boolean;
}

/** Runs a program that is there already; undefined where it does not pass the check. */
export async function runWritten(
  turning: Turning,
  { text, dialect }: Written,
  { title, inputs = inputsOf(turning), steps = false }: Beside,
): Promise<RunResult | undefined> {
  const { workspace, toolbox } = turning;
  const source = { text, file: 'program', title };
  const checked = await checkSource(source, {
    ...{ dialect, specs: toolbox.specs, inputs: [...inputs.keys()] },
    limits: workspace.settings.limits,
  });
  sayDiagnostics(checked.diagnostics, source);
  const { program } = checked;
  if (!program) return undefined;
  let ended: RunResult | undefined;
  // Its text is a person's; what it is given is what earlier turns have left.
  const left = [...inputs.keys()].filter((name) => !turning.code.own.has(name));
  await counted(turning, async (journal, host) => {
    const { goThrough: _, ...watching } = host;
    const { diagnostics } = checked;
    ended = await runProgram({
      ...{ workspace, toolbox, source, inputs, journal, program, dialect, diagnostics },
      ...{ sequential: false, isDurable: true, host: steps ? host : watching },
      earlier: { inputs: left, program: false },
    });
    return ended;
  });
  return ended;
}

/** Reports what comes of a run, and says it in the thread. */
async function counted(
  turning: Turning,
  act: (journal: Journal, host: Host) => Promise<RunResult>,
): Promise<boolean> {
  const { conversation, workspace, flags } = turning;
  const journal = openJournal(journalPath(workspace));
  const startedAt = Date.now();
  const report = (result: RunResult): ExitCode => reported(turning, journal, result, startedAt);
  try {
    const options = pursuitOptions(flags, workspace);
    const host = terminalHost({ ...options, report: ({ result }) => report(result) });
    const result = await act(journal, host);
    report(result);
    await take(turning, journal, result);
    return result.status === 'done';
  } catch (error) {
    conversation.say(failed(error));
    reportFailure(error, turning.flags);
    return false;
  } finally {
    journal.close();
  }
}

/** Earlier messages as `conversation`, and the variables that earlier programs have left. */
function inputsOf({ conversation, code }: Turning): ReadonlyMap<string, Value> {
  const { messages } = conversation.background();
  if (messages.length === 0) return code.data;
  return new Map([...code.data, [conversationInput, fromJson(messages)]]);
}

function reported(
  { flags }: Turning,
  journal: Journal,
  result: RunResult,
  startedAt: number,
): ExitCode {
  const { program } = readPast(journal.events(result.run));
  const ran = { text: program?.text ?? '', file: 'program', kept: true };
  return reportResult(
    sourced(result, journal, flags),
    { ...ran, tookMs: Date.now() - startedAt },
    flags,
  );
}

/** Says in the thread what came of a run, and keeps what later turns can use. */
async function take(turning: Turning, journal: Journal, result: RunResult): Promise<void> {
  const { conversation, code } = turning;
  const { program } = readPast(journal.events(result.run));
  const kept = program && { text: program.text, dialect: program.dialect };
  conversation.say({
    ...{ role: 'assistant', content: contentOf(result), at: Date.now() },
    ...{ run: result.run, status: result.status, usage: usageOf(result) },
    ...(kept && { program: kept }),
  });
  if (result.status !== 'done') return;
  const variables = Object.entries(result.variables).map(([name, data]) => [
    name,
    encode(fromJson(data)),
  ]);
  await code.take([], Object.fromEntries(variables));
  if (kept?.dialect === 'starlark') await code.take(define(turning, kept.text), {});
  keepVariables(turning);
}

/** Functions of a program become those of the conversation; gives those that are new in it. */
export function define(
  { conversation, code, toolbox, flags }: Omit<Turning, 'workspace'>,
  text: string,
): readonly Definition[] {
  const { definitions: known } = conversation.thread;
  const environment = { tools: toolbox.specs, inputs: [...code.data.keys()] };
  const { definitions, bound } = definitionsIn(text, known, environment);
  const { dim } = styleOf(process.stderr);
  for (const { name, needs } of flags.quiet ? [] : bound) {
    say(dim(`${name} stays with its program: it needs ${needs.join(', ')}`));
  }
  const texts = new Map(known.map((one) => [one.name, one.text]));
  const changed = definitions.filter((one) => texts.get(one.name) !== one.text);
  if (changed.length === 0) return [];
  for (const { name } of changed.filter(({ name }) => texts.has(name))) {
    const message = `${name} is defined anew, and the earlier ${name} is gone`;
    sayWarnings([{ code: 'PV6703', message }]);
  }
  conversation.change({ definitions: joined(known, changed) });
  if (!flags.quiet)
    say(dim(`later programs may call ${changed.map(({ signature }) => signature).join(', ')}`));
  return changed;
}

/** What entries and programs have left is there when the conversation is gone on with. */
export function keepVariables({
  conversation,
  code,
}: Pick<Turning, 'conversation' | 'code'>): void {
  const values = [...code.data].map(([name, value]) => [name, encode(value)]);
  conversation.change({ variables: Object.fromEntries(values) });
}

function contentOf({ status, answers, error, reason }: RunResult): string {
  if (answers.length > 0) return answersText(answers);
  if (error) return `The program failed: ${error.code} ${error.message}`;
  return status === 'done' ? 'Done, without an answer.' : `It is ${status}: ${reason ?? ''}`;
}

function failed(error: unknown): Said {
  const { code, message } = describeError(error);
  if (!(error instanceof PlanFailure) && code === 'PV6099') throw error;
  return {
    ...{ role: 'assistant', content: `No program came of it: ${code} ${message}` },
    ...{ at: Date.now(), status: 'failed' },
  };
}
