/** A `Model` that answers from a transcript (`transcript.ts`): no key, no network, no cost. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EffectFailure } from '../../engine/handler.ts';
import { miss } from './miss.ts';
import {
  checkAnswered,
  estimate,
  type Model,
  type ModelReply,
  type ModelRequest,
} from './model.ts';
import {
  isExact,
  keyOf,
  matches,
  parseTranscript,
  type RecordedLine,
  type TranscriptLine,
  type WrittenLine,
} from './transcript.ts';

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
      const { text, calls, finishReason, usage, kept } = reply;
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
      checkAnswered(name, reply, request, context);
      if (finishReason === 'length' && !context.goesOn) {
        context.warn(`${file}: the recorded answer is cut off`);
      }
      return { text, ...(calls && { calls }), finishReason, usage: used, ...(kept && { kept }) };
    },
  };
}

const replyOf = (line: TranscriptLine): RecordedLine['reply'] =>
  line.kind === 'recorded' ? line.reply : { text: line.reply, finishReason: 'stop' };

export function readTranscript(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new EffectFailure('PV4400', `cannot read the transcript ${file}: ${reasonOf(error)}`, {
      hint: 'record one with --record FILE and a real model',
      mayHaveActed: false,
    });
  }
}

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

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
    const key = keyOf(request);
    const equal = recorded.get(key);
    if (equal !== undefined) {
      const own = equal.filter((line) => line.effect !== undefined && line.effect === effect);
      return own.length > 0 ? next(own, `${key} ${effect}`) : next(equal, key);
    }
    const user = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const texts = request.prompt === undefined ? [user] : [request.prompt, user];
    const prompt = ordered.find((pattern) => texts.some((text) => matches(pattern, text)));
    return prompt === undefined ? undefined : next(written.get(prompt) ?? [], `* ${prompt}`);
  };
}

const isRecorded = (line: TranscriptLine): line is RecordedLine => line.kind === 'recorded';
const isWritten = (line: TranscriptLine): line is WrittenLine => line.kind === 'written';
