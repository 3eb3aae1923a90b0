/** What is said when a transcript has no reply: the nearest request it has, and where they part. */
import { EffectFailure } from '../../engine/handler.ts';
import type { ModelRequest } from './model.ts';
import type { TranscriptLine } from './transcript.ts';

const shownCharacters = 60;

interface Candidate {
  readonly line: number;
  readonly asked: string;
  readonly recorded: string;
}

export function miss(
  file: string,
  lines: readonly TranscriptLine[],
  request: ModelRequest,
): EffectFailure {
  const nearest = nearestOf(lines, request);
  const prompt = request.prompt ?? lastOf(request.messages);
  const example = JSON.stringify({ prompt: clip(prompt, 200), reply: '…' });
  const found =
    nearest === undefined
      ? ': it is empty'
      : `; the nearest is line ${nearest.line}, ${difference(nearest)}`;
  return new EffectFailure('PV4402', `${file} has no reply for this request${found}`, {
    hint: `record again with --record and a real model, or add a line: ${example}`,
    mayHaveActed: false,
    answered: true,
  });
}

/** The line that shares most of its beginning and end with the request. */
function nearestOf(lines: readonly TranscriptLine[], request: ModelRequest): Candidate | undefined {
  let best: Candidate | undefined;
  let bestScore = -1;
  for (const line of lines) {
    const candidate = candidateOf(line, request);
    if (candidate === undefined) continue;
    const { asked, recorded } = candidate;
    const shared = commonStart(asked, recorded) + commonEnd(asked, recorded);
    const score = shared / Math.max(asked.length, recorded.length, 1);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function candidateOf(line: TranscriptLine, request: ModelRequest): Candidate | undefined {
  if (line.kind === 'written') {
    const asked = request.prompt ?? lastOf(request.messages);
    return { line: line.line, asked, recorded: line.prompt };
  }
  if (line.request === undefined) return undefined;
  return { line: line.line, asked: textOf(request), recorded: textOf(line.request) };
}

function textOf({ messages, format }: Pick<ModelRequest, 'messages' | 'format'>): string {
  const conversation = messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
  return format === undefined ? conversation : `${conversation}\nformat: ${JSON.stringify(format)}`;
}

const lastOf = (messages: ModelRequest['messages']): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';

function difference({ asked, recorded }: Candidate): string {
  const at = commonStart(asked, recorded);
  return [
    'and they part at:',
    `  asked:    ${around(asked, at)}`,
    `  recorded: ${around(recorded, at)}`,
  ].join('\n');
}

/** The place where a text begins to differ, on one line. */
function around(text: string, at: number): string {
  const start = Math.max(0, at - shownCharacters / 3);
  const shown = clip(text.slice(start), shownCharacters);
  return JSON.stringify(start > 0 ? `…${shown}` : shown);
}

const clip = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters)}…` : text;

function commonStart(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < length && a[shared] === b[shared]) shared++;
  return shared;
}

function commonEnd(a: string, b: string): number {
  const length = Math.min(a.length, b.length) - commonStart(a, b);
  let shared = 0;
  while (shared < length && a.at(-1 - shared) === b.at(-1 - shared)) shared++;
  return shared;
}
