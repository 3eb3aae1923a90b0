/**
 * A document in YAML, a small part of the language, as it arrives line by line: the trace as the
 * first interpreters wrote it, or operations as the items of a list. Owns the lines that are not
 * read yet. An item is read when the next one begins: nothing else says that it is whole.
 */
import type { JsonNode } from '../../../../program/json-node.ts';
import { readYaml, type YamlProblem } from '../../../../program/yaml-text.ts';
import type { Said } from '../said.ts';
import { DocumentSaid } from './document.ts';

/** The list that is open: how far in its dashes stand, and under which key. */
interface List {
  readonly indent: number;
  readonly key: string | undefined;
}

export class YamlDocument {
  readonly #said = new DocumentSaid();
  #list: List | undefined;
  #hasList = false;
  /** Lines of the item that is open, or of what stands around lists. */
  #lines: string[] = [];
  /** How many lines were read before those. */
  #before = 0;
  /** How far in the outermost keys stand. */
  #indent: number | undefined;

  /** Whether nothing has come. */
  get isEmpty(): boolean {
    return this.#indent === undefined;
  }

  /** Whether a line belongs to the item that is open, whatever it looks like. */
  holds(line: string): boolean {
    return this.#list !== undefined && indentOf(line) > this.#list.indent;
  }

  /** Whether it goes on with a line, where no fence says how far it goes. */
  goesOn(line: string): boolean {
    if (isIdle(line) || this.#isInItem(line)) return true;
    const { indent, key } = this.#list ?? { indent: undefined, key: undefined };
    if (key === undefined && this.#hasList) return indentOf(line) === indent && beginsItem(line);
    if (isItem(line)) return indentOf(line) === indent || this.#isBelowKey();
    return indentOf(line) > (this.#indent ?? 0) || /^\s*\w+\s*:(?:\s|$)/.test(line);
  }

  /** The next line. Gives what those before it say that are whole now. */
  add(line: string): readonly Said[] {
    const said = isIdle(line) || this.#isInItem(line) ? [] : this.#ahead(line);
    this.#lines.push(line);
    return said;
  }

  /** Nothing more comes; `isCut` says that more was to come. */
  end(isCut: boolean): readonly Said[] {
    if (isCut) return [{ is: 'cut', text: this.#lines.join('\n') }];
    if (this.#list) return [...this.#item(this.#list), ...this.#said.end()];
    const around = this.#around();
    const isNothing = !this.#hasList && !this.isEmpty && !this.#said.isMeant;
    const isUnmeant = isNothing && !around.some(({ is }) => is === 'wrong');
    return [...around, ...(isUnmeant ? [unmeant] : []), ...this.#said.end()];
  }

  /** What is whole where a line begins that belongs to no item that is open. */
  #ahead(line: string): readonly Said[] {
    const indent = indentOf(line);
    this.#indent ??= indent;
    if (this.#list) {
      const said = this.#item(this.#list);
      if (!isItem(line) || indent < this.#list.indent) this.#list = undefined;
      return said;
    }
    const key = isItem(line) ? this.#keyAbove() : false;
    if (key === false) return [];
    const said = key === undefined ? [] : this.#around(key);
    this.#list = { indent, key };
    this.#hasList = true;
    return said;
  }

  #isInItem(line: string): boolean {
    return this.holds(line) || (this.#list !== undefined && /^\s*[\]}]/.test(line));
  }

  /** Whether items may come: a key without a value stands above, or an item of its list. */
  #isBelowKey(): boolean {
    const above = this.#lines.findLast((line) => !isIdle(line)) ?? '';
    return keyAlone.test(above) || isItem(above);
  }

  /** The key that items stand under, undefined for none; false where they are not done. */
  #keyAbove(): string | undefined | false {
    const above = this.#lines.findLast((line) => !isIdle(line));
    if (above === undefined) return this.#hasList ? false : undefined;
    const key = keyAlone.exec(above)?.[1];
    const isOutermost = indentOf(above) === this.#indent;
    return key !== undefined && isOutermost && this.#said.isListKey(key) ? key : false;
  }

  #item({ key }: List): readonly Said[] {
    const { node, said } = this.#read();
    if (!node) return said;
    const items = node.kind === 'array' ? node.items : [node];
    return [...said, ...items.flatMap((item) => this.#said.item(key, item))];
  }

  /** Takes what stands around lists, up to the `key` of the next one. */
  #around(key?: string): readonly Said[] {
    const { node, said } = this.#read();
    const members = node?.kind === 'object' ? node.members : [];
    const listed = members.flatMap((one) => {
      const items = one.value.kind === 'array' ? one.value.items : [];
      if (items.length > 0 && this.#said.isListKey(one.key)) {
        this.#hasList = true;
        return items.flatMap((item) => this.#said.item(one.key, item));
      }
      if (one.key !== key) this.#said.member(one);
      return [];
    });
    return [...said, ...listed];
  }

  /** The lines that have come, read by themselves, and what is to be said of how they read. */
  #read(): { readonly node?: JsonNode; readonly said: readonly Said[] } {
    const { node, problems, comments } = readYaml(this.#lines, prose);
    const before = this.#before;
    this.#before += this.#lines.length;
    this.#lines = [];
    if (problems.length > 0) return { said: [unread(problems, before)] };
    const said = comments.map(({ text, behind }): Said => {
      const taken = `${JSON.stringify(text)} behind ${JSON.stringify(behind)}`;
      return { is: 'mended', text: `${taken} was taken for a comment of YAML, and left out` };
    });
    return { node, said };
  }
}

/** Keys of what is put in words, where a `#` is a sign as others are. */
const prose: ReadonlySet<string> = new Set([
  ...['say', 'ask', 'message', 'text', 'content', 'note', 'unexpected', 'what', 'prologue'],
  ...['think', 'thought', 'thinking', 'plan', 'recap', 'reason', 'why'],
]);

export const beginsYaml = (line: string): boolean =>
  /^(?:thread_id|trace|initial|status|prologue|stack)\s*:/.test(line);

/** `- say: Which day?`; what is no more than noted may be prose. */
export const beginsItem = (line: string): boolean =>
  /^\s*-\s+["']?(?:step|set|call|queue|say|ask|yield|yld|return|show|exit)["']?:(?:\s|$)/.test(
    line,
  );

const keyAlone = /^\s*["']?(\w+)["']?\s*:\s*(?:#.*)?$/;

const isItem = (line: string): boolean => /^\s*-(?:\s|$)/.test(line);

/** What says nothing: a comment, an empty line, a line between documents. */
const isIdle = (line: string): boolean => /^\s*(?:#.*|---)?\s*$/.test(line);

const indentOf = (line: string): number => line.length - line.trimStart().length;

const unmeant: Said = {
  is: 'wrong',
  text: 'got YAML without a trace, want one operation a line, as JSON',
};

function unread(problems: readonly YamlProblem[], before: number): Said {
  const [first = '', ...more] = problems.map((one) => `line ${before + one.line}: ${one.message}`);
  const rest = more.length === 0 ? '' : `, and ${more.length} more`;
  return { is: 'wrong', text: `cannot read the YAML: ${first}${rest}` };
}
