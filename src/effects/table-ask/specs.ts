/** Declarations: tables, questions about them, and the effects of the loop `query`. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { tableValue } from '../../program/json-schema.ts';
import { record, text } from '../tool/fields.ts';

export const tableSpec: ToolSpec = toolSpec({
  name: 'table',
  aliases: ['pandas_bind'],
  description:
    'Makes a table: of a list of dicts, of a dict of columns and rows or of columns alone, of ' +
    'the text of a CSV or JSON file; of its path or address, where planvm:data is among the ' +
    'tools; of any other text a language model takes the table that is in it. Returns ' +
    '{"columns", "rows"}.',
  kind: 'model',
  effect: 'read',
  parameters: record({
    data: { contentMediaType: tableValue, description: 'What the table is made of.' },
  }),
});

export const tableAskSpec: ToolSpec = toolSpec({
  name: 'table_ask',
  description:
    'Answers a question about a table: a language model writes SQL for it, which is run on the ' +
    'table and can only read. Returns the rows, a list of dicts, or where it is a single cell ' +
    'that value.',
  kind: 'model',
  effect: 'read',
  parameters: record({
    table: {
      contentMediaType: tableValue,
      description: 'What table returned, or a list of dicts.',
    },
    question: text('What is asked, in words.', { minLength: 1 }),
  }),
});

export const writeSqlSpec: ToolSpec = toolSpec({
  name: 'write_sql',
  description: 'Lets a model write SQL for the question. Returns {"sql"}.',
  kind: 'model',
  effect: 'read',
  parameters: record({
    question: text('What is asked.'),
    failed: text('A query that has failed; empty the first time.'),
    why: text('What was wrong with it.'),
  }),
});

export const runSqlSpec: ToolSpec = toolSpec({
  name: 'run_sql',
  description: 'Runs a query on the table, which it calls t. Returns the rows, a list of dicts.',
  effect: 'pure',
  parameters: record({ query: text('One SELECT.') }),
});

export const tableAskSpecs: readonly ToolSpec[] = [tableSpec, tableAskSpec];
