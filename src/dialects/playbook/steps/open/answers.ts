/**
 * What a model has said of a line that is left open, read: the steps that stand in it, and what of
 * them does not hold by itself.
 */
import type { Step, StepCode } from '../../compiled/compiled.ts';
import { report } from '../../report.ts';
import { readList } from '../../source/list.ts';
import { readMarkdown } from '../../source/markdown.ts';
import type { Place, SourceLine } from '../../source/tree.ts';
import { callIn } from '../../text/calls.ts';
import { assignmentIn } from '../../text/variables.ts';
import { hoistedHead, hoistedValue } from '../calls/guarded.ts';
import { loopOf, withElseCalls } from '../calls/head-calls.ts';
import { type Context, knownCall, placeholders } from '../calls/hoisting.ts';
import { type Draft, draft, jump } from '../draft.ts';
import { type Names, ownCallees } from '../names/names.ts';
import { sayDrafts } from '../statements/talk-lines.ts';
import { meaningOf } from '../step-text.ts';
import { setBy } from './invented.ts';

export interface Answered {
  readonly drafts: readonly Draft[];
  readonly problems: readonly string[];
}

/** What is known of the line that an answer is for. */
export interface Asked {
  readonly place: Place;
  readonly context: Context;
  readonly isInLoop: boolean;
  /** The numbers of the other lines of its playbook. */
  readonly lines: ReadonlySet<string>;
}

/** `QUE $bikes = FreeBikes($day)`, without numbers, blocks indented by two blanks. */
export function answeredSteps(lines: readonly string[], asked: Asked): Answered {
  const items = lines.flatMap((line) => line.split('\n')).map(asItem);
  const problems: string[] = [];
  const list = readList(readMarkdown(items.join('\n')).lines, report());
  const drafts = stepsOf(list, asked, problems);
  const isNothing = drafts.length === 0 && problems.length === 0;
  return { drafts, problems: isNothing ? ['got no steps, want at least one'] : problems };
}

const asItem = (line: string): string =>
  /^\s*-\s/.test(line) ? line : line.replace(/^(\s*)/, '$1- ');

const form = /^(?:[\d.]+\s*:\s*)?(EXE|QUE|CND|ELS|LOP|CHK|RET|JMP|YLD|TNK)\b:?\s*([\s\S]*)$/;

/** Jumps that a line may be made of: out of the loop that it is in, or to its next round. */
const leaving: ReadonlyMap<string, 'after' | 'head'> = new Map([
  ['break', 'after'],
  ['continue', 'head'],
]);

/** What the steps of answers set, by which other lines may go. */
export const setIn = (answers: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  [...answers.values()].flat().flatMap((answer) =>
    answer.split('\n').flatMap((line) => {
      const { code, text } = codeIn(line.replace(/^\s*-\s+/, '').trim());
      return code === undefined ? [] : setBy({ code, text });
    }),
  );

interface Coded {
  /** Absent where a text has none. */
  readonly code?: StepCode;
  readonly text: string;
}

function codeIn(line: string): Coded {
  const [, code, rest = ''] = form.exec(line.replace(/^`(.*)`$/, '$1')) ?? [];
  return code === undefined ? { text: line } : { code: code as StepCode, text: rest.trim() };
}

function stepsOf(lines: readonly SourceLine[], asked: Asked, problems: string[]): Draft[] {
  const drafts = lines.flatMap((line) => answered(line, asked, problems));
  return withElseCalls(drafts, asked.context);
}

function answered(
  { block, children, text }: SourceLine,
  { place, context, isInLoop, lines }: Asked,
  problems: string[],
): Draft[] {
  const { code, text: rest } = codeIn(text);
  if (block !== undefined) problems.push(`got a block of code under ${text}, want steps alone`);
  if (code === undefined) {
    problems.push(`got ${text}, want a code before the text, as in QUE Search($q)`);
    return [];
  }
  if (code === 'JMP') {
    const to = leaving.get(rest.toLowerCase());
    if (to && isInLoop) return [jump({ to }, place)];
    if (lines.has(rest)) return [jump({ to: 'number', number: rest }, place)];
    problems.push(
      to
        ? `got JMP ${rest}, want it for a line in a loop`
        : `got JMP ${rest}, want JMP break, JMP continue or another line of its playbook`,
    );
    return [];
  }
  problems.push(...wrongIn({ code, text: rest }, context.names));
  const within = { place, context, lines, isInLoop: isInLoop || code === 'LOP' };
  const inner = stepsOf(children, within, problems);
  const made = callsFirst(draft(code, rest, place, inner), context);
  if (made) return made;
  problems.push(`got ${text}, want each of its calls as a step, under a CND where it has one`);
  return [];
}

/** Nothing may be called that there is not, and a call is one and nothing else. */
function wrongIn({ code, text }: Pick<Step, 'code' | 'text'>, { callees }: Names): string[] {
  const { call, say } = meaningOf({ code, text }, new Set());
  if (code === 'QUE' && !call && !say) return [`got QUE ${text}, want a call, as in Search($q)`];
  if (!call || ownCallees.has(call.callee) || callees.has(call.callee)) return [];
  return [`got a call of ${call.callee}, want a playbook, function or tool there is`];
}

/** A step behind the calls that are within it, as those of written lines come before them. */
function callsFirst(made: Draft, context: Context): Draft[] | undefined {
  const { children, code, place, text } = made;
  if (code === 'LOP') return loopOf(text, children, place, context);
  const { call, say, value } = meaningOf({ code, text }, new Set());
  if (say) {
    const filled = placeholders(text, place, context);
    const said = callIn(filled.text);
    const drafts = said ? sayDrafts(said, place, context) : [made];
    return drafts && [...filled.drafts, ...drafts];
  }
  const isCall = call !== undefined || knownCall(assignmentIn(text)?.value ?? '', context);
  if (!isCall && value === undefined && code !== 'CND') return [made];
  const head = isCall ? text.slice(0, text.indexOf('(') + 1) : '';
  const rest = text.slice(head.length);
  const outer = (code === 'CND' ? hoistedHead : hoistedValue)(rest, place, context);
  if (!outer) return undefined;
  const own = { ...made, code: isCall && code === 'EXE' ? ('QUE' as const) : code };
  return [...outer.drafts, { ...own, text: head + outer.text }];
}
