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

/**
 * `opening`: a brace, which begins an object where a key follows. `after`: an object may be whole.
 * `spoilt`: something follows it, up to the end of its line.
 */
type State = 'outside' | 'thinking' | 'opening' | 'inside' | 'string' | 'after' | 'spoilt';

const tag = `</?(?:${thinkTags})(?:\\s[^<>]{0,200})?>`;
const plainToken = new RegExp(`${tag}|[^<{}[\\]"\\n]+|[\\s\\S]`, 'iy');
const stringToken = /[^"\\\n]+|\\[\s\S]|["\n]/y;

/** What may still become a tag. */
const unfinishedTag = /^<\/?[a-z]*(?:\s[^<>]{0,200})?$/i;
const tagMax = 240;

/** The beginning of an object that holds all operations. */
const aroundAll = new RegExp(`^\\{\\s*"${operationsKey}"\\s*:\\s*\\[$`);
const aroundMax = 80;

const brokenMax = 400;

export class ReplyReader {
  readonly #listener: ObjectListener | undefined;
  #state: State = 'outside';
  /** Text that is not used yet: less than a tag. */
  #pending = '';
  /** The open object, as far as it has come. */
  #object = '';
  #depth = 0;
  /** Whether a line has ended after the last character of the object that is not a space. */
  #hasNewLine = false;
  /** The last character of the object that is not a space. */
  #last = '';
  #words = '';
  #items: ReadItem[] = [];

  constructor(listener?: ObjectListener) {
    this.#listener = listener;
  }

  /** Takes the next piece of the text. */
  feed(piece: string): readonly ReadItem[] {
    return this.#read(piece, false);
  }

  /** The text is over; `isCut` says that it was not meant to be. */
  end(isCut = false): readonly ReadItem[] {
    const items = this.#read('', true);
    if (this.#state === 'after') this.#closeObject();
    else if (this.#state === 'spoilt') this.#break(afterObject);
    else if (/inside|string/.test(this.#state) && !isCut) this.#break('it is never closed');
    this.#takeWords();
    return [...items, ...this.#items];
  }

  #read(piece: string, isEnd: boolean): readonly ReadItem[] {
    this.#items = [];
    const text = this.#pending + piece;
    let at = 0;
    while (at < text.length) {
      const head = text.charAt(at) === '<' ? text.slice(at, at + tagMax) : '';
      if (!isEnd && head.length < tagMax && this.#state !== 'string' && unfinishedTag.test(head)) {
        break;
      }
      const form = this.#state === 'string' ? stringToken : plainToken;
      form.lastIndex = at;
      const [token] = form.exec(text) ?? [];
      // A backslash, whose character is still to come.
      if (token === undefined) break;
      at += token.length;
      this.#take(token);
    }
    this.#pending = text.slice(at);
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #take(token: string): void {
    const isLineEnd = token === '\n';
    if (this.#state === 'outside') this.#takeOutside(token);
    else if (this.#state === 'opening') this.#takeOpening(token);
    else if (this.#state === 'inside') this.#takeInside(token);
    else if (this.#state === 'after') this.#takeAfter(token);
    else if (this.#state === 'thinking') {
      if (/^<\/./.test(token)) this.#state = 'outside';
    } else if (this.#state === 'spoilt') {
      if (isLineEnd) this.#break(afterObject);
      else this.#object += token;
    } else if (isLineEnd) this.#break('got a line break within a text, want \\n');
    else {
      this.#add(token);
      if (token === '"') this.#state = 'inside';
    }
  }

  #takeOutside(token: string): void {
    if (token === '{') {
      this.#state = 'opening';
      this.#object = token;
    } else if (/^<\/./.test(token)) {
      // What stands before a closing mark that nothing opened was a thought.
      this.#words = '';
    } else if (/^<./.test(token)) this.#state = 'thinking';
    else this.#words += token;
  }

  #takeOpening(token: string): void {
    if (token.trim() === '') this.#object += token;
    else if (token === '"') {
      this.#takeWords();
      this.#state = 'string';
      this.#depth = 1;
      this.#listener?.begin();
      this.#listener?.more(this.#object);
      this.#add(token);
    } else {
      // The brace was one of the words.
      this.#words += this.#object;
      this.#reset();
      this.#takeOutside(token);
    }
  }

  #add(text: string): void {
    this.#object += text;
    this.#listener?.more(text);
  }

  #takeInside(token: string): void {
    if (token === '{' && this.#hasNewLine && !/[:,[]/.test(this.#last)) {
      this.#break('a bracket is missing at its end');
      this.#takeOutside(token);
      return;
    }
    this.#add(token);
    const solid = token.trimEnd();
    if (solid !== '') this.#last = solid.slice(-1);
    this.#hasNewLine = token === '\n' || (solid === '' && this.#hasNewLine);
    if (token === '"') this.#state = 'string';
    else if (token === '{' || token === '[') this.#depth += 1;
    else if (token === '}' || token === ']') this.#depth -= 1;
    if (this.#depth === 0) this.#state = 'after';
    // What is around all operations is left out.
    else if (this.#object.length < aroundMax && aroundAll.test(this.#object)) this.#reset();
  }

  /** After an object only the marks of a list may stand, or the next object. */
  #takeAfter(token: string): void {
    const solid = token.replace(/^[ \t\r]+/, '');
    if (solid === '') return;
    if (/^[\n,\]{`<]/.test(solid)) {
      this.#closeObject();
      this.#takeOutside(solid);
    } else {
      this.#state = 'spoilt';
      this.#object += solid;
    }
  }

  #closeObject(): void {
    const { node, error, repairs } = readJson(this.#object);
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
    const text = this.#object;
    this.#reset();
    const shown = text.length > brokenMax ? `${text.slice(0, brokenMax)} …` : text;
    this.#items.push({ is: 'broken', text: shown, problem });
  }

  #reset(): void {
    this.#object = '';
    this.#state = 'outside';
    this.#hasNewLine = false;
  }

  /** Marks of lists and fences are not words. */
  #takeWords(): void {
    const text = this.#words.replace(/^[ \t]*(?:`{3,}|~{3,})\w*[ \t]*$/gm, '').trim();
    this.#words = '';
    if (/\p{L}/u.test(text)) this.#items.push({ is: 'words', text });
  }
}

const afterObject = 'something follows it in its line';

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
