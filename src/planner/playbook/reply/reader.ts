/**
 * Reads a reply while it arrives: JSON objects, one after the other, in an array, or in a fence; or
 * `{"operations": […]}`, as models write them that are held to a schema. An object counts once the
 * next character shows that nothing else follows it, so that every division into pieces reads the
 * same. Thoughts between tags are left out. Linear in the length of the text.
 */
import type { JsonNode } from '../../../text/json-node.ts';
import { dropsPart, readJson, thinkTags } from '../../../text/json-text.ts';
import { operationsKey } from './operations.ts';

export type ReadItem =
  /** `repair` says what was wrong with it that can only mean one thing. */
  | { readonly is: 'object'; readonly data: unknown; readonly repair?: string }
  /** `problem` says what is wrong; `text` is as much of it as a message shows. */
  | { readonly is: 'broken'; readonly text: string; readonly problem: string }
  /** Prose beside the operations. */
  | { readonly is: 'words'; readonly text: string };

/** Hears the text of an object while it is still open. */
export interface ObjectListener {
  begin(): void;
  more(text: string): void;
}

type State = 'outside' | 'thinking' | 'opening' | 'inside' | 'string' | 'after' | 'spoilt';

const opening = new RegExp(`^<(?:${thinkTags})(?:\\s[^<>]{0,200})?>`, 'i');
const closing = new RegExp(`^</(?:${thinkTags})\\s*>`, 'i');
const tagMax = 240;

/** The beginning of an object that holds all operations, after its brace. */
const aroundAll = new RegExp(`^"${operationsKey}"\\s*:\\s*\\[`);
const aroundMax = 80;

const aroundSoFar = new RegExp(`^"${operationsKey}"\\s*(?::\\s*)?$`);

/** Whether more text may make it that beginning. */
const mayBeAround = (head: string): boolean =>
  `"${operationsKey}"`.startsWith(head) || aroundSoFar.test(head);
const brokenMax = 400;

export class ReplyReader {
  readonly #listener: ObjectListener | undefined;
  #state: State = 'outside';
  /** The text that is not used yet: less than a tag, but for the object that is open. */
  #pending = '';
  /** Pieces of the open object. */
  #object: string[] = [];
  #depth = 0;
  #isEscaped = false;
  /** Whether a line has ended after the last character of the object that is not a space. */
  #hasNewLine = false;
  /** The last character of the object that is not a space. */
  #last = '';
  #words: string[] = [];
  #items: ReadItem[] = [];

  constructor(listener?: ObjectListener) {
    this.#listener = listener;
  }

  /** Takes the next piece of the text. */
  feed(piece: string): readonly ReadItem[] {
    this.#pending += piece;
    while (this.#step(false));
    return this.#taken();
  }

  /** The text is over; `isCut` says that it was not meant to be. */
  end(isCut = false): readonly ReadItem[] {
    while (this.#step(true));
    if (this.#state === 'after') this.#closeObject();
    else if (this.#state === 'spoilt') this.#break(afterObject);
    else if (/inside|string/.test(this.#state) && !isCut) this.#break('it is never closed');
    this.#takeWords();
    return this.#taken();
  }

  #taken(): readonly ReadItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  /** Uses some of the pending text; false where more has to come. */
  #step(isEnd: boolean): boolean {
    if (this.#pending === '') return false;
    switch (this.#state) {
      case 'outside':
        return this.#outside(isEnd);
      case 'thinking':
        return this.#thinking(isEnd);
      case 'opening':
        return this.#opening(isEnd);
      case 'inside':
        return this.#inside();
      case 'string':
        return this.#string();
      case 'after':
        return this.#after();
      case 'spoilt':
        return this.#spoilt();
    }
  }

  #use(count: number): string {
    const text = this.#pending.slice(0, count);
    this.#pending = this.#pending.slice(count);
    return text;
  }

  #outside(isEnd: boolean): boolean {
    const at = this.#pending.search(/[{<]/);
    if (at !== 0) {
      this.#words.push(this.#use(at < 0 ? this.#pending.length : at));
      return at > 0;
    }
    if (this.#pending.startsWith('{')) {
      this.#state = 'opening';
      this.#object = [this.#use(1)];
      return true;
    }
    const head = this.#pending.slice(0, tagMax);
    const isWhole = head.includes('>') || head.length === tagMax || isEnd;
    if (!isWhole && /^<\/?[a-z]*(?:\s[^<>]*)?$/i.test(head)) return false;
    const open = opening.exec(head);
    const close = closing.exec(head);
    // What stands before a closing mark that nothing opened was a thought.
    if (close) this.#words = [];
    this.#state = open ? 'thinking' : 'outside';
    const used = this.#use(open?.[0].length ?? close?.[0].length ?? 1);
    if (!open && !close) this.#words.push(used);
    return true;
  }

  #thinking(isEnd: boolean): boolean {
    const at = this.#pending.indexOf('<');
    this.#use(at < 0 ? this.#pending.length : at);
    if (at < 0) return false;
    const head = this.#pending.slice(0, tagMax);
    const close = closing.exec(head);
    const isWhole = head.includes('>') || head.length === tagMax || isEnd;
    if (!close && !isWhole && /^<(?:\/[a-z]*\s*)?$/i.test(head)) return false;
    if (close) this.#state = 'outside';
    this.#use(close?.[0].length ?? 1);
    return true;
  }

  /** A brace begins an object where a key follows; what is around all of them is left out. */
  #opening(isEnd: boolean): boolean {
    const at = this.#pending.search(/\S/);
    this.#object.push(this.#use(at < 0 ? this.#pending.length : at));
    if (at < 0) return false;
    const head = this.#pending.slice(0, aroundMax);
    const around = aroundAll.exec(head)?.[0].length;
    if (around === undefined && !isEnd && head.length < aroundMax && mayBeAround(head)) {
      return false;
    }
    if (around !== undefined) {
      this.#use(around);
      this.#object = [];
      this.#state = 'outside';
      return true;
    }
    if (this.#pending.startsWith('"')) {
      this.#takeWords();
      this.#state = 'inside';
      this.#depth = 1;
      this.#last = '{';
      this.#listener?.begin();
      this.#listener?.more(this.#object.join(''));
      return true;
    }
    this.#words.push(...this.#object);
    this.#object = [];
    this.#state = 'outside';
    return true;
  }

  #take(count: number): string {
    const text = this.#use(count);
    this.#object.push(text);
    this.#listener?.more(text);
    return text;
  }

  #inside(): boolean {
    const at = this.#pending.search(/["{}[\]]/);
    const before = this.#pending.slice(0, at < 0 ? this.#pending.length : at);
    const mark = at < 0 ? '' : this.#pending.charAt(at);
    const solid = before.trimEnd();
    const hasNewLine = before.slice(solid.length).includes('\n');
    this.#hasNewLine = hasNewLine || (solid === '' && this.#hasNewLine);
    this.#last = solid.at(-1) ?? this.#last;
    this.#take(before.length);
    if (mark === '{' && this.#hasNewLine && !/[:,[]/.test(this.#last)) {
      this.#break('a bracket is missing at its end');
      return true;
    }
    if (mark === '') return false;
    this.#take(1);
    this.#last = mark;
    this.#hasNewLine = false;
    if (mark === '"') this.#state = 'string';
    else this.#depth += mark === '{' || mark === '[' ? 1 : -1;
    if (this.#depth === 0) this.#state = 'after';
    return true;
  }

  #string(): boolean {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#take(1);
      return true;
    }
    const at = this.#pending.search(/["\\\n]/);
    const mark = at < 0 ? '' : this.#pending.charAt(at);
    if (mark === '\n') {
      this.#take(at);
      this.#break('got a line break within a text, want \\n');
      return true;
    }
    this.#take(at < 0 ? this.#pending.length : at + 1);
    if (mark === '\\') this.#isEscaped = true;
    if (mark === '"') {
      this.#state = 'inside';
      this.#last = mark;
    }
    return at >= 0;
  }

  /** After an object only the marks of a list may stand, or the next object. */
  #after(): boolean {
    const at = this.#pending.search(/[^ \t\r]/);
    this.#use(at < 0 ? this.#pending.length : at);
    if (at < 0) return false;
    if (/^[\n,\]{`<]/.test(this.#pending)) this.#closeObject();
    else this.#state = 'spoilt';
    return true;
  }

  /** The rest of a line whose object has ended too early, so that it was not read rightly. */
  #spoilt(): boolean {
    const end = this.#pending.indexOf('\n');
    this.#object.push(this.#use(end < 0 ? this.#pending.length : end));
    if (end < 0) return false;
    this.#break(afterObject);
    return true;
  }

  #closeObject(): void {
    const text = this.#object.join('');
    const { node, error, repairs } = readJson(text);
    const problem = error?.message ?? repairs.find(dropsPart)?.message ?? repeatedKey(node);
    if (!node || problem !== undefined) {
      this.#break(problem ?? 'it cannot be read');
      return;
    }
    this.#reset();
    const [repair] = repairs;
    const data = dataOf(node);
    this.#items.push(
      repair ? { is: 'object', data, repair: repair.message } : { is: 'object', data },
    );
  }

  #break(problem: string): void {
    const text = this.#object.join('');
    this.#reset();
    this.#items.push(broken(text, problem));
  }

  #reset(): void {
    this.#object = [];
    this.#state = 'outside';
    this.#depth = 0;
    this.#isEscaped = false;
  }

  /** Marks of lists and fences are not words. */
  #takeWords(): void {
    const text = this.#words
      .join('')
      .replace(/^[ \t]*(?:`{3,}|~{3,})\w*[ \t]*$/gm, '')
      .trim();
    this.#words = [];
    if (/\p{L}/u.test(text)) this.#items.push({ is: 'words', text });
  }
}

const afterObject = 'something follows it in its line';

const broken = (text: string, problem: string): ReadItem => ({
  is: 'broken',
  text: text.length > brokenMax ? `${text.slice(0, brokenMax)} …` : text,
  problem,
});

/** Of a key that is written twice JSON keeps the last value alone. */
function repeatedKey(node: JsonNode | undefined): string | undefined {
  const keys = node?.kind === 'object' ? node.members.map(({ key }) => key) : [];
  const repeated = keys.find((key, at) => keys.indexOf(key) < at);
  return repeated === undefined ? undefined : `got the key "${repeated}" twice, want two lines`;
}

function dataOf(node: JsonNode): unknown {
  if (node.kind === 'array') return node.items.map(dataOf);
  if (node.kind !== 'object') return node.value;
  return Object.fromEntries(node.members.map(({ key, value }) => [key, dataOf(value)]));
}
