/**
 * A session at a prompt: entries of Starlark are read, run and answered, one after the other. What
 * it owns: the prompt, its history, the texts of the entries. The session owns the machine.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { render, renderAll } from '../dialects/diagnostic.ts';
import { compileEntry, valueChannel } from '../dialects/starlark/entry.ts';
import { callable } from '../dialects/starlark/tool-names.ts';
import type { WatchEvent } from '../engine/events.ts';
import { type Approvals, defaultApprovals } from '../engine/perform/approvals.ts';
import { type EntryEnd, Session } from '../engine/session.ts';
import { str } from '../machine/text.ts';
import type { GuestError, ToolSpec } from '../program/effect.ts';
import { decode, stringify, textOf, toJson } from '../program/json.ts';
import type { Limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import type { Value } from '../program/value.ts';
import { EntryReader } from './entry-reader.ts';
import { historyLinesMax, readHistory, writeHistory } from './history-file.ts';
import { guardSession } from './repl-guard.ts';
import { complete } from './repl-names.ts';
import { personBy } from './terminal-person.ts';
import type { Toolbox } from './tools/toolbox.ts';
import { isColoured, print, say, styleOf } from './view/output.ts';
import { clip, columns, duration, oneLine, withoutControls } from './view/text.ts';

export interface ReplOptions {
  readonly toolbox: Toolbox;
  readonly limits: Partial<Limits>;
  /** What is asked about before it is performed. */
  readonly approvals: Partial<Approvals>;
  /** Where the lines that were typed are kept. */
  readonly historyFile: string;
  readonly quiet: boolean;
}

const commands = [':help', ':globals', ':tools', ':quit'] as const;

const help = `A statement is run when it is whole; a block when an empty line ends it.
The value of an expression is shown, and kept as _.
An entry that fails, or that Ctrl-C stops, leaves the variables as they were.

  :globals  the variables
  :tools    the tools, which are functions here
  :quit     leave; so does Ctrl-D`;

/** Reads stdin to its end. True if no entry has failed. */
export async function repl(options: ReplOptions): Promise<boolean> {
  return await new Repl(options).run();
}

class Repl {
  readonly #options: ReplOptions;
  readonly #session: Session;
  readonly #isTyped = process.stdin.isTTY === true && process.stderr.isTTY === true;
  readonly #reader = new EntryReader(this.#isTyped);
  readonly #lines: Interface;
  readonly #texts = new Map<string, string>();
  /** What was typed while an entry ran. */
  readonly #queue: string[] = [];
  #running = false;
  #closed = false;
  #failed = false;
  readonly #over = Promise.withResolvers<void>();

  constructor(options: ReplOptions) {
    this.#options = options;
    const { toolbox, limits, historyFile } = options;
    this.#session = new Session({
      handlers: toolbox.handlers,
      limits,
      approvals: { ...defaultApprovals, ...options.approvals },
      ...(this.#isTyped && { person: personBy((...asked) => this.#read(...asked)) }),
      onEvent: (event) => this.#show(event),
    });
    this.#lines = createInterface({
      input: process.stdin,
      ...(this.#isTyped && { output: process.stderr }),
      terminal: this.#isTyped,
      history: this.#isTyped ? readHistory(historyFile) : [],
      historySize: historyLinesMax,
      removeHistoryDuplicates: true,
      completer: (line: string) =>
        complete(line, {
          variables: this.#session.variables,
          tools: callable(toolbox.specs).keys(),
          commands,
        }),
    });
  }

  async run(): Promise<boolean> {
    const { historyFile } = this.#options;
    const interrupt = (): void => this.#interrupt();
    if (this.#isTyped) say(styleOf(process.stderr).dim('Starlark; :help says more, Ctrl-D ends'));
    else process.on('SIGINT', interrupt);
    this.#lines.on('SIGINT', interrupt);
    this.#lines.on('history', (newestFirst) => writeHistory(historyFile, newestFirst));
    this.#lines.on('line', (line) => {
      this.#queue.push(line);
      // What is pasted comes as several lines at once, and is to be seen as a whole.
      if (this.#queue.length === 1) setImmediate(() => this.#next());
    });
    this.#lines.on('close', () => {
      this.#closed = true;
      this.#next();
    });
    this.#prompt();
    const { origins } = this.#options.toolbox;
    const hasFunctions = [...origins.values()].some((origin) => origin !== 'built in');
    const unguard = hasFunctions ? guardSession(interrupt, this.#isTyped) : () => {};
    try {
      await this.#over.promise;
    } finally {
      unguard();
      process.off('SIGINT', interrupt);
      this.#lines.close();
    }
    return !this.#failed;
  }

  /** Goes on with what has been typed, unless an entry runs. */
  #next(): void {
    while (!this.#running) {
      const line = this.#queue.shift();
      if (line === undefined) break;
      const entries = this.#entriesBy(line);
      if (entries.length > 0) {
        this.#start(entries);
        return;
      }
    }
    if (this.#running) return;
    if (!this.#closed) {
      this.#prompt();
      return;
    }
    const rest = this.#reader.end();
    if (rest.length > 0) this.#start(rest);
    else this.#over.resolve();
  }

  /** What an entry throws is no error of the entry: it ends the session. */
  #start(entries: readonly string[]): void {
    this.#enter(entries).catch(this.#over.reject);
  }

  /** What is to be run, now that there is this line. A command is carried out behind it. */
  #entriesBy(line: string): string[] {
    if (!line.startsWith(':')) return this.#reader.push(line, this.#queue.length > 0);
    if (this.#reader.isBlock) {
      this.#queue.unshift(line);
      return this.#reader.end();
    }
    if (this.#reader.isOpen) return this.#reader.push(line);
    this.#command(line.trim());
    return [];
  }

  /** A line that an entry asks for; undefined where it is taken back, or the session ends. */
  #read(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve) => {
      const gone = (): void => resolve(undefined);
      this.#lines.once('close', gone);
      this.#lines.question(prompt, { signal }).then(resolve, gone);
    });
  }

  #prompt(): void {
    if (!this.#isTyped || this.#closed) return;
    this.#lines.setPrompt(this.#reader.isOpen ? '... ' : '>>> ');
    this.#lines.prompt();
  }

  async #enter(entries: readonly string[]): Promise<void> {
    this.#running = true;
    for (const text of entries) {
      const fileName = `<${this.#texts.size + 1}>`;
      this.#texts.set(fileName, text);
      const { toolbox } = this.#options;
      const { program, diagnostics } = compileEntry(
        text,
        { tools: toolbox.specs, inputs: [] },
        { before: this.#session.program, fileName },
      );
      const color = isColoured(process.stderr);
      if (diagnostics.length > 0) say(renderAll(diagnostics, text, { file: fileName, color }));
      if (program) this.#ended(await this.#session.enter(program), fileName);
      else this.#failed = true;
    }
    this.#running = false;
    this.#next();
  }

  #ended(end: EntryEnd, fileName: string): void {
    if (end.status === 'done') return;
    this.#failed = true;
    if (end.status === 'stopped') say(styleOf(process.stderr).warning(end.message));
    else say(this.#errorText(end.error, fileName));
  }

  /** The error with the lines of the entry that it is in, which may be an earlier one. */
  #errorText(error: GuestError, fileName: string): string {
    const file = error.trace.findLast((frame) => this.#texts.has(frame.file ?? ''))?.file;
    const at = file ?? fileName;
    const text = this.#texts.get(at) ?? '';
    return render({ ...error, step: '' }, text, { file: at, color: isColoured(process.stderr) });
  }

  /** Ctrl-C: stops the entry that runs, or forgets what is typed; never the session. */
  #interrupt(): void {
    if (this.#running) {
      this.#session.stop();
      return;
    }
    if (!this.#isTyped) process.exit(130);
    const isEmpty = this.#lines.line === '' && !this.#reader.isOpen;
    this.#reader.clear();
    // To its end, and away from there to its beginning.
    this.#lines.write(null, { ctrl: true, name: 'e' });
    this.#lines.write(null, { ctrl: true, name: 'u' });
    say(isEmpty ? '\n:quit or Ctrl-D leaves' : '');
    this.#prompt();
  }

  #command(line: string): void {
    switch (line) {
      case ':help':
        say(help);
        break;
      case ':globals':
        this.#printGlobals();
        break;
      case ':tools':
        for (const row of toolRows(callable(this.#options.toolbox.specs))) print(row);
        break;
      case ':quit':
        this.#queue.length = 0;
        this.#lines.close();
        break;
      default:
        say(`there is no command ${line}; there are ${commands.join(', ')}`);
    }
  }

  #printGlobals(): void {
    const { variables, program } = this.#session;
    const rows = [...variables].map(([name, value]) => [name, shownValue(value, program)]);
    if (rows.length === 0) say('no variables yet');
    else for (const row of columns(rows)) print(row);
  }

  #show(event: WatchEvent): void {
    const style = styleOf(process.stderr);
    switch (event.type) {
      case 'message.emitted':
        this.#showMessage(event.channel, decode(event.value));
        return;
      case 'effect.settled':
        for (const warning of event.warnings ?? []) say(style.warning(oneLine(warning)));
        if (!event.outcome.ok || this.#options.quiet) return;
        say(style.dim(`✔ ${event.tool} ${duration(event.at - event.startedAt)}`));
        return;
      case 'effect.unknown':
        say(style.warning(`nobody knows whether ${event.tool} took effect: ${event.why}`));
        return;
      default:
    }
  }

  #showMessage(channel: string, value: Value): void {
    const text = withoutControls(textOf(value));
    if (channel === valueChannel) {
      if (text !== 'None') print(text);
    } else if (channel === 'answer') {
      print(typeof value === 'string' ? text : stringify(toJson(value), 2));
    } else say(text);
  }
}

const shownColumns = 80;

function shownValue(value: Value, program: Program | undefined): string {
  if (typeof value === 'object' && value?.kind === 'function') {
    const { name = '', parameters, locals = [] } = program?.chunks[value.chunk] ?? {};
    const count = (parameters?.positional ?? 0) + (parameters?.named ?? 0);
    return `def ${name}(${locals.slice(0, count).join(', ')})`;
  }
  return clip(oneLine(str(value, { valueBytes: shownBytes })), shownColumns);
}

/** More than a line shows; a value that is larger is cut behind it. */
const shownBytes = 2 ** 24;

function toolRows(specs: ReadonlyMap<string, ToolSpec>): string[] {
  return columns(
    [...specs].map(([name, { parameters, description }]) => [
      `${name}(${Object.keys(parameters.properties ?? {}).join(', ')})`,
      clip(oneLine(description), shownColumns),
    ]),
  );
}
