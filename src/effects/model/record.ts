/** A `Model` that writes what another one answers into a transcript (`replay.ts`). */
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { type Message, type Model, type ModelReply, nativeRequest } from './model.ts';
import { keyOf, parseTranscript, readTranscript } from './replay.ts';

/**
 * Appends to the file, which may exist already: turns are counted on from what it has. A line is
 * one write, so that several calls and several processes may record into the same file. Throws
 * `EffectFailure` PV4400 at once when it cannot be written. `redact` sees each line before the file
 * does.
 */
export function recordingModel(
  model: Model,
  file: string,
  redact: (text: string) => string = (text) => text,
): Model {
  const turns = new Map<string, number>();
  for (const line of existing(file)) {
    if (line.kind === 'recorded')
      turns.set(line.key, Math.max(turns.get(line.key) ?? 0, line.turn));
  }
  return {
    name: model.name,
    price: model.price,
    async complete(request, context): Promise<ModelReply> {
      const key = keyOf(request);
      const turn = (turns.get(key) ?? 0) + 1;
      turns.set(key, turn);
      const reply = await model.complete(request, context);
      const asked = (reply.native && nativeRequest(request)) || request;
      const { messages, format, tools } = asked;
      const line = {
        key,
        turn,
        effect: context.effect,
        model: model.name,
        request: { messages: messages.map(withoutData), format, tools },
        reply,
      };
      const text = JSON.stringify(line);
      const clean = redact(text);
      if (clean !== text) context.warn(`a key of a provider is blacked out in ${file}`);
      try {
        appendFileSync(file, `${clean}\n`);
      } catch (error) {
        // The answer is good and paid for: only its record is missing.
        context.warn(`the reply is not recorded: cannot write ${file}: ${thrownMessage(error)}`);
      }
      return reply;
    },
  };
}

/** The key tells pictures apart; what they show is not for a file of texts. */
const withoutData = ({ pictures, ...message }: Message) => ({
  ...message,
  ...(pictures && {
    pictures: pictures.map(({ mediaType, data }) => ({ mediaType, characters: data.length })),
  }),
});

function existing(file: string): ReturnType<typeof parseTranscript> {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const text = existsSync(file) ? readTranscript(file) : '';
    appendFileSync(file, text === '' || text.endsWith('\n') ? '' : '\n');
    return parseTranscript(text, file);
  } catch (error) {
    if (error instanceof EffectFailure) throw error;
    throw refusal('PV4400', `cannot record into ${file}: ${thrownMessage(error)}`, {
      hint: 'name another file with --record',
    });
  }
}
