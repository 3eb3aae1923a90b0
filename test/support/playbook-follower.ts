/**
 * A model that follows a playbook to the letter, by what it is shown and nothing else: for counting
 * what programs take, at any limit of inlining. What is to be said in words is said as it stands,
 * with all that it knows of. Of lines that leave open what to do it does what `openLines` say, of
 * conditions in words none holds but that something `seems fit`.
 */

import { computed, listedIn } from './playbook-terms.ts';

export interface Shown {
  readonly role: string;
  readonly content: string;
}

interface Row {
  readonly number: string;
  readonly code: string;
  readonly text: string;
}

type Known = Map<string, unknown>;

/** Where a reply begins, and what it is told of that. */
interface Place {
  readonly at: number;
  readonly from: string;
  /** By the heads of loops that it is in: how many of their rounds have begun. */
  readonly begun: Map<string, number>;
  /** By the same: which of how many items it has, or comes next. */
  readonly items: ReadonlyMap<string, Item>;
  /** Lines of questions that need not be put. */
  readonly known: ReadonlySet<string>;
  /** The parameters of what may be called. */
  readonly callees: ReadonlyMap<string, readonly string[]>;
  /** The open line that the reply before has waited at. */
  waited: string | undefined;
}

interface Item {
  readonly at: number;
  readonly all: number;
  /** Undefined where there are rounds, and no items. */
  readonly value: unknown;
}

/** The reply to a request: an operation a line. */
export function followed(messages: readonly Shown[]): string {
  const talk = messages.filter(({ role }) => role !== 'system');
  const asked = talk.at(-1)?.content ?? '';
  const rows = rowsIn(talk);
  const place = { ...placeIn(asked, rows, calleesIn(messages)), waited: waitedIn(talk) };
  const follower = new Follower(rows, knownIn(talk), place);
  const wrote = /The person wrote: (".*")/.exec(asked)?.[1];
  if (wrote !== undefined) follower.hear(place.from, JSON.parse(wrote));
  follower.goOn(place.at);
  return follower.ops.map((op) => JSON.stringify(op)).join('\n');
}

function placeIn(
  asked: string,
  rows: readonly Row[],
  callees: ReadonlyMap<string, readonly string[]>,
): Omit<Place, 'waited'> {
  const last = [...asked.matchAll(/(?:Begin|Go on) at line ([\d.]+\d)([^.]*)/g)].at(-1);
  const [, next = '01', more = ''] = last ?? [];
  const other = /or at line ([\d.]+\d) where something/.exec(more)?.[1];
  const begun = other ?? (more.includes('else behind it') ? next : undefined);
  const done = asked.slice(asked.lastIndexOf('This of it is done'));
  const isDone = begun !== undefined && done.includes(`- at line ${begun}:`);
  const from = begun === undefined || (isDone && other !== undefined) ? next : begun;
  const isOver = asked.lastIndexOf('All its lines are done') > (last?.index ?? 0);
  const at = isOver ? rows.length : rows.findIndex(({ number }) => number === from);
  const isBehind = isDone && other === undefined;
  const told = [...asked.matchAll(/(?:What|and) line ([\d., ]+\d) asks for (?:is known|has)/g)];
  return {
    ...{ at: isBehind ? at + 1 : at, from, begun: begunIn(asked, isBehind ? '' : from), callees },
    items: new Map(
      [...asked.matchAll(itemForm)].map(([, head = '', number, all, value]) => [
        head,
        { at: Number(number) - 1, all: Number(all), value: value && read(value) },
      ]),
    ),
    known: new Set(told.flatMap(([, lines = '']) => lines.split(', '))),
  };
}

/** The line at which its last reply has called something, and has waited for that. */
function waitedIn(talk: readonly Shown[]): string | undefined {
  const reply = talk.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const ops = reply.split('\n').map((one) => Object(read(one)));
  const [step, call, wait] = ops.slice(-3);
  return wait?.yield === 'call' && call?.call !== undefined ? step?.step : undefined;
}

const itemForm =
  /At line ([\d.]+\d): (?:item|round) (\d+) of (\d+)(?:, which is (.*?))?\.(?= |$)/gm;

/** `- Rent(day, days?)`. */
const calleesIn = (messages: readonly Shown[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...(messages[0]?.content ?? '').matchAll(/^- ([\w.]+)\(([^)]*)\)/gm)].map(
      ([, name = '', given = '']) => [name, given.match(/\w+(?=\??(?::|,|$))/g) ?? []] as const,
    ),
  );

const rowForm = /^\s*(\d\d(?:\.\d\d)*):([A-Z]{3}) ?(.*)$/;

/** The lines that were shown last. */
function rowsIn(talk: readonly Shown[]): readonly Row[] {
  const shown = talk.findLast(({ role, content }) => role === 'user' && /^## /m.test(content));
  return (shown?.content ?? '').split('\n').flatMap((line) => {
    const [, number, code = '', text = ''] = rowForm.exec(line) ?? [];
    return number === undefined ? [] : [{ number, code, text }];
  });
}

/** What it was told of variables, and has set itself, by names without a dollar. */
function knownIn(talk: readonly Shown[]): Known {
  const known: Known = new Map();
  for (const { role, content } of talk) {
    for (const line of content.split('\n')) {
      const [, name, value] =
        /^\$?(\w+) = (.*)$/.exec(line) ?? /^- \S+ into \$?(\w+): (.*)$/.exec(line) ?? [];
      if (role === 'user' && name !== undefined) known.set(name, read(value ?? 'null'));
      if (role === 'assistant' && line.startsWith('{"set"')) {
        for (const [one, set] of Object.entries(JSON.parse(line).set)) {
          known.set(one, isVariable(set) ? known.get(bare(set)) : set);
        }
      }
    }
  }
  return known;
}

function begunIn(asked: string, from: string): Map<string, number> {
  const told = /At line ([\d.]+\d): (?:(?:item|round) (\d+) of|all its)/g;
  return new Map(
    [...asked.matchAll(told)].map(([, head = '', number]) => {
      const begun = number === undefined ? Number.POSITIVE_INFINITY : Number(number);
      return [head, head === from ? begun - 1 : begun] as const;
    }),
  );
}

const read = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/\bNone\b/g, 'null'));
  } catch {
    return text;
  }
};

/** As a reply has it. */
const isVariable = (value: unknown): value is string =>
  typeof value === 'string' && /^\$\w+$/.test(value);

const bare = (name: string): string => name.replace(/^\$/, '').trim();

/** Thrown where a line needs what is still on its way. */
class Awaited extends Error {}

class Follower {
  readonly ops: object[] = [];
  readonly #rows: readonly Row[];
  readonly #known: Known;
  /** By the block that they stand in: whether the last condition there held. */
  readonly #held = new Map<string, boolean>();
  readonly #begun: Map<string, number>;
  /** What loops that began in this reply go over. */
  readonly #items = new Map<string, readonly unknown[]>();
  readonly #place: Place;
  /** Whether the question before a line is one that is left out. */
  #isLeftOut = false;

  constructor(rows: readonly Row[], known: Known, place: Place) {
    this.#rows = rows;
    this.#known = known;
    this.#place = place;
    this.#begun = place.begun;
    // Who is under a condition has found that it holds.
    for (const { number, code } of rows) {
      const isAround = place.from.startsWith(`${number}.`);
      if (isAround && (code === 'CND' || code === 'ELS')) this.#held.set(blockOf(number), true);
    }
  }

  /** Takes what a person wrote for what was asked before this line. */
  hear(line: string, text: string): void {
    const at = this.#rows.findIndex(({ number }) => number === line);
    const before = this.#rows.slice(0, at < 0 ? undefined : at);
    const question = before.findLast(({ text }) => /^Say\(.*\$\w+/.test(text));
    const name = /\$(\w+)/.exec(question?.text ?? '')?.[1];
    if (name !== undefined) this.#set(name, text);
  }

  goOn(from: number): void {
    let at = from;
    for (let steps = 0; at >= 0 && steps < 500; steps++) {
      const row = this.#rows[at];
      if (!row) break;
      const next = this.#tried(row, at);
      if (next === undefined) return;
      at = next;
    }
    // Where it only looked, or all was done before it, nothing else says that it is over.
    const last = this.ops.at(-1) ?? { step: '' };
    if (!this.#rows[at] && 'step' in last) this.ops.push({ return: null });
  }

  #tried(row: Row, at: number): number | undefined {
    try {
      return this.#do(row, at);
    } catch (error) {
      if (!(error instanceof Awaited)) throw error;
      this.ops.push({ yield: 'call' });
      return undefined;
    }
  }

  /** The place of the next row; undefined at the end of the turn. */
  #do(row: Row, at: number): number | undefined {
    const { number, code, text } = row;
    const block = blockOf(number);
    if (code === 'ELS' && this.#held.get(block) === true) return this.#behind(at);
    this.ops.push({ step: number });
    switch (code) {
      case 'CND':
      case 'ELS': {
        const holds = text === 'Otherwise' || this.#holds(text);
        this.#held.set(block, holds);
        return holds ? at + 1 : this.#behind(at);
      }
      case 'LOP':
        return this.#loops(row) ? at + 1 : this.#behind(at);
      case 'JMP':
        // Whoever leaves a loop begins it anew when it comes there again.
        for (const head of this.#begun.keys()) {
          if (text !== head && !text.startsWith(`${head}.`)) this.#begun.set(head, 0);
        }
        return this.#rows.findIndex(({ number: one }) => one === text);
      case 'YLD':
        if (this.#isLeftOut && text === 'for user') return at + 1;
        this.ops.push({ yield: text.replace('for ', '') });
        return undefined;
      case 'RET':
        if (callForm.test(text)) {
          this.#queue(text);
          this.ops.push({ yield: 'call' });
        } else this.ops.push({ return: text === '' ? null : this.#term(text) });
        return undefined;
      case 'QUE':
        this.#isLeftOut = this.#place.known.has(number);
        if (!this.#isLeftOut) this.#queue(text);
        return at + 1;
      default: {
        if (this.#doOpen(row)) return undefined;
        const [, name, value = ''] = /^(\$?\w+)(?::\w+)? = (.*)$/.exec(text) ?? [];
        if (name !== undefined) this.#set(bare(name), this.#term(value));
        return at + 1;
      }
    }
  }

  /** Does what a line leaves open; whether it waits for that. */
  #doOpen({ number, text }: Row): boolean {
    const [, kind = '', name = '', callee = ''] = openLine.exec(text) ?? [];
    if (kind === '') return false;
    if (kind === 'Decide on') this.#set(bare(name), fitter(this.#valueOf(name)));
    else if (kind === 'Remark on') this.ops.push({ say: `so: {$${bare(name)}}` });
    else if (kind === 'Let take have') this.#queue(`take(${name})`);
    else if (this.#place.waited !== number) {
      this.#queue(`${callee}(${name})`);
      this.ops.push({ yield: 'call' });
      return true;
    }
    // What it has waited for is one round's.
    this.#place.waited = undefined;
    return false;
  }

  #valueOf(name: string): unknown {
    return this.#computed(name)?.value;
  }

  #set(name: string, value: unknown): void {
    this.ops.push({ set: { [name]: value } });
    this.#known.set(name, isVariable(value) ? this.#known.get(bare(value)) : value);
  }

  /** Behind a row and all that stands under it. */
  #behind(at: number): number {
    const number = this.#rows[at]?.number ?? '';
    const next = this.#rows.findIndex(
      (one, index) => index > at && !one.number.startsWith(`${number}.`),
    );
    return next;
  }

  #queue(text: string): void {
    const said = /^Say\(user, (?:"(.*)"|(.*))\)$/.exec(text);
    if (said) {
      const [, literal, words = ''] = said;
      const known = JSON.stringify(Object.fromEntries(this.#known)).replace(/[{}$]/g, '');
      this.ops.push({ say: literal === undefined ? `${words}: ${known}` : filled(literal) });
      return;
    }
    const [, into, callee = '', args = ''] = callForm.exec(text) ?? [];
    const given = this.#arguments(callee, listedIn(args));
    const target = into === undefined ? {} : { into: bare(into) };
    if (into !== undefined) this.#known.set(bare(into), undefined);
    this.ops.push({ call: callee, args: given, ...target });
  }

  /** In their order, or by their names where some are named. */
  #arguments(callee: string, given: readonly string[]): unknown {
    const named = given.map((one) => /^\$?(\w+)=(?!=)(.*)$/.exec(one) ?? undefined);
    if (named.every((one) => one === undefined)) return given.map((one) => this.#term(one));
    const names = this.#place.callees.get(callee) ?? [];
    return Object.fromEntries(
      given.map((one, at) => {
        const [, name = names[at] ?? '', value = one] = named[at] ?? [];
        return [name, this.#term(value)];
      }),
    );
  }

  /** As a reply has it: `$x` for a variable; of what is to be computed, what comes of it. */
  #term(text: string): unknown {
    if (/^\$?[a-zA-Z_]\w*$/.test(text)) {
      const isOne = this.#known.has(bare(text)) || text.startsWith('$');
      return isOne ? `$${bare(text)}` : read(text);
    }
    if (/^"[^"]*"$/.test(text)) return filled(JSON.parse(text));
    if (/^\[.*\]$/.test(text)) return listedIn(text.slice(1, -1)).map((one) => this.#term(one));
    return this.#computed(text)?.value ?? read(text);
  }

  #computed(text: string) {
    return computed(text, (name) => {
      const value = this.#known.get(name);
      if (value === undefined && this.#known.has(name)) throw new Awaited();
      return value;
    });
  }

  /** Begins the next round of a loop, if there is one. */
  #loops({ number: head, text }: Row): boolean {
    const [, one, all = ''] = /^For each (\$?\w+) in (.+)$/.exec(text) ?? [];
    const rounds = one === undefined ? roundsIn(text) : this.#itemsOf(head, all);
    if (rounds === undefined) return this.#holds(text);
    const name = one ?? /^For (\$?\w+) from/.exec(text)?.[1];
    const { from, items } = this.#place;
    const told = items.get(head);
    const isInside = from === head || from.startsWith(`${head}.`);
    const before = isInside && name ? rounds.indexOf(this.#known.get(bare(name))) : -1;
    const at = this.#begun.get(head) ?? before + 1;
    const isOn = at < (told?.all ?? rounds.length);
    // Who comes to it once more, in another round of a loop around it, begins anew.
    this.#begun.set(head, isOn ? at + 1 : 0);
    if (!isOn) this.#items.delete(head);
    const item = told?.at === at ? told.value : rounds[at];
    if (isOn && name !== undefined) this.#set(bare(name), item);
    return isOn;
  }

  /** What a list was when its loop began, as far as that was in this reply. */
  #itemsOf(head: string, all: string): readonly unknown[] {
    const items = this.#items.get(head) ?? this.#computed(all)?.value;
    if (!Array.isArray(items)) return [];
    this.#items.set(head, [...items]);
    return items;
  }

  #holds(text: string): boolean {
    const [, condition = ''] = /^(?:(?:Otherwise )?(?:if|when)|while) (.+)$/i.exec(text) ?? [];
    const [, one] = /^(\$?\w+) seems fit$/.exec(condition) ?? [];
    if (one !== undefined) return isFit(this.#valueOf(one));
    const value = this.#computed(condition)?.value;
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  }
}

/** Lines that leave open what to do, and name what they are about. */
export const openLines: readonly string[] = ['Decide on', 'Let take have', 'Remark on', 'Show'];

const openLine = new RegExp(`^(${openLines.join('|')}) (\\$?\\w+)(?: to (\\w+))?\\b`);

const isFit = (value: unknown): boolean => value === 7 || value === 'odd';

/** Another value, which seems fit two times of three. */
const fitter = (value: unknown): unknown => {
  if (value === 7) return 'odd';
  return typeof value === 'string' ? 2 : 7;
};

const callForm = /^(?:(\$?\w+) = )?([a-zA-Z][\w.]*)\((.*)\)$/;

const blockOf = (number: string): string => number.split('.').slice(0, -1).join('.');

const counts: Readonly<Record<string, number>> = { Two: 2, Three: 3 };

/** The numbers of the rounds of `Three times` and `For $i from 1 to 3`. */
function roundsIn(text: string): readonly number[] | undefined {
  const [, times = ''] = /^(\w+) times$/.exec(text) ?? [];
  const [, first = '1', last = counts[times] ?? times] =
    /^For \$?\w+ from (\d+) to (\d+)$/.exec(text) ?? [];
  const size = Number(last) - Number(first) + 1;
  return last === '' ? undefined : Array.from({ length: size }, (_, at) => Number(first) + at);
}

/** `{x}` as replies have it. */
const filled = (text: string): string => text.replace(/\{\$?(\w+)\}/g, '{$$$1}');
