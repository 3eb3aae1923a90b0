/**
 * YAML as models write it: blocks of mappings and lists, plain and quoted scalars, texts over
 * several lines (`|`, `>`), and JSON inside. Anchors, tags and several documents are not read.
 */
import type { JsonMember, JsonNode, JsonScalar } from '../../../../program/json-node.ts';
import { readJson } from '../../../../program/json-text.ts';

export type ReadYaml =
  | { readonly ok: true; readonly node: JsonNode }
  | { readonly ok: false; readonly problem: string };

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly number: number;
  readonly raw: string;
}

class Broken extends Error {
  override readonly name = 'Broken';
}

export function readYaml(lines: readonly string[]): ReadYaml {
  const all = lines.map((raw, index) => ({
    ...{ raw, number: index + 1, text: raw.trim() },
    indent: raw.length - raw.trimStart().length,
  }));
  const reader = new Reader(all);
  try {
    return { ok: true, node: reader.block(0) };
  } catch (error) {
    if (error instanceof Broken) return { ok: false, problem: error.message };
    throw error;
  }
}

const isIdle = ({ text }: Line): boolean => text === '' || text === '---' || text.startsWith('#');

const keyOf =
  /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'{[#&*!|>%@`-][^#]*?|-?\d[\d.]*)\s*:(?=\s|$)\s*(.*)$/;
/** A key of a trace has colons of its own: `Main:01:QUE:`. */
const traceKey = /^([\p{XIDC}.]+:\d[\d.]*:[A-Z]{3}):(?=\s|$)\s*(.*)$/u;

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  block(indent: number): JsonNode {
    const line = this.#peek();
    if (!line || line.indent < indent) return scalar(null, 0);
    return isItem(line.text) ? this.#list(line.indent) : this.#mapping(line.indent);
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
      if (line.indent < indent || !isItem(line.text)) break;
      if (line.indent > indent) throw wrong(line, 'an item that stands where the others do');
      this.#at++;
      items.push(this.#item(line));
    }
    return { kind: 'array', items, ...placeOf(items[0]) };
  }

  /** What stands behind a dash is a block of its own, which begins where its text does. */
  #item(line: Line): JsonNode {
    const text = line.text.replace(/^-\s*/, '');
    if (text === '') return this.block(line.indent + 1);
    const inner = line.indent + line.text.length - text.length;
    const [key, value] = pairIn(text) ?? [];
    if (key === undefined)
      return isItem(text) ? this.#nested(text, line, inner) : this.#value(text, line);
    const first = this.#member(key, value ?? '', { ...line, text, indent: inner });
    const next = this.#peek();
    const more = next && next.indent === inner && !isItem(next.text) ? this.#members(inner) : [];
    return object([first, ...more]);
  }

  #nested(text: string, line: Line, indent: number): JsonNode {
    const item = this.#item({ ...line, text, indent });
    const next = this.#peek();
    if (!next || next.indent !== indent || !isItem(next.text)) {
      return { kind: 'array', items: [item], ...placeOf(item) };
    }
    const rest = this.#list(indent);
    const items = [item, ...(rest.kind === 'array' ? rest.items : [])];
    return { kind: 'array', items, ...placeOf(item) };
  }

  #mapping(indent: number): JsonNode {
    return object(this.#members(indent));
  }

  #members(indent: number): JsonMember[] {
    const members: JsonMember[] = [];
    for (let line = this.#peek(); line; line = this.#peek()) {
      if (line.indent < indent || isItem(line.text)) break;
      const [key, value] = pairIn(line.text) ?? [];
      if (key === undefined || line.indent > indent) throw wrong(line, 'a key with a colon');
      this.#at++;
      members.push(this.#member(key, value ?? '', line));
    }
    return members;
  }

  #member(key: string, value: string, line: Line): JsonMember {
    const node = value === '' ? this.#below(line) : this.#value(value, line);
    return { key, keyNode: scalar(key, line.number), value: node };
  }

  /** A list may stand as far out as its key. */
  #below(line: Line): JsonNode {
    const next = this.#peek();
    if (!next || next.indent < line.indent) return scalar(null, line.number);
    if (next.indent === line.indent && !isItem(next.text)) return scalar(null, line.number);
    return this.block(next.indent);
  }

  #value(text: string, line: Line): JsonNode {
    const block = /^([|>])[+-]?\d*\s*$/.exec(text);
    if (block) return scalar(this.#text(line.indent, block[1] === '|' ? '\n' : ' '), line.number);
    if (!/^[{["']/.test(text)) return plain(text, line.number);
    let whole = text;
    for (;;) {
      const read = readJson(quotedWords(uncommented(whole)));
      if (read.node) return read.node;
      const next = this.#lines[this.#at];
      if (!next || (next.indent <= line.indent && next.text !== '')) break;
      whole += `\n${next.raw}`;
      this.#at++;
    }
    throw wrong(line, 'a value');
  }

  #text(indent: number, join: string): string {
    const found: Line[] = [];
    for (let line = this.#lines[this.#at]; line; line = this.#lines[this.#at]) {
      if (line.text !== '' && line.indent <= indent) break;
      found.push(line);
      this.#at++;
    }
    const inner = Math.min(...found.filter(({ text }) => text !== '').map((one) => one.indent));
    return found
      .map(({ raw }) => raw.slice(Math.min(inner, raw.length)).trimEnd())
      .join(join)
      .trimEnd();
  }
}

const isItem = (text: string): boolean => /^-(?:\s|$)/.test(text);

function pairIn(text: string): readonly [string, string] | undefined {
  const found = traceKey.exec(text) ?? keyOf.exec(text);
  if (!found) return undefined;
  const [, key = '', value = ''] = found;
  return [key.replace(/^["']|["']$/g, ''), value.replace(/^#.*$/, '')];
}

/** `[$day, red bike]` as JSON: words without quotes are texts. */
const quotedWords = (text: string): string =>
  text.replace(
    /("(?:[^"\\]|\\.)*"|'[^']*')|([^\s"'[\]{},:][^"'[\]{},:]*[^\s"'[\]{},:]|[^\s"'[\]{},:])/g,
    (all, quoted, word) => {
      if (quoted !== undefined) return quoted;
      return /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(word) ? all : JSON.stringify(word);
    },
  );

const uncommented = (text: string): string => text.replace(/(["}\]])\s+#[^"\]}]*$/, '$1');

function plain(text: string, line: number): JsonNode {
  const bare = text.replace(/\s+#.*$/, '').trim();
  if (/^(?:~|null)?$/i.test(bare)) return scalar(null, line);
  if (/^(?:true|yes)$/i.test(bare)) return scalar(true, line);
  if (/^(?:false|no)$/i.test(bare)) return scalar(false, line);
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(bare)) {
    const read = readJson(bare).node;
    if (read) return read;
  }
  return scalar(bare, line);
}

function scalar(value: string | boolean | null, line: number): JsonScalar {
  const kind = value === null ? 'null' : typeof value === 'string' ? 'string' : 'bool';
  return { kind, value, line, column: 1, start: 0, end: 0 };
}

const placeOf = (node: JsonNode | undefined) => {
  const { line = 1, column = 1, start = 0, end = 0 } = node ?? {};
  return { line, column, start, end };
};

const object = (members: readonly JsonMember[]): JsonNode => ({
  ...{ kind: 'object', members },
  ...placeOf(members[0]?.value),
});

const wrong = ({ number, text }: Line, wanted: string): Broken =>
  new Broken(`line ${number}: got ${JSON.stringify(text.slice(0, 60))}, want ${wanted}`);
