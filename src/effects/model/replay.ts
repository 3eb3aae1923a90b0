/** Transcripts, and a `Model` that answers from one: no key, no network, no cost. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EffectFailure, refusal, type Usage } from '../../engine/handler.ts';
import { nearest, thrownMessage } from '../../program/diagnostic.ts';
import { isTokenCount } from '../../program/effect.ts';
import { inKeyOrder } from '../../program/json.ts';
import { isObject } from '../foreign-json.ts';
import {
  checkAnswered,
  estimate,
  type Format,
  type Model,
  type ModelReply,
  type ModelRequest,
  nativeRequest,
} from './model.ts';

export interface ReplayOptions {
  /** Milliseconds between the words of a reply, for people who watch; none by default. */
  readonly paceMs?: number;
}

/** Reads the file at once. Throws `EffectFailure` PV4400 or PV4401. */
export function replayModel(file: string, options: ReplayOptions = {}): Model {
  const lines = parseTranscript(readTranscript(file), file);
  const find = finder(lines);
  // Questions and warnings have it, so it is the same wherever the file lies.
  const name = `replay/${basename(file)}`;
  return {
    name,
    price: { input: 0, output: 0 },
    async complete(request, context): Promise<ModelReply> {
      context.signal.throwIfAborted();
      const found = find(request, context.effect);
      if (found === undefined) throw miss(file, lines, request);
      const reply = replyOf(found);
      const { text, usage } = reply;
      for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
        context.progress(piece);
        if (options.paceMs) await pause(options.paceMs, undefined, { signal: context.signal });
      }
      const used = {
        modelCalls: 1,
        inputTokens: usage?.inputTokens ?? estimate(request.messages),
        outputTokens: usage?.outputTokens ?? estimate([{ content: text }]),
        cost: 0,
      };
      context.use(used);
      checkAnswered(name, reply, request.native ?? request, context);
      if (reply.finishReason === 'length' && !context.goesOn) {
        context.warn(`${file}: the recorded answer is cut off`);
      }
      return { ...reply, usage: used };
    },
  };
}

const replyOf = (line: TranscriptLine): RecordedLine['reply'] =>
  line.kind === 'recorded' ? line.reply : { text: line.reply, finishReason: 'stop' };

export function readTranscript(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw refusal('PV4400', `cannot read the transcript ${file}: ${thrownMessage(error)}`, {
      hint: 'record one with --record FILE and a real model',
    });
  }
}

/** Looks requests up, counting equal ones; the count is taken when a request is made. */
function finder(
  lines: readonly TranscriptLine[],
): (request: ModelRequest, effect: string | undefined) => TranscriptLine | undefined {
  const recorded = Map.groupBy(lines.filter(isRecorded), ({ key }) => key);
  for (const group of recorded.values()) group.sort((a, b) => a.turn - b.turn);
  const written = Map.groupBy(lines.filter(isWritten), ({ prompt }) => prompt);
  const prompts = [...written.keys()];
  const ordered = [...prompts.filter(isExact), ...prompts.filter((prompt) => !isExact(prompt))];
  const asked = new Map<string, number>();

  function next<T>(group: readonly T[], name: string): T | undefined {
    const turn = asked.get(name) ?? 0;
    asked.set(name, turn + 1);
    return group[Math.min(turn, group.length - 1)];
  }

  return (request, effect) => {
    const native = nativeRequest(request);
    const keys = [request, ...(native ? [native] : [])].map(keyOf);
    const key = keys.find((one) => recorded.has(one)) ?? '';
    const equal = recorded.get(key);
    if (equal !== undefined) {
      const own = equal.filter((line) => line.effect !== undefined && line.effect === effect);
      return own.length > 0 ? next(own, `${key} ${effect}`) : next(equal, key);
    }
    const user = lastOf(request.messages);
    const texts = request.prompt === undefined ? [user] : [request.prompt, user];
    const prompt = ordered.find((pattern) => texts.some((text) => matches(pattern, text)));
    return prompt === undefined ? undefined : next(written.get(prompt) ?? [], `* ${prompt}`);
  };
}

const isRecorded = (line: TranscriptLine): line is RecordedLine => line.kind === 'recorded';
const isWritten = (line: TranscriptLine): line is WrittenLine => line.kind === 'written';

// What is said when a transcript has no reply: the nearest request it has, and where they part.

const shownCharacters = 60;

function miss(
  file: string,
  lines: readonly TranscriptLine[],
  request: ModelRequest,
): EffectFailure {
  const prompt = request.prompt ?? lastOf(request.messages);
  const example = JSON.stringify({ prompt: clip(prompt, 200), reply: '…' });
  const [best] = lines
    .flatMap((line) => {
      const recorded = isWritten(line) ? line.prompt : line.request && textOf(line.request);
      if (recorded === undefined) return [];
      const asked = isWritten(line) ? prompt : textOf(request);
      return [{ line: line.line, asked, recorded, ...likeness(asked, recorded) }];
    })
    .toSorted((one, other) => other.score - one.score);
  const found = best
    ? [
        `; the nearest is line ${best.line}, and they part at:`,
        `  asked:    ${around(best.asked, best.start)}`,
        `  recorded: ${around(best.recorded, best.start)}`,
      ].join('\n')
    : ': it is empty';
  return refusal('PV4402', `${file} has no reply for this request${found}`, {
    hint: `record again with --record and a real model, or add a line: ${example}`,
  });
}

/** How much of their beginning and end two texts share, and where they part. */
function likeness(a: string, b: string): { start: number; score: number } {
  const length = Math.min(a.length, b.length);
  let start = 0;
  while (start < length && a[start] === b[start]) start++;
  let end = 0;
  while (end < length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return { start, score: (start + end) / Math.max(a.length, b.length, 1) };
}

function textOf({ messages, format }: Pick<ModelRequest, 'messages' | 'format'>): string {
  const conversation = messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
  return format === undefined ? conversation : `${conversation}\nformat: ${JSON.stringify(format)}`;
}

const lastOf = (messages: ModelRequest['messages']): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';

/** The place where a text begins to differ, on one line. */
function around(text: string, at: number): string {
  const start = Math.max(0, at - shownCharacters / 3);
  const shown = clip(text.slice(start), shownCharacters);
  return JSON.stringify(start > 0 ? `…${shown}` : shown);
}

const clip = (text: string, characters: number): string =>
  text.length > characters ? `${text.slice(0, characters)}…` : text;

// Transcripts: what models have answered, as text that answers again without a network.
//
// A transcript is NDJSON: one JSON object a line; empty lines and lines that begin with `//` are
// skipped. A line has one of two forms:
// - recorded: `{"key", "turn", "effect", "model", "request": {"messages", "format", "tools"},
//   "reply": {"text", "calls", "native", "finishReason", "usage"}}`. `key` is a hash of messages,
//   format and tools, not of the model's name, so that another model's transcript serves as well;
//   it is of the text form of a request, also where `native` says that the other form was asked,
//   which `request` shows then. `turn` counts equal requests in the order in which they were made,
//   from 1.
// - written by hand: `{"prompt", "reply"}`. `prompt` is the program's own prompt or the whole last
//   user message; `*` in it stands for any text, `\*` for a star. A `reply` that is not a string is
//   answered as JSON.
//
// Recorded lines are looked up before written ones, exact prompts before patterns, and patterns in
// the order of the file. The k-th equal request of a process gets the k-th reply, and the last
// reply again from then on. Lines that were recorded for the same effect of a run come first:
// so concurrent equal requests, and those of a resumed run, keep their replies.

interface RecordedLine {
  readonly kind: 'recorded';
  readonly key: string;
  readonly turn: number;
  readonly effect?: string | undefined;
  readonly request?: Pick<ModelRequest, 'messages' | 'format'> | undefined;
  readonly reply: Pick<ModelReply, 'text' | 'calls' | 'native' | 'finishReason'> & {
    readonly usage?: Usage;
  };
  readonly line: number;
}

interface WrittenLine {
  readonly kind: 'written';
  readonly prompt: string;
  readonly reply: string;
  readonly line: number;
}

type TranscriptLine = RecordedLine | WrittenLine;

/** A prompt without the day that it names: a transcript serves on any. */
export const withoutDay = (content: string): string =>
  content.replace(/^(?:Today is|Nous sommes le) \d{4}-\d\d-\d\d\.$/gm, 'Today is any day.');

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
    throw refusal('PV4401', `${file}:${line}:${column}: ${problem}`, {
      hint: hint ?? 'a line is {"prompt": "…", "reply": "…"}, or one that --record has written',
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
    const message = thrownMessage(error);
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
      ...(reply.native === true && { native: true }),
      finishReason: reply.finishReason === 'length' ? 'length' : 'stop',
      ...(usage !== undefined && { usage }),
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
const isExact = (pattern: string): boolean => !/(?<!\\)\*/.test(pattern);

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

const isText = (data: unknown): data is string => typeof data === 'string' && data !== '';

const isCalls = (data: unknown): data is NonNullable<ModelReply['calls']> =>
  Array.isArray(data) && data.every((call) => isObject(call) && isText(call.name));

function isMessages(data: unknown): data is ModelRequest['messages'] {
  return (
    Array.isArray(data) &&
    data.every((item) => isObject(item) && typeof item.content === 'string' && isText(item.role))
  );
}
