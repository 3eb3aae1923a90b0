/** A model that writes its replies line by line, with a pause behind each. */
import type { Model } from '../../src/effects/model/model.ts';

export interface Streamed {
  readonly model: Model;
  /** Numbers of the requests, from 1, that were cancelled. */
  readonly cancelled: readonly number[];
}

/** `endless`: the number of a reply that goes on with thoughts until it is told to stop. */
export function streamed(turns: readonly (readonly object[])[], endless = 0): Streamed {
  const cancelled: number[] = [];
  let asked = 0;
  const model: Model = {
    name: 'streamed',
    async complete(_, context) {
      const number = ++asked;
      const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: 0 };
      context.use(usage);
      const said = turns[number - 1] ?? [];
      const lines = number === endless ? 10_000 : said.length;
      let text = '';
      for (let at = 0; at < lines; at++) {
        if (context.signal.aborted) {
          cancelled.push(number);
          throw context.signal.reason;
        }
        const line = `${JSON.stringify(said[at] ?? { think: 'and so on' })}\n`;
        text += line;
        context.progress(line);
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
      }
      if (number === endless) throw new Error('nobody has stopped it');
      return { text, finishReason: 'stop', usage };
    },
  };
  return { model, cancelled };
}
