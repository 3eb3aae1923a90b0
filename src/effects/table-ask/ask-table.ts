/**
 * `table_ask`: a question about a table, answered by SQL that a model writes. What is run is a loop
 * within the effect, so that its trace has the query, what came of it, and the second try.
 */
import { EffectFailure, type Handler, type RunLoop, refusal } from '../../engine/handler.ts';
import { stringify } from '../../program/json.ts';
import { type GivenTable, givenTable } from '../data/given-table.ts';
import { runSql } from '../data/sql.ts';
import { isObject } from '../foreign-json.ts';
import { ask } from '../model/ask.ts';
import type { Format, Model } from '../model/model.ts';
import { limitsOf, type ModelSettings } from '../model/model-settings.ts';
import { layOut } from '../model/prompt.ts';
import { replyReader } from '../model/read-reply.ts';
import { closed } from '../tool/fields.ts';
import { ownLimits } from './sources.ts';
import { runSqlSpec, tableAskSpec, writeSqlSpec } from './specs.ts';

/** What a query calls the table. */
const tableName = 't';

export function tableAskHandler(
  model: Model,
  settings: ModelSettings,
  runLoop: RunLoop | undefined,
): Handler {
  return {
    spec: tableAskSpec,
    model: () => model,
    async perform({ table: given, question }, context) {
      if (!runLoop) throw new EffectFailure('PV4164', 'nothing here runs the loop query');
      const table = givenTable('table', given);
      const asked = String(question);
      const answer = await runLoop(context, {
        loop: 'query',
        title: asked.slice(0, titleMax),
        inputs: { question: asked },
        handlers: [writeHandler(model, settings, table), queryHandler(table)],
      });
      if (!isObject(answer) || !Array.isArray(answer.rows)) {
        throw refusal('PV4164', 'the loop query did not answer {"sql", "rows"}');
      }
      context.progress(`${String(answer.sql)}\n`);
      return simplest(answer.rows);
    },
  };
}

const titleMax = 80;

/** A single cell is its value. */
function simplest(rows: readonly unknown[]): unknown {
  const [only] = rows;
  const cells = rows.length === 1 && isObject(only) ? Object.values(only) : [];
  return cells.length === 1 ? cells[0] : rows;
}

const queryHandler = (table: GivenTable): Handler => ({
  spec: runSqlSpec,
  async perform({ query }, { signal, warn }) {
    const input = {
      query: String(query),
      parameters: [],
      tables: [{ name: tableName, ...table }],
      rowsMax: ownLimits.rows,
    };
    const { rows, warnings } = await runSql(input, ownLimits.memoryBytes, signal);
    for (const warning of warnings) warn(warning);
    return rows;
  },
});

const format: Format = {
  kind: 'json',
  schema: closed({ sql: { type: 'string', minLength: 1 } }),
};

const instruction = 'Answer with one JSON object and nothing else: {"sql": "SELECT …"}';

function writeHandler(model: Model, settings: ModelSettings, table: GivenTable): Handler {
  return {
    spec: writeSqlSpec,
    model: () => model,
    async perform({ question, failed, why }, context) {
      const again = failed === '' ? '' : `\n\nThis query failed: ${failed}\nThe error: ${why}`;
      const prompt =
        `Write one SELECT for SQLite that answers this about the table ${tableName}:\n\n` +
        `${question}${again}`;
      const shown = described(table);
      const laid = layOut({ prompt, context: shown, instruction, system: settings.system });
      const asked = { ...limitsOf(settings), ...laid, format, prompt: `sql: ${question}` };
      const read = await replyReader(format);
      return await ask(model, { request: asked, instruction, code: 'PV4114', read }, context);
    },
  };
}

const sampleRows = 5;
const cellMax = 60;

/** Names of the columns, how many rows, and the first of them. */
function described({ columns, rows }: GivenTable): string {
  const cell = (value: unknown): string => {
    const text = stringify(value);
    return text.length > cellMax ? `${text.slice(0, cellMax)}…` : text;
  };
  const lines = rows.slice(0, sampleRows).map((row) => row.map(cell).join(', '));
  const names = columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
  return [`${tableName}(${names}), ${rows.length} rows; the first ones:`, ...lines].join('\n');
}
