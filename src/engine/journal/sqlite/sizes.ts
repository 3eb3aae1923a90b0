/** How large a journal in a file is, and what of that each run has written. */
import type { DatabaseSync } from 'node:sqlite';
import { type Sizes, wholeSizes } from '../sweep.ts';

interface Pages {
  /** Bytes. */
  readonly size: number;
  readonly used: number;
  readonly free: number;
}

export function pagesOf(database: DatabaseSync): Pages {
  const read = (name: string): number => Number(database.prepare(`pragma ${name}`).get()?.[name]);
  const free = read('freelist_count');
  return { size: read('page_size'), used: read('page_count') - free, free };
}

/** Reads every event's length: for those who want to drop something. */
export function sizesOf(database: DatabaseSync): Sizes {
  const { size, used } = pagesOf(database);
  const runs = new Map<string, number>();
  for (const sql of [ownText, largeText]) {
    for (const { run, bytes } of database.prepare(sql).all()) {
      const id = String(run);
      runs.set(id, (runs.get(id) ?? 0) + Number(bytes));
    }
  }
  const parents = new Map<string, string>();
  for (const { run, parent } of database.prepare(inner).all()) {
    parents.set(String(run), String(parent));
  }
  return { total: size * used, runs: wholeSizes(runs, parents) };
}

const inner = 'select run, parent from records where parent is not null';

const ownText = `select run, sum(octet_length(body)) as bytes from events
  where run in (select id from runs) group by run`;

const largeText = `select run, sum(octet_length(text)) as bytes
  from (select distinct run, json_extract(value, '$[1]') as hash from events, json_each(large)
        where large is not null and run in (select id from runs))
  join content using (hash) group by run`;
