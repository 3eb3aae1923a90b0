/**
 * The effects of the loop that digests values: they know the values, the loop only where in them
 * things stand. So its journal has places, notes and answers, and not the values over and over.
 */
import { createHash } from 'node:crypto';
import {
  type Arguments,
  type AttemptContext,
  type Handler,
  refusal,
} from '../../engine/handler.ts';
import { ask } from '../model/ask.ts';
import type { Format, Message } from '../model/model.ts';
import { limitsOf } from '../model/model-settings.ts';
import { replyReader } from '../model/read-reply.ts';
import { finishedText, type WholeText } from '../model/whole-text.ts';
import { tokensIn, tokensOf } from '../model/window.ts';
import { closed, flag, text } from '../tool/fields.ts';
import { cutText, joined, type Span } from './cut.ts';
import { type Digesting, type Note, tokensOfPassage } from './document.ts';
import {
  gap,
  lastMessages,
  type Material,
  mergeMessages,
  type Part,
  partMessages,
  sampleMessages,
  textOf,
} from './messages.ts';
import { rank } from './rank.ts';
import { passagesOf, sampled } from './sample.ts';
import { type Piece, share, tokensAround } from './sharing.ts';
import * as specs from './specs.ts';

/** How often notes are merged before that is given up. */
export const mergesMax = 8;

export function digestHandlers(on: Digesting): readonly Handler[] {
  const { model } = on;
  const rooms = roomsOf(on);
  const sharing = share(on.documents, rooms.last, rooms.part);
  const asks = { model: () => model };
  return [
    { spec: specs.surveySpec, perform: async () => ({ ...sharing, room: rooms.part }) },
    {
      ...{ spec: specs.neededSpec, ...asks },
      perform: async (_args, context) => await needed(on, sharing.chains, context),
    },
    {
      ...{ spec: specs.readPartSpec, ...asks },
      perform: async (args, context) => await readPart(on, rooms.part, args as never, context),
    },
    {
      ...{ spec: specs.mergeNotesSpec, ...asks },
      perform: async (args, context) => await merged(on, rooms.part, args, context),
    },
    {
      spec: specs.pickPassagesSpec,
      perform: async ({ documents, tokens }, { signal }) =>
        await picked(on, documents as number[], Number(tokens), signal),
    },
    {
      ...{ spec: specs.concludeSpec, ...asks },
      async perform({ materials }, context) {
        const { messages, prompt } = lastMessages(on, materials as Material[]);
        const { text, isCut } = await written(on, messages, prompt, context);
        const isReduced = (materials as Material[]).some(({ notes }) => notes !== undefined);
        return { text, cut: isCut, reduced: isReduced };
      },
    },
  ];
}

/** Tokens that values may take: in a call for a part or for notes, and in the last one. */
function roomsOf(on: Digesting): { readonly part: number; readonly last: number } {
  const part = on.most - tokensIn(partMessages(on, { ...noPart, tokens: 9999 }).messages);
  const merge = on.most - tokensIn(mergeMessages(on, [], [], 9999).messages);
  const sources = on.documents.map(({ source }) => tokensOf(source) + tokensAround);
  const longest = Math.max(0, ...sources);
  const last = on.most - tokensIn(lastMessages(on, []).messages);
  const rooms = {
    part: Math.min(part, merge) - 2 * longest,
    last: last - sources.reduce((sum, one) => sum + one, 0),
  };
  // Where there are very many values, they are one chain, and have one source.
  const most = Math.max(rooms.last, Math.floor((last - longest) / 2));
  if (rooms.part < roomMin || most < roomMin) {
    throw refusal(
      'PV4160',
      `the instruction leaves room for about ${Math.max(0, Math.min(rooms.part, most))} tokens ` +
        `of the values, want at least ${roomMin}: a call of ${on.model.name} may send ${on.most}`,
      { hint: 'put the data into values and keep the instruction short, or set contextWindow' },
    );
  }
  return { part: rooms.part, last: most };
}

const noPart: Part = { pieces: [], number: 1, of: 1, tokens: 0 };

const roomMin = 300;

const format: Format = {
  kind: 'json',
  schema: closed({ all: flag(), why: text() }),
};

const how =
  'Answer with one JSON object and nothing else: {"all": true or false, "why": "the reason, in ' +
  'one sentence"}';

async function needed(
  on: Digesting,
  chains: ReturnType<typeof share>['chains'],
  context: AttemptContext,
): Promise<unknown> {
  const numbers = chains.flatMap(({ documents }) => documents);
  const sample = sampled(on, numbers);
  const messages = sampleMessages(on, sample, how);
  const request = {
    ...limitsOf(on.settings),
    messages,
    format,
    prompt: `needed: ${on.instruction}`,
  };
  const question = { request, instruction: how, code: 'PV4163', read: await replyReader(format) };
  const said = (await ask(on.model, question, context)) as object;
  return { ...said, sample };
}

/** A part that was read for the same instruction in this run is not sent again. */
async function readPart(
  on: Digesting,
  room: number,
  part: Part,
  context: AttemptContext,
): Promise<readonly Note[]> {
  const key = keyOf(on, part.pieces);
  const known = on.notes.get(key);
  if (known) return known;
  const { messages, prompt } = partMessages(on, part);
  const { text } = await written(on, messages, prompt, context);
  const notes = notesOf(text, room).map((note) => ({ ...note, key }));
  on.notes.set(key, notes);
  return notes;
}

/** The same for the same text, source and instruction, asked of the same model. */
function keyOf(on: Digesting, pieces: readonly Piece[]): string {
  const texts = pieces.map((piece) => textOf(on, piece));
  const about = [on.model.name, on.settings.system ?? '', on.instruction, ...texts];
  return createHash('sha256').update(JSON.stringify(about)).digest('hex');
}

async function merged(
  on: Digesting,
  room: number,
  args: Arguments,
  context: AttemptContext,
): Promise<readonly Note[]> {
  const [documents, notes] = [args.documents as number[], args.notes as string[]];
  const [tokens, round] = [Number(args.tokens), Number(args.round)];
  if (round > mergesMax) {
    const size = notes.reduce((sum, note) => sum + tokensOf(note), 0);
    throw refusal(
      'PV4162',
      `after ${mergesMax} rounds the notes are still about ${size} tokens, want ${tokens}`,
      { hint: 'choose a model that keeps to a length, or one with a larger window' },
    );
  }
  const { messages, prompt } = mergeMessages(on, documents, notes, tokens);
  const { text } = await written(on, messages, prompt, context);
  return notesOf(text, room);
}

/** Each short enough to be merged with another. */
function notesOf(text: string, room: number): Note[] {
  return cutText(text, Math.floor(room / 2)).map(([from, to]) => {
    const part = text.slice(from, to);
    return { text: part, tokens: tokensOf(part) + tokensAround };
  });
}

async function written(
  on: Digesting,
  messages: readonly Message[],
  prompt: string,
  context: AttemptContext,
): Promise<WholeText> {
  const request = { ...limitsOf(on.settings), messages, prompt };
  return await finishedText(on.model, request, context);
}

async function picked(
  on: Digesting,
  numbers: readonly number[],
  tokens: number,
  signal: AbortSignal,
): Promise<{ readonly passages: Piece[]; readonly left_out: Piece[] }> {
  const all = passagesOf(on, numbers);
  const texts = all.map((piece) => textOf(on, piece));
  const order = await rank(texts, `${on.instruction} ${on.goal}`, on.embedder, signal);
  const chosen = new Set<number>();
  let left = tokens;
  for (const index of order) {
    const size = tokensOf(texts[index] ?? '') + tokensOf(gap);
    if (size > left) continue;
    left -= size;
    chosen.add(index);
    if (left < tokensOfPassage / 8) break;
  }
  return {
    passages: byDocument(all.filter((_, index) => chosen.has(index))),
    left_out: byDocument(all.filter((_, index) => !chosen.has(index))),
  };
}

/** What lies end to end in one document is one piece. */
function byDocument(pieces: readonly Piece[]): Piece[] {
  const groups = Map.groupBy(pieces, ([number]) => number);
  return [...groups].flatMap(([number, own]) =>
    joined(own.map(([, from, to]): Span => [from, to])).map(
      ([from, to]): Piece => [number, from, to],
    ),
  );
}
