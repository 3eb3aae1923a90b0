/** A call whose end has not been read yet, and how it ends: as written, or repaired. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import {
  type CallScan,
  callScan,
  endAtWrong,
  endCall,
  inString,
  isForeignQuote,
  scanCall,
} from './call-scanner.ts';
import { type CodeName, codeByName } from './codes.ts';
import type { CallText } from './item.ts';
import * as shapes from './shapes.ts';

export interface OpenCall {
  readonly head: shapes.Head;
  /** The place of its number, or of its name; of the name; of the bracket. */
  readonly site: Site;
  readonly nameAt: Site;
  readonly at: Site;
  /** Offset of `site` in the text. */
  readonly start: number;
  readonly pieces: string[];
  readonly scan: CallScan;
  readonly diagnostics: Diagnostic[];
  /** Lines inside of its quotes that may be behind it, where these were never closed. */
  held: HeldLines | undefined;
}

interface HeldLines {
  readonly lines: { readonly text: string; readonly line: number; readonly start: number }[];
  /** Marks and pieces before them. */
  readonly marks: number;
  readonly pieces: number;
}

export const openCall = (
  given: Pick<OpenCall, 'head' | 'site' | 'nameAt' | 'at' | 'start'>,
): OpenCall => ({ ...given, pieces: [], scan: callScan(), diagnostics: [], held: undefined });

/** Reads on; the offset in `text` behind the end of the call, or -1 where it goes on. */
export function readOn(call: OpenCall, text: string): number {
  const end = scanCall(call.scan, text, 0);
  call.pieces.push(end < 0 ? text : text.slice(0, end));
  return end;
}

/** The call that has ended where its bracket is. */
export function sealed(call: OpenCall): CallText {
  const text = call.pieces.join('');
  const { marks, innerQuote } = call.scan;
  const missing = marks.find(({ kind, width }) => kind === 'close' && width === 0);
  if (missing && missing.at < text.length) {
    warn(call, 'unclosed', text, missing.at, 'a bracket inside of the call is never closed');
  }
  if (innerQuote !== undefined) {
    const message = 'a quote inside of a text in quotes; it was taken as part of the text';
    warn(call, 'innerQuote', text, innerQuote, message, 'write \\" for a quote inside of a text');
  }
  const foreign = marks.find(
    ({ kind, at }) => kind === 'quote' && isForeignQuote(text.charCodeAt(at)),
  );
  if (foreign) warn(call, 'curly', text, foreign.at, `got a text in ${text[foreign.at]}, want "…"`);
  return { text, marks, at: call.at };
}

/** Whether the line has a bracket of the wrong kind where the call should have ended. */
export const hasWrongEnd = ({ scan }: OpenCall): boolean =>
  scan.wrong !== undefined && scan.stack.length === 1 && !inString(scan);

/** Ends the call at the bracket of the wrong kind; gives what was read behind it. */
export function sealedAtWrong(call: OpenCall): { readonly call: CallText; readonly rest: string } {
  const all = call.pieces.join('');
  const end = endAtWrong(call.scan);
  const open = all[0] ?? '';
  call.pieces.splice(0, call.pieces.length, all.slice(0, end));
  const message = `got ${all[end - 1]}, want ${closerOf(open)} for the ${open} of the call`;
  warn(call, 'wrongBracket', all, end - 1, message);
  return { call: sealed(call), rest: all.slice(end) };
}

/** Ends the call where the text of its line ends, without its bracket. */
export function sealedAtEnd(call: OpenCall): CallText {
  const { scan } = call;
  const text = call.pieces.join('').trimEnd();
  const closer = closerOf(text[0] ?? '');
  if (inString(scan)) {
    const quote = scan.marks.findLast(({ kind }) => kind === 'quote')?.at ?? scan.at - 1;
    const message = 'a text in quotes is never closed; it was closed at the end of its line';
    warn(call, 'unclosedText', text, quote, message, 'close it with the quote it begins with');
    const end = text.endsWith(closer) ? text.length - 1 : text.length;
    endCall(scan, end, 1);
  } else {
    const message = `the line ends without ${closer}; it was added`;
    warn(call, 'unclosed', text, text.length, message, `close the call: ${shown(call)}…${closer}`);
    endCall(scan, text.length, 0);
  }
  call.pieces.splice(0, call.pieces.length, text);
  return sealed(call);
}

const shown = ({ head }: OpenCall): string => {
  const open = head.form === 'numbered' ? `${head.id}. ${head.name}` : head.name;
  return `${open}[`;
};

const closerOf = (open: string): string => (open === '(' ? ')' : ']');

function warn(
  call: OpenCall,
  code: CodeName,
  text: string,
  at: number,
  message: string,
  hint?: string,
): void {
  const more = hint === undefined ? {} : { hint };
  const place = siteIn(call.at, text, at);
  call.diagnostics.push({
    code: codeByName[code],
    severity: 'warning',
    message,
    ...place,
    ...more,
  });
}

/** The place of an offset in a text that begins at a place. */
function siteIn({ line, column }: Site, text: string, at: number): Site {
  const last = text.lastIndexOf('\n', at - 1);
  if (last < 0 || at <= 0) return { line, column: column + at };
  let breaks = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) breaks++;
  return { line: line + breaks, column: at - last };
}

/** What a line means for a call that is open when it begins. */
export type LineInCall = 'inside' | 'behind' | 'maybe behind' | 'looks like a task';

/**
 * A line that begins as an action or a label does ends a call whose bracket is missing. Inside of
 * quotes only the next task of the plan does, whose own quotes are in order: texts may hold plans.
 */
export function lineInCall({ scan, head }: OpenCall, line: string): LineInCall {
  const opens = /[([]/.exec(line.slice(0, shapes.headMax));
  const next = opens ? shapes.headOf(line.slice(0, opens.index + 1)) : undefined;
  const label = next ? undefined : shapes.labelOf(line)?.label;
  const isEnd = shapes.endTag.exec(line.slice(0, shapes.headMax))?.index === 0;
  if (!inString(scan)) {
    const isLine = next !== undefined || label !== undefined || isEnd || shapes.isFence(line);
    return isLine || isJoin(line) || isRule(line) ? 'behind' : 'inside';
  }
  if (isEnd) return 'behind';
  if (label === 'thought' || label === 'observation') return 'maybe behind';
  if (!next) return 'inside';
  const isLater = Number(next.id) > Number(head.id);
  if (isLater && shapes.isEndName(next.name)) return 'behind';
  const isNext = Number(next.id) === Number(head.id) + 1;
  return isNext && hasWholeTexts(line, scan.quote) ? 'behind' : 'looks like a task';
}

/** `###`, which stands between examples, and so behind plans that were learnt from them. */
const isRule = (line: string): boolean => /^\s*#{3,}\s*$/.test(line.slice(0, shapes.headMax));

/** Whether a line is the end of the plan, without a number. */
function isJoin(line: string): boolean {
  const alone = shapes.aloneHead(line);
  return alone !== undefined && shapes.isEndName(alone.name);
}

/** Whether quotes of one kind come in pairs, and there are any. */
function hasWholeTexts(line: string, quote: number): boolean {
  let count = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 92) i++;
    else if (code === quote) count++;
  }
  return count > 0 && count % 2 === 0;
}
