/**
 * Answers of a tool that are given again in later runs, for as long as its `cacheMs` says. Within
 * a run nothing changes: the effect is journaled with its outcome as any, also with where that
 * comes from and when it was fetched first.
 *
 * - C1 What an answer is kept by is the tool's name, its version (declaration, file, what is
 *   pinned) and all of its arguments. Another tool with equal arguments has another answer.
 * - C2 Only tools that read: no call that acts or waits. Whoever makes one sees to it that no
 *   argument is secret, since hashes of them name the files.
 * - C3 Only a whole answer is kept, never a failure, nor one that a person or a model has had a
 *   part in, nor a stream: its parts would have to come again as they came.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AttemptContext, attemptWith, type Handler } from '../../engine/handler.ts';
import type { Source } from '../../program/effect.ts';
import { decode, encode, fromJson, GuestValue, NotData } from '../../program/json.ts';
import { answerBytesMax, type KeptFolder, keepFile, touchFile } from '../kept-files.ts';

export interface CachedOptions extends KeptFolder {
  /** What the answers depend on beside declaration and arguments: a file's text, what is pinned. */
  readonly version: string;
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

interface KeptAnswer {
  /** Canonical text. */
  readonly value: string;
  readonly at: number;
  readonly sources: readonly Source[];
}

/** The same tool, of which it is known that it may be (C2); without `cacheMs` left as it is. */
export function cached(handler: Handler, options: CachedOptions): Handler {
  const { spec } = handler;
  const cacheMs = spec.limits?.cacheMs ?? 0;
  if (cacheMs <= 0 || handler.wait || spec.effect === 'write') return handler;
  const { now = Date.now, folder, version } = options;
  const { limits: _, description: __, ...declared } = spec;
  const made = JSON.stringify([declared, version]);
  return {
    ...handler,
    async perform(args, context) {
      const key = hashOf(made, encode(fromJson(args)));
      const file = join(folder, `${fileStart(spec.name)}${key}.answer`);
      const isBegun = context.earlier.length > 0;
      const kept = isBegun ? undefined : await read(file);
      const age = kept ? now() - kept.at : Infinity;
      // A clock that was set back makes no answer of the future.
      if (kept && age >= 0 && age < cacheMs) {
        context.source({ url: `cache:${spec.name}`, fetchedAt: kept.at });
        for (const source of kept.sources) context.source(source);
        await touchFile(file);
        return new GuestValue(decode(kept.value));
      }
      const at = now();
      const seen = watched(context);
      const result = await handler.perform(args, seen.context);
      if (!seen.isPlain()) return result;
      const text = textOf(result);
      if (text === undefined || text.length > answerBytesMax) return result;
      const sources = seen.sources.map((one) => ({ fetchedAt: at, ...one }));
      await keepFile(file, Buffer.from(JSON.stringify({ value: text, at, sources })), options);
      return result;
    },
  };
}

/** What the names of the files of a tool begin with. */
export const fileStart = (tool: string): string =>
  `${tool.replace(/[^\w.-]/g, '_').slice(0, 120)}~`;

/** The attempt, and whether all that has come of it is its result. */
function watched(context: AttemptContext): {
  readonly context: AttemptContext;
  readonly sources: readonly Source[];
  isPlain(): boolean;
} {
  const sources: Source[] = [];
  let isPlain = true;
  const { ask, inner } = context;
  const seen = attemptWith(context, {
    source(source) {
      sources.push(source);
      context.source(source);
    },
    part(value) {
      isPlain = false;
      context.part(value);
    },
    // What is odd about an answer would be told once, and not to those who have it later.
    warn(message) {
      isPlain = false;
      context.warn(message);
    },
    use(usage) {
      isPlain = false;
      context.use(usage);
    },
    ...(ask && {
      ask: async (question) => {
        isPlain = false;
        return await ask(question);
      },
    }),
    ...(inner && {
      inner: async (run) => {
        isPlain = false;
        return await inner(run);
      },
    }),
  });
  return { context: seen, sources, isPlain: () => isPlain };
}

const hashOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex');

/** Undefined for what is no data; the engine says so. */
function textOf(result: unknown): string | undefined {
  if (result === undefined) return undefined;
  try {
    return encode(fromJson(result));
  } catch (error) {
    if (error instanceof NotData) return undefined;
    throw error;
  }
}

/** What cannot be read is as if it were not there. */
async function read(file: string): Promise<KeptAnswer | undefined> {
  try {
    const { value, at, sources } = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value !== 'string' || typeof at !== 'number' || !Array.isArray(sources))
      return undefined;
    decode(value);
    return { value, at, sources };
  } catch {
    return undefined;
  }
}
