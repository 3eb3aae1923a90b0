/**
 * A long session in short. What was asked and replied becomes a recap, and later a summary, in
 * jumps: a provider's cache of the beginning is lost once for each jump, and not with every turn.
 *
 * - R1 Nothing that the frame needs is lost. Variables that are not shown any more are shown again,
 *   and so is the playbook. What a person wrote and what went wrong stays.
 * - R2 What becomes of a session depends on that session and the bounds alone.
 */
import { counted } from '../../../program/diagnostic.ts';
import { shortened } from '../../prompt.ts';
import { type Operation, operationsIn } from '../reply/operations.ts';
import { ReplyReader } from '../reply/reader.ts';
import { tokensOf } from './prompt-tokens.ts';
import { clipped, type Entry, entryText, failureText, resultText } from './session.ts';

/** The latest turns stay as they were. */
const wholeTurns = 2;

const operationTextMax = 160;
const personMax = 500;

export const sessionTokens = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + tokensOf(entryText(entry)), 0);

export interface Shortened {
  readonly session: readonly Entry[];
  /** All that the session has lost, in words. */
  readonly left: string;
}

/**
 * The session in at most about half of `tokensMax`; undefined where it may stay as it is. The
 * variable `earlier` will have what is left out.
 */
export function inShort(
  session: readonly Entry[],
  tokensMax: number,
  earlier = '',
): Shortened | undefined {
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

/** A session in short, for a new conversation; what no reply has seen yet stays. */
export function retold(session: readonly Entry[], earlier = ''): Shortened {
  const from = session.findLastIndex(endsTurn) + 1;
  const before = session.slice(0, from);
  const latest = session.slice(from).filter(({ is }) => is !== 'turn');
  return { session: [...recapEntry(recapOf(before, earlier)), ...latest], left: wholeOf(before) };
}

const endsTurn = ({ is }: Entry): boolean => is === 'reply' || is === 'cut';

/**
 * Where the last turns begin: after the reply before them, or after a message of another playbook.
 */
function startOfLast(session: readonly Entry[], turns: number): number {
  let left = turns;
  for (let at = session.length - 1; at >= 0; at--) {
    const entry = session[at];
    if (entry && (endsTurn(entry) || entry.is === 'said')) left--;
    if (left < 0) return at + 1;
  }
  return 0;
}

const resultsMax = 4000;

/** A single entry may be larger than all the room there is. */
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

/** What entries say, at length; what replaces others was told at length before. */
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
        if (!ok) return `- ${callee} failed: ${failureText(call, operationTextMax)}`;
        // A result without a variable stands nowhere else.
        const result = into ? `its result, now ${into}` : resultText(call);
        return `- ${callee} returned ${result}`;
      });
    case 'user':
      return [
        `- ${entry.from ?? 'The person'} wrote: ${clipped(entry.text, personMax, JSON.stringify)}`,
      ];
    case 'agent':
      return [`- ${entry.from} said: ${clipped(entry.text, personMax, JSON.stringify)}`];
    case 'said':
      return [`- You said: ${clipped(entry.text, operationTextMax, JSON.stringify)}`];
    case 'problem':
    case 'note':
    case 'cut':
      return [`- ${clipped(entry.text, personMax)}`];
    case 'recap':
    case 'summary':
      return entry.text.split('\n').slice(1);
  }
}

/** What a reply did, by its own operations. */
function replyLines(text: string): readonly string[] {
  const reader = new ReplyReader();
  const operations = [...reader.feed(text), ...reader.end()].flatMap((item) => {
    const found = item.is === 'object' ? operationsIn(item.data) : [];
    return typeof found === 'string' ? [] : found;
  });
  const lines = operations.flatMap((one) => (one.op === 'at' ? [one.line] : []));
  const done = lines.length === 0 ? [] : [`- You did line ${lines.join(', ')}`];
  return [...done, ...operations.flatMap(operationLine)];
}

function operationLine(operation: Operation): readonly string[] {
  switch (operation.op) {
    case 'say':
      return [`- You said: ${JSON.stringify(shortened(operation.text, operationTextMax))}`];
    case 'note':
    case 'unexpected':
      return [`- You noted: ${shortened(operation.text, operationTextMax)}`];
    default:
      return [];
  }
}

/**
 * A recap that is too long itself: of messages and notes the first and the latest, as there is
 * room, and between them how many are left out.
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
    ...(done > 0 ? [`- ${were(done, 'thing')} done, called and said; their outcome is below`] : []),
    ...first,
    ...(between > 0 ? [`- ${leftOut(between)} left out${where}`] : []),
    ...latest,
  ].join('\n');
}

const countLine = /^- (\d+) things? (?:was|were) done, called and said;/;
const gapLine = /^- (\d+) messages? or notes? (?:is|are) left out/;

const were = (n: number, noun: string): string => `${counted(n, noun)} ${n === 1 ? 'was' : 'were'}`;

const leftOut = (n: number): string =>
  n === 1 ? '1 message or note is' : `${n} messages or notes are`;

/** How many lines earlier summaries have counted instead of telling them. */
const countedBy = (form: RegExp, lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Number(form.exec(line)?.[1] ?? 0), 0);

/** Shorter; where it was cut before, what it lacks is counted from the whole. */
function cutLine(line: string): string {
  const [, text = line, lacking = '0', where = ''] = cutBefore.exec(line) ?? [];
  if (text.length <= operationTextMax) return line;
  const more = Number(lacking) + text.length - operationTextMax;
  return `${text.slice(0, operationTextMax)} … (${counted(more, 'more character')}${where})`;
}

const cutBefore = /^(.*) … \((\d+) more characters?(; all in \w+)?\)"?$/s;

/** What stands nowhere else: messages of people and agents, notes of the model. */
const toldLine = /^- (?:You noted: |(?!You )[^"]{1,80} (?:wrote|said): )/;

/** Lines of each end that stay, however little room there is. */
const firstLines = 5;
