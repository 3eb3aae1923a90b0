/**
 * Entries of Starlark in a conversation. What it owns: the session, whose variables stay from entry
 * to entry, and the texts of the entries, for errors to show.
 */
import { compileEntry } from '../../dialects/starlark/entry.ts';
import { callable } from '../../dialects/starlark/resolve/tool-names.ts';
import { conversationInput } from '../../dialects/starlark/resolve/universe.ts';
import type { WatchEvent } from '../../engine/events.ts';
import type { Handler } from '../../engine/handler.ts';
import type { Approvals } from '../../engine/perform/approvals.ts';
import type { Person } from '../../engine/perform/person.ts';
import { type EntryEnd, Session } from '../../engine/session.ts';
import type { Definition } from '../../program/definition.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { GuestError, ToolSpec } from '../../program/effect.ts';
import { decode, encode, NotData, stringify, toJson } from '../../program/json.ts';
import type { Limits } from '../../program/limits.ts';
import { charactersOf } from '../../program/size.ts';
import { isPending, settled, type Value } from '../../program/value.ts';

export interface EntriesOptions {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly limits: Partial<Limits>;
  readonly approvals: Approvals;
  /** Who answers what an entry asks; absent where nobody is there. */
  readonly person?: Person | undefined;
  /** Hears what happens while an entry runs. */
  onEvent(event: WatchEvent): void;
}

/** The text of an entry, and how errors name it. */
interface EntryText {
  readonly file: string;
  readonly text: string;
}

/** An entry that was checked. */
export interface CheckedEntry extends EntryText {
  readonly diagnostics: readonly Diagnostic[];
}

/** A value of more characters than this is no part of the conversation. */
const valueMost = 64 * 1024;

export class Entries {
  readonly #session: Session;
  readonly #handlers: Map<string, Handler>;
  readonly #texts = new Map<string, string>();
  #entries = 0;
  #isSilent = false;
  /** Whether functions of programs are there, which a model may have written. */
  #hasForeign = false;

  constructor({ handlers, onEvent, ...options }: EntriesOptions) {
    this.#handlers = new Map(handlers);
    const { person, ...others } = options;
    this.#session = new Session({
      ...{ ...others, handlers: this.#handlers, ...(person && { person }) },
      onEvent: (event) => {
        if (!this.#isSilent) onEvent(event);
      },
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

  /** Undefined where it does not pass the check; `checked` is called before it runs. */
  async enter(text: string, checked: (entry: CheckedEntry) => void): Promise<EntryEnd | undefined> {
    const file = `<${++this.#entries}>`;
    const { program, diagnostics } = this.#compile(text, file);
    checked({ file, text, diagnostics });
    return program && (await this.#session.enter(program));
  }

  /** Where an error of the last entry stands: perhaps in an earlier one. */
  placeOf({ trace }: GuestError): EntryText {
    const found = trace.findLast((frame) => this.#texts.has(frame.file ?? ''))?.file;
    const file = found ?? `<${this.#entries}>`;
    return { file, text: this.#texts.get(file) ?? '' };
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
      // A run that leaves a value as it was does not change whom it belongs to.
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

  /** What cannot be put in place, such as a name that a tool has by now, stays away. */
  async #put(text: string, name: string): Promise<void> {
    const { program } = this.#compile(text, `<${name}>`);
    if (program) await this.#session.enter(program);
  }

  #compile(text: string, fileName: string): ReturnType<typeof compileEntry> {
    this.#texts.set(fileName, text);
    const environment = { tools: this.specs, inputs: [] };
    return compileEntry(text, environment, { before: this.#session.program, fileName });
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
