/**
 * What a model says to itself, told from what it answers. All readers of replies use this: answers,
 * programs, verdicts, bindings, joins.
 *
 * - T1 Thoughts at the beginning end with their closing mark. Where that is missing all is thought,
 *   up to an answer that is marked as one.
 * - T2 A closing mark that nothing opens makes a thought of all before it: some servers leave the
 *   opening one out.
 * - T3 Later thoughts begin a line, or go over several lines. A mark in the middle of a line that
 *   is closed in it is an example of one.
 * - T4 Marks in closed fences, in quotes and in inline code are texts.
 * - T5 Of channels (harmony) only the last final one is the answer.
 */
import { type Fence, fencesIn } from './fences.ts';
import { answerTags, thinkTags } from './json-text/source.ts';

export interface Thought {
  readonly start: number;
  readonly end: number;
}

const opener = [
  `<(?:${thinkTags})(?:\\s[^<>]{0,200})?>`,
  '\\[(?:think|thinking|reasoning)\\]',
  '<\\|begin_of_thought\\|>',
  '◁think▷',
].join('|');
const closer = [
  `</(?:${thinkTags})\\s*>`,
  '\\[/(?:think|thinking|reasoning)\\]',
  '<\\|end_of_thought\\|>',
  '◁/think▷',
].join('|');
const mark = new RegExp(`(${opener})|${closer}`, 'gi');
const openingMark = new RegExp(opener, 'iy');
const closingMark = new RegExp(closer, 'gi');

const channelFirst = /^\s*(?:<\|start\|>\s*assistant\s*)?<\|channel\|>/i;
const channelLater = /<\|start\|>\s*assistant\s*<\|channel\|>/i;
const finalChannel =
  /<\|channel\|>\s*final\b[^<]{0,100}(?:<\|constrain\|>[^<]{0,100})?<\|message\|>/gi;
const channelEnd = /<\|(?:return|end|start|channel|call)\|>/gi;
/** Harmony whose marks the server has dropped. */
const bareChannels = /^\s*analysis(?=[A-Z\s])[\s\S]*?assistantfinal/;

/** The thoughts of a reply in their order; nothing where all of it is an answer. */
export function thoughtsIn(text: string): Thought[] {
  if (channelFirst.test(text.slice(0, 200)) || channelLater.test(text)) return channelsIn(text);
  const bare = bareChannels.exec(text)?.[0].length;
  if (bare !== undefined) return [{ start: 0, end: bare }];
  if (!/[<[◁]/.test(text)) return [];
  const first = leadingThoughts(text);
  return [...first, ...laterThoughts(text, first.at(-1)?.end ?? 0)];
}

function channelsIn(text: string): Thought[] {
  const last = [...text.matchAll(finalChannel)].at(-1);
  if (!last) return [{ start: 0, end: text.length }];
  const start = last.index + last[0].length;
  channelEnd.lastIndex = start;
  const end = channelEnd.exec(text)?.index ?? text.length;
  return [
    { start: 0, end: start },
    { start: end, end: text.length },
  ].filter((span) => span.end > span.start);
}

function leadingThoughts(text: string): Thought[] {
  const thoughts: Thought[] = [];
  for (let at = 0; ; ) {
    const start = at + text.slice(at).search(/[^\s\uFEFF]|$/);
    openingMark.lastIndex = start;
    const open = openingMark.exec(text);
    if (!open) return thoughts;
    closingMark.lastIndex = openingMark.lastIndex;
    const close = closingMark.exec(text);
    const end = close ? closingMark.lastIndex : openEnd(text, start);
    thoughts.push({ start, end });
    at = end;
  }
}

/** Where a thought ends that nothing closes. */
function openEnd(text: string, start: number): number {
  const tags = [...text.matchAll(new RegExp(`<(?:${answerTags})\\s*>`, 'gi'))];
  const answer = tags.at(-1)?.index ?? -1;
  return answer > start ? answer : text.length;
}

function laterThoughts(text: string, from: number): Thought[] {
  const rest = text.slice(from);
  const marks = [...rest.matchAll(mark)];
  if (marks.length === 0) return [];
  const literal = literalsIn(rest);
  let thoughts: Thought[] = [];
  let open: { at: number; isSure: boolean } | undefined;
  for (const found of marks) {
    const { index: at, 0: words, 1: isOpening } = found;
    const end = at + words.length;
    if (literal(at)) continue;
    if (isOpening !== undefined) {
      open ??= { at, isSure: startsLine(rest, at) };
    } else if (open) {
      const isThought = open.isSure || rest.slice(open.at, at).includes('\n');
      if (isThought) thoughts.push({ start: open.at, end });
      open = undefined;
    } else thoughts = [{ start: 0, end }];
  }
  if (open?.isSure) thoughts.push({ start: open.at, end: openEnd(rest, open.at) });
  return thoughts.map(({ start, end }) => ({ start: start + from, end: end + from }));
}

/** Nothing but space, or another tag, stands before it in its line. */
const startsLine = (text: string, at: number): boolean =>
  /^\s*(?:<[^<>]*>\s*)*$/.test(lineBefore(text, at, 200));

/** What stands before an offset in its line, and of that at most so many characters. */
function lineBefore(text: string, at: number, most: number): string {
  const near = text.slice(Math.max(0, at - most), at);
  return near.slice(near.lastIndexOf('\n') + 1);
}

/** Tells whether an offset, asked for in growing order, stands in a text of code or in quotes. */
export function literalsIn(text: string): (at: number) => boolean {
  const fences = fencesIn(text);
  let next = 0;
  let lastInner = -1;
  return (at) => {
    while ((fences[next]?.closeAt ?? Infinity) <= at) {
      next++;
      lastInner = -1;
    }
    const fence = fences[next];
    if (!fence || at < fence.start || at >= fence.end) return isQuoted(text, at);
    if (!fence.isClosed) return isQuoted(text, at);
    if (lastInner < 0) lastInner = lastInnerFence(text, fence);
    // A mark alone in its line, and a fence after it: the fence of a draft was left open.
    return !(lastInner > at && startsLine(text, at));
  };
}

/** Where the last line in a fence is that can only open another one, or where the fence begins. */
function lastInnerFence(text: string, { start, end }: Fence): number {
  const inner = [...text.slice(start, end).matchAll(/^[ \t]*(?:```|~~~)[ \t]*[\w+-]/gm)].at(-1);
  return start + (inner?.index ?? 0);
}

/** How much of a line before an offset is looked at for quotes. */
const lineMax = 400;

function isQuoted(text: string, at: number): boolean {
  const before = lineBefore(text, at, lineMax)
    .replace(/\\./g, '')
    .replace(/\p{L}'(?=\p{L})/gu, '');
  return ['"', "'", '`'].some((quote) => before.split(quote).length % 2 === 0);
}

/** Whether a reply of which this has arrived may begin with thoughts that are marked. */
export function mayBeginThought(text: string): boolean {
  const head = text.slice(0, 300).trimStart();
  openingMark.lastIndex = 0;
  return head === '' || partialMark.test(head) || openingMark.test(head) || channelFirst.test(head);
}

const partialMark = /^(?:<[^>\n]*|\[[a-z]{0,9}|◁[a-z]*|<\|[a-z_]+\|>[a-z\s]*)$/i;

/** Whether a closing mark that nothing opens has made a thought of what stands before it. */
export function hasLateThought(text: string): boolean {
  return thoughtsIn(text).some(({ start, end }) => {
    openingMark.lastIndex = start;
    const isOpened = openingMark.test(text) || channelFirst.test(text);
    return !isOpened && text.slice(start, end).replace(closingMark, '').trim() !== '';
  });
}

/** The text without its thoughts. */
export function spokenText(text: string): string {
  const thoughts = thoughtsIn(text);
  let from = 0;
  let said = '';
  for (const { start, end } of thoughts) {
    said += text.slice(from, start);
    from = end;
  }
  return thoughts.length === 0 ? text : said + text.slice(from);
}

/** The same with spaces for its thoughts, so that all else stands where it stood. */
export function blanked(text: string): string {
  let from = 0;
  let all = '';
  for (const { start, end } of thoughtsIn(text)) {
    all += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    from = end;
  }
  return all + text.slice(from);
}
