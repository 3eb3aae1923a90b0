/** The query behind a list of runs: newest first by an index, so that a limit ends the search. */
import type { SQLInputValue } from 'node:sqlite';
import type { RunFilter } from '../run-filter.ts';

/** Sorts behind every id that continues a prefix. */
const lastCharacter = '\u{10ffff}';

export interface ListQuery {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** What an owner says about itself is found out for each row; then the limit is the caller's. */
export function listQuery(filter: RunFilter): ListQuery {
  const { status, reason, prefix, dialect, title, since, before, base, owned, limit } = filter;
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...given: SQLInputValue[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (status !== undefined) add('status = ?', status);
  if (reason !== undefined) add('reason = ?', reason);
  if (since !== undefined) add('created_at >= ?', since);
  if (before !== undefined) add('created_at < ?', before);
  // The plus keeps the planner on the index that has the order.
  if (prefix !== undefined) add('+id >= ? and +id < ?', prefix, prefix + lastCharacter);
  if (dialect !== undefined) add(`json_extract(record, '$.dialect') = ?`, dialect);
  if (title !== undefined) add(`json_extract(record, '$.title') like ? escape '\\'`, like(title));
  if (base !== undefined) add('base = ?', base);
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
  values.push(owned === undefined ? (limit ?? -1) : -1);
  const order = 'order by created_at desc, id desc limit ?';
  return { sql: `select ${summaryColumns} ${joinedRecords} ${where} ${order}`, values };
}

export const summaryColumns = 'status, reason, updated_at, events, owner, until, record, large';
export const joinedRecords = 'from runs join records on run = id';

const like = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
