/**
 * Entries of Starlark in a conversation. What it owns: the session, whose variables stay from entry
 * to entry, and the texts of the entries, for errors to show.
 */
import { render, renderAll } from '../../dialects/diagnostic.ts';
import { compileEntry, valueChannel } from '../../dialects/starlark/entry.ts';
import { callable } from '../../dialects/starlark/resolve/tool-names.ts';
import { conversationInput } from '../../dialects/starlark/resolve/universe.ts';
import type { WatchEvent } from '../../engine/events.ts';
import type { Handler } from '../../engine/handler.ts';
import type { Approvals } from '../../engine/perform/approvals.ts';
import type { Person } from '../../engine/perform/person.ts';
import { type EntryEnd, Session } from '../../engine/session.ts';
import { str } from '../../machine/values/text.ts';
import type { Definition } from '../../program/definition.ts';
import type { GuestError, ToolSpec } from '../../program/effect.ts';
import { decode, encode, NotData, stringify, textOf, toJson } from '../../program/json.ts';
import type { Limits } from '../../program/limits.ts';
import { charactersOf } from '../../program/size.ts';
import { isPending, settled, type Value } from '../../program/value.ts';
import { clip, duration, oneLine, withoutControls } from '../../text/words.ts';
import { flagged, withFlags } from '../advice.ts';
import { isColoured, print, say, styleOf } from '../view/output.ts';

export interface CodeOptions {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly limits: Partial<Limits>;
  readonly approvals: Approvals;
  /** Who answers what an entry asks; absent where nobody is there. */
  readonly person?: Person | undefined;
  readonly quiet: boolean;
}

/** An entry that has ended. */
export interface Entered {
  readonly ok: boolean;
  /** What it has shown, line by line; of one that failed, why. */
  readonly shown: string;
}

/** A value of more characters than this is no part of the conversation. */
const valueMost = 64 * 1024;

export class Code {
  readonly #options: CodeOptions;
  readonly #session: Session;
  readonly #handlers: Map<string, Handler>;
  readonly #texts = new Map<string, string>();
  #entries = 0;
  #shown: string[] = [];
  #isSilent = false;
  /** Whether functions of programs are there, which a model may have written. */
  #hasForeign = false;

  constructor(options: CodeOptions) {
    this.#options = options;
    this.#handlers = new Map(options.handlers);
    const { limits, approvals, person } = options;
    this.#session = new Session({
      ...{ handlers: this.#handlers, limits, approvals, ...(person && { person }) },
      onEvent: (event) => this.#show(event),
    });
  }

  get specs(): ReadonlyMap<string, ToolSpec> {
    return new Map([...this.#handlers].map(([name, { spec }]) => [name, spec]));
  }

  get variables(): ReadonlyMap<string, Value> {
    return this.#session.variables;
  }

  /** The same tools by other handlers: of another model. */
  use(handlers: ReadonlyMap<string, Handler>): void {
    for (const [name, handler] of handlers) this.#handlers.set(name, handler);
  }

  /** Runs one entry, and shows what comes of it. */
  async enter(text: string): Promise<Entered> {
    this.#shown = [];
    const fileName = `<${++this.#entries}>`;
    this.#texts.set(fileName, text);
    const { program, diagnostics } = compileEntry(
      text,
      { tools: this.specs, inputs: [] },
      { before: this.#session.program, fileName },
    );
    const why = (color: boolean): string =>
      renderAll(diagnostics.map(flagged), text, { file: fileName, color }).trimEnd();
    if (diagnostics.length > 0) say(why(isColoured(process.stderr)));
    if (!program) return { ok: false, shown: why(false) };
    return this.#ended(await this.#session.enter(program), fileName);
  }

  /** Stops the entry that runs; what it has begun is given up. */
  stop(): void {
    this.#session.stop();
  }

  /** Takes over functions and values of the conversation, without a word. */
  async take(
    definitions: readonly Definition[],
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    this.#isSilent = true;
    try {
      this.#hasForeign ||= definitions.length > 0;
      for (const { name, text } of definitions) await this.#put(text, name);
      // What a run was given, and leaves as it was, is still whoever's it was.
      const { data: known } = this;
      const changed = Object.entries(values).filter(([name, text]) => {
        const value = known.get(name);
        return value === undefined || encode(value) !== text;
      });
      this.#session.doubt(changed.map(([name]) => name));
      for (const [name, text] of changed) {
        if (text.length > valueMost) continue;
        const data = stringify(toJson(decode(text)));
        await this.#put(`${name} = json.decode(${JSON.stringify(data)})\n`, name);
      }
    } finally {
      this.#isSilent = false;
    }
  }

  /** `def f(a, b)` */
  signature({ chunk }: Extract<Value, { readonly kind: 'function' }>): string {
    const { name = '', parameters, locals = [] } = this.#session.program?.chunks[chunk] ?? {};
    const count = (parameters?.positional ?? 0) + (parameters?.named ?? 0);
    return `def ${name}(${locals.slice(0, count).join(', ')})`;
  }

  /** What cannot be put in place, such as a name that a tool has by now, stays away. */
  async #put(text: string, name: string): Promise<void> {
    const fileName = `<${name}>`;
    this.#texts.set(fileName, text);
    const environment = { tools: this.specs, inputs: [] };
    const options = { before: this.#session.program, fileName };
    const { program } = compileEntry(text, environment, options);
    if (program) await this.#session.enter(program);
  }

  /** Variables of the person's own: what was typed, and nothing that anybody else has given. */
  get own(): ReadonlySet<string> {
    return this.#hasForeign ? new Set() : this.#session.trusted;
  }

  /** The variables that other programs can have: data, none of it large. */
  get data(): ReadonlyMap<string, Value> {
    const taken = new Set([...callable(this.specs).keys(), ...withheld]);
    return new Map(
      [...this.variables].flatMap(([name, given]): [string, Value][] => {
        const value = settled(given);
        const isOwn = !name.startsWith('_') && !taken.has(name);
        return isOwn && isData(value) ? [[name, value]] : [];
      }),
    );
  }

  #ended(end: EntryEnd, fileName: string): Entered {
    if (end.status === 'done') return { ok: true, shown: this.#shown.join('\n') };
    if (end.status === 'stopped') {
      say(styleOf(process.stderr).warning(withFlags(end.message)));
      return { ok: false, shown: end.message };
    }
    const { error } = end;
    say(this.#errorText(error, fileName));
    return { ok: false, shown: `${error.code}: ${error.message}` };
  }

  /** The error with the lines of the entry that it is in, which may be an earlier one. */
  #errorText(error: GuestError, fileName: string): string {
    const file = error.trace.findLast((frame) => this.#texts.has(frame.file ?? ''))?.file;
    const at = file ?? fileName;
    const text = this.#texts.get(at) ?? '';
    return render({ ...flagged(error), step: '' }, text, {
      file: at,
      color: isColoured(process.stderr),
    });
  }

  #show(event: WatchEvent): void {
    if (this.#isSilent) return;
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
    if (channel === valueChannel && text === 'None') return;
    this.#shown.push(text);
    if (channel === valueChannel) print(text);
    else if (channel === 'answer') {
      print(typeof value === 'string' ? text : stringify(toJson(value), 2));
    } else say(text);
  }
}

/** Names that mean something by themselves where a program has them as inputs. */
const withheld = ['answer', 'result', 'final_answer', 'reply', conversationInput];

function isData(value: Value): boolean {
  if (isPending(value) || charactersOf(value, valueMost) === undefined) return false;
  try {
    encode(value);
    toJson(value);
    return true;
  } catch (error) {
    if (error instanceof NotData) return false;
    throw error;
  }
}

const shownColumns = 80;

/** More than a line shows; a value that is larger is cut behind it. */
const shownBytes = 2 ** 24;

/** A variable as a list of them shows it. */
export function shownValue(value: Value, code: Code): string {
  if (typeof value === 'object' && value?.kind === 'function') return code.signature(value);
  return clip(oneLine(str(value, { valueBytes: shownBytes })), shownColumns);
}
