/**
 * A conversation at a prompt: what is typed is a goal that the way of `planvm ask` answers, or an
 * entry of Starlark, and each goes on where the last one ended. What it owns: the lines, which of
 * them belong together, and what the conversation is set to. Lines of a pipe are the same.
 */

import { approvalsIn } from '../../agent/port/settings.ts';
import { Conversation } from '../../agent/thread/conversation.ts';
import { Entries } from '../../agent/thread/entries.ts';
import { define, keepVariables } from '../../agent/thread/turn.ts';
import { openToolbox, type Toolbox } from '../../agent/tools/toolbox.ts';
import { callable } from '../../dialects/starlark/resolve/tool-names.ts';
import type { Thread, ThreadMode } from '../../engine/journal/threads.ts';
import { defaultApprovals } from '../../engine/perform/approvals.ts';
import { failureOf, failureText } from '../failure.ts';
import type { AskFlags } from '../planning/ask-here.ts';
import { personBy } from '../process/terminal-person.ts';
import type { Workspace } from '../settings/workspace.ts';
import { say, styleOf } from '../view/output.ts';
import { EntryView } from './code.ts';
import { carryOut, commandIn, commandNames } from './commands.ts';
import type { Desk, Look } from './desk.ts';
import { EntryReader } from './entry-reader.ts';
import { guardSession } from './guard.ts';
import { Lines } from './lines.ts';
import { complete } from './names.ts';
import { TextReader } from './text-reader.ts';
import { sayDefined, takeTurn } from './turn.ts';

export interface ReplOptions {
  readonly workspace: Workspace;
  /** To begin with; the prompt closes it, and those that take its place. */
  readonly toolbox: Toolbox;
  readonly thread: Thread;
  readonly flags: AskFlags;
  /** Where the lines that were typed are kept. */
  readonly historyFile: string;
}

const prompts: Readonly<Record<ThreadMode, string>> = {
  auto: 'goal> ',
  program: 'program> ',
  direct: 'direct> ',
  code: '>>> ',
};

/** Reads stdin to its end. True if nothing that was entered has failed. */
export async function repl(options: ReplOptions): Promise<boolean> {
  return await new Repl(options).run();
}

class Repl implements Desk {
  readonly isTyped = process.stdin.isTTY === true && process.stderr.isTTY === true;
  readonly conversation: Conversation;
  readonly entries: Entries;
  readonly #configured: Workspace;
  readonly #view: EntryView;
  readonly #reader = new EntryReader(this.isTyped);
  readonly #texts = new TextReader(this.isTyped);
  readonly #lines: Lines;
  /** What was typed and has not been looked at. */
  readonly #queue: string[] = [];
  readonly #over = Promise.withResolvers<void>();
  #flags: AskFlags;
  #workspace: Workspace;
  #toolbox: Toolbox;
  /** What is being worked at: an entry of code can be stopped by itself. */
  #running: 'code' | 'other' | undefined;
  #closed = false;
  #failed = false;

  constructor(options: ReplOptions) {
    const { workspace, toolbox, thread, flags, historyFile } = options;
    this.#flags = flags;
    this.#configured = workspace;
    this.#workspace = workspace;
    this.#toolbox = toolbox;
    this.conversation = new Conversation(workspace, thread, (from, to) =>
      say(`thread ${from} has gone on elsewhere: this conversation is thread ${to} from here on`),
    );
    this.#view = new EntryView(flags.quiet === true);
    this.entries = new Entries({
      handlers: toolbox.handlers,
      limits: workspace.settings.limits,
      approvals: { ...defaultApprovals, ...approvalsIn(workspace.settings) },
      ...(this.isTyped && { person: personBy((...asked) => this.#lines.read(...asked)) }),
      onEvent: (event) => this.#view.show(event),
    });
    this.#lines = new Lines({
      ...{ isTyped: this.isTyped, historyFile },
      complete: (line) => this.#complete(line),
      line: (line) => this.#typed(line),
      end: () => {
        this.#closed = true;
        this.#next();
      },
      interrupt: () => this.#interrupt(),
    });
  }

  get flags(): AskFlags {
    return this.#flags;
  }

  get workspace(): Workspace {
    return this.#workspace;
  }

  get toolbox(): Toolbox {
    return this.#toolbox;
  }

  get #mode(): ThreadMode {
    return this.conversation.thread.mode;
  }

  async run(): Promise<boolean> {
    const interrupt = (): void => this.#interrupt();
    if (!this.isTyped) process.on('SIGINT', interrupt);
    // Nothing that is typed meanwhile is looked at before the thread is there.
    this.#running = 'other';
    await this.#enterThread();
    this.#running = undefined;
    const { origins } = this.#toolbox;
    const hasFunctions = [...origins.values()].some((origin) => origin !== 'built in');
    const unguard = hasFunctions ? guardSession(interrupt, this.isTyped) : () => {};
    this.#next();
    try {
      await this.#over.promise;
    } finally {
      unguard();
      process.off('SIGINT', interrupt);
      this.#lines.close();
      this.#toolbox.close();
    }
    this.#sayThread();
    return !this.#failed;
  }

  setMode(mode: ThreadMode): void {
    this.conversation.change({ mode });
  }

  setLook(look: Partial<Record<Look, boolean>>): void {
    const { step, confirm } = { ...this.#flags, ...look };
    const { step: _step, confirm: _confirm, ...rest } = this.#flags;
    this.#flags = { ...rest, ...(step && { step }), ...(confirm && { confirm }) };
  }

  async enter(text: string, mode: ThreadMode): Promise<void> {
    if (mode === 'code') await this.#enterCode(`${text}\n`);
    else if (!(await this.aside(() => takeTurn(this, text, mode)))) this.#failed = true;
  }

  async turnTo(thread: Thread): Promise<void> {
    this.conversation.turnTo(thread);
    await this.#enterThread();
    say(`thread ${thread.id} ${thread.title}`.trimEnd());
  }

  /** A model that cannot be opened leaves everything as it is. */
  async configure(changes: { model?: string; system?: string | null }): Promise<void> {
    const { settings } = this.#workspace;
    const { model, system } = changes;
    const { system: configured } = this.#configured.settings;
    const text = system === null ? configured : (system ?? settings.system);
    const { system: _, ...rest } = settings;
    const workspace = {
      ...this.#workspace,
      settings: { ...rest, ...(text && { system: text }), ...(model !== undefined && { model }) },
      origins: { ...this.#workspace.origins, ...(model !== undefined && { model: '/model' }) },
    };
    const toolbox = await openToolbox(workspace);
    try {
      if (model !== undefined) toolbox.model();
    } catch (error) {
      toolbox.close();
      throw error;
    }
    this.#toolbox.close();
    this.#workspace = workspace;
    this.#toolbox = toolbox;
    this.entries.use(toolbox.handlers);
    this.conversation.change({
      ...(model !== undefined && { model }),
      ...(system !== undefined && { system: system ?? undefined }),
    });
  }

  aside<T>(act: () => Promise<T>): Promise<T> {
    return this.#lines.aside(act);
  }

  fail(): void {
    this.#failed = true;
  }

  leave(): void {
    this.#queue.length = 0;
    this.#closed = true;
  }

  /** What the thread has, is there: functions, variables, its model. */
  async #enterThread(): Promise<void> {
    const { definitions, variables, model, system } = this.conversation.thread;
    await this.entries.take(definitions, variables);
    const isOwn = this.flags.model === undefined && this.flags.replay === undefined;
    const changes = {
      ...(model !== undefined && isOwn && { model }),
      ...(system !== undefined && { system }),
    };
    if (Object.keys(changes).length > 0) await this.configure(changes);
  }

  #typed(line: string): void {
    this.#queue.push(line);
    // What is pasted comes as several lines at once, and is to be seen as a whole.
    if (this.#queue.length === 1) setImmediate(() => this.#next());
  }

  /** Goes on with what has been typed, unless something is worked at. */
  #next(): void {
    while (this.#running === undefined) {
      const line = this.#queue.shift();
      const task = line === undefined ? this.#rest() : this.#taskBy(line);
      if (task) {
        this.#start(task);
        return;
      }
      if (line === undefined) break;
    }
    if (this.#running !== undefined) return;
    if (this.#closed) this.#over.resolve();
    else this.#prompt();
  }

  #start(task: Task): void {
    this.#running = task.is;
    this.#carryOut(task).then(() => {
      this.#running = undefined;
      this.#next();
    }, this.#over.reject);
  }

  /** What is wrong with one thing that was entered ends it, and not the conversation. */
  async #carryOut({ act }: Task): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (failureOf(error).code === 'PV6099') throw error;
      say(failureText(error, this.flags.verbose === true));
      this.#failed = true;
    }
  }

  /** What is to be done, now that there is this line. */
  #taskBy(line: string): Task | undefined {
    const isOpen = this.#mode === 'code' ? this.#reader.isOpen : this.#texts.isOpen;
    const command = commandIn(line);
    if (command && this.#reader.isBlock) {
      this.#queue.unshift(line);
      return this.#codeTask(this.#reader.end());
    }
    if (command && !isOpen) return { is: 'other', act: () => carryOut(this, command) };
    const more = this.#queue.length > 0;
    if (this.#mode === 'code') return this.#codeTask(this.#reader.push(line, more));
    return this.#textTask(this.#texts.push(line, more));
  }

  /** What is left when no line comes any more. */
  #rest(): Task | undefined {
    if (!this.#closed) return undefined;
    return this.#codeTask(this.#reader.end()) ?? this.#textTask(this.#texts.end());
  }

  #codeTask(entries: readonly string[]): Task | undefined {
    if (entries.length === 0) return undefined;
    return {
      is: 'code',
      act: async () => {
        for (const text of entries) await this.#enterCode(text);
      },
    };
  }

  #textTask(text: string | undefined): Task | undefined {
    const mode = this.#mode;
    return text === undefined ? undefined : { is: 'other', act: () => this.enter(text, mode) };
  }

  async #enterCode(text: string): Promise<void> {
    const { ok, shown } = await this.#view.enter(this.entries, text);
    const at = Date.now();
    this.conversation.say(
      { role: 'user', content: text.trimEnd(), at, as: 'code' },
      ...(shown === '' ? [] : [{ role: 'assistant' as const, content: shown, at }]),
    );
    if (!ok) {
      this.#failed = true;
      return;
    }
    const { specs } = this.#toolbox;
    if (text.includes('def ')) sayDefined(define(this, text, specs), this.flags);
    keepVariables(this);
  }

  #complete(line: string): [string[], string] {
    if (this.#mode !== 'code' && !line.startsWith('/')) return [[], line];
    return complete(line, {
      variables: this.entries.variables,
      tools: callable(this.#toolbox.specs).keys(),
      commands: commandNames,
    });
  }

  #prompt(): void {
    const isOpen = this.#reader.isOpen || this.#texts.isOpen;
    this.#lines.prompt(isOpen ? '... ' : prompts[this.#mode]);
  }

  /** Ctrl-C: stops the entry that runs, or forgets what is typed; never the session. */
  #interrupt(): void {
    if (this.#running === 'code') {
      this.entries.stop();
      return;
    }
    if (!this.isTyped) {
      // A run ends by itself, so that it can be resumed.
      if (this.#running === undefined) process.exit(130);
      return;
    }
    const isEmpty = this.#lines.typed === '' && !this.#reader.isOpen && !this.#texts.isOpen;
    this.#reader.clear();
    this.#texts.clear();
    this.#lines.clear();
    say(isEmpty ? '\n/quit or Ctrl-D leaves' : '');
    this.#prompt();
  }

  #sayThread(): void {
    const { thread, isKept } = this.conversation;
    if (!isKept || this.flags.quiet) return;
    say(styleOf(process.stderr).dim(`planvm repl --thread ${thread.id} goes on from here`));
  }
}

interface Task {
  readonly is: 'code' | 'other';
  readonly act: () => Promise<void>;
}
