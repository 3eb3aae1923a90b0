/**
 * Transcripts: what models have answered, as text that answers again without a network.
 *
 * A transcript is NDJSON: one JSON object a line; empty lines and lines that begin with `//` are
 * skipped. A line has one of two forms:
 * - recorded: `{"key", "turn", "effect", "model", "request": {"messages", "format"},
 *   "reply": {"text", "calls", "finishReason", "usage"}}`. `key` is a hash of messages, format and
 *   tools, not of the model's name, so that another model's transcript serves as well. `turn`
 *   counts equal requests in the order in which they were made, from 1.
 * - written by hand: `{"prompt", "reply"}`. `prompt` is the program's own prompt or the whole last
 *   user message; `*` in it stands for any text, `\*` for a star. A `reply` that is not a string is
 *   answered as JSON.
 *
 * Recorded lines are looked up before written ones, exact prompts before patterns, and patterns in
 * the order of the file. The k-th equal request of a process gets the k-th reply, and the last
 * reply again from then on. Lines that were recorded for the same effect of a run come first:
 * so concurrent equal requests, and those of a resumed run, keep their replies.
 */
import { createHash } from 'node:crypto';
import { EffectFailure, type Usage } from '../../engine/handler.ts';
import { nearest } from '../../program/diagnostic.ts';
import { inKeyOrder } from '../../program/key-order.ts';
import { isTokenCount } from '../../program/usage.ts';
import { isObject } from '../foreign-json.ts';
import type { Format, Kept, ModelReply, ModelRequest } from './model.ts';

export interface RecordedLine {
  readonly kind: 'recorded';
  readonly key: string;
  readonly turn: number;
  readonly effect?: string | undefined;
  readonly request?: Pick<ModelRequest, 'messages' | 'format'> | undefined;
  readonly reply: Pick<ModelReply, 'text' | 'calls' | 'finishReason' | 'kept'> & {
    readonly usage?: Usage;
  };
  readonly line: number;
}

export interface WrittenLine {
  readonly kind: 'written';
  readonly prompt: string;
  readonly reply: string;
  readonly line: number;
}

export type TranscriptLine = RecordedLine | WrittenLine;

/** Prompts name the day, and a transcript serves on any. */
const withoutDay = (content: string): string =>
  content.replace(/^Today is \d{4}-\d\d-\d\d\.$/gm, 'Today is any day.');

/** What makes two requests equal. */
export function keyOf(request: Pick<ModelRequest, 'messages' | 'format' | 'tools'>): string {
  const { messages, format = null, tools } = request;
  const said = messages.map(({ role, content, calls, answers, pictures }) => ({
    ...{ role, content: withoutDay(content) },
    ...(pictures && { pictures }),
    ...(calls && { calls }),
    ...(answers && { answers }),
  }));
  const text = JSON.stringify(inKeyOrder({ messages: said, format, ...(tools && { tools }) }));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Throws `EffectFailure` PV4401, with file and line, for a line that is of neither form. */
export function parseTranscript(text: string, file: string): TranscriptLine[] {
  const lines: TranscriptLine[] = [];
  for (const [index, source] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const trimmed = source.trim();
    if (trimmed !== '' && !trimmed.startsWith('//')) lines.push(parseLine(source, file, index + 1));
  }
  return lines;
}

function parseLine(source: string, file: string, line: number): TranscriptLine {
  const fail = (problem: string, column = 1, hint?: string): never => {
    throw new EffectFailure('PV4401', `${file}:${line}:${column}: ${problem}`, {
      hint: hint ?? 'a line is {"prompt": "…", "reply": "…"}, or one that --record has written',
      mayHaveActed: false,
    });
  };
  const data = parseJson(source, fail);
  if (!isObject(data)) return fail('got JSON that is not an object, want one object a line');
  if (typeof data.key === 'string') return recorded(data, line, fail);
  if (typeof data.prompt === 'string') return written(data, line, fail);
  const names = Object.keys(data);
  const meant = names.map((name) => nearest(name, ['prompt', 'key'])).find(Boolean);
  return fail(
    `got an object with ${names.join(', ') || 'no keys'}, want "prompt" or "key", a string`,
    1,
    meant === undefined ? undefined : `did you mean "${meant}"?`,
  );
}

type Fail = (problem: string, column?: number, hint?: string) => never;

function parseJson(source: string, fail: Fail): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const column = position === undefined ? source.trimEnd().length + 1 : Number(position) + 1;
    return fail(`not JSON: ${message.replace(/ (in JSON )?at position.*$/, '')}`, column);
  }
}

function recorded(data: Record<string, unknown>, line: number, fail: Fail): RecordedLine {
  const { key, turn = 1, effect, request, reply } = data;
  const calls = isObject(reply) && isCalls(reply.calls) ? reply.calls : undefined;
  if (!isObject(reply) || typeof reply.text !== 'string' || (reply.text === '' && !calls)) {
    return fail('got no "reply" with a "text", want {"reply": {"text": "…"}}');
  }
  if (typeof turn !== 'number') return fail('got a "turn" that is not a number');
  const asked = isObject(request) ? request : {};
  const usage = usageOf(reply.usage);
  return {
    kind: 'recorded',
    key: String(key),
    turn,
    effect: typeof effect === 'string' ? effect : undefined,
    request: requestOf(asked),
    reply: {
      text: reply.text,
      ...(calls && { calls }),
      finishReason: reply.finishReason === 'length' ? 'length' : 'stop',
      ...(usage !== undefined && { usage }),
      ...(isKept(reply.kept) && { kept: reply.kept }),
    },
    line,
  };
}

function written(data: Record<string, unknown>, line: number, fail: Fail): WrittenLine {
  const { prompt, reply, ...others } = data;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    fail(`got "${unknown}" beside "prompt", want "reply" and nothing else`);
  }
  if (reply === undefined || reply === '') fail('got no "reply", or an empty one');
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return { kind: 'written', prompt: String(prompt), reply: text, line };
}

/** Whether a text is what a hand-written `prompt` stands for. */
export function matches(pattern: string, text: string): boolean {
  const parts = pattern
    .trim()
    .split(/(?<!\\)\*/)
    .map((part) => part.replaceAll('\\*', '*'));
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  const subject = text.trim();
  if (last === undefined) return subject === first;
  if (!subject.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = subject.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return subject.length - last.length >= at && subject.endsWith(last);
}

/** Whether a hand-written `prompt` stands for itself only. */
export const isExact = (pattern: string): boolean => !/(?<!\\)\*/.test(pattern);

function requestOf({ messages, format }: Record<string, unknown>): RecordedLine['request'] {
  if (!isMessages(messages)) return undefined;
  // Only shown, never used: what a model was asked for need not be well-formed today.
  return { messages, ...(isObject(format) && { format: format as unknown as Format }) };
}

function usageOf(data: unknown): Usage | undefined {
  if (!isObject(data)) return undefined;
  const { inputTokens, outputTokens } = data;
  if (!isTokenCount(inputTokens) || !isTokenCount(outputTokens)) return undefined;
  return { modelCalls: 1, inputTokens, outputTokens };
}

const isKept = (data: unknown): data is Kept =>
  isObject(data) && isTokenCount(data.tokens) && typeof data.price === 'number';

const isText = (data: unknown): data is string => typeof data === 'string' && data !== '';

const isCalls = (data: unknown): data is NonNullable<ModelReply['calls']> =>
  Array.isArray(data) && data.every((call) => isObject(call) && isText(call.name));

function isMessages(data: unknown): data is ModelRequest['messages'] {
  return (
    Array.isArray(data) &&
    data.every((item) => isObject(item) && typeof item.content === 'string' && isText(item.role))
  );
}
