/**
 * The items of a list of actions as they are found, and what belongs together: lines of a thought,
 * a thought and its action, an action and its number. Owns what is not known to have ended yet;
 * knows nothing of how lines and calls are told apart.
 */
import type { Severity } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import { callOf, type ReadCall } from './call.ts';
import type { CodeName } from './codes.ts';
import type { CallItem, Item, Place, TextItem } from './item.ts';
import { diagnosticOf } from './report.ts';
import * as shapes from './shapes.ts';

/** Lines that belong together and are never executed. */
interface Block {
  readonly kind: 'question' | 'thought' | 'observation';
  readonly lines: string[];
  readonly place: Place;
  end: number;
  readonly of: string;
}

type Called = Pick<shapes.Head, 'form' | 'id' | 'name'>;

export class ItemList {
  #items: Item[] = [];
  #block: Block | undefined;
  #thoughts: string[] = [];
  /** Lines since the call before that belong to nothing yet. */
  #prose: { readonly text: string; readonly place: Place }[] = [];
  /** `Action: tool` whose arguments are to stand in a line of their own. */
  #action: { readonly name: string; readonly nameAt: Site; readonly place: Place } | undefined;
  #lastId: number;
  #nextId = '';
  #last: CallItem | undefined;
  #isJoined = false;

  /** `before` is the number of the action before the first one. */
  constructor(before: number) {
    this.#lastId = before;
  }

  /** What kind of lines go on here. */
  get block(): Block['kind'] | undefined {
    return this.#block?.kind;
  }

  /** The number of an action that has none. */
  get nextNumber(): string {
    return this.#nextId || String(this.#lastId + 1);
  }

  taken(): Item[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  say(severity: Severity, code: CodeName, at: Site, message: string, hint?: string): void {
    const diagnostic = diagnosticOf(severity, code, at, message, hint);
    this.#items.push({ kind: 'diagnostic', diagnostic });
  }

  text(kind: TextItem['kind'], text: string, place: Place): void {
    this.#items.push({ kind, text: text.trim(), of: '', ...place });
  }

  /** The mark of the end of the plan. */
  end(place: Place): void {
    this.close();
    this.#items.push({ kind: 'end', ...place });
  }

  /** The end of the text. */
  finish(): void {
    this.close();
    for (const { text, place } of this.#prose.splice(0)) this.text('prose', text, place);
  }

  /** Ends what may go on. */
  close(): void {
    this.#closeAction();
    this.closeBlock();
  }

  closeBlock(): void {
    const block = this.#block;
    if (!block) return;
    this.#block = undefined;
    const { kind, lines, place, end, of } = block;
    const text = lines.join('\n').trim();
    if (kind === 'thought') this.#thoughts.push(text);
    this.#items.push({ kind, text, of, ...place, end });
  }

  /** `place` is that of its number, or of its name. */
  call(head: Called, place: Place, nameAt: Site, read: ReadCall): void {
    const { form, name } = head;
    const isJoin = shapes.isEndName(name);
    const id = head.id || this.nextNumber;
    this.#nextId = '';
    if (this.#isJoined) {
      const what = isJoin ? 'a second end of the plan' : `task ${id}`;
      const message = `got ${what} behind join; it was left out`;
      this.say('warning', 'behindJoin', place, message, 'join is the last line of a plan');
      return;
    }
    const kind = isJoin ? 'join' : 'task';
    const thought = this.#thought(form, id);
    const item = { kind, id, form, name, nameAt, thought, ...read, ...place } as const;
    this.#lastId = Number(id);
    this.#isJoined = isJoin;
    this.#last = item;
    this.#items.push(item);
  }

  /** A line without anything in it. */
  blank(): void {
    if (this.#block?.kind === 'question') this.closeBlock();
    this.#block?.lines.push('');
  }

  /** A line that is neither an action nor a label; `isPartial` where the text ends in it. */
  words(text: string, place: Place, isPartial: boolean): void {
    const number = shapes.numberedLine.exec(text)?.[1];
    const block = this.#block;
    if (number !== undefined && block?.kind !== 'observation') {
      const inThought = block?.kind === 'thought' && !isPartial;
      const id = number.replace(/^0+(?=\d)/, '');
      this.#items.push({ kind: 'words', id, text: text.trim(), inThought, ...place });
      if (inThought) block.lines.push(text.trim());
    } else if (block) {
      block.lines.push(text.trim());
      block.end = place.end;
    } else this.#prose.push({ text: text.trim(), place });
  }

  /**
   * Why the call is made. Where no label says it, in whatever language, it is what stands between
   * the call and the one before. Before the first of a plan, words may be about all of it.
   */
  #thought(form: CallItem['form'], id: string): string {
    const lines = this.#prose.splice(0);
    const thoughts = this.#thoughts.splice(0);
    const isFirst = this.#last === undefined && form !== 'action';
    const label = isFirst ? lines.findLastIndex(({ text }) => shapes.isLabelled(text)) : 0;
    const from = thoughts.length > 0 || label < 0 ? lines.length : label;
    const said = lines.filter(({ text }, i) => i >= from && shapes.isSaid(text));
    for (const line of lines) if (!said.includes(line)) this.text('prose', line.text, line.place);
    const [first] = said;
    if (!first) return thoughts.join('\n');
    const text = said.map((line) => line.text).join('\n');
    const end = said.at(-1)?.place.end ?? first.place.end;
    this.#items.push({ kind: 'thought', text, of: id, ...first.place, end });
    return text;
  }

  /** A line that begins with a label; `place` is that of the line. */
  labelled(found: shapes.Labelled, place: Place): void {
    const { label, written, number, rest } = found;
    switch (label) {
      case 'question':
      case 'thought':
      case 'observation': {
        this.close();
        const of = label === 'observation' ? number || (this.#last?.id ?? '') : '';
        this.#block = { kind: label, lines: [rest], place, end: place.end, of };
        if (!shapes.properLabels.has(written)) this.#foreignLabel(written, label, place);
        return;
      }
      case 'answer':
        this.close();
        this.text('answer', rest, place);
        return;
      case 'id':
        this.#actionId(rest, place);
        return;
      case 'input':
        this.#actionInput(found, place);
        return;
      case 'action':
        this.#actionName(found, place);
    }
  }

  #foreignLabel(written: string, label: string, at: Site): void {
    const proper = `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
    const hint = `write ${proper}: at the beginning of the line`;
    this.say('warning', 'foreignLabel', at, `got ${written}:, taken as ${proper}:`, hint);
  }

  /** `Action ID: 1`, behind the action or before it. */
  #actionId(rest: string, at: Site): void {
    const id = /^#?(\d+)\s*$/.exec(rest)?.[1];
    const last = this.#last;
    const isBehind = last?.form === 'action' && this.#block === undefined && this.#nextId === '';
    const [name, number] = [isBehind ? last.name : 'tool', id ?? (isBehind ? last.id : '1')];
    const severity = isBehind && id !== undefined && id !== last.id ? 'error' : 'warning';
    const hint = `write ${number}. ${name}[…]: the number stands before the action`;
    this.say(severity, 'actionId', at, 'got a line Action ID', hint);
    if (!isBehind && id !== undefined) this.#nextId = id;
  }

  /** `Action: tool` alone: the arguments are still to come. */
  #actionName({ rest, restAt, number }: shapes.Labelled, place: Place): void {
    this.close();
    if (number !== '') this.#nextId = number;
    const name = shapes.nameAlone(rest);
    if (name === undefined) this.#wordsAt(rest, place);
    else {
      const nameAt = { line: place.line, column: place.column + restAt + rest.indexOf(name) };
      this.#action = { name, nameAt, place };
    }
  }

  #actionInput({ rest, restAt }: shapes.Labelled, place: Place): void {
    const action = this.#action;
    this.#action = undefined;
    if (!action) {
      const hint = 'write tool[arguments] in one line';
      this.say('warning', 'actionInput', place, 'got arguments of no action', hint);
      return;
    }
    const { name, nameAt } = action;
    const hint = `write ${name}[${rest.length > 40 ? '…' : rest}]`;
    this.say('warning', 'actionInput', place, 'got arguments in a line of their own', hint);
    const at = { line: place.line, column: place.column + restAt - 1 };
    const whole = { ...action.place, end: place.end };
    this.call({ form: 'action', id: '', name }, whole, nameAt, callOf(`[${rest}]`, at, name));
  }

  #closeAction(): void {
    const action = this.#action;
    this.#action = undefined;
    if (action) this.#wordsAt(action.name, action.place);
  }

  /** An action that calls nothing. */
  #wordsAt(text: string, place: Place): void {
    this.#items.push({ kind: 'words', id: this.nextNumber, text, inThought: false, ...place });
  }
}
