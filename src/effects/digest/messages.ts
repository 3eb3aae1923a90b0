/**
 * What models are told while a digest is made. The instruction stands in every message in full and
 * last; what is of the values is marked as data and says what part of what it is.
 */
import { closing, valueText } from '../model/call-layout.ts';
import type { Message } from '../model/model.ts';
import { dataBlock } from '../model/prompt.ts';
import { joined, type Span } from './cut.ts';
import type { Digesting, Document } from './document.ts';
import type { Piece } from './sharing.ts';

/** The document of a number. */
function documentAt({ documents }: Digesting, number: number): Document {
  const found = documents[number - 1];
  if (!found) throw new RangeError(`got value ${number} of ${documents.length}`);
  return found;
}

export const textOf = (on: Digesting, [number, from, to]: Piece): string =>
  documentAt(on, number).text.slice(from, to);

function place(on: Digesting, number: number): string {
  const { source } = documentAt(on, number);
  return `value ${number} of ${on.documents.length}${source === '' ? '' : `, from: ${source}`}`;
}

/** A stretch, headed by what it is of. */
function stretch(on: Digesting, piece: Piece): string {
  const [number, from, to] = piece;
  const { length } = documentAt(on, number).text;
  const where = from === 0 && to === length ? '' : `Characters ${from} to ${to} of ${length} of `;
  const head = where === '' ? capital(place(on, number)) : `${where}${place(on, number)}`;
  return `${head}\n${dataBlock(textOf(on, piece))}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** About how many words tokens are. */
const words = (tokens: number): number => Math.max(20, Math.floor(tokens * 0.6));

function conversation(on: Digesting, data: readonly string[], last: string): Message[] {
  const { system } = on.settings;
  return [
    ...(system ? [{ role: 'system' as const, content: system }] : []),
    ...[...data, last].map((content) => ({ role: 'user' as const, content })),
  ];
}

export function partMessages(
  on: Digesting,
  { pieces, number, of, tokens }: Part,
): { messages: Message[]; prompt: string } {
  const last =
    `The values are longer than you can read at once. This is part ${number} of ${of}; the ` +
    'others are read in the same way, and what is written about all of them is put together ' +
    'later. The instruction for the whole is:\n\n' +
    `${on.instruction}\n\n` +
    'Do as much of it as this part allows: write down all that it holds for that, with names, ' +
    'numbers and wording that matter, and of which value it is. Where it holds nothing for it, ' +
    `say so in a line. Invent nothing. Write about ${words(tokens)} words at most.`;
  const messages = conversation(
    on,
    pieces.map((piece) => stretch(on, piece)),
    last,
  );
  return { messages, prompt: `part ${number} of ${of}: ${on.instruction}` };
}

export interface Part {
  readonly pieces: readonly Piece[];
  readonly number: number;
  readonly of: number;
  readonly tokens: number;
}

export function mergeMessages(
  on: Digesting,
  documents: readonly number[],
  notes: readonly string[],
  tokens: number,
): { messages: Message[]; prompt: string } {
  const [only] = documents;
  const of =
    documents.length === 1 && only !== undefined ? place(on, only) : `${documents.length} values`;
  const data = notes.map(
    (note, i) => `Notes ${i + 1} of ${notes.length} on ${of}\n${dataBlock(note)}`,
  );
  const last =
    'These notes were written about parts, one after the other, for this instruction:\n\n' +
    `${on.instruction}\n\n` +
    'Make one text of them that keeps all that the instruction needs: names, numbers, of which ' +
    'value it is. Leave out what is said twice. Do not mention parts or notes. Invent nothing. ' +
    `Write about ${words(tokens)} words at most.`;
  return { messages: conversation(on, data, last), prompt: `notes: ${on.instruction}` };
}

/** What is sent for some of the values in the last call. */
export interface Material {
  readonly documents: readonly number[];
  readonly notes?: readonly string[];
  readonly passages?: readonly Piece[];
}

export function lastMessages(
  on: Digesting,
  materials: readonly Material[],
): { messages: Message[]; prompt: string } {
  const data = materials.flatMap((one) => materialTexts(on, one));
  const messages = conversation(on, data, `${on.instruction}\n\n${closing}`);
  return { messages, prompt: on.instruction };
}

function materialTexts(on: Digesting, { documents, notes, passages }: Material): string[] {
  if (notes) {
    const of = documents.map((number) => place(on, number));
    const what = of.length === 1 ? of.join('') : `${of.length} values`;
    const head = `What was written about the parts of ${what}, read one by one`;
    return [`${head}\n${dataBlock(notes.join('\n\n'))}`];
  }
  if (!passages) {
    return documents.map((number) =>
      valueText(documentAt(on, number), number, on.documents.length),
    );
  }
  return documents.flatMap((number) => {
    const own = passages.filter(([of]) => of === number);
    const spans = joined(own.map(([, from, to]): Span => [from, to]));
    const texts = spans.map(([from, to]) => textOf(on, [number, from, to]));
    if (texts.length === 0) return [];
    return [`Passages, in order, of ${place(on, number)}\n${dataBlock(texts.join(gap))}`];
  });
}

/** Between passages that do not touch. */
export const gap = '\n[…]\n';

export function sampleMessages(on: Digesting, sample: readonly Piece[], how: string): Message[] {
  const goal = on.goal === '' ? '' : `It is done for this goal: ${on.goal}\n\n`;
  const last =
    'These are passages drawn at random from values that are longer than you can read at once. ' +
    `This is to be done with the values:\n\n${on.instruction}\n\n${goal}` +
    'Decide whether all of the values have to be read for it, as to summarise, translate, count, ' +
    'list or compare them, or whether only the passages matter that are about something in ' +
    `particular. ${how}`;
  return conversation(
    on,
    sample.map((piece) => stretch(on, piece)),
    last,
  );
}
