/**
 * A document in JSON as it arrives. Owns what has come of it: of a list of what is done each item
 * is said as soon as its braces close. What is said depends on the text alone, not on its pieces.
 */
import type { JsonNode } from '../../../../program/json-node.ts';
import { JsonArrival, moreRepairs } from '../../../../program/json-text.ts';
import type { Said } from '../said.ts';
import { DocumentSaid } from './document.ts';

export class JsonDocument {
  readonly #arrival = new JsonArrival();
  readonly #said = new DocumentSaid();
  readonly #mended = new Set<string>();
  /** Members of the outermost object that have been taken, and items of the list behind them. */
  #members = 0;
  #items = 0;
  /** Where the last item ends. */
  #end = 0;
  #isList = false;

  /** Whether it has shown to be a list of what is done, or an object around one. */
  get isList(): boolean {
    return this.#isList;
  }

  /** Whether what comes now stands behind it, or cannot be read. */
  get isOver(): boolean {
    return this.#arrival.progress !== 'more';
  }

  /** Whether all of it was read. */
  get isWhole(): boolean {
    return this.#arrival.progress === 'done';
  }

  /** How many items have been said. */
  get items(): number {
    return this.#items;
  }

  /** What has come of the item that is open. */
  get open(): string {
    return this.#arrival.from(this.#end);
  }

  /** What has come behind it. */
  get behind(): string {
    return this.#arrival.behind;
  }

  /** Takes what comes next, up to a sign that may close an item; gives what that says. */
  add(text: string): readonly Said[] {
    this.#arrival.push(text);
    return this.#news();
  }

  /** The text is over. */
  end(): readonly Said[] {
    this.#arrival.end();
    return this.#news();
  }

  #news(): readonly Said[] {
    const { progress, error } = this.#arrival;
    const found = this.#whole();
    if (!this.#isList) return [];
    if (progress === 'done') found.push(...this.#said.end());
    const mended = found.length > 0 || this.isOver ? this.#repaired() : [];
    if (progress !== 'failed') return [...mended, ...found];
    const why = error ? `line ${error.line}: ${error.message}` : 'got no JSON';
    return [...mended, ...found, { is: 'wrong', text: `cannot read the JSON: ${why}` }];
  }

  /** What is said by the parts that have become whole. */
  #whole(): Said[] {
    const node = this.#arrival.soFar;
    if (!node) return [];
    if (node.kind === 'array') {
      return this.#isListOf(undefined, node.items) ? [...this.#list(undefined, node.items)] : [];
    }
    const found: Said[] = [];
    for (let next = node.members[this.#members]; next; next = node.members[this.#members]) {
      const { key, value } = next;
      // The last one may be a list that is still open.
      const isOpen = !this.isOver && value.kind === 'array' && next === node.members.at(-1);
      if (value.kind === 'array' && this.#isListOf(key, value.items)) {
        found.push(...this.#list(key, value.items));
      } else if (!isOpen) this.#said.member(next);
      if (isOpen) break;
      this.#members++;
      this.#items = 0;
    }
    return found;
  }

  #isListOf(key: string | undefined, [first]: readonly JsonNode[]): boolean {
    if (!first) return false;
    if (this.#items > 0) return true;
    const isKey = key === undefined || this.#said.isListKey(key);
    return isKey && (first.kind === 'object' || key?.toLowerCase() === 'trace');
  }

  /** What is said by the items that are new. */
  #list(key: string | undefined, items: readonly JsonNode[]): readonly Said[] {
    const fresh = items.slice(this.#items);
    this.#items = items.length;
    this.#isList ||= fresh.length > 0;
    this.#end = items.at(-1)?.end ?? this.#end;
    return fresh.flatMap((item) => this.#said.item(key, item));
  }

  /** What was mended that was not told yet. */
  #repaired(): readonly Said[] {
    const { repairs } = this.#arrival;
    // How many more there are of a kind is known at the end.
    const known = repairs.filter(({ code }) => this.isOver || code !== moreRepairs);
    const fresh = known.filter(({ message }) => !this.#mended.has(message));
    for (const { message } of fresh) this.#mended.add(message);
    const messages = [...new Set(fresh.map(({ message }) => message))];
    return messages.map((message) => ({ is: 'mended', text: `its JSON was mended: ${message}` }));
  }
}
