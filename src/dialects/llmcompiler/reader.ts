/**
 * Splits a list of actions into items while it arrives. Owns the line that is being read, the call
 * that is open, and the thought or observation that may go on.
 *
 * - R1 Items depend on the text alone, never on how it was cut: what has to be known of a line is
 *   known of the whole line, or of its beginning up to the first bracket.
 * - R2 A call is an item with the bracket that ends it. What stands behind it in its line can no
 *   longer change it.
 * - R3 Each character is looked at a bounded number of times.
 * - R4 What stands in thoughts, observations and questions is never an action (P13).
 */
import type { Severity } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import { inString } from './call-scanner.ts';
import { type CodeName, codeByName } from './codes.ts';
import type { CallItem, CallText, Item, TextItem } from './item.ts';
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

/** Lines that belong together and are never executed. */
interface Block {
  readonly kind: 'question' | 'thought' | 'observation';
  readonly lines: string[];
  readonly site: Site;
  readonly start: number;
  end: number;
  readonly of: string;
}

export class PlanReader {
  #items: Item[] = [];

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
  #block: Block | undefined;
  #thoughts: string[] = [];
  /** `Action: tool` whose arguments are to stand in a line of their own. */
  #action: (Pick<OpenCall, 'site' | 'nameAt' | 'start'> & { readonly name: string }) | undefined;
  #thinking: Site | undefined;

  #lastId = 0;
  #nextId = '';
  #last: CallItem | undefined;
  #isJoined = false;
  #isEnded = false;
  #saidBehind = false;

  /** Takes the next piece of the text; gives the items that it completes. */
  feed(text: string): Item[] {
    let from = 0;
    for (;;) {
      const end = text.indexOf('\n', from);
      const piece = end < 0 ? text.slice(from) : text.slice(from, end);
      this.#width += piece.length;
      this.#piece(piece);
      if (end < 0) return this.#taken();
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
    this.#endAction();
    this.#endBlock();
    if (this.#thinking) {
      this.#say('error', 'endlessThought', this.#thinking, 'the text ends inside its thinking', {
        hint: 'close the thinking, and write the plan behind it',
      });
    }
    return this.#taken();
  }

  #taken(): Item[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #say(
    severity: Severity,
    code: CodeName,
    { line, column }: Site,
    message: string,
    more: { readonly hint?: string } = {},
  ): void {
    const diagnostic = { code: codeByName[code], severity, message, line, column, ...more };
    this.#items.push({ kind: 'diagnostic', diagnostic });
  }

  /** The place of an offset in what has arrived of the line and is in no call. */
  #site(at: number): Site {
    return { line: this.#line, column: this.#from + at + 1 };
  }

  #place(at: number, length: number): Site & { start: number; end: number } {
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
    this.#endAction();
    this.#endBlock();
    this.#call = openCall({
      head,
      site: this.#site(head.start),
      nameAt: this.#site(head.nameAt),
      at: this.#site(head.bracketAt),
      start: this.#start + this.#from + head.start,
    });
    if (this.#hasCall) {
      this.#say('warning', 'oneLine', this.#site(head.start), 'got a second task in one line', {
        hint: `begin a line with ${head.id || 'the number'}. ${head.name}[…]`,
      });
    }
    this.#hasCall = true;
    this.#from += head.bracketAt;
    this.#pieces = [];
    this.#length = 0;
    return text.slice(bracket);
  }

  #headIn(text: string): shapes.Head | undefined {
    const line = this.#pieces.join('') + text;
    const link = this.#hasCall ? shapes.linkOf(line) : 0;
    const head = link === undefined ? undefined : shapes.headOf(line.slice(link));
    if (!head || !link) return head;
    const { start, nameAt, bracketAt } = head;
    return { ...head, start: start + link, nameAt: nameAt + link, bracketAt: bracketAt + link };
  }

  /** Observations may hold anything; what they repeat of a plan is indented. */
  #isInert({ start }: shapes.Head): boolean {
    return this.#isEnded || this.#thinking !== undefined || this.#isContent(start);
  }

  #isContent(indent: number): boolean {
    return this.#block?.kind === 'observation' && indent > 0 && !this.#hasCall;
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
    if (end >= 0) {
      this.#continues = false;
      this.#hasCall = true;
      this.#from = end - 1;
      this.#seal(call, sealed(call));
      this.#again(text.slice(end - 1), isPartial);
    } else if (hasWrongEnd(call)) {
      this.#continues = false;
      this.#hasCall = true;
      this.#from = text.length;
      this.#endAtWrong(call);
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
    for (const one of [...(held?.lines ?? []), { text, line, start }]) {
      this.#line = one.line;
      this.#start = one.start;
      this.#from = 0;
      this.#hasCall = false;
      this.#again(one.text, isPartial && one.text === text);
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
    const message = `the text ends in the middle of ${call.head.id}. ${call.head.name}`;
    this.#say('error', 'cutShort', call.site, message, {
      hint: 'a plan cut short is never run: write all of it',
    });
  }

  #seal(open: OpenCall, call: CallText): void {
    this.#call = undefined;
    this.#mayCall = true;
    this.#add(open, call);
  }

  #add(open: OpenCall, call: CallText): void {
    const { head, site, nameAt, start, diagnostics } = open;
    const isJoin = shapes.isEndName(head.name);
    const id = head.id || this.#nextId || String(this.#lastId + 1);
    this.#nextId = '';
    if (this.#isJoined) {
      const what = isJoin ? 'a second end of the plan' : `task ${id}`;
      this.#say('warning', 'behindJoin', site, `got ${what} behind join; it was left out`, {
        hint: 'join is the last line of a plan',
      });
      return;
    }
    const item: CallItem = {
      kind: isJoin ? 'join' : 'task',
      ...{ id, form: head.form, name: head.name, nameAt, call },
      ...{ thought: this.#thoughts.join('\n'), diagnostics, ...site, start },
      end: this.#start + this.#from,
    };
    this.#thoughts = [];
    this.#lastId = Number(id);
    this.#isJoined = isJoin;
    this.#last = item;
    this.#items.push(item);
  }

  // Whole lines.

  #wholeLine(text: string, isPartial: boolean): void {
    const label = shapes.labelOf(text);
    if (label && !this.#isContent(text.search(/\S/))) {
      this.#labelled(label);
      return;
    }
    if (text.trim() === '') {
      if (this.#block?.kind === 'question') this.#endBlock();
      this.#block?.lines.push('');
      return;
    }
    const tag = shapes.endTag.exec(text);
    if (tag && text.slice(0, tag.index).trim() === '') this.#planEnds(tag.index, text);
    else if (shapes.isFence(text)) this.#endBlock();
    else if (/^\s*#/.test(text)) this.#text('comment', text);
    else if (/^\s*<(think|thinking|thoughts?|reasoning|analysis)\s*>/i.test(text)) {
      this.#endBlock();
      this.#thinking = this.#site(0);
      this.#inThinking(text, isPartial);
    } else if (!this.#endsAlone(text, isPartial)) this.#words(text, isPartial);
  }

  #labelled({ label, written, number, rest, restAt }: shapes.Labelled): void {
    if (label === 'question' || label === 'thought' || label === 'observation') {
      this.#endAction();
      this.#endBlock();
      const of = number === '' ? (this.#last?.id ?? '') : number;
      const { start, end, ...site } = this.#place(0, restAt + rest.length);
      this.#block = { kind: label, lines: [rest], site, start, end, of };
      if (!shapes.properLabels.has(written)) this.#foreignLabel(written, label, site);
    } else if (label === 'answer') {
      this.#endBlock();
      this.#items.push({ kind: 'answer', text: rest, of: '', ...this.#place(0, restAt) });
    } else if (label === 'id') this.#actionId(rest);
    else if (label === 'input') this.#actionInput(rest, restAt);
    else this.#actionName(rest, restAt, number);
  }

  #foreignLabel(written: string, label: string, site: Site): void {
    const proper = `${label.slice(0, 1).toUpperCase()}${label.slice(1)}`;
    this.#say('warning', 'foreignLabel', site, `got ${written}:, taken as ${proper}:`, {
      hint: `write ${proper}: at the beginning of the line`,
    });
  }

  /** `Action ID: 1`, behind the action or before it. */
  #actionId(rest: string): void {
    const id = /^#?(\d+)\s*$/.exec(rest)?.[1];
    const last = this.#last;
    const isBehind = last?.form === 'action' && this.#block === undefined && this.#nextId === '';
    const [name, number] = [isBehind ? last.name : 'tool', id ?? (isBehind ? last.id : '1')];
    const isOther = isBehind && id !== undefined && id !== last.id;
    this.#say(isOther ? 'error' : 'warning', 'actionId', this.#site(0), 'got a line Action ID', {
      hint: `write ${number}. ${name}[…]: the number stands before the action`,
    });
    if (!isBehind && id !== undefined) this.#nextId = id;
  }

  /** `Action: tool` alone: the arguments are still to come. */
  #actionName(rest: string, restAt: number, number: string): void {
    this.#endAction();
    this.#endBlock();
    if (number !== '') this.#nextId = number;
    const name = /^[*_`]*([A-Za-z_][\w./:-]*)[*_`]*$/.exec(rest)?.[1];
    const { start, end: _, ...site } = this.#place(0, 0);
    if (name !== undefined) {
      const nameAt = this.#site(restAt + rest.indexOf(name));
      this.#action = { name, site, nameAt, start };
      return;
    }
    const id = String(this.#lastId + 1);
    this.#items.push({
      kind: 'words',
      id,
      text: rest,
      inThought: false,
      ...site,
      start,
      end: start,
    });
  }

  #actionInput(rest: string, restAt: number): void {
    const action = this.#action;
    this.#action = undefined;
    if (!action) {
      this.#say('warning', 'actionInput', this.#site(0), 'got arguments of no action', {
        hint: 'write tool[arguments] in one line',
      });
      return;
    }
    const { name, site, nameAt, start } = action;
    const place = { nameAt: 0, bracketAt: 0, start: 0 };
    const head: shapes.Head = { form: 'action', id: '', name, ...place };
    const call = openCall({ head, site, nameAt, at: this.#site(restAt - 1), start });
    this.#say('warning', 'actionInput', this.#site(0), 'got arguments in a line of their own', {
      hint: `write ${name}[${rest.length > 40 ? '…' : rest}]`,
    });
    // An object of arguments is taken apart where the tool is known.
    this.#from += restAt + rest.length;
    const end = readOn(call, `[${rest}]`);
    this.#add(call, end < 0 ? sealedAtEnd(call) : sealed(call));
    this.#pieces = [];
    this.#length = 0;
  }

  #endAction(): void {
    const action = this.#action;
    this.#action = undefined;
    if (!action) return;
    const { name, site, start } = action;
    const id = this.#nextId || String(this.#lastId + 1);
    const place = { ...site, start, end: start };
    this.#items.push({ kind: 'words', id, text: name, inThought: false, ...place });
  }

  /** `join()` without a number. */
  #endsAlone(text: string, isPartial: boolean): boolean {
    const head = shapes.aloneHead(text);
    if (!head || !/[)\]]\s*(?:<[^>]*>)?[\s`*.]*$/.test(text)) return false;
    const isEnd = shapes.isEndName(head.name);
    const isCall = !/\s/.test(text.slice(head.nameAt, head.bracketAt));
    if (this.#block?.kind === 'observation' || !isCall) return false;
    this.#endBlock();
    const id = this.#lastId + 1;
    const hint = `write ${id}. ${text.trim()}`;
    if (!isEnd) {
      this.#say('error', 'noNumber', this.#site(head.start), 'got a call without a number', {
        hint,
      });
      return true;
    }
    this.#say('warning', 'joinForm', this.#site(head.start), 'got join without a number', { hint });
    const [site, nameAt] = [this.#site(head.start), this.#site(head.nameAt)];
    const start = this.#start + head.start;
    this.#call = openCall({ head, site, nameAt, at: this.#site(head.bracketAt), start });
    this.#hasCall = true;
    this.#from = head.bracketAt;
    this.#again(text.slice(head.bracketAt), isPartial);
    return true;
  }

  #words(text: string, isPartial: boolean): void {
    const id = shapes.numberedLine.exec(text)?.[1];
    const block = this.#block;
    if (id !== undefined && block?.kind !== 'observation') {
      const inThought = block?.kind === 'thought' && !isPartial;
      const place = this.#place(0, text.length);
      const written = id.replace(/^0+(?=\d)/, '');
      this.#items.push({ kind: 'words', id: written, text: text.trim(), inThought, ...place });
      if (inThought) block.lines.push(text.trim());
    } else if (block) {
      block.lines.push(text.trim());
      block.end = this.#place(0, text.length).end;
    } else this.#text('prose', text);
  }

  #text(kind: TextItem['kind'], text: string): void {
    this.#items.push({ kind, text: text.trim(), of: '', ...this.#place(0, text.length) });
  }

  #endBlock(): void {
    const block = this.#block;
    if (!block) return;
    this.#block = undefined;
    const { kind, lines, site, start, end, of } = block;
    const text = lines.join('\n').trim();
    if (kind === 'thought') this.#thoughts.push(text);
    this.#items.push({ kind, text, of, ...site, start, end });
  }

  /** What stands in a line behind its calls. */
  #behindCall(text: string): void {
    const tag = shapes.endTag.exec(text);
    const rest = (tag ? text.slice(0, tag.index) : text).trim();
    if (/^(?:#|\/\/)/.test(rest)) this.#text('comment', rest);
    else if (!/^[\s`*_.;,)\]]*$/.test(rest)) {
      const shown = rest.length > 40 ? `${rest.slice(0, 40)}…` : rest;
      const at = this.#site(text.indexOf(rest));
      this.#say('warning', 'trailing', at, `got ${shown} behind a call; it was left out`, {
        hint: 'a comment begins with #',
      });
    }
    if (tag) this.#planEnds(tag.index, text);
  }

  #planEnds(at: number, text: string): void {
    this.#endAction();
    this.#endBlock();
    this.#isEnded = true;
    this.#items.push({ kind: 'end', ...this.#place(at, text.length - at) });
  }

  #behindEnd(text: string): void {
    if (this.#saidBehind || text.trim() === '' || shapes.isFence(text)) return;
    this.#saidBehind = true;
    const message = 'got text behind the end of the plan; it was left out';
    this.#say('warning', 'behindEnd', this.#site(text.search(/\S/)), message);
  }

  #inThinking(text: string, isPartial: boolean): void {
    const end = /<\/\w+\s*>/.exec(text);
    if (!end) return;
    this.#thinking = undefined;
    const behind = end.index + end[0].length;
    this.#from += behind;
    if (text.slice(behind).trim() === '') return;
    this.#again(text.slice(behind), isPartial);
  }
}

/** All items of a whole text. */
export function readItems(text: string): Item[] {
  const reader = new PlanReader();
  return [...reader.feed(text), ...reader.end()];
}
