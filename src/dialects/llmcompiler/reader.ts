/**
 * Splits a list of actions into items while it arrives, line by line. Owns the call that goes on
 * beyond its line.
 *
 * - R1 Only whole lines are read, so items depend on the text alone, never on how it was cut.
 * - R2 A call is an item with the line in which it ends. A line that begins as the next action ends
 *   one whose bracket is missing.
 * - R3 What stands in thoughts, observations and questions is never an action (P13).
 */
import type { Site } from '../../program/effect.ts';
import { CallReader, callOf, type ReadCall } from './call.ts';
import type { Item, Place } from './item.ts';
import { ItemList } from './item-list.ts';
import { shortened } from './report.ts';
import * as shapes from './shapes.ts';

/** A line, or what of it stands after something: its place, and its offset in the whole text. */
interface Line extends Site {
  readonly text: string;
  readonly start: number;
  /** Whether the text ends in it. */
  readonly isPartial: boolean;
}

/** A call whose end has not been read yet. */
interface OpenCall {
  readonly head: shapes.Head;
  readonly line: Line;
  readonly reader: CallReader;
  /** Lines inside of quotes, which are after it where these were never closed. */
  held: HeldLines | undefined;
}

interface HeldLines {
  readonly quoted: CallReader['quoted'];
  /** How long the call is without them. */
  readonly length: number;
  readonly lines: Line[];
}

export class PlanReader {
  readonly #list: ItemList;
  /** What has arrived of the line that is not whole; its number and its offset. */
  #partial = '';
  #line = 1;
  #start = 0;
  #call: OpenCall | undefined;
  #thinking: Site | undefined;
  #isEnded = false;
  #saidAfterEnd = false;

  /** Actions without a number are counted from after `before`. */
  constructor(before = 0) {
    this.#list = new ItemList(before);
  }

  /** Takes the next piece of the text; gives the items of the lines that it completes. */
  feed(text: string): Item[] {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#takeLine(this.#partial + text.slice(from, end), false);
      this.#partial = '';
      from = end + 1;
    }
    this.#partial += text.slice(from);
    return this.#list.taken();
  }

  /** Ends the text; gives the items of its last line, and those that only the end could decide. */
  end(): Item[] {
    const isPartial = this.#partial !== '';
    if (isPartial) this.#takeLine(this.#partial, true);
    if (this.#call) this.#cut(this.#call, isPartial);
    this.#list.finish();
    if (this.#thinking) {
      const hint = 'close the thinking, and write the plan behind it';
      const message = 'the text ends inside its thinking';
      this.#list.say('error', 'endlessThought', this.#thinking, message, hint);
    }
    return this.#list.taken();
  }

  #takeLine(whole: string, isPartial: boolean): void {
    const text = whole.replace(/\r$/, '');
    this.#next({ text, line: this.#line++, column: 1, start: this.#start, isPartial });
    this.#start += whole.length + 1;
  }

  #next(line: Line): void {
    if (this.#call) this.#continue(this.#call, line);
    else this.#read(line);
  }

  /** Reads the calls of a line from an offset on, then what else stands in it. */
  #read(line: Line, from = 0): void {
    let at = from;
    for (let head = this.#headIn(line, at); head; head = this.#headIn(line, at)) {
      this.#list.close();
      if (at > 0) {
        const start = head.form === 'action' ? 'Action:' : `${head.id}.`;
        const hint = `begin a line with ${start} ${head.name}[…]`;
        const message = 'got a second task in one line';
        this.#list.say('warning', 'oneLine', siteIn(line, head.start), message, hint);
      }
      const after = this.#open(head, line);
      if (after === undefined) return;
      at = after;
    }
    if (this.#thinking) this.#inThinking(line);
    else if (this.#isEnded) this.#afterEnd(line);
    else if (at > 0) this.#afterCall(line, at);
    else this.#wholeLine(line);
  }

  #headIn(line: Line, at: number): shapes.Head | undefined {
    if (this.#isEnded || this.#thinking) return undefined;
    const head = shapes.headOf(line.text, at);
    return head && at === 0 && this.#isContent(head.start) ? undefined : head;
  }

  /** Observations may hold anything; what they repeat of a plan is indented. */
  #isContent(indent: number): boolean {
    return this.#list.block === 'observation' && indent > 0;
  }

  // Calls.

  /** Begins a call; gives the offset after its end, or undefined where it goes on. */
  #open(head: shapes.Head, line: Line): number | undefined {
    const { form, id, name, bracketAt } = head;
    const at = siteIn(line, bracketAt);
    const reader = new CallReader(at, form === 'numbered' ? `${id}. ${name}[` : `${name}[`);
    const end = reader.read(line.text.slice(bracketAt), at);
    return this.#settle({ head, line, reader, held: undefined }, line, bracketAt, end);
  }

  /** What stands in a line from an offset on has been read as a call, to its end or to none. */
  #settle(call: OpenCall, line: Line, from: number, end: number): number | undefined {
    const { reader } = call;
    if (end >= 0) {
      this.#seal(call, line.start + from + end, reader.end());
      return from + end;
    }
    this.#call = call;
    if (!reader.hasWrongEnd) return undefined;
    const { call: read, after } = reader.endAtWrong();
    this.#seal(call, line.start + from + after, read);
    return from + after;
  }

  #continue(call: OpenCall, line: Line): void {
    const { reader } = call;
    const { quoted, length } = reader;
    if (call.held?.quoted !== quoted) call.held = quoted && { quoted, length, lines: [] };
    if (isAfter(call, line.text)) {
      this.#endBefore(call, line);
      return;
    }
    call.held?.lines.push(line);
    const after = this.#settle(call, line, 0, reader.read(line.text, line));
    if (after !== undefined) this.#read(line, after);
  }

  /** The call has ended before this line; where quotes are open, with the line that opens them. */
  #endBefore(call: OpenCall, line: Line): void {
    const lines = [...(call.held?.lines ?? []), line];
    this.#seal(call, (lines[0] ?? line).start - 1, call.reader.endAtText(call.held?.length));
    for (const next of lines) this.#next(next);
  }

  /** The text has ended inside of the call. */
  #cut(call: OpenCall, isPartial: boolean): void {
    const { head, line, reader } = call;
    if (reader.isClosed || (!isPartial && !reader.quoted)) {
      this.#seal(call, this.#start - 1, reader.endAtText());
      return;
    }
    const number = head.id === '' ? '' : `${head.id}. `;
    const message = `the text ends in the middle of ${number}${head.name}`;
    const hint = 'a plan cut short is never run: write all of it';
    this.#list.say('error', 'cutShort', siteIn(line, head.start), message, hint);
  }

  #seal({ head, line }: OpenCall, end: number, read: ReadCall): void {
    this.#call = undefined;
    this.#list.call(head, placeIn(line, head.start, end), siteIn(line, head.nameAt), read);
  }

  // Lines that call nothing.

  #wholeLine(line: Line): void {
    const { text } = line;
    const place = placeIn(line, 0, line.start + text.length);
    const label = shapes.labelOf(text);
    if (label && !this.#isContent(text.search(/\S/))) {
      this.#list.labelled(label, place);
      return;
    }
    const tag = shapes.endTagIn(text);
    if (text.trim() === '') this.#list.blank();
    else if (tag >= 0 && text.slice(0, tag).trim() === '') this.#planEnds(line, tag);
    else if (shapes.isFence(text)) this.#list.closeBlock();
    else if (/^\s*#/.test(text)) this.#list.text('comment', text, place);
    else if (shapes.opensThinking.test(text)) {
      this.#list.closeBlock();
      this.#thinking = siteIn(line, 0);
      this.#inThinking(line);
    } else if (!this.#isAlone(line)) this.#list.words(text, place, line.isPartial);
  }

  /** `join()` or `3. join`; or another call without a number, which is an error. */
  #isAlone(line: Line): boolean {
    if (this.#list.block === 'observation') return false;
    const end = shapes.endHead(line.text);
    const head = end ?? shapes.aloneHead(line.text);
    if (!head) return false;
    this.#list.close();
    const nameAt = siteIn(line, head.nameAt);
    if (end) {
      const hint = `write ${end.id}. ${end.name}()`;
      this.#list.say(
        'warning',
        'joinForm',
        nameAt,
        'got the end of the plan without brackets',
        hint,
      );
      const place = placeIn(line, end.start, line.start + end.bracketAt);
      this.#list.call(end, place, nameAt, callOf('()', siteIn(line, end.bracketAt)));
    } else this.#withoutNumber(head, line);
    return true;
  }

  #withoutNumber(head: shapes.AloneHead, line: Line): void {
    const { variable, name, nameAt } = head;
    const number = this.#list.nextNumber;
    const site = siteIn(line, head.start);
    if (variable !== undefined) {
      // A step, whose result would have another name.
      const call = line.text.slice(nameAt, head.bracketAt + 1);
      const hint = `write ${number}. ${call}…, and $${number} where ${variable} is meant`;
      this.#list.say(
        'error',
        'noNumber',
        site,
        `got the variable ${variable}, want a number`,
        hint,
      );
      return;
    }
    const own = line.text.trim();
    const hint = `write ${number}. ${own}; in a transcript Action: ${own}`;
    if (!shapes.isEndName(name)) {
      this.#list.say('error', 'noNumber', site, 'got a call with nothing before it', hint);
      return;
    }
    this.#list.say('warning', 'joinForm', site, 'got the end with nothing before it', hint);
    const after = this.#open(head, line);
    if (after !== undefined) this.#read(line, after);
  }

  /** What stands in a line after its calls. */
  #afterCall(line: Line, from: number): void {
    const tag = shapes.endTagIn(line.text.slice(from));
    const end = tag < 0 ? line.text.length : from + tag;
    const rest = line.text.slice(from, end).trim();
    const at = line.text.indexOf(rest, from);
    if (/^(?:#|\/\/)/.test(rest)) {
      this.#list.text('comment', rest, placeIn(line, at, line.start + at + rest.length));
    } else if (!/^[\s`*_.;,]*$/.test(rest)) {
      const message = `got ${shortened(rest)} behind a call; it was left out`;
      this.#list.say('warning', 'trailing', siteIn(line, at), message, 'a comment begins with #');
    }
    if (tag >= 0) this.#planEnds(line, end);
  }

  #planEnds(line: Line, at: number): void {
    this.#isEnded = true;
    this.#list.end(placeIn(line, at, line.start + line.text.length));
  }

  #afterEnd(line: Line): void {
    const { text } = line;
    if (this.#saidAfterEnd || text.trim() === '' || shapes.isFence(text)) return;
    this.#saidAfterEnd = true;
    const message = 'got text behind the end of the plan; it was left out';
    this.#list.say('warning', 'behindEnd', siteIn(line, text.search(/\S/)), message);
  }

  #inThinking(line: Line): void {
    const end = shapes.closesThinking.exec(line.text);
    if (!end) return;
    this.#thinking = undefined;
    const after = end.index + end[0].length;
    const text = line.text.slice(after);
    if (text.trim() === '') return;
    this.#read({ ...line, text, column: line.column + after, start: line.start + after });
  }
}

const siteIn = ({ line, column }: Line, at: number): Site => ({ line, column: column + at });

const placeIn = (line: Line, at: number, end: number): Place => {
  return { ...siteIn(line, at), start: line.start + at, end };
};

/**
 * Whether a line stands after a call that is open when it begins: one that begins as an action or a
 * label does ends a call whose bracket is missing. Inside of quotes only the next task of the plan
 * does, whose own quotes are in order: texts may hold plans.
 */
function isAfter({ reader: { quoted }, head }: OpenCall, line: string): boolean {
  const next = shapes.headOf(line);
  if (shapes.endTagIn(line) === 0) return true;
  if (!quoted) {
    const isLine = next !== undefined || shapes.labelOf(line) !== undefined || shapes.isFence(line);
    return isLine || shapes.isRule(line) || isJoin(line);
  }
  if (!next) return false;
  if (shapes.isEndName(next.name)) return Number(next.id) > Number(head.id);
  return Number(next.id) === Number(head.id) + 1 && hasWholeTexts(line, quoted.mark);
}

/** Whether a line is the end of the plan, without a number. */
function isJoin(line: string): boolean {
  const alone = shapes.aloneHead(line);
  return alone !== undefined && shapes.isEndName(alone.name);
}

/** Whether quotes of one kind come in pairs, and there are any. */
function hasWholeTexts(line: string, mark: string): boolean {
  const count = line.replace(/\\./g, '').split(mark).length - 1;
  return count > 0 && count % 2 === 0;
}

/** All items of a whole text. */
export function readItems(text: string, before = 0): Item[] {
  const reader = new PlanReader(before);
  return [...reader.feed(text), ...reader.end()];
}
