/**
 * The part of YAML that authors write at the head of a file: maps and lists by indentation, plain
 * and quoted scalars, texts over several lines (`|`, `>`, or plain), `[a, b]`, `{a: b}`, comments.
 *
 * It is forgiving where the package `yaml` is right to refuse, as people and models write metadata
 * by hand: a value ends with its line, so that `title: Shop: the small one`, `@team`, `*bold*` and
 * `!important` are texts. There are no anchors, so nothing can grow. A line that cannot be read is
 * a problem at its place, and the lines around it are read all the same. Throws nothing.
 */
import type { JsonMember, JsonNode, JsonScalar } from './json-node.ts';
import { readJson } from './json-text.ts';
import { flowEnd, plainValue, quotedText, readFlow } from './yaml-text/scalars.ts';

export interface YamlProblem {
  /** Of the lines that were given, from 1. */
  readonly line: number;
  readonly column: number;
  /** *got X, want Y* */
  readonly message: string;
}

export interface ReadYaml {
  readonly node: JsonNode;
  readonly problems: readonly YamlProblem[];
}

export function readYaml(lines: readonly string[]): ReadYaml {
  const reader = new Reader(lines);
  const node = reader.document();
  return { node, problems: reader.problems };
}

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
  readonly raw: string;
}

/** Levels beyond this are a mistake, and would cost a host its stack. */
const depthMax = 40;

const isIdle = ({ text }: Line): boolean => text === '' || text === '---' || text.startsWith('#');

const isItem = (text: string): boolean => /^-(?:\s|$)/.test(text);

const keyForm =
  /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'{[#&*!|>%@`-][^#]*?|-?\d[\d.]*)(?<!\s)\s*:(?=\s|$)\s*(.*)$/s;

interface Pair {
  readonly key: string;
  readonly value: string;
}

function pairIn(text: string): Pair | undefined {
  const [, key, value = ''] = keyForm.exec(text) ?? [];
  if (key === undefined) return undefined;
  return { key: quotedText(key) ?? key, value };
}

class Reader {
  readonly problems: YamlProblem[] = [];
  readonly #lines: readonly Line[];
  #at = 0;
  #depth = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines.map((raw, index) => ({
      ...{ raw, number: index + 1, text: raw.trim() },
      indent: raw.length - raw.trimStart().length,
    }));
  }

  /** A list, a value in brackets, or a map, which goes on behind what cannot be read. */
  document(): JsonNode {
    const first = this.#peek();
    if (!first) return scalar(null, 0);
    if (isItem(first.text)) return this.#alone(this.#list(first.indent));
    if (/^[[{]/.test(first.text)) {
      this.#at++;
      return this.#alone(this.#value(first.text, { ...first, indent: first.indent - 1 }));
    }
    const members: JsonMember[] = [];
    for (let line = this.#peek(); line; line = this.#peek()) {
      members.push(...this.#members(line.indent));
      const left = this.#peek();
      if (left) this.#leaveOut(left, wantedPair);
    }
    return members.length === 0 ? scalar(null, first.number) : object(members);
  }

  #alone(node: JsonNode): JsonNode {
    for (let line = this.#peek(); line; line = this.#peek()) this.#leaveOut(line, 'nothing more');
    return node;
  }

  #leaveOut(line: Line, wanted: string): void {
    this.#problem(line, wanted);
    this.#at++;
  }

  /** The text is what a line ends with. */
  #problem({ number, raw, text }: Line, wanted: string): void {
    const message = `got ${JSON.stringify(text.slice(0, shownMax))}, want ${wanted}`;
    const column = raw.trimEnd().length - text.length + 1;
    this.problems.push({ line: number, column, message });
  }

  #peek(): Line | undefined {
    for (let line = this.#lines[this.#at]; line; line = this.#lines[this.#at]) {
      if (!isIdle(line)) return line;
      this.#at++;
    }
    return undefined;
  }

  #list(indent: number): JsonNode {
    const items: JsonNode[] = [];
    for (let line = this.#peek(); line; line = this.#peek()) {
      if (line.indent < indent || (line.indent === indent && !isItem(line.text))) break;
      if (line.indent > indent) {
        this.#leaveOut(line, 'an item that stands where the others do');
        continue;
      }
      this.#at++;
      items.push(this.#item(line));
    }
    return array(items);
  }

  /** What stands behind a dash is a block of its own, which begins where its text does. */
  #item(line: Line): JsonNode {
    const text = line.text.replace(/^-\s*/, '');
    if (text === '') return this.#below(line, line.indent + 1);
    const inner = { ...line, text, indent: line.indent + line.text.length - text.length };
    if (isItem(text)) return this.#deeper(inner, () => this.#nested(inner));
    const pair = pairIn(text);
    if (!pair) return this.#value(text, { ...inner, indent: line.indent });
    return this.#deeper(inner, () => {
      const first = this.#member(pair, inner);
      const next = this.#peek();
      const more = next && next.indent === inner.indent && !isItem(next.text);
      return object([first, ...(more ? this.#members(inner.indent) : [])]);
    });
  }

  #nested(inner: Line): JsonNode {
    const item = this.#item(inner);
    const next = this.#peek();
    if (!next || next.indent !== inner.indent || !isItem(next.text)) return array([item]);
    const rest = this.#list(inner.indent);
    return array([item, ...(rest.kind === 'array' ? rest.items : [])]);
  }

  #members(indent: number): JsonMember[] {
    const members: JsonMember[] = [];
    for (let line = this.#peek(); line; line = this.#peek()) {
      if (line.indent < indent || (line.indent === indent && isItem(line.text))) break;
      const pair = line.indent === indent ? pairIn(line.text) : undefined;
      if (!pair) this.#leaveOut(line, wantedPair);
      else {
        this.#at++;
        members.push(this.#member(pair, line));
      }
    }
    return members;
  }

  #member({ key, value }: Pair, line: Line): JsonMember {
    return { key, keyNode: scalar(key, line.number), value: this.#valueOf(value, line) };
  }

  #valueOf(value: string, line: Line): JsonNode {
    // A list may stand as far out as its key.
    if (/^(?:#|$)/.test(value)) return this.#below(line, line.indent, line.indent + 1);
    return this.#value(value, line);
  }

  /** The block under a line: a list from one column on, anything else from another. */
  #below(line: Line, listFrom: number, from = listFrom): JsonNode {
    const next = this.#peek();
    if (!next || next.indent < (isItem(next.text) ? listFrom : from)) {
      return scalar(null, line.number);
    }
    return this.#deeper(next, () => {
      if (isItem(next.text)) return this.#list(next.indent);
      if (pairIn(next.text)) return object(this.#members(next.indent));
      this.#at++;
      return this.#value(next.text, { ...next, indent: next.indent - 1 });
    });
  }

  #deeper(line: Line, read: () => JsonNode): JsonNode {
    if (this.#depth >= depthMax) {
      this.#problem(line, `at most ${depthMax} levels`);
      return scalar(null, line.number);
    }
    this.#depth++;
    const node = read();
    this.#depth--;
    return node;
  }

  /** What stands behind a key or a dash, with the lines that belong to it: those further in. */
  #value(text: string, line: Line): JsonNode {
    const block = /^([|>])[+-]?\d*\s*(?:#.*)?$/.exec(text);
    if (block) return scalar(this.#block(line.indent, block[1] === '|' ? '\n' : ' '), line.number);
    if (/^[[{"'“„«]/.test(text)) {
      const node = this.#flow(text, line);
      if (node) return node;
      this.#problem({ ...line, text }, 'a value, in quotes or brackets that close, with no more');
      return scalar(text, line.number);
    }
    const folded = [withoutComment(text)];
    for (let next = this.#lines[this.#at]; next; next = this.#lines[this.#at]) {
      if (next.indent <= line.indent || isIdle(next) || isItem(next.text) || pairIn(next.text))
        break;
      folded.push(withoutComment(next.text));
      this.#at++;
    }
    return plainNode(folded.join(' ').trim(), line.number);
  }

  /** A value in quotes or brackets; undefined, and nothing read, where it is none. */
  #flow(text: string, line: Line): JsonNode | undefined {
    const start = this.#at;
    const end = flowEnd(text, () => this.#further(line.indent)?.raw);
    const node = end === undefined ? undefined : readFlow(end, line.number);
    if (!node) this.#at = start;
    return node;
  }

  /** The next line, where it goes on with a value that is open. */
  #further(indent: number): Line | undefined {
    const next = this.#lines[this.#at];
    if (!next || (next.indent <= indent && next.text !== '' && !/^[\]}]/.test(next.text))) {
      return undefined;
    }
    this.#at++;
    return next;
  }

  #block(indent: number, join: string): string {
    const found: Line[] = [];
    for (let line = this.#lines[this.#at]; line; line = this.#lines[this.#at]) {
      if (line.text !== '' && line.indent <= indent) break;
      found.push(line);
      this.#at++;
    }
    const [first] = found.filter(({ text }) => text !== '');
    return found
      .map(({ indent: own, raw }) => raw.slice(Math.min(first?.indent ?? 0, own)).trimEnd())
      .join(join)
      .trimEnd();
  }
}

const wantedPair = '`key: value`, with spaces before what belongs to a key';

const shownMax = 60;

const withoutComment = (text: string): string => (/^(|.*?\s)#.*$/s.exec(text)?.[1] ?? text).trim();

function plainNode(text: string, line: number): JsonNode {
  const value = plainValue(text);
  if (typeof value !== 'object' || value === null) return scalar(value, line);
  const { node } = readJson(value.number);
  return node ? { ...node, line } : scalar(text, line);
}

function scalar(value: string | boolean | null, line: number): JsonScalar {
  const kind = value === null ? 'null' : typeof value === 'string' ? 'string' : 'bool';
  return { kind, value, line, column: 1, start: 0, end: 0 };
}

const placeOf = (node: JsonNode | undefined) => {
  const { line = 1, column = 1, start = 0, end = 0 } = node ?? {};
  return { line, column, start, end };
};

const array = (items: readonly JsonNode[]): JsonNode => ({
  ...{ kind: 'array', items },
  ...placeOf(items[0]),
});

const object = (members: readonly JsonMember[]): JsonNode => ({
  ...{ kind: 'object', members },
  ...placeOf(members[0]?.value),
});
