/**
 * Variables that hold agents which a file makes, `$expert = CreateAgent("Expert")`: followed
 * through lists, loops, arguments and what playbooks return, so that `Tell $expert …` is for it.
 */
import { namePattern } from '../../../../program/name.ts';
import { split } from '../../text/brackets.ts';
import { argumentsIn, callIn } from '../../text/calls.ts';
import { loopHead } from '../../text/loop-heads.ts';
import { assignmentIn, writtenName } from '../../text/variables.ts';
import { creation } from './agent-lines.ts';

interface Line {
  readonly text: string;
  /** Of a line that is compiled. */
  readonly code?: string;
  readonly children: readonly Line[];
}

interface Holding {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly scope: string }[];
  readonly steps?: readonly Line[];
}

/** An agent, or a list of them. */
type Held = 'one' | 'list';

/** Those of one agent, with their dollars; `known` are those that others are made like. */
export function holdingIn(
  playbooks: readonly Holding[],
  known: ReadonlyMap<string, string>,
): readonly string[] {
  const following = new Following(playbooks, known);
  while (following.isFurther());
  return [...following.held].flatMap(([key, held]) =>
    held === 'one' && key.startsWith('$') ? [key] : [],
  );
}

class Following {
  /** By `$name`, by `Playbook:name` of one of a call, by `Playbook()` what it returns. */
  readonly held = new Map<string, Held>();
  readonly #playbooks: readonly Holding[];
  readonly #known: ReadonlyMap<string, string>;

  constructor(playbooks: readonly Holding[], known: ReadonlyMap<string, string>) {
    this.#playbooks = playbooks;
    this.#known = known;
  }

  /** Goes through all lines once more. */
  isFurther(): boolean {
    const before = this.held.size;
    for (const { name, steps = [] } of this.#playbooks) this.#lines(steps, name);
    return this.held.size > before;
  }

  #lines(lines: readonly Line[], book: string): void {
    for (const { text, code, children } of lines) {
      this.#line(code === 'RET' ? `Return ${text}` : text, book);
      this.#lines(children, book);
    }
  }

  #line(line: string, book: string): void {
    const bare = line.trim().replace(/[.!]$/, '');
    const text = creation(bare, { others: this.#known }) ?? bare;
    const set = assignmentIn(text);
    if (set) this.#hold(keyOf(set.target, book), this.#of(set.value, book));
    this.#pass(set?.value ?? text, book);
    const [, returned] = /^return\s+([\s\S]+)$/i.exec(text) ?? [];
    if (returned !== undefined) this.#hold(`${book}()`, this.#of(returned, book));
    const [, added = '', list = ''] = addForm.exec(text) ?? [];
    if (this.#of(added, book) === 'one') this.#hold(keyOf(list, book), 'list');
    const { items, over } = loopHead(text);
    if (over?.kind === 'list' && !over.isIndex && this.#of(over.written, book) === 'list') {
      this.#hold(keyOf(items[0] ?? '', book), 'one');
    }
    for (const [, name = ''] of text.matchAll(memberForm)) this.#hold(name, 'one');
  }

  /** What a call hands on to the parameters of a playbook. */
  #pass(text: string, book: string): void {
    const call = callIn(text);
    const callee = this.#playbooks.find(({ name }) => name === call?.callee);
    if (!call || !callee) return;
    for (const [at, { name, text: value }] of argumentsIn(call.args).entries()) {
      const parameter = callee.parameters.find((one, order) =>
        name === undefined ? order === at : one.name === name.replace('$', ''),
      );
      if (!parameter) continue;
      this.#hold(keyOf(writtenName(parameter), callee.name), this.#of(value, book));
    }
  }

  #hold(key: string, held: Held | undefined): void {
    if (held !== undefined && !this.held.has(key)) this.held.set(key, held);
  }

  #of(value: string, book: string): Held | undefined {
    const text = value.trim();
    if (text.startsWith('[') && text.endsWith(']')) {
      const items = split(text.slice(1, -1), ',');
      return items.some((one) => this.#of(one, book) === 'one') ? 'list' : undefined;
    }
    const callee = callIn(text)?.callee;
    if (callee === 'CreateAgent') return 'one';
    return this.held.get(callee === undefined ? keyOf(text, book) : `${callee}()`);
  }
}

const keyOf = (written: string, book: string): string =>
  written.startsWith('$') ? written : `${book}:${written}`;

const addForm = new RegExp(
  String.raw`^(?:add|append|push|put|insert)\s+(\$?${namePattern})\s+(?:in)?to\s+` +
    String.raw`(?:the\s+)?(?:list\s+)?(\$?${namePattern})$`,
  'iu',
);

/** `$ann.Guess(1)`: only an agent has playbooks. */
const memberForm = new RegExp(String.raw`(\$${namePattern})\.[\p{Lu}\p{Lo}]\p{XIDC}*\(`, 'gu');
