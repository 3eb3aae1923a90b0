/**
 * A model in this process that says what it was told to say, at a pace: the k-th call has the k-th
 * reply, in as many even pieces as it has words.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { Model } from '../../src/effects/model/model.ts';

export interface Reply {
  readonly text: string;
  /** From the call to the last word, milliseconds. */
  readonly ms: number;
}

/** Not `streamed`: each reply comes whole, when its last word would have come. */
export function pacedModel(replies: readonly Reply[], streamed: boolean): Model {
  let calls = 0;
  return {
    name: 'loopback/paced',
    price: { input: 0, output: 0 },
    async complete({ messages }, context) {
      const reply = replies[calls++];
      if (!reply) throw new Error(`call ${calls}, and there are ${replies.length} replies`);
      const { text, ms } = reply;
      const begun = performance.now();
      const until = (at: number): Promise<void> =>
        after(Math.max(0, begun + at - performance.now()), undefined, { signal: context.signal });
      const pieces = streamed ? piecesOf(text) : [text];
      for (const [i, piece] of pieces.entries()) {
        await until((ms * (i + 1)) / pieces.length);
        context.progress(piece);
      }
      const tokens = messages.reduce((sum, { content }) => sum + content.length / 4, 0);
      const usage = {
        ...{ modelCalls: 1, cost: 0, inputTokens: Math.ceil(tokens) },
        outputTokens: pieces.length,
      };
      context.use(usage);
      return { text, finishReason: 'stop', usage };
    },
  };
}

export const piecesOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];
