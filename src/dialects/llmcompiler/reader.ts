/**
 * Splits a list of actions into items while it arrives. Owns the line that is being read and the
 * call that is open in it.
 *
 * - R1 Items depend on the text alone, never on how it was cut: what has to be known of a line is
 *   known of the whole line, or of its beginning up to the first bracket.
 * - R2 A call is an item with the bracket that ends it. What stands behind it in its line can no
 *   longer change it.
 * - R3 Each character is looked at a bounded number of times.
 * - R4 What stands in thoughts, observations and questions is never an action (P13).
 */
import type { Site } from '../../program/effect.ts';
import { inString } from './call-scanner.ts';
import { codeByName } from './codes.ts';
import type { CallText, Item, Place } from './item.ts';
import { ItemList } from './item-list.ts';
import {
  hasWrongEnd,
  lineInCall,
  type OpenCall,
  openCall,
  readOn,
  sealed,
  sealedAtEnd,
  sealedAtWrong,
} from './open-call.ts';
import * as shapes from './shapes.ts';

export class PlanReader {
  readonly #list: ItemList;

  /** The line: its number, its offset in the text, how much of it has arrived. */
  #line = 1;
  #start = 0;
  #width = 0;
  /** How much of it has been read as calls, and what has arrived behind that. */
  #from = 0;
  #pieces: string[] = [];
  #length = 0;
  /** Whether a call may still begin in it, and whether one has. */
  #mayCall = true;
  #hasCall = false;

  #call: OpenCall | undefined;
  /** Whether the open call goes on beyond its first line: further lines are read as wholes. */
  #continues = false;
  #thinking: Site | undefined;
  #isEnded = false;
  #saidBehind = false;

  /** Actions without a number are counted from behind `before`. */
  constructor(before = 0) {
    this.#list = new ItemList(before);
  }

  /** Takes the next piece of the text; gives the items that it completes. */
  feed(text: string): Item[] {
    let from = 0;
    for (;;) {
      const end = text.indexOf('\n', from);
      const piece = end < 0 ? text.slice(from) : text.slice(from, end);
      this.#width += piece.length;
      this.#piece(piece);
      if (end < 0) return this.#list.taken();
      this.#lineEnds(false);
      this.#nextLine();
      from = end + 1;
    }
  }

  /** Ends the text; gives the items that only the end could decide. */
  end(): Item[] {
    const isPartial = this.#width > 0;
    if (isPartial) this.#lineEnds(true);
    if (this.#call) this.#cut(this.#call, isPartial);
    this.#list.close();
    if (this.#thinking) {
      const hint = 'close the thinking, and write the plan behind it';
      const message = 'the text ends inside its thinking';
      this.#list.say('error', 'endlessThought', this.#thinking, message, hint);
    }
    return this.#list.taken();
  }

  /** The place of an offset in what has arrived of the line and is in no call. */
  #site(at: number): Site {
    return { line: this.#line, column: this.#from + at + 1 };
  }

  #place(at: number, length: number): Place {
    const start = this.#start + this.#from + at;
    return { ...this.#site(at), start, end: start + length };
  }

  // Pieces of lines.

  #piece(text: string): void {
    let rest = text;
    while (rest !== '') {
      if (this.#call && !this.#continues) rest = this.#inCall(this.#call, rest);
      else if (this.#mayCall && !this.#continues) rest = this.#untilCall(rest);
      else rest = this.#keep(rest);
    }
  }

  #keep(text: string): '' {
    this.#pieces.push(text);
    this.#length += text.length;
    return '';
  }

  /** Gives what follows the call, where it ends in the piece. */
  #inCall(call: OpenCall, text: string): string {
    const end = readOn(call, text);
    this.#from += end < 0 ? text.length : end;
    if (end < 0) return '';
    this.#seal(call, sealed(call));
    return text.slice(end);
  }

  /** Gives what is to be read as a call, or what is left of a line that calls nothing any more. */
  #untilCall(text: string): string {
    const bracket = text.search(/[([]/);
    if (bracket < 0) {
      this.#mayCall = this.#length + text.length <= shapes.headMax;
      return this.#keep(text);
    }
    const before = this.#length + bracket + 1;
    const head = before > shapes.headMax ? undefined : this.#headIn(text.slice(0, bracket + 1));
    if (!head || this.#isInert(head)) {
      this.#mayCall = false;
      return text;
    }
    this.#list.close();
    if (this.#hasCall) {
      const start = head.form === 'action' ? 'Action:' : `${head.id}.`;
      const hint = `begin a line with ${start} ${head.name}[…]`;
      const message = 'got a second task in one line';
      this.#list.say('warning', 'oneLine', this.#site(head.start), message, hint);
    }
    this.#open(head);
    return text.slice(bracket);
  }

  /** Begins a call; what has arrived of the line up to its bracket has been read. */
  #open(head: shapes.Head): OpenCall {
    const call = openCall({
      head,
      site: this.#site(head.start),
      nameAt: this.#site(head.nameAt),
      at: this.#site(head.bracketAt),
      start: this.#start + this.#from + head.start,
    });
    this.#call = call;
    this.#hasCall = true;
    this.#from += head.bracketAt;
    this.#pieces = [];
    this.#length = 0;
    return call;
  }

  #headIn(text: string): shapes.Head | undefined {
    const line = this.#pieces.join('') + text;
    const link = this.#hasCall ? shapes.linkOf(line) : 0;
    const head = link === undefined ? undefined : shapes.headOf(line.slice(link));
    if (!head || !link) return head;
    const { start, nameAt, bracketAt } = head;
    return { ...head, start: start + link, nameAt: nameAt + link, bracketAt: bracketAt + link };
  }

  #isInert({ start }: shapes.Head): boolean {
    return this.#isEnded || this.#thinking !== undefined || this.#isContent(start);
  }

  /** Observations may hold anything; what they repeat of a plan is indented. */
  #isContent(indent: number): boolean {
    return this.#list.block === 'observation' && indent > 0 && !this.#hasCall;
  }

  // Ends of lines.

  #lineEnds(isPartial: boolean): void {
    const call = this.#call;
    if (call && !this.#continues) {
      if (hasWrongEnd(call)) this.#endAtWrong(call);
      call.scan.wrong = undefined;
      this.#continues = this.#call !== undefined;
      return;
    }
    const text = this.#pieces.join('').replace(/\r$/, '');
    if (call) this.#continuation(call, text, isPartial);
    else if (this.#thinking) this.#inThinking(text, isPartial);
    else if (this.#isEnded) this.#behindEnd(text);
    else if (this.#hasCall) this.#behindCall(text);
    else this.#wholeLine(text, isPartial);
  }

  #nextLine(): void {
    this.#start += this.#width + 1;
    this.#width = 0;
    this.#line++;
    this.#from = 0;
    this.#clear();
    this.#hasCall = false;
  }

  #clear(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#mayCall = true;
  }

  /** Reads text of the current line anew, as what follows what has been read of it. */
  #again(text: string, isPartial: boolean): void {
    this.#clear();
    this.#piece(text);
    this.#lineEnds(isPartial);
  }

  #endAtWrong(open: OpenCall): void {
    const { call, rest } = sealedAtWrong(open);
    this.#from -= rest.length;
    this.#seal(open, call);
    this.#again(rest, false);
  }

  #continuation(call: OpenCall, text: string, isPartial: boolean): void {
    const meaning = lineInCall(call, text);
    if (meaning === 'behind') {
      this.#endBefore(call, text, isPartial);
      return;
    }
    if (meaning === 'maybe behind' && call.held?.marks !== call.scan.marks.length) {
      const [marks, pieces] = [call.scan.marks.length, call.pieces.length];
      call.held = { lines: [], marks, pieces };
    }
    if (meaning === 'looks like a task') {
      const message = 'a line inside of a text in quotes looks like a task; it stays text';
      const code = codeByName.taskInText;
      call.diagnostics.push({ code, severity: 'warning', message, ...this.#site(0) });
    }
    call.held?.lines.push({ text, line: this.#line, start: this.#start });
    const end = readOn(call, `\n${text}`);
    if (end >= 0 || hasWrongEnd(call)) {
      this.#continues = false;
      this.#hasCall = true;
      this.#from = end < 0 ? text.length : end - 1;
      if (end < 0) this.#endAtWrong(call);
      else {
        this.#seal(call, sealed(call));
        this.#again(text.slice(end - 1), isPartial);
      }
    }
    call.scan.wrong = undefined;
  }

  /** The call has ended before this line, and maybe before those that it was thought to hold. */
  #endBefore(call: OpenCall, text: string, isPartial: boolean): void {
    const held = call.held?.marks === call.scan.marks.length ? call.held : undefined;
    if (held) call.pieces.length = held.pieces;
    const [line, start] = [this.#line, this.#start];
    this.#continues = false;
    this.#seal(call, sealedAtEnd(call));
    const lines = [...(held?.lines ?? []), { text, line, start }];
    for (const [i, one] of lines.entries()) {
      this.#line = one.line;
      this.#start = one.start;
      this.#from = 0;
      this.#hasCall = false;
      this.#again(one.text, isPartial && i === lines.length - 1);
    }
  }

  /** The text has ended inside of the call. */
  #cut(call: OpenCall, isPartial: boolean): void {
    const isWhole = !isPartial || call.scan.mode === 'after' || call.scan.mode === 'closing';
    if (isWhole && !inString(call.scan)) {
      this.#seal(call, sealedAtEnd(call));
      return;
    }
    this.#call = undefined;
    const { id, name } = call.head;
    const message = `the text ends in the middle of ${id === '' ? '' : `${id}. `}${name}`;
    const hint = 'a plan cut short is never run: write all of it';
    this.#list.say('error', 'cutShort', call.site, message, hint);
  }

  #seal(open: OpenCall, call: CallText): void {
    this.#call = undefined;
    this.#mayCall = true;
    this.#list.call(open, call, this.#start + this.#from);
  }

  // Whole lines.

  #wholeLine(text: string, isPartial: boolean): void {
    const place = this.#place(0, text.length);
    const label = shapes.labelOf(text);
    if (label && !this.#isContent(text.search(/\S/))) {
      this.#list.labelled(label, place);
      return;
    }
    const tag = shapes.endTag.exec(text);
    if (text.trim() === '') this.#list.blank();
    else if (tag && text.slice(0, tag.index).trim() === '') this.#planEnds(tag.index, text);
    else if (shapes.isFence(text)) this.#list.closeBlock();
    else if (/^\s*#/.test(text)) this.#list.text('comment', text, place);
    else if (shapes.opensThinking.test(text)) {
      this.#list.closeBlock();
      this.#thinking = this.#site(0);
      this.#inThinking(text, isPartial);
    } else if (!this.#isAlone(text, isPartial)) this.#list.words(text, place, isPartial);
  }

  /** `join()` without a number, or another call without one, which is an error. */
  #isAlone(text: string, isPartial: boolean): boolean {
    if (this.#list.block === 'observation') return false;
    const end = shapes.endHead(text);
    if (end) this.#endWord(end);
    const head = shapes.aloneHead(text);
    const number = this.#list.nextNumber;
    if (!end && !head) return this.#isVariable(text, number);
    if (end || !head) return true;
    const site = this.#site(head.start);
    const hint = `write ${number}. ${text.trim()}; in a transcript Action: ${text.trim()}`;
    if (!shapes.isEndName(head.name)) {
      this.#list.close();
      this.#list.say('error', 'noNumber', site, 'got a call with nothing before it', hint);
      return true;
    }
    this.#list.close();
    this.#list.say('warning', 'joinForm', site, 'got the end with nothing before it', hint);
    this.#open(head);
    this.#again(text.slice(head.bracketAt), isPartial);
    return true;
  }

  /** `lyon = city("Lyon")`: a step, whose result would have another name. */
  #isVariable(text: string, number: string): boolean {
    const [, name, call] = shapes.assignment.exec(text.slice(0, shapes.headMax)) ?? [];
    if (name === undefined) return false;
    this.#list.close();
    const hint = `write ${number}. ${call}…, and $${number} where ${name} is meant`;
    const site = this.#site(text.search(/\S/));
    this.#list.say('error', 'noNumber', site, `got the variable ${name}, want a number`, hint);
    return true;
  }

  #endWord(head: shapes.Head): void {
    this.#list.close();
    const hint = `write ${head.id}. ${head.name}()`;
    const site = this.#site(head.nameAt);
    this.#list.say('warning', 'joinForm', site, 'got the end of the plan without brackets', hint);
    const call = this.#open(head);
    readOn(call, '()');
    this.#seal(call, sealed(call));
  }

  /** What stands in a line behind its calls. */
  #behindCall(text: string): void {
    const tag = shapes.endTag.exec(text);
    const rest = (tag ? text.slice(0, tag.index) : text).trim();
    const at = text.indexOf(rest);
    if (/^(?:#|\/\/)/.test(rest)) {
      this.#list.text('comment', rest, this.#place(at, rest.length));
    } else if (!/^[\s`*_.;,]*$/.test(rest)) {
      const shown = rest.length > 40 ? `${rest.slice(0, 40)}…` : rest;
      const message = `got ${shown} behind a call; it was left out`;
      this.#list.say('warning', 'trailing', this.#site(at), message, 'a comment begins with #');
    }
    if (tag) this.#planEnds(tag.index, text);
  }

  #planEnds(at: number, text: string): void {
    this.#isEnded = true;
    this.#list.end(this.#place(at, text.length - at));
  }

  #behindEnd(text: string): void {
    if (this.#saidBehind || text.trim() === '' || shapes.isFence(text)) return;
    this.#saidBehind = true;
    const message = 'got text behind the end of the plan; it was left out';
    this.#list.say('warning', 'behindEnd', this.#site(text.search(/\S/)), message);
  }

  #inThinking(text: string, isPartial: boolean): void {
    const end = shapes.closesThinking.exec(text);
    if (!end) return;
    this.#thinking = undefined;
    const behind = end.index + end[0].length;
    this.#from += behind;
    if (text.slice(behind).trim() === '') return;
    this.#again(text.slice(behind), isPartial);
  }
}

/** All items of a whole text. */
export function readItems(text: string, before = 0): Item[] {
  const reader = new PlanReader(before);
  return [...reader.feed(text), ...reader.end()];
}
