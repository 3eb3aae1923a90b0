/**
 * The table of a text that is longer than a model can read or write down at once: a run of the loop
 * `table` within the effect, so that no part that has been read is read again.
 */
import {
  type AttemptContext,
  EffectFailure,
  type Handler,
  type RunLoop,
  refusal,
} from '../../engine/handler.ts';
import { type GivenTable, givenTable } from '../data/given-table.ts';
import { cutText } from '../digest/cut.ts';
import { isObject } from '../foreign-json.ts';
import { ask } from '../model/ask.ts';
import type { Format, Model } from '../model/model.ts';
import { limitsOf, type ModelSettings } from '../model/model-settings.ts';
import { layOut } from '../model/prompt.ts';
import { replyReader } from '../model/read-reply.ts';
import { inputTokensMax, replyTokensMax } from '../model/window.ts';
import { arrayOf, closed } from '../tool/fields.ts';
import { tableColumnsSpec, tablePartsSpec, tableRowsSpec } from './specs.ts';

interface Reading {
  readonly text: string;
  readonly model: Model;
  readonly settings: ModelSettings;
}

/** From the character to before the other one. */
type Span = readonly [from: number, to: number];

const columnsMax = 200;
/** A part is halved so often; then not even a sentence fits a reply. */
const roundsMax = 8;
/** For the words around a part. */
const tokensAround = 500;
/** Passages that the columns are named from. */
const passagesMax = 8;

/** Throws what the loop ends with, and `EffectFailure` PV4164 where it gives no table. */
export async function longTable(
  on: Reading,
  context: AttemptContext,
  runLoop: RunLoop,
): Promise<GivenTable> {
  const { model } = on;
  const answer = await runLoop(context, {
    loop: 'table',
    title: 'the table of a text',
    inputs: { tokens: partTokens(on), rounds: roundsMax, columns_max: columnsMax },
    handlers: [partsHandler(on), columnsHandler(on), rowsHandler(on)],
  });
  if (!isObject(answer) || !Array.isArray(answer.columns)) {
    throw refusal('PV4164', 'the loop table did not answer {"columns", "rows"}', {
      hint: 'it has to answer {"columns", "rows", "parts", "left"}',
    });
  }
  context.warn(`${model.name} took the table out of a text, in ${String(answer.parts)} parts`);
  if (Array.isArray(answer.left) && answer.left.length > 0) {
    context.warn(
      `left out, since no part was read with a column for it: ${answer.left.join(', ')}`,
    );
  }
  return givenTable('the table in the text', answer);
}

/** As much as one call may send, and its rows a reply may hold: they take about as much again. */
function partTokens({ model, settings }: Reading): number {
  const most = inputTokensMax(model.name, settings) - tokensAround;
  return Math.max(tokensLeast, Math.min(most, settings.maxOutputTokens ?? replyTokensMax));
}

const tokensLeast = 50;

const partsHandler = ({ text }: Reading): Handler => ({
  spec: tablePartsSpec,
  async perform({ part, tokens }) {
    const [from, to] = spanIn(part) ?? [0, text.length];
    const spans = cutText(text.slice(from, to), Number(tokens));
    return spans.map(([start, end]) => [from + start, from + end]);
  },
});

const spanIn = (value: unknown): Span | undefined =>
  Array.isArray(value) ? [Number(value[0]), Number(value[1])] : undefined;

const names = arrayOf({ type: 'string', minLength: 1 });

const columnsFormat: Format = {
  kind: 'json',
  schema: closed({ columns: { ...names, minItems: 1, maxItems: columnsMax } }),
};

const columnsInstruction =
  'Answer with one JSON object and nothing else: {"columns": ["name", …]}.';

const columnsHandler = ({ text, model, settings }: Reading): Handler => ({
  spec: tableColumnsSpec,
  model: () => model,
  async perform(_, context) {
    const prompt =
      'These are passages of a longer text. All of its data is to become one table. Name the ' +
      'columns that it needs: short names, one for each kind of value.';
    const most = inputTokensMax(model.name, settings) - tokensAround;
    const passages = sample(text, Math.max(tokensLeast, Math.floor(most / 2)));
    const { system } = settings;
    const laid = layOut({ prompt, context: passages, instruction: columnsInstruction, system });
    const request = { ...limitsOf(settings), ...laid, format: columnsFormat };
    const read = await replyReader(columnsFormat);
    const question = { request, instruction: columnsInstruction, code: 'PV4114', read };
    const { columns } = Object(await ask(model, question, context));
    return [...new Set(columns)];
  },
});

/** Beginnings of parts, from the first to the last. */
function sample(text: string, tokens: number): string {
  const parts = cutText(text, Math.floor(tokens / passagesMax));
  const step = Math.max(1, (parts.length - 1) / (passagesMax - 1));
  const chosen = Array.from({ length: Math.min(passagesMax, parts.length) }, (_, i) =>
    Math.round(i * step),
  );
  return chosen.map((at) => text.slice(...(parts[at] ?? [0, 0]))).join('\n[…]\n');
}

const rowsFormat = (width: number): Format => ({
  kind: 'json',
  schema: closed({
    rows: arrayOf({ type: 'array', minItems: width, maxItems: width }),
    more: names,
  }),
});

const rowsInstruction = (columns: readonly string[]): string =>
  `Answer with one JSON object and nothing else: {"rows": [["value", …], …], "more": []}. Each ` +
  `row has ${columns.length} values, for ${JSON.stringify(columns)}; numbers as numbers, null ` +
  'for what the part does not say. In "more" name what the part has data for and none of these ' +
  'columns is about. Without data the rows are [].';

const rowsHandler = ({ text, model, settings }: Reading): Handler => ({
  spec: tableRowsSpec,
  model: () => model,
  async perform(args, context) {
    const columns = (args.columns as readonly unknown[]).map(String);
    const [from, to] = spanIn(args.part) ?? [0, 0];
    const prompt =
      `This is a part of a longer text, characters ${from} to ${to} of ${text.length}; the ` +
      'others are read in the same way. Take the data out of it as rows of one table. ' +
      'Invent nothing.';
    const instruction = rowsInstruction(columns);
    const { system } = settings;
    const laid = layOut({ prompt, context: text.slice(from, to), instruction, system });
    const format = rowsFormat(columns.length);
    const request = { ...limitsOf(settings), ...laid, format };
    const question = { request, instruction, code: 'PV4114', read: await replyReader(format) };
    try {
      const { rows, more } = Object(await ask(model, question, context));
      const missing = new Set<string>(more.filter((name: string) => !columns.includes(name)));
      return { cut: false, rows, more: [...missing] };
    } catch (thrown) {
      if (!isCutOff(thrown)) throw thrown;
      return { cut: true, rows: [], more: [] };
    }
  },
});

/** Whether a reply had no room for all that was to be written. */
const isCutOff = (thrown: unknown): boolean =>
  thrown instanceof EffectFailure && thrown.code === 'PV4113';
