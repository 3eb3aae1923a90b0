/** `table`: columns and rows of whatever a program has. */
import { type AttemptContext, type Handler, refusal } from '../../engine/handler.ts';
import { type GivenTable, givenTable } from '../data/given-table.ts';
import { isMarkdownTable } from '../data/markdown.ts';
import { type SourceOptions, sourceAt } from '../data/source.ts';
import { readTable, type TableInput } from '../data/table.ts';
import { isObject } from '../foreign-json.ts';
import { ask } from '../model/ask.ts';
import type { Format, Model } from '../model/model.ts';
import { limitsOf, type ModelSettings } from '../model/model-settings.ts';
import { layOut } from '../model/prompt.ts';
import { replyReader } from '../model/read-reply.ts';
import { inputTokensMax, tokensIn } from '../model/window.ts';
import { arrayOf, closed, text } from '../tool/fields.ts';
import { isAddress } from '../web/source.ts';
import { ownLimits, type Sources } from './sources.ts';
import { tableSpec } from './specs.ts';

interface Extracting {
  readonly model: Model;
  readonly settings: ModelSettings;
}

export function tableHandler(on: Extracting, sources: Sources): Handler {
  return {
    spec: tableSpec,
    model: () => on.model,
    async perform({ data }, context) {
      if (typeof data !== 'string') return givenTable('data', asRows(data));
      if (isSource(data)) return await fileTable(data, await sources(), context);
      if (isTabular(data)) return await textTable(data, { name: 'the text' }, ownLimits, context);
      return await extracted(data, on, context);
    },
  };
}

/** A dict of columns, `{"city": ["Oslo"], "people": [7]}`, as one of columns and rows. */
function asRows(data: unknown): unknown {
  if (!isObject(data) || 'rows' in data) return data;
  const columns = Object.keys(data);
  const lists = Object.values(data);
  if (columns.length === 0) return data;
  if (!lists.every(Array.isArray)) return [data];
  const length = Math.max(...lists.map((list) => list.length));
  return { columns, rows: Array.from({ length }, (_, i) => lists.map((list) => list[i] ?? null)) };
}

/** A path or an address, and not a text: one line that says how a table is written. */
const isSource = (text: string): boolean =>
  !/\n/.test(text.trim()) &&
  (isAddress(text) ||
    /^[^,;\t]+\.(csv|tsv|tab|json|ndjson|jsonl|xlsx|xlsm|txt|md)$/i.test(text.trim()));

/** Whether the first lines have as many separators each, or it is JSON. */
function isTabular(text: string): boolean {
  if (isMarkdownTable(text)) return true;
  if (/^\s*[[{]/.test(text)) return isJson(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const counts = (sign: string): number[] =>
    lines
      .slice(0, linesLookedAt)
      .map((line) => line.replace(/"[^"]*"/g, '').split(sign).length - 1);
  const isEven = (some: readonly number[]): boolean =>
    some.length > 1 && (some[0] ?? 0) > 0 && some.every((count) => count === some[0]);
  return [',', ';', '\t', '|'].some((sign) => isEven(counts(sign)));
}

const linesLookedAt = 10;

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return /^\s*\{[^\n]*\}[^\S\n]*\n\s*\{/.test(text);
  }
}

async function fileTable(
  source: string,
  options: SourceOptions | undefined,
  context: AttemptContext,
): Promise<GivenTable> {
  if (!options) {
    throw refusal('PV4944', `table may not read ${source}: no tool of the run reads files`, {
      hint: 'run with --tools planvm:data, or give table the text of the file',
    });
  }
  const file = await sourceAt(source, options, context);
  const { url, name, fetchedAt, contentType, bytes } = file;
  context.source({ url, title: name, fetchedAt });
  return await textTable(bytes, { name, mediaType: contentType }, options.limits, context);
}

async function textTable(
  content: string | Uint8Array,
  about: Pick<TableInput, 'name' | 'mediaType'>,
  { rows: rowsMax, memoryBytes }: typeof ownLimits,
  context: AttemptContext,
): Promise<GivenTable> {
  const all = { headerRow: 1, types: true, offset: 0, limit: undefined, rowsMax };
  const input = { ...about, ...all, content };
  const { columns, rows, warnings } = await readTable(input, context.signal, memoryBytes);
  for (const warning of warnings) context.warn(warning);
  return { columns: columns.map((column) => column.name), rows };
}

const format: Format = {
  kind: 'json',
  schema: closed({
    columns: { type: 'array', items: text(), minItems: 1 },
    rows: arrayOf({ type: 'array' }),
  }),
};

const instruction =
  'Answer with one JSON object and nothing else: {"columns": ["name", …], "rows": [["value", ' +
  '…], …]}, each row with as many values as there are columns, numbers as numbers, null for ' +
  'what the text does not say.';

/** The table that a text in words holds, as a model sees it. */
async function extracted(
  text: string,
  { model, settings }: Extracting,
  context: AttemptContext,
): Promise<GivenTable> {
  const prompt = 'Take the data out of the text as one table. Invent nothing.';
  const laid = layOut({ prompt, context: text, instruction, system: settings.system });
  const most = inputTokensMax(model.name, settings);
  const tokens = tokensIn(laid.messages);
  if (tokens > most) {
    throw refusal('PV4161', `the text is about ${tokens} tokens, want at most ${most}`, {
      hint: 'shorten it by llm_call first, or give rows',
    });
  }
  const request = { ...limitsOf(settings), ...laid, format };
  const question = { request, instruction, code: 'PV4114', read: await replyReader(format) };
  const table = await ask(model, question, context);
  context.warn(`${model.name} took the table out of a text`);
  return givenTable('the table in the text', table);
}
