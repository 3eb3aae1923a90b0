/**
 * A long session in short. What was asked and replied becomes a recap, and later a summary, in
 * jumps: a provider's copy of the beginning is lost once per jump, and not with every turn.
 *
 * - R1 Nothing that the frame needs is lost: variables that are no longer shown are shown anew, and
 *   so is the playbook; what a person wrote and what went wrong stays.
 * - R2 What comes of a session depends on that session and the bounds alone.
 */
import { shortened } from '../prompt.ts';
import { tokensOf } from './prompt-tokens.ts';
import { ReplyReader } from './reply-reader.ts';
import type { Said } from './said.ts';
import { clipped, type Entry, entryText, failureText, resultText } from './session.ts';
import { writtenText } from './term.ts';

/** The latest turns, which stay as they were. */
const wholeTurns = 2;

const saidMax = 160;
const personMax = 500;

export const sessionTokens = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + tokensOf(entryText(entry)), 0);

/** The session as it is, or a shorter one of at most about half of `tokensMax`. */
export function inShort(session: readonly Entry[], tokensMax: number): readonly Entry[] {
  if (sessionTokens(session) <= tokensMax) return session;
  const from = startOfLast(session, wholeTurns);
  const latest = session.slice(from).filter(({ is }) => is !== 'turn');
  const before = session.slice(0, from);
  const room = Math.max(0, Math.floor(tokensMax / 2) - sessionTokens(latest));
  const recap = recapOf(before);
  const short = tokensOf(recap) <= room ? recap : summaryOf(before);
  return [...(short === '' ? [] : [{ is: 'recap', text: short } as const]), ...latest.map(cut)];
}

/** A session in short, for a conversation that begins anew; what no reply has seen yet stays. */
export const retold = (session: readonly Entry[]): readonly Entry[] => {
  const from = session.findLastIndex(({ is }) => is === 'reply') + 1;
  const recap = recapOf(session.slice(0, from));
  const latest = session.slice(from).filter(({ is }) => is !== 'turn');
  return [...(recap === '' ? [] : [{ is: 'recap', text: recap } as const]), ...latest];
};

/** Where the last turns begin: behind the reply before them. */
function startOfLast(session: readonly Entry[], turns: number): number {
  let left = turns;
  for (let at = session.length - 1; at >= 0; at--) {
    if (session[at]?.is === 'reply') left--;
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

function recapOf(entries: readonly Entry[]): string {
  const lines = entries.flatMap(recapLines);
  return lines.length === 0 ? '' : ['So far in this playbook:', ...lines].join('\n');
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
    case 'problem':
    case 'note':
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

/** What is left of a recap that is too long itself. */
function summaryOf(entries: readonly Entry[]): string {
  const lines = entries.flatMap(recapLines);
  const kept = lines.filter((line) => /^- (?:The person|You noted|Your last)/.test(line));
  const latest = kept.slice(-summaryLines).map((line) => shortened(line, saidMax));
  const left = lines.length - latest.length;
  return [
    'So far in this playbook, in short:',
    ...(left > 0
      ? [`- ${left} things were done, called and said; what came of them is below`]
      : []),
    ...latest,
  ].join('\n');
}

const summaryLines = 20;
