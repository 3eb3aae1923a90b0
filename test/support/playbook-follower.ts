/**
 * A model that follows a playbook to the letter, by what it is shown and nothing else: for counting
 * what programs of plain lines take, at any limit of inlining. Lines in words are said as they are,
 * with all that it knows of; conditions in words do not hold.
 */

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

interface Place {
  readonly from: string;
  /** By the heads of loops that it is in: how many of their rounds have begun. */
  readonly begun: Map<string, number>;
}

/** The reply to a request: an operation a line. */
export function followed(messages: readonly Shown[]): string {
  const talk = messages.filter(({ role }) => role !== 'system');
  const asked = talk.at(-1)?.content ?? '';
  const rows = rowsIn(talk);
  const from = [...asked.matchAll(/(?:Begin|Go on) at line ([\d.]+\d)/g)].at(-1)?.[1] ?? '01';
  const follower = new Follower(rows, knownIn(talk), { from, begun: begunIn(asked, from) });
  const wrote = /The person wrote: (".*")/.exec(asked)?.[1];
  if (wrote !== undefined) follower.hear(from, JSON.parse(wrote));
  follower.goOn(from);
  return follower.ops.map((op) => JSON.stringify(op)).join('\n');
}

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

class Follower {
  readonly ops: object[] = [];
  readonly #rows: readonly Row[];
  readonly #known: Known;
  /** By the block that they stand in: whether the last condition there held. */
  readonly #held = new Map<string, boolean>();
  readonly #begun: Map<string, number>;
  readonly #from: string;

  constructor(rows: readonly Row[], known: Known, { from, begun }: Place) {
    this.#rows = rows;
    this.#known = known;
    this.#from = from;
    this.#begun = begun;
  }

  /** Takes what a person wrote for what was asked before this line. */
  hear(line: string, text: string): void {
    const at = this.#rows.findIndex(({ number }) => number === line);
    const before = this.#rows.slice(0, at < 0 ? undefined : at);
    const question = before.findLast(({ text }) => /^Say\(.*\$\w+/.test(text));
    const name = /\$(\w+)/.exec(question?.text ?? '')?.[1];
    if (name !== undefined) this.#set(name, text);
  }

  goOn(from: string): void {
    let at = this.#rows.findIndex(({ number }) => number === from);
    for (let steps = 0; at >= 0 && steps < 500; steps++) {
      const row = this.#rows[at];
      if (!row) return;
      const next = this.#do(row, at);
      if (next === undefined) return;
      at = next;
    }
  }

  /** The place of the next row; undefined at the end of the turn. */
  #do(row: Row, at: number): number | undefined {
    const { number, code, text } = row;
    const block = number.split('.').slice(0, -1).join('.');
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
        this.ops.push({ yield: text.replace('for ', '') });
        return undefined;
      case 'RET':
        this.ops.push({ return: text === '' ? null : this.#term(text) });
        return undefined;
      case 'QUE':
        this.#queue(text);
        return at + 1;
      default: {
        const [, name, value = ''] = /^(\$?\w+) = (.*)$/.exec(text) ?? [];
        if (name !== undefined) this.#set(bare(name), this.#term(value));
        return at + 1;
      }
    }
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
    const [, into, callee = '', args = ''] = /^(?:(\$?\w+) = )?([\w.]+)\((.*)\)$/.exec(text) ?? [];
    const given = args === '' ? [] : args.split(/,\s*(?=\$|"|\w)/);
    const target = into === undefined ? {} : { into: bare(into) };
    if (into !== undefined) this.#known.set(bare(into), undefined);
    this.ops.push({ call: callee, args: given.map((one) => this.#term(one)), ...target });
  }

  /** As a reply has it: `$x` for a variable. */
  #term(text: string): unknown {
    const value = read(text);
    if (typeof value !== 'string') return value;
    if (text.startsWith('"')) return filled(value);
    return this.#known.has(bare(text)) || text.startsWith('$') ? `$${bare(text)}` : text;
  }

  /** Begins the next round of a loop, if there is one. */
  #loops({ number: head, text }: Row): boolean {
    const [, one, all = ''] = /^For each (\$?\w+) in (.+)$/.exec(text) ?? [];
    const rounds = one === undefined ? roundsIn(text) : this.#items(all);
    if (rounds === undefined) return this.#holds(text);
    const name = one ?? /^For (\$?\w+) from/.exec(text)?.[1];
    const isInside = this.#from === head || this.#from.startsWith(`${head}.`);
    const before = isInside && name ? rounds.indexOf(this.#known.get(bare(name))) : -1;
    const at = this.#begun.get(head) ?? before + 1;
    const isOn = at < rounds.length;
    // Who comes to it once more, in another round of a loop around it, begins anew.
    this.#begun.set(head, isOn ? at + 1 : 0);
    if (isOn && name !== undefined) this.#set(bare(name), rounds[at]);
    return isOn;
  }

  #items(all: string): readonly unknown[] {
    const items = all.startsWith('[') ? read(all) : this.#known.get(bare(all));
    return Array.isArray(items) ? items : [];
  }

  #holds(text: string): boolean {
    const [, left = '', sign, right = ''] =
      /^(?:If|While|Otherwise if) (\$?\w+)(?: (==|!=|<|>|is) (.+))?$/.exec(text) ?? [];
    const value = this.#known.get(bare(left));
    if (sign === undefined) return left !== '' && value !== undefined && value !== false;
    const other = read(right);
    const isSame = JSON.stringify(value ?? null) === JSON.stringify(other);
    if (sign === '<') return Number(value) < Number(other);
    if (sign === '>') return Number(value) > Number(other);
    return sign === '!=' ? !isSame : isSame;
  }
}

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
