/** The query behind a list of runs: newest first by an index, so that a limit ends the search. */
import type { SQLInputValue } from 'node:sqlite';
import { metadataTerms, type RunMetadata } from '../metadata.ts';
import { type RunFilter, withinAny } from '../run-filter.ts';

/** Sorts behind every id that continues a prefix. */
const lastCharacter = '\u{10ffff}';

/** Few runs have an id that begins with this much: the time to some seconds. */
const telling = 7;

export interface ListQuery {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export const summaryColumns = 'status, reason, updated_at, events, owner, until, record, large';
export const joinedRecords = 'from runs join records on run = id';

/** Finds titles without going to the rows of those that do not fit. */
const searchedRecords = 'from records indexed by records_by_age cross join runs on id = run';

/** Goes through those alone that have metadata. */
const recordsWithMetadata =
  'from records indexed by records_with_metadata cross join runs on id = run';

/** What is kept of metadata to be found by. */
export const searchedMetadata = (metadata: RunMetadata): string =>
  JSON.stringify(metadataTerms(metadata));

/** What is kept of a title to be found by. */
export const searchedTitle = (title: string): string => title.slice(0, 1000).toLowerCase();

/** Whether a process has a run is found out for each row; the limit is then the caller's. */
export function listQuery(filter: RunFilter): ListQuery {
  const { status, reason, prefix = '', dialect, title, since, before, base, owned } = filter;
  const { within, metadata } = filter;
  const terms = metadataTerms(metadata ?? {});
  const searched = title !== undefined || dialect !== undefined || terms.length > 0;
  const records = terms.length > 0 ? recordsWithMetadata : searchedRecords;
  const from = searched ? records : joinedRecords;
  const [table, id] = searched ? ['records', 'run'] : ['runs', 'id'];
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...given: SQLInputValue[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (status !== undefined) add('status = ?', status);
  if (reason !== undefined) add('reason = ?', reason);
  if (since !== undefined) add(`${table}.created_at >= ?`, since);
  if (before !== undefined) add(`${table}.created_at < ?`, before);
  // A plus keeps the planner from an index: of the ids, or of the order.
  const byId = prefix.length >= telling && !searched;
  const own = byId ? id : `+${id}`;
  if (prefix !== '') add(`${own} >= ? and ${own} < ?`, prefix, prefix + lastCharacter);
  if (dialect !== undefined) add('dialect = ?', dialect);
  if (title !== undefined) add('instr(title, ?) > 0', title.toLowerCase());
  if (terms.length > 0) add('metadata is not null');
  for (const term of terms) {
    add('exists (select 1 from json_each(metadata) where value = ?)', term);
  }
  if (base !== undefined) add('base = ?', base);
  if (within === undefined) add('parent is null');
  else if (within !== withinAny) add('parent = ?', within);
  if (owned === true) add('owner is not null');
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  const order = `order by ${byId ? '+' : ''}${table}.created_at desc, ${id} desc limit ?`;
  values.push(owned === undefined ? (filter.limit ?? -1) : -1);
  return { sql: `select ${summaryColumns} ${from} ${where} ${order}`, values };
}
