/**
 * A conversation that goes on here. What it owns: its thread, which it saves after each change once
 * there is something to keep. Where another process has gone on with the same thread, this one goes
 * on as a thread of its own: nothing that was said is lost.
 */
import { randomBytes } from 'node:crypto';
import { conversationInput } from '../../dialects/starlark/resolve/universe.ts';
import type { Usage } from '../../engine/handler.ts';
import type { Said, Thread, ThreadMode } from '../../engine/journal/threads.ts';
import type { RunResult } from '../../engine/result.ts';
import type { Background } from '../../planner/goal.ts';
import { encode, fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { clip, oneLine } from '../../text/words.ts';
import type { Files } from '../port/workspace.ts';
import { nothingUsed, sum, usageOf } from '../run/usage.ts';
import { answersText } from '../view/answers-text.ts';
import { withThreads } from './thread-store.ts';

export const newThreadId = (): string => `t${randomBytes(5).toString('hex')}`;

export function newThread(mode: ThreadMode): Thread {
  const now = Date.now();
  return {
    ...{ id: newThreadId(), title: '', createdAt: now, updatedAt: now, version: 0, mode },
    ...{ messages: [], definitions: [], variables: {} },
  };
}

const titleColumns = 70;

export class Conversation {
  readonly #workspace: Files;
  readonly #onMoved: (from: string, to: string) => void;
  #thread: Thread;
  /** A thread is saved from its first question on, and not for code alone. */
  #isKept: boolean;

  constructor(workspace: Files, thread: Thread, onMoved: (from: string, to: string) => void) {
    this.#workspace = workspace;
    this.#thread = thread;
    this.#isKept = thread.version > 0;
    this.#onMoved = onMoved;
  }

  get thread(): Thread {
    return this.#thread;
  }

  get isKept(): boolean {
    return this.#isKept;
  }

  /** Goes on with another one. */
  turnTo(thread: Thread): void {
    this.#thread = thread;
    this.#isKept = thread.version > 0;
  }

  /** From here on it is saved. */
  keep(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    this.change({});
  }

  change(changes: Partial<Omit<Thread, 'id' | 'version'>>): void {
    this.#thread = { ...this.#thread, ...changes };
    if (this.#isKept) this.#save();
  }

  say(...said: readonly Said[]): void {
    const { messages, title } = this.#thread;
    const asked = said.find(({ role, as }) => role === 'user' && as !== 'code');
    const named = title === '' && asked ? clip(oneLine(asked.content), titleColumns) : title;
    this.change({ messages: [...messages, ...said], title: named, updatedAt: Date.now() });
  }

  /** What a goal is said in, without the goal. */
  background(): Background {
    const { messages, definitions } = this.#thread;
    return {
      messages: messages.map(({ role, content }) => ({ role, content })),
      functions: definitions,
    };
  }

  /** What a goal is given: `variables`, and what was said before as `conversation`. */
  inputs(variables: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
    const { messages } = this.background();
    if (messages.length === 0) return variables;
    return new Map([...variables, [conversationInput, fromJson(messages)]]);
  }

  /** Says what came of a run. */
  sayEnd(result: RunResult, program?: Said['program']): void {
    const { status, run } = result;
    this.say({
      ...{ role: 'assistant', content: contentOf(result), at: Date.now() },
      ...{ run, status, usage: usageOf(result) },
      ...(program && { program: { text: program.text, dialect: program.dialect } }),
    });
  }

  /** The program that has run last; undefined before the first. */
  get lastProgram(): (Said & Required<Pick<Said, 'program'>>) | undefined {
    const found = this.#thread.messages.findLast(({ program }) => program !== undefined);
    return found?.program && { ...found, program: found.program };
  }

  get usage(): Usage {
    return usageIn(this.#thread);
  }

  #save(): void {
    const thread = this.#thread;
    this.#thread = withThreads(this.#workspace, (threads) => {
      const saved = threads.save(thread);
      if (saved) return saved;
      const moved = { ...thread, id: newThreadId(), version: 0 };
      this.#onMoved(thread.id, moved.id);
      return threads.save(moved) ?? moved;
    });
  }
}

function contentOf({ status, answers, error, reason }: RunResult): string {
  if (answers.length > 0) return answersText(answers);
  if (error) return `The program failed: ${error.code} ${error.message}`;
  return status === 'done' ? 'Done, without an answer.' : `It is ${status}: ${reason ?? ''}`;
}

/** What a run has left, as a thread keeps it. */
export const variablesOf = ({ variables }: RunResult): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, data]) => [name, encode(fromJson(data))]),
  );

/** Of all its runs, and of planning them. */
export const usageIn = ({ messages }: Thread): Usage =>
  messages.reduce((all, { usage }) => (usage ? sum(all, usage) : all), nothingUsed);
