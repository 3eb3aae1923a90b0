/**
 * A long session in short. What was asked and replied becomes a recap, and later a summary, in
 * jumps: a provider's copy of the beginning is lost once per jump, and not with every turn.
 *
 * - R1 Nothing that the frame needs is lost: variables that are no longer shown are shown anew, and
 *   so is the playbook; what a person wrote and what went wrong stays.
 * - R2 What comes of a session depends on that session and the bounds alone.
 */
import { counted } from '../../../program/counted.ts';
import { shortened } from '../../prompt.ts';
import { ReplyReader } from '../reply/reply-reader.ts';
import type { Said } from '../reply/said.ts';
import { writtenText } from '../reply/term.ts';
import { tokensOf } from './prompt-tokens.ts';
import { clipped, type Entry, entryText, failureText, resultText } from './session.ts';

/** The latest turns, which stay as they were. */
const wholeTurns = 2;

const saidMax = 160;
const personMax = 500;

export const sessionTokens = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + tokensOf(entryText(entry)), 0);

/** A session that was told in short, and in words all that it has no more. */
export interface Retold {
  readonly session: readonly Entry[];
  readonly left: string;
}

/**
 * Undefined where it may stay as it is; else of at most about half of `tokensMax`. `earlier` is the
 * variable that will have what is left out, too.
 */
export function inShort(
  session: readonly Entry[],
  tokensMax: number,
  earlier = '',
): Retold | undefined {
  if (sessionTokens(session) <= tokensMax) return undefined;
  const from = startOfLast(session, wholeTurns);
  const before = session.slice(0, from);
  const latest = session.slice(from).filter(({ is }) => is !== 'turn');
  const kept = latest.map(cut);
  const room = Math.max(0, Math.floor(tokensMax / 2) - sessionTokens(kept));
  const recap = recapOf(before, earlier);
  const short = tokensOf(recap) <= room ? recap : summaryOf(before, room, earlier);
  const gone = [...before, ...latest.filter((entry) => cut(entry) !== entry)];
  // Some providers take no conversation that begins with a reply.
  const begin = short === '' && kept[0]?.is === 'reply' ? `${soFar}:` : short;
  return { session: [...recapEntry(begin), ...kept], left: wholeOf(gone) };
}

const soFar = 'So far in this playbook';

const recapEntry = (text: string): readonly Entry[] => (text === '' ? [] : [{ is: 'recap', text }]);

/** A session in short, for a conversation that begins anew; what no reply has seen yet stays. */
export function retold(session: readonly Entry[], earlier = ''): Retold {
  const from = session.findLastIndex(endsTurn) + 1;
  const before = session.slice(0, from);
  const latest = session.slice(from).filter(({ is }) => is !== 'turn');
  return { session: [...recapEntry(recapOf(before, earlier)), ...latest], left: wholeOf(before) };
}

const endsTurn = ({ is }: Entry): boolean => is === 'reply' || is === 'cut';

/**
 * Where the last turns begin: behind the reply before them, or behind what was said in another
 * playbook.
 */
function startOfLast(session: readonly Entry[], turns: number): number {
  let left = turns;
  for (let at = session.length - 1; at >= 0; at--) {
    const one = session[at];
    if (one && (endsTurn(one) || one.is === 'said')) left--;
    if (left < 0) return at + 1;
  }
  return 0;
}

const resultsMax = 4000;

/** Even one of the latest entries may be larger than all the room there is. */
function cut(entry: Entry): Entry {
  if (entry.is !== 'results') return entry;
  const text = entryText(entry);
  return text.length <= resultsMax ? entry : { is: 'note', text: shortened(text, resultsMax) };
}

function recapOf(entries: readonly Entry[], earlier: string): string {
  const lines = entries.flatMap(recapLines);
  return lines.length === 0 ? '' : [`${soFar}${whole(earlier)}:`, ...lines].join('\n');
}

const whole = (earlier: string): string => (earlier === '' ? '' : ` (at length in ${earlier})`);

/** What entries have said, at length; what stands for others was said at length before. */
function wholeOf(entries: readonly Entry[]): string {
  const texts = entries.flatMap((entry) => {
    if (entry.is === 'turn' || entry.is === 'recap' || entry.is === 'summary') return [];
    return [entry.is === 'reply' ? `You replied:\n${entryText(entry)}` : entryText(entry)];
  });
  return texts.join('\n');
}

function recapLines(entry: Entry): readonly string[] {
  switch (entry.is) {
    case 'turn':
      return [];
    case 'reply':
      return replyLines(entry.text);
    case 'results':
      return entry.calls.map((call) => {
        const { callee, into, ok } = call;
        if (!ok) return `- ${callee} failed: ${failureText(call, saidMax)}`;
        // What no variable has stands here alone.
        const result = into ? `its result, now ${into}` : resultText(call);
        return `- ${callee} gave ${result}`;
      });
    case 'user':
      return [
        `- ${entry.from ?? 'The person'} wrote: ${clipped(entry.text, personMax, JSON.stringify)}`,
      ];
    case 'agent':
      return [`- ${entry.from} said: ${clipped(entry.text, personMax, JSON.stringify)}`];
    case 'said':
      return [`- You said: ${clipped(entry.text, saidMax, JSON.stringify)}`];
    case 'problem':
    case 'note':
    case 'cut':
      return [`- ${clipped(entry.text, personMax)}`];
    case 'recap':
    case 'summary':
      return entry.text.split('\n').slice(1);
  }
}

/** What a reply did, by its own words. */
function replyLines(text: string): readonly string[] {
  const reader = new ReplyReader();
  const all = [...reader.feed(text), ...reader.end()].map(({ said }) => said);
  const steps = all.flatMap((said) => (said.is === 'step' ? [said.line] : []));
  const done = steps.length === 0 ? [] : [`- You did line ${steps.join(', ')}`];
  return [...done, ...all.flatMap(saidLine)];
}

function saidLine(said: Said): readonly string[] {
  switch (said.is) {
    case 'say':
      return [`- You said: ${JSON.stringify(shortened(writtenText(said.text) ?? '', saidMax))}`];
    case 'note':
    case 'unexpected':
      return [`- You noted: ${shortened(said.text, saidMax)}`];
    default:
      return [];
  }
}

/**
 * What is left of a recap that is too long itself: of what was written and noted the first and the
 * latest, as there is room, and between them how much is left out.
 */
function summaryOf(entries: readonly Entry[], room: number, earlier: string): string {
  const all = entries.flatMap(recapLines);
  const lines = all.filter((line) => !countLine.test(line) && !gapLine.test(line));
  const told = lines.filter((line) => toldLine.test(line));
  const beginning = told.slice(0, firstLines);
  const hasRoom = 2 * tokensOf(beginning.join('\n')) <= room;
  const first = hasRoom ? beginning : beginning.map(cutLine);
  const latest: string[] = [];
  let left = room - tokensOf(first.join('\n'));
  for (const line of told.slice(firstLines).map(cutLine).toReversed()) {
    left -= tokensOf(line);
    if (left < 0 && latest.length >= firstLines) break;
    latest.unshift(line);
  }
  const done = countedBy(countLine, all) + lines.length - told.length;
  const between = countedBy(gapLine, all) + told.length - first.length - latest.length;
  const where = earlier === '' ? '' : `: {"show":["${earlier}"]} tells them`;
  return [
    `${soFar}, in short${whole(earlier)}:`,
    ...(done > 0
      ? [`- ${were(done, 'thing')} done, called and said; what came of them is below`]
      : []),
    ...first,
    ...(between > 0 ? [`- ${leftOut(between)} left out${where}`] : []),
    ...latest,
  ].join('\n');
}

const countLine = /^- (\d+) things? (?:was|were) done, called and said;/;
const gapLine = /^- (\d+) that (?:was|were) written and noted here (?:is|are) left out/;

const were = (n: number, noun: string): string => `${counted(n, noun)} ${n === 1 ? 'was' : 'were'}`;

const leftOut = (n: number): string => {
  const [was, is] = n === 1 ? ['was', 'is'] : ['were', 'are'];
  return `${n} that ${was} written and noted here ${is}`;
};

/** How many lines earlier summaries have counted in place of telling them. */
const countedBy = (form: RegExp, lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Number(form.exec(line)?.[1] ?? 0), 0);

/** Shorter, with what it lacks counted from the whole, where it was cut before. */
function cutLine(line: string): string {
  const [, text = line, lacking = '0', where = ''] = cutBefore.exec(line) ?? [];
  if (text.length <= saidMax) return line;
  const more = Number(lacking) + text.length - saidMax;
  return `${text.slice(0, saidMax)} … (${counted(more, 'more character')}${where})`;
}

const cutBefore = /^(.*) … \((\d+) more characters?(; all in \w+)?\)"?$/s;

/** What nobody else knows: what people and agents wrote, what the model has noted. */
const toldLine = /^- (?:You noted: |(?!You )[^"]{1,80} (?:wrote|said): )/;

/** Of each end, however little room there is. */
const firstLines = 5;
