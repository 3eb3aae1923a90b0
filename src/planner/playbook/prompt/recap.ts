/**
 * A long session in short. What was asked and replied becomes a recap, in jumps: a provider's cache
 * of the beginning is lost once for each jump, and not with every turn.
 *
 * - R1 Nothing that the frame needs is lost. Variables that are not shown any more are shown again,
 *   and so is the playbook. What a person wrote and what went wrong stays.
 * - R2 What becomes of a session depends on that session and the bounds alone.
 */
import { utf8Bytes } from '../../../program/size.ts';
import { shortened, shownMax } from '../../prompt.ts';
import { type Operation, operationsIn } from '../reply/operations.ts';
import { ReplyReader } from '../reply/reader.ts';
import {
  clipped,
  type Entry,
  entryText,
  type Recap,
  type RecapLine,
  recapLineText,
  resultText,
} from './session.ts';

/** The latest turns stay as they were. */
const wholeTurns = 2;

/** Characters of a line of a recap; of what a person wrote there are more, where there is room. */
const lineMax = 160;
const personMax = 500;

/** Lines of each end that stay, however little room there is. */
const endLines = 5;

const bytesPerToken = 3;

export const tokensOf = (text: string): number => Math.ceil(utf8Bytes(text) / bytesPerToken);

export const sessionTokens = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + tokensOf(entryText(entry)), 0);

/** The session in at most about half of `tokensMax`; undefined where it may stay as it is. */
export function inShort(
  session: readonly Entry[],
  tokensMax: number,
): readonly Entry[] | undefined {
  if (sessionTokens(session) <= tokensMax) return undefined;
  const from = startOfLast(session, wholeTurns);
  const before = session.slice(0, from);
  const kept = session
    .slice(from)
    .filter(({ is }) => is !== 'turn')
    .map(cut);
  const room = Math.max(0, Math.floor(tokensMax / 2) - sessionTokens(kept));
  const recap = fitted(recapOf(before), room);
  // Some providers take no conversation that begins with a reply.
  const isNeeded = !isEmpty(recap) || kept[0]?.is === 'reply';
  return isNeeded ? [recap, ...kept] : kept;
}

/** A session in short, for a new conversation; what no reply has seen yet stays. */
export function retold(session: readonly Entry[]): readonly Entry[] {
  const from = session.findLastIndex(endsTurn) + 1;
  const latest = session.slice(from).filter(({ is }) => is !== 'turn');
  const recap = recapOf(session.slice(0, from));
  return isEmpty(recap) ? latest : [recap, ...latest];
}

const isEmpty = ({ done, first, latest }: Recap): boolean =>
  done === 0 && first.length + latest.length === 0;

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

/** Goes on with the recap of the session, where that begins with one. */
function recapOf(entries: readonly Entry[]): Recap {
  const lines = entries.flatMap(linesOf);
  const [before] = entries;
  return before?.is === 'recap'
    ? { ...before, latest: [...before.latest, ...lines] }
    : { is: 'recap', first: [], latest: lines, between: 0, done: 0 };
}

function linesOf(entry: Entry): readonly RecapLine[] {
  switch (entry.is) {
    case 'turn':
    case 'recap':
      return [];
    case 'reply':
      return replyLines(entry.text);
    case 'results':
      return entry.calls.map((call) => {
        const { callee, into, ok } = call;
        if (!ok) return happened(`${callee} failed: ${resultText(call, lineMax)}`);
        // A result without a variable stands nowhere else.
        const result = into ? `its result, now ${into}` : resultText(call, shownMax);
        return happened(`${callee} returned ${result}`);
      });
    case 'user':
      return [line(`${entry.from ?? 'The person'} wrote`, clipped(entry.text, personMax))];
    case 'agent':
      return [line(`${entry.from} said`, clipped(entry.text, personMax))];
    case 'said':
      return [line(bySelf, clipped(entry.text, lineMax))];
    case 'problem':
    case 'note':
    case 'cut':
      return [happened(clipped(entry.text, personMax))];
  }
}

const bySelf = 'You said';

const line = (by: string, text: RecapLine['text']): RecapLine => ({ by, text });

const happened = (text: RecapLine['text']): RecapLine => line('', text);

/** What a reply did, by its own operations. */
function replyLines(text: string): readonly RecapLine[] {
  const reader = new ReplyReader();
  const operations = [...reader.feed(text), ...reader.end()].flatMap((item) => {
    const found = item.is === 'object' ? operationsIn(item.data) : [];
    return typeof found === 'string' ? [] : found;
  });
  const lines = operations.flatMap((one) => (one.op === 'at' ? [one.line] : []));
  const done = lines.length === 0 ? [] : [happened(`You did line ${lines.join(', ')}`)];
  return [...done, ...operations.flatMap(operationLine)];
}

function operationLine(operation: Operation): readonly RecapLine[] {
  const by = { say: bySelf, note: 'You noted', unexpected: 'You noted' };
  return operation.op in by && 'text' in operation
    ? [line(by[operation.op], clipped(operation.text, lineMax))]
    : [];
}

/**
 * A recap that is too long itself: of messages and notes the first and the latest, as there is
 * room. What lies between, and what was done, is only counted.
 */
function fitted(recap: Recap, room: number): Recap {
  if (isEmpty(recap) || tokensOf(entryText(recap)) <= room) return recap;
  const all = [...recap.first, ...recap.latest];
  const told = all.filter(({ by }) => by !== '' && by !== bySelf);
  const beginning = told.slice(0, endLines);
  const first = 2 * tokensIn(beginning) <= room ? beginning : beginning.map(cutLine);
  const latest: RecapLine[] = [];
  let left = room - tokensIn(first);
  for (const one of told.slice(endLines).map(cutLine).toReversed()) {
    left -= tokensIn([one]);
    if (left < 0 && latest.length >= endLines) break;
    latest.unshift(one);
  }
  const between = recap.between + told.length - first.length - latest.length;
  return { ...recap, first, latest, between, done: recap.done + all.length - told.length };
}

const cutLine = ({ by, text }: RecapLine): RecapLine => line(by, clipped(text, lineMax));

const tokensIn = (lines: readonly RecapLine[]): number =>
  tokensOf(lines.map(recapLineText).join('\n'));
