/**
 * `sql`: a query over tables that a program has, or over files. The database is in memory, in a
 * process of its own, made for the one query; what a query may do there is read.
 */
import type { Arguments, AttemptContext, Handler } from '../../engine/handler.ts';
import { threadBeside } from '../apart/apart.ts';
import { apartProcess } from '../apart/process.ts';
import { type GivenTable, givenTable, misfit } from './given-table.ts';
import { type SourceOptions, sourceAt } from './source.ts';
import { sqlSpec } from './specs.ts';
import type { Cell, TableOptions } from './table.ts';

const threadFile = threadBeside(import.meta.url);

/** What the process is given. */
export interface SqlInput {
  readonly query: string;
  readonly parameters: readonly Cell[] | Readonly<Record<string, Cell>>;
  readonly tables: readonly SqlTable[];
  /** Of the result. */
  readonly rowsMax: number;
}

export type SqlTable = { readonly name: string } & (
  | GivenTable
  | { readonly content: Uint8Array; readonly options: TableOptions }
);

export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  readonly warnings: readonly string[];
}

export const sqlHandler = (options: SourceOptions): Handler => ({
  spec: sqlSpec,
  async perform(args, context) {
    const input: SqlInput = {
      query: String(args.query),
      parameters: (args.parameters ?? []) as SqlInput['parameters'],
      tables: await tablesOf((args.tables ?? {}) as Arguments, options, context),
      rowsMax: options.limits.rows,
    };
    const result = await runSql(input, options.limits.memoryBytes, context.signal);
    for (const warning of result.warnings) context.warn(warning);
    return result.rows;
  },
});

/** Runs a query, in a process of its own. Throws `EffectFailure` PV4930 to PV4943. */
export const runSql = (
  input: SqlInput,
  memoryBytes: number,
  signal: AbortSignal,
): Promise<SqlResult> =>
  apartProcess(threadFile, input, { signal, what: 'the query', memoryBytes });

/** Reads the files among the tables, and looks at the others. Throws `EffectFailure` PV4943. */
export async function tablesOf(
  given: Arguments,
  options: SourceOptions,
  context: AttemptContext,
): Promise<readonly SqlTable[]> {
  const entries = Object.entries(given);
  const most = options.limits.tables;
  if (entries.length > most) {
    throw misfit('tables', `${entries.length} tables`, `at most ${most}: planvm:data?tables= says`);
  }
  const tables: SqlTable[] = [];
  for (const [name, value] of entries) tables.push(await tableOf(name, value, options, context));
  return tables;
}

async function tableOf(
  name: string,
  value: unknown,
  options: SourceOptions,
  context: AttemptContext,
): Promise<SqlTable> {
  if (typeof value === 'string') {
    const file = await sourceAt(value, options, context);
    context.source({ url: file.url, title: file.name, fetchedAt: file.fetchedAt });
    const { contentType: mediaType, name: fileName } = file;
    return {
      name,
      content: file.bytes,
      options: { name: fileName, mediaType, headerRow: 1, types: true },
    };
  }
  return { name, ...givenTable(`tables.${name}`, value) };
}
