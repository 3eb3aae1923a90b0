/** The effects of the loop in `src/loops/digest.star`, as a program that replaces it sees them. */
import {
  type EffectClass,
  type JsonSchema,
  type ToolSpec,
  toolSpec,
} from '../../program/effect.ts';
import { arrayOf, integer, text } from '../tool/fields.ts';

const spec = (
  name: string,
  kind: 'model' | 'tool',
  description: string,
  properties: Readonly<Record<string, JsonSchema>> = {},
  effect: EffectClass = 'read',
): ToolSpec =>
  toolSpec({
    ...{ name, kind, description, effect },
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  });

const pieces: JsonSchema = arrayOf(
  { type: 'array' },
  'Stretches of values: lists of the number of the value, first and last character.',
);
const documents: JsonSchema = arrayOf(integer(), 'Numbers of values, from 1.');
const tokens: JsonSchema = integer('How long it may become.');

export const surveySpec: ToolSpec = spec(
  'survey',
  'tool',
  'Says what is sent whole and what has to become shorter: {"whole": numbers of values, ' +
    '"chains": [{"documents", "share": tokens, "parts": lists of pieces}], ' +
    '"room": tokens of a call}.',
  {},
  'pure',
);

export const neededSpec: ToolSpec = spec(
  'needed',
  'model',
  'Shows a model passages drawn at random and asks whether all of the values has to be read. ' +
    'Returns {"all", "why", "sample": pieces}.',
);

export const readPartSpec: ToolSpec = spec(
  'read_part',
  'model',
  'Lets a model read a part and do as much of the instruction as that allows. Returns notes: a ' +
    'list of {"text", "tokens"}.',
  {
    pieces,
    number: integer('Which part it is, from 1.'),
    of: integer('How many there are.'),
    tokens,
  },
);

export const mergeNotesSpec: ToolSpec = spec(
  'merge_notes',
  'model',
  'Makes fewer notes of notes on parts of the same values. Returns notes.',
  {
    documents,
    notes: arrayOf(text(), 'The notes, in order.'),
    tokens,
    round: integer('How often they have been merged, with this time.'),
  },
);

export const pickPassagesSpec: ToolSpec = spec(
  'pick_passages',
  'tool',
  'Picks the passages that have most to do with the instruction and the goal. Returns ' +
    '{"passages": pieces in their order, "left_out": pieces}.',
  { documents, tokens },
);

export const concludeSpec: ToolSpec = spec(
  'conclude',
  'model',
  'Carries the instruction out. Returns {"text", "cut", "reduced"}: whether it ends at the token ' +
    'limit, and whether it was made of notes on parts.',
  {
    materials: arrayOf(
      { type: 'object' },
      'What is sent for the values: {"documents"} whole, {"documents", "notes": texts} or ' +
        '{"documents", "passages": pieces}.',
    ),
  },
);

export const digestSpecs: readonly ToolSpec[] = [
  ...[surveySpec, neededSpec, readPartSpec, mergeNotesSpec, pickPassagesSpec, concludeSpec],
];
